//! What was typed, without our own name in it and without Discord's writing for names and pictures.
//!
//! Discord writes a mention as `<@number>` and a picture of a server's own as `<:name:number>`. Who typed `@Omid` or
//! `:ship:` has seen nothing of it, so the agent gets what they saw.

use std::num::NonZeroU64;

use askd_core::words::commands::COMMANDS;
use serenity::model::id::{RoleId, UserId};

/// What was typed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Typed {
    /// Without our mention at its start or end; else as it was seen.
    pub(super) text: String,
    /// Whether it mentions us or is a command of ours.
    pub(super) addressed: bool,
}

/// Who is who in a text.
pub(super) struct Names<'a> {
    /// Whether this mentions us.
    pub(super) is_us: &'a dyn Fn(Mention) -> bool,
    /// What somebody is called who is mentioned.
    pub(super) name: &'a dyn Fn(UserId) -> Option<String>,
}

/// Who is mentioned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mention {
    User(UserId),
    Role(RoleId),
}

/// Cleans a text.
pub(super) fn clean(text: &str, names: &Names<'_>) -> Typed {
    let pieces = pieces(text);
    let is_ours = |piece: &Piece<'_>| matches!(piece, Piece::Mention(mention, _) if (names.is_us)(*mention));
    let addressed = pieces.iter().any(is_ours);
    let blank = |piece: &Piece<'_>| matches!(piece, Piece::Text(text) if text.trim().is_empty());
    let aside = |piece: &&Piece<'_>| is_ours(piece) || blank(piece);
    let leads = pieces.iter().take_while(aside).count();
    let leads = if pieces[..leads].iter().any(is_ours) {
        leads
    } else {
        0
    };
    let rest = &pieces[leads..];
    let trails = rest.iter().rev().take_while(aside).count();
    let trails = if rest[rest.len() - trails..].iter().any(is_ours) {
        trails
    } else {
        0
    };
    let inner: String = rest[..rest.len() - trails]
        .iter()
        .map(|piece| piece.seen(names))
        .collect();
    let mut inner = inner.as_str();
    if leads > 0 {
        inner = inner.trim_start();
        inner = inner.strip_prefix(SEPARATORS).unwrap_or(inner).trim_start();
    }
    if trails > 0 {
        inner = inner.trim_end();
        inner = inner.strip_suffix([',', '،']).unwrap_or(inner).trim_end();
    }
    match command(inner) {
        Some(text) => Typed {
            text,
            addressed: true,
        },
        None => Typed {
            text: inner.to_owned(),
            addressed,
        },
    }
}

const SEPARATORS: [char; 4] = [',', ':', '،', ';'];

/// A command of ours, as the core knows it. Phones like to begin with a capital letter.
fn command(text: &str) -> Option<String> {
    let after = text.trim_start().strip_prefix('/')?;
    let end = after.find(char::is_whitespace).unwrap_or(after.len());
    let (name, rest) = after.split_at(end);
    let ours = COMMANDS.iter().find(|ours| ours.eq_ignore_ascii_case(name))?;
    Some(format!("/{ours}{rest}"))
}

#[derive(Debug, PartialEq, Eq)]
enum Piece<'a> {
    Text(&'a str),
    /// With how it is written.
    Mention(Mention, &'a str),
    /// A picture of a server's own, by its name.
    Picture(&'a str),
}

impl Piece<'_> {
    fn seen(&self, names: &Names<'_>) -> String {
        match self {
            Self::Text(text) => (*text).to_owned(),
            Self::Mention(Mention::User(user), written) => match (names.name)(*user) {
                Some(name) => format!("@{name}"),
                None => (*written).to_owned(),
            },
            Self::Mention(Mention::Role(_), written) => (*written).to_owned(),
            Self::Picture(name) => format!(":{name}:"),
        }
    }
}

fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let (mut rest, mut from) = (text, 0);
    while let Some(at) = rest[from..].find('<').map(|at| at + from) {
        let Some((piece, length)) = written(&rest[at..]) else {
            from = at + 1;
            continue;
        };
        if at > 0 {
            pieces.push(Piece::Text(&rest[..at]));
        }
        pieces.push(piece);
        (rest, from) = (&rest[at + length..], 0);
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest));
    }
    pieces
}

