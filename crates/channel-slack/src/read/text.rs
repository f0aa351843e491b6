//! What was typed, without Slack's way of writing it and without our own name.
//!
//! Slack hands texts out encoded: `&`, `<` and `>` as entities, mentions and links between angle brackets, emoji by
//! their names between colons. Here they become what the person sees, because an answer is compared with labels, and
//! own words are passed on as they were typed. Source: Reference, formatting message text, "retrieving messages".

use askd_core::words::commands::COMMANDS;

use crate::known::Me;

/// What was typed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Typed {
    /// As it reads, without our mention at its start or end.
    pub(super) text: String,
    /// Whether it mentions us or is a command of ours: behind a blank, a command is a text like any other.
    pub(super) addressed: bool,
}

/// Stands for a mention of us until it is known whether that is a part of what was said. A noncharacter, which Unicode
/// keeps for internal use: whoever sends one sends nothing that can be read.
const US: char = '\u{fdd0}';

/// Reads a text as Slack writes it.
pub(super) fn read(written: &str, me: &Me) -> Typed {
    let text = decoded(&written.replace(US, ""), me);
    let addressed = text.contains(US) || is_command(&text);
    let mut rest = text.as_str();
    while let Some(after) = rest.trim_start().strip_prefix(US) {
        let after = after.trim_start();
        rest = after.strip_prefix(SEPARATORS).unwrap_or(after).trim_start();
    }
    while let Some(before) = rest.trim_end().strip_suffix(US) {
        let before = before.trim_end();
        rest = before.strip_suffix([',', '،']).unwrap_or(before).trim_end();
    }
    Typed {
        text: rest.replace(US, &format!("@{}", me.name)),
        addressed,
    }
}

fn is_command(text: &str) -> bool {
    let word = text.split_whitespace().next().unwrap_or_default();
    let name = word.strip_prefix('/');
    name.is_some_and(|name| COMMANDS.iter().any(|ours| ours.eq_ignore_ascii_case(name)))
}

const SEPARATORS: [char; 4] = [',', ':', '،', ';'];

/// Tokens first: in what lies between them an angle bracket can only be an entity. A token holds no other `<`, so what is
/// not closed before the next one is none.
fn decoded(written: &str, me: &Me) -> String {
    let mut text = String::with_capacity(written.len());
    let mut rest = written;
    while let Some((before, after)) = rest.split_once('<') {
        text.push_str(&plain(before));
        let end = after.find(['<', '>']);
        if let Some(end) = end.filter(|&end| after[end..].starts_with('>')) {
            text.push_str(&meant(&after[..end], me));
            rest = &after[end + 1..];
        } else {
            text.push('<');
            rest = after;
        }
    }
    text.push_str(&plain(rest));
    text
}

/// Text between tokens.
fn plain(written: &str) -> String {
    emoji(&unescaped(written))
}

/// `&` last, so that `&amp;lt;` becomes `&lt;`.
fn unescaped(written: &str) -> String {
    written
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&")
}

/// What a token between angle brackets reads as.
fn meant(token: &str, me: &Me) -> String {
    let (target, label) = match token.split_once('|') {
        Some((target, label)) => (target, Some(unescaped(label)).filter(|label| !label.is_empty())),
        None => (token, None),
    };
    if let Some(user) = target.strip_prefix('@') {
        if user == me.user {
            return US.to_string();
        }
        return format!("@{}", label.as_deref().unwrap_or(user).trim_start_matches('@'));
    }
    if let Some(channel) = target.strip_prefix('#') {
        return format!("#{}", label.as_deref().unwrap_or(channel).trim_start_matches('#'));
    }
    if let Some(command) = target.strip_prefix('!') {
        // `!here`, `!subteam^S1|@ops`, `!date^1796117400^{time}|14:30`.
        return match (command.split_once('^'), label) {
            (Some(("date" | "subteam", _)), Some(label)) => label,
            (Some((name, _)), label) => format!("@{}", label.as_deref().unwrap_or(name)),
            (None, _) => format!("@{command}"),
        };
    }
    link(&unescaped(target), label)
}

/// A link as it was typed. Slack makes links of what looks like one, and then the label is the text itself; where
/// somebody gave it a label of their own, both are what they said.
fn link(target: &str, label: Option<String>) -> String {
    let Some(label) = label else {
        return target.strip_prefix("mailto:").unwrap_or(target).to_owned();
    };
    let without_scheme = |url: &str| {
        let rest = url.split_once("://").map(|(_, rest)| rest);
        let rest = rest.or(url.strip_prefix("mailto:")).or(url.strip_prefix("tel:"));
        rest.unwrap_or(url).trim_end_matches('/').to_owned()
    };
    if target.starts_with("tel:") || without_scheme(target) == without_scheme(&label) {
        label
    } else {
        format!("{label} ({target})")
    }
}

/// Emoji in place of their names: `:two:`, `:+1::skin-tone-3:`. Names of a workspace's own emoji stay, and so does what
/// only looks like one, as in `12:100:3`.
pub(super) fn emoji(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(':') {
        let (before, from) = rest.split_at(start);
        shown.push_str(before);
        if let Some((emoji, after)) = named(from, shown.chars().next_back()) {
            shown.push_str(emoji);
            rest = after;
        } else {
            shown.push(':');
            rest = &from[1..];
        }
    }
    shown.push_str(rest);
    shown
}

