//! What was typed, without our own name in it.
//!
//! Telegram's own rules for what is a mention and what is a command, applied to the text: entities would say the same.

use askd_core::words::commands::COMMANDS;

/// What was typed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Typed {
    /// Without our mention at its start or end, and without `@ours` after a command; else as it is.
    pub(super) text: String,
    /// Whether it mentions us or is a command of ours.
    pub(super) addressed: bool,
    /// Whether it is a command that names another bot.
    pub(super) for_another_bot: bool,
}

/// Cleans a text of the name `me`, given without `@`.
pub(super) fn clean(text: &str, me: &str) -> Typed {
    let mut rest = text;
    let mut addressed = mentions(text, me);
    while let Some(after) = without_leading(rest, me) {
        rest = after;
    }
    while let Some(before) = without_trailing(rest, me) {
        rest = before;
    }
    let Some(command) = command(rest) else {
        return Typed {
            text: rest.to_owned(),
            addressed,
            for_another_bot: false,
        };
    };
    let ours = COMMANDS
        .iter()
        .find(|ours| ours.eq_ignore_ascii_case(command.name));
    let meant = command.bot.is_none_or(|bot| bot.eq_ignore_ascii_case(me));
    addressed |= meant && (ours.is_some() || command.bot.is_some());
    let text = match ours {
        // Phones like to begin with a capital letter.
        Some(name) if meant => format!("/{name}{}", command.rest),
        None if command.bot.is_some() && meant => format!("/{}{}", command.name, command.rest),
        _ => rest.to_owned(),
    };
    Typed {
        text,
        addressed,
        for_another_bot: !meant,
    }
}

struct Command<'a> {
    name: &'a str,
    bot: Option<&'a str>,
    rest: &'a str,
}

/// A slash and a word, perhaps `@` and a bot's name, then a blank or nothing. `/srv/data` is none.
fn command(text: &str) -> Option<Command<'_>> {
    let after = text.trim_start().strip_prefix('/')?;
    let end = after.find(char::is_whitespace).unwrap_or(after.len());
    let (head, rest) = after.split_at(end);
    let (name, bot) = match head.split_once('@') {
        Some((name, bot)) => (name, Some(bot)),
        None => (head, None),
    };
    let is_name = |text: &str| !text.is_empty() && text.chars().all(is_word);
    (is_name(name) && bot.is_none_or(is_name)).then_some(Command { name, bot, rest })
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Whether we are mentioned: `@name` that is not part of a longer word.
fn mentions(text: &str, me: &str) -> bool {
    text.match_indices('@')
        .any(|(start, _)| mention_at(text, start, me).is_some())
}

/// Where a mention of us ends that begins at this byte.
fn mention_at(text: &str, start: usize, me: &str) -> Option<usize> {
    let name = text.get(start..)?.strip_prefix('@')?.get(..me.len())?;
    let end = start + 1 + me.len();
    let before = text[..start].chars().next_back();
    let after = text[end..].chars().next();
    let is_whole = !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(is_word);
    (!me.is_empty() && is_whole && name.eq_ignore_ascii_case(me)).then_some(end)
}

const SEPARATORS: [char; 4] = [',', ':', '،', ';'];

fn without_leading<'a>(text: &'a str, me: &str) -> Option<&'a str> {
    let blank = text.len() - text.trim_start().len();
    let rest = text[mention_at(text, blank, me)?..].trim_start();
    Some(rest.strip_prefix(SEPARATORS).unwrap_or(rest).trim_start())
}

fn without_trailing<'a>(text: &'a str, me: &str) -> Option<&'a str> {
    let text = text.trim_end();
    let start = text.len().checked_sub(1 + me.len())?;
    mention_at(text, start, me)?;
    let rest = text[..start].trim_end();
    Some(rest.strip_suffix([',', '،']).unwrap_or(rest).trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cleaned(text: &str) -> (String, bool, bool) {
        let typed = clean(text, "askd_bot");
        (typed.text, typed.addressed, typed.for_another_bot)
    }

    #[test]
    fn our_name_is_taken_off_both_ends() {
        for (typed, left) in [
            ("@askd_bot 2", "2"),
            ("@askd_bot, 2", "2"),
            ("@askd_bot: prod", "prod"),
            ("  @ASKD_Bot\n2", "2"),
            ("@askd_bot@askd_bot 2", "2"),
            ("@askd_bot، ۲", "۲"),
            ("2 @askd_bot", "2"),
            ("prod, @askd_bot ", "prod"),
            ("@askd_bot", ""),
            ("tell @askd_bot to wait", "tell @askd_bot to wait"),
        ] {
            assert_eq!(cleaned(typed), (left.to_owned(), true, false), "{typed}");
        }
    }

    #[test]
    fn another_name_is_not_ours() {
        for typed in [
            "2",
            "@askd_bot2 2",
            "@other 2",
            "me@askd_bot",
            "سلام@askd_bot",
            "askd_bot",
            " as typed ",
        ] {
            assert_eq!(cleaned(typed), (typed.to_owned(), false, false), "{typed}");
        }
    }

    #[test]
    fn a_command_comes_without_our_name() {
        for (typed, left) in [
            ("/skip", "/skip"),
            ("/Skip", "/skip"),
            ("/skip@askd_bot", "/skip"),
            ("/START@Askd_Bot 0123abcd", "/start 0123abcd"),
            ("/start\n0123abcd", "/start\n0123abcd"),
            ("@askd_bot /help", "/help"),
            ("/weather@askd_bot now", "/weather now"),
        ] {
            assert_eq!(cleaned(typed), (left.to_owned(), true, false), "{typed}");
        }
    }

    #[test]
    fn a_command_for_another_bot_is_not_ours() {
        assert_eq!(
            cleaned("/skip@other_bot"),
            ("/skip@other_bot".to_owned(), false, true)
        );
    }

    #[test]
    fn what_begins_with_a_slash_need_not_be_a_command_of_ours() {
        for typed in [
            "/srv/data",
            "/weather",
            "/",
            "/skip!",
            "/ skip",
            "/skip@",
            "and/or",
        ] {
            assert_eq!(cleaned(typed), (typed.to_owned(), false, false), "{typed}");
        }
    }
}