/// What is written at the beginning of a text that begins with `<`, and how many bytes it takes.
fn written(text: &str) -> Option<(Piece<'_>, usize)> {
    // Nothing that is written so holds another `<`, and to look beyond it each time would take a text of nothing else long.
    let end = 1 + text[1..].find(['<', '>'])?;
    if !text[end..].starts_with('>') {
        return None;
    }
    let (inside, whole) = (&text[1..end], &text[..=end]);
    let piece = if let Some(role) = inside.strip_prefix("@&") {
        Piece::Mention(Mention::Role(number(role)?.into()), whole)
    } else if let Some(user) = inside.strip_prefix('@') {
        let user = user.strip_prefix('!').unwrap_or(user);
        Piece::Mention(Mention::User(number(user)?.into()), whole)
    } else {
        let picture = inside.strip_prefix("a:").or_else(|| inside.strip_prefix(':'))?;
        let (name, id) = picture.split_once(':')?;
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        number(id).filter(|_| is_name)?;
        Piece::Picture(name)
    };
    Some((piece, whole.len()))
}

fn number(digits: &str) -> Option<NonZeroU64> {
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cleaned by user 99 with the role 77; Omid is user 5.
    fn cleaned(text: &str) -> (String, bool) {
        let ours = [Mention::User(UserId::new(99)), Mention::Role(RoleId::new(77))];
        let typed = clean(
            text,
            &Names {
                is_us: &|mention| ours.contains(&mention),
                name: &|user| (user == UserId::new(5)).then(|| "Omid".to_owned()),
            },
        );
        (typed.text, typed.addressed)
    }

    #[test]
    fn our_name_is_taken_off_both_ends() {
        for (typed, left) in [
            ("<@99> 2", "2"),
            ("<@!99>, 2", "2"),
            ("<@&77>: prod", "prod"),
            ("  <@99>\n2", "2"),
            ("<@99><@99> 2", "2"),
            ("<@99>، ۲", "۲"),
            ("2 <@99>", "2"),
            ("prod, <@99> ", "prod"),
            ("<@99>", ""),
            ("<@99> 2 <@99>", "2"),
            ("tell <@99> to wait", "tell <@99> to wait"),
            ("<@99> <@5> decides", "@Omid decides"),
        ] {
            assert_eq!(cleaned(typed), (left.to_owned(), true), "{typed}");
        }
    }

    #[test]
    fn what_is_not_about_us_stays_as_it_was_seen() {
        for (typed, seen) in [
            ("2", "2"),
            (" as typed ", " as typed "),
            ("ask <@5> or <@6>", "ask @Omid or <@6>"),
            (
                "<:ship:123> it <a:party_parrot:456>!",
                ":ship: it :party_parrot:!",
            ),
            (
                "a < b > c <@x> <@> <@&> <:x> <::1> <@0> <@+5>",
                "a < b > c <@x> <@> <@&> <:x> <::1> <@0> <@+5>",
            ),
            ("<<@5>>", "<@Omid>"),
            ("<@99", "<@99"),
            ("سلام <", "سلام <"),
            ("<#12> <t:5:R> </skip:7>", "<#12> <t:5:R> </skip:7>"),
        ] {
            assert_eq!(cleaned(typed), (seen.to_owned(), false), "{typed}");
        }
    }

    #[test]
    fn a_typed_command_is_meant_for_us() {
        for (typed, left) in [
            ("/skip", "/skip"),
            ("/Skip", "/skip"),
            ("/START 0123abcd", "/start 0123abcd"),
            ("<@99> /help", "/help"),
        ] {
            assert_eq!(cleaned(typed), (left.to_owned(), true), "{typed}");
        }
        for typed in ["/srv/data", "/weather", "/", "/skip!", "/ skip", "and/or"] {
            assert_eq!(cleaned(typed), (typed.to_owned(), false), "{typed}");
        }
    }
}