/// The emoji whose name `text` begins with, and what follows it.
fn named(text: &str, before: Option<char>) -> Option<(&'static str, &str)> {
    let (name, after) = text.strip_prefix(':')?.split_once(':')?;
    let emoji = emojis::get_by_shortcode(name)?;
    // Slack writes the tone as a name of its own, numbered from 2 as the Fitzpatrick scale is.
    let (after, tone) = match after
        .strip_prefix(":skin-tone-")
        .and_then(|tone| tone.split_once(':'))
    {
        Some((tone, after)) => (after, Some(tone)),
        None => (after, None),
    };
    let is_word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let shown = tone.map_or(emoji, |tone| toned(emoji, tone)).as_str();
    (!is_word(before) && !is_word(after.chars().next())).then_some((shown, after))
}

fn toned(emoji: &'static emojis::Emoji, tone: &str) -> &'static emojis::Emoji {
    use emojis::SkinTone::{Dark, Light, Medium, MediumDark, MediumLight};
    let tone = match tone {
        "2" => Light,
        "3" => MediumLight,
        "4" => Medium,
        "5" => MediumDark,
        "6" => Dark,
        _ => return emoji,
    };
    emoji.with_skin_tone(tone).unwrap_or(emoji)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(written: &str) -> (String, bool) {
        let me = Me {
            user: "U0ASKD".to_owned(),
            bot: "B0ASKD".to_owned(),
            name: "askd".to_owned(),
            team: String::new(),
            team_id: "T0EXAMPLE".to_owned(),
            enterprise_id: None,
        };
        let typed = read(written, &me);
        (typed.text, typed.addressed)
    }

    #[test]
    fn what_is_written_reads_as_what_is_seen() {
        for (written, seen) in [
            ("2", "2"),
            ("a &amp; b &lt; c &gt; d", "a & b < c > d"),
            ("&amp;lt;", "&lt;"),
            (":two:", "2️⃣"),
            (":keycap_ten:", "🔟"),
            (":+1:", "👍"),
            (":thumbsup:", "👍"),
            (":+1::skin-tone-3:", "👍🏼"),
            (":+1::skin-tone-9:", "👍"),
            ("ok :tada: now", "ok 🎉 now"),
            (":our-own:", ":our-own:"),
            ("at 12:30:45", "at 12:30:45"),
            ("5:100:3", "5:100:3"),
            ("1: 2", "1: 2"),
            ("::", "::"),
            ("<@U0SARA>", "@U0SARA"),
            ("<@U0SARA|sara>", "@sara"),
            ("<#C0OPS|ops>", "#ops"),
            ("<#C0OPS|>", "#C0OPS"),
            ("<!here>", "@here"),
            ("<!channel>", "@channel"),
            ("<!subteam^S1|@ops>", "@ops"),
            ("<!date^1796117400^{time}|14:30>", "14:30"),
            ("<http://example.com|example.com>", "example.com"),
            ("<https://example.com/a?b&amp;c>", "https://example.com/a?b&c"),
            (
                "see <https://example.com/|https://example.com>",
                "see https://example.com",
            ),
            ("<https://example.com|here>", "here (https://example.com)"),
            ("<mailto:a@example.org|a@example.org>", "a@example.org"),
            ("<tel:+15550100|+1 555 0100>", "+1 555 0100"),
            ("&lt;@U0ASKD&gt;", "<@U0ASKD>"),
            ("a < b", "a < b"),
            ("a < b <@U0SARA>", "a < b @U0SARA"),
            ("&gt; quoted\n2", "> quoted\n2"),
        ] {
            assert_eq!(typed(written), (seen.to_owned(), false), "{written}");
        }
    }

    #[test]
    fn our_name_is_taken_off_both_ends() {
        for (written, left) in [
            ("<@U0ASKD> 2", "2"),
            ("<@U0ASKD|askd>, 2", "2"),
            ("<@U0ASKD>: prod", "prod"),
            ("  <@U0ASKD>\n2", "2"),
            ("<@U0ASKD><@U0ASKD> 2", "2"),
            ("<@U0ASKD>، ۲", "۲"),
            ("<@U0ASKD> :two:", "2️⃣"),
            ("2 <@U0ASKD>", "2"),
            ("prod, <@U0ASKD> ", "prod"),
            ("<@U0ASKD>", ""),
            ("tell <@U0ASKD> to wait", "tell @askd to wait"),
        ] {
            assert_eq!(typed(written), (left.to_owned(), true), "{written}");
        }
    }

    #[test]
    fn a_command_of_ours_is_meant_for_us() {
        for (written, addressed) in [
            (" /pending", true),
            ("/Skip", true),
            ("/start 0123abcd", true),
            ("/srv/data", false),
            ("/skipping", false),
            ("say /skip", false),
        ] {
            assert_eq!(typed(written), (written.to_owned(), addressed), "{written}");
        }
    }

    #[test]
    fn nobody_can_forge_a_mention_or_a_token() {
        for (written, seen) in [
            ("\u{fdd0} 2", " 2"),
            ("&lt;@U0ASKD&gt; 2", "<@U0ASKD> 2"),
            ("U0ASKD 2", "U0ASKD 2"),
        ] {
            assert_eq!(typed(written), (seen.to_owned(), false), "{written:?}");
        }
    }

    #[test]
    fn what_is_typed_into_a_form_is_plain_but_for_its_emoji() {
        assert_eq!(emoji("a &amp; <b> :+1:"), "a &amp; <b> 👍");
    }
}
