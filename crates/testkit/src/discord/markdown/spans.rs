//! Styles, links and mentions within a text.

use super::{Reader, Style, Words, instants};

/// Reads a text within these styles.
pub(super) fn read(reader: &Reader<'_>, text: &str, styles: &[Style], words: &mut Words) {
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let taken = match first {
            '\\' => escaped(rest, styles, words),
            '`' => code(rest, styles, words),
            '*' | '_' | '~' | '|' => styled(reader, rest, styles, words),
            '[' => masked(reader, rest, styles, words),
            '<' => angled(reader, rest, styles, words),
            '¯' => literally(rest, "¯\\_(ツ)_/¯", styles, words),
            'h' => address(rest, styles, words),
            _ => None,
        };
        let taken = taken.unwrap_or_else(|| {
            let length = first.len_utf8();
            words.push(&rest[..length], styles);
            length
        });
        rest = &rest[taken..];
    }
}

/// A backslash before anything but letters, digits and blanks goes, and what follows it stays as it is.
fn escaped(rest: &str, styles: &[Style], words: &mut Words) -> Option<usize> {
    let next = rest.chars().nth(1)?;
    if next.is_ascii_alphanumeric() || next.is_whitespace() {
        return None;
    }
    let length = 1 + next.len_utf8();
    words.push(&rest[1..length], styles);
    Some(length)
}

fn literally(rest: &str, wanted: &str, styles: &[Style], words: &mut Words) -> Option<usize> {
    rest.starts_with(wanted).then(|| {
        words.push(wanted, styles);
        wanted.len()
    })
}

/// Between as many backticks as it begins with.
fn code(rest: &str, styles: &[Style], words: &mut Words) -> Option<usize> {
    let ticks = rest.chars().take_while(|c| *c == '`').count();
    let fence = &rest[..ticks];
    let mut from = ticks;
    loop {
        let at = from + rest[from..].find(fence)?;
        let run = rest[at..].chars().take_while(|c| *c == '`').count();
        if run == ticks && at > ticks {
            let inner = [styles, &[Style::Code]].concat();
            let text = &rest[ticks..at];
            let trimmed = text.strip_prefix(' ').and_then(|text| text.strip_suffix(' '));
            words.push(trimmed.filter(|text| text.contains('`')).unwrap_or(text), &inner);
            return Some(at + ticks);
        }
        from = at + run;
    }
}

/// The styles that two equal marks enclose.
fn styled(reader: &Reader<'_>, rest: &str, styles: &[Style], words: &mut Words) -> Option<usize> {
    let (style, length, inner) = if let Some(end) = enclosed(rest, "**") {
        (Style::Bold, 2, end)
    } else if let Some(end) = enclosed(rest, "__") {
        (Style::Underline, 2, end)
    } else if let Some(end) = enclosed(rest, "~~") {
        (Style::Strike, 2, end)
    } else if let Some(end) = enclosed(rest, "||") {
        (Style::Spoiler, 2, end)
    } else if let Some(end) = starred(rest).or_else(|| underscored(rest)) {
        (Style::Italic, 1, end)
    } else {
        return None;
    };
    let within = [styles, &[style]].concat();
    read(reader, &rest[length..inner], &within, words);
    Some(inner + length)
}

/// Where what stands between two of these marks ends. The second is not followed by one more of its kind.
fn enclosed(rest: &str, mark: &str) -> Option<usize> {
    let inner = rest.strip_prefix(mark)?;
    let kind = mark.chars().next()?;
    let mut at = 0;
    while let Some(c) = inner[at..].chars().next() {
        let here = &inner[at..];
        let closes = here
            .strip_prefix(mark)
            .is_some_and(|after| !after.starts_with(kind));
        if closes && at > 0 {
            return Some(mark.len() + at);
        }
        at += if c == '\\' {
            1 + here[1..].chars().next().map_or(0, char::len_utf8)
        } else {
            c.len_utf8()
        };
    }
    None
}

/// `*a*`: no blank after the first and none before the second, and no star beside the second.
fn starred(rest: &str) -> Option<usize> {
    let inner = rest.strip_prefix('*')?;
    if inner.starts_with(char::is_whitespace) {
        return None;
    }
    let mut at = 0;
    let mut after_blank = false;
    while let Some(c) = inner[at..].chars().next() {
        let here = &inner[at..];
        if here.starts_with("**") {
            at += 2;
            after_blank = false;
            continue;
        }
        match c {
            '*' if at > 0 && !after_blank => return Some(1 + at),
            '*' => return None,
            '\\' => {
                at += 1 + here[1..].chars().next().map_or(0, char::len_utf8);
                after_blank = false;
            }
            c => {
                at += c.len_utf8();
                after_blank = c.is_whitespace();
            }
        }
    }
    None
}

/// `_a_`, unless a letter or digit follows.
fn underscored(rest: &str) -> Option<usize> {
    let inner = rest.strip_prefix('_')?;
    let mut at = 0;
    while let Some(c) = inner[at..].chars().next() {
        let here = &inner[at..];
        if here.starts_with("__") {
            at += 2;
            continue;
        }
        if c == '_' {
            let follows = here[1..].chars().next();
            let is_word = follows.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
            return (at > 0 && !is_word).then_some(1 + at);
        }
        at += if c == '\\' {
            1 + here[1..].chars().next().map_or(0, char::len_utf8)
        } else {
            c.len_utf8()
        };
    }
    None
}

/// `[text](https://…)`.
fn masked(reader: &Reader<'_>, rest: &str, styles: &[Style], words: &mut Words) -> Option<usize> {
    let close = rest.find("](")?;
    let text = &rest[1..close];
    let after = &rest[close + 2..];
    let end = after.find(')')?;
    let url = after[..end].trim().trim_start_matches('<').trim_end_matches('>');
    let leads = url.starts_with("https://") || url.starts_with("http://");
    if !leads || text.trim().is_empty() || text.contains(['[', ']']) || text.ends_with('\\') {
        return None;
    }
    let within = [styles, &[Style::Masked(url.to_owned())]].concat();
    read(reader, text, &within, words);
    Some(close + 2 + end + 1)
}

/// Mentions, instants, emoji and bare links, all in angle brackets.
fn angled(reader: &Reader<'_>, rest: &str, styles: &[Style], words: &mut Words) -> Option<usize> {
    let end = rest.find('>')?;
    let inner = &rest[1..end];
    let read = mention(reader, inner)
        .or_else(|| instants::read(reader, inner))
        .or_else(|| emoji(inner))
        .or_else(|| {
            let link = inner.starts_with("https://") || inner.starts_with("http://");
            (link && !inner.contains(' ')).then(|| inner.to_owned())
        })?;
    words.push(&read, styles);
    Some(end + 1)
}

fn mention(reader: &Reader<'_>, inner: &str) -> Option<String> {
    let id = |text: &str| text.parse::<u64>().ok();
    if let Some(role) = inner.strip_prefix("@&") {
        let role = id(role)?;
        let known = reader.state.guilds.values().any(|guild| guild.bot_role == role);
        let bot = &reader.state.account(reader.state.bot.id).name;
        return Some(if known {
            format!("@{bot}")
        } else {
            "@unknown-role".to_owned()
        });
    }
    if let Some(account) = inner.strip_prefix('@') {
        let account = id(account.strip_prefix('!').unwrap_or(account))?;
        let account = reader.state.accounts.get(&account);
        let name = account.map_or("unknown-user", |account| account.name.as_str());
        return Some(format!("@{name}"));
    }
    if let Some(channel) = inner.strip_prefix('#') {
        let channel = reader.state.channels.get(&id(channel)?);
        let name = channel.map_or_else(
            || "unknown".to_owned(),
            |channel| reader.state.channel_name(channel),
        );
        return Some(format!("#{name}"));
    }
    let (name, command) = inner.strip_prefix('/')?.rsplit_once(':')?;
    id(command).map(|_| format!("/{name}"))
}

fn emoji(inner: &str) -> Option<String> {
    let inner = inner.strip_prefix('a').unwrap_or(inner);
    let (name, id) = inner.strip_prefix(':')?.split_once(':')?;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    (is_name && id.parse::<u64>().is_ok()).then(|| format!(":{name}:"))
}

/// A link that stands for itself: what looks like markup in it is none.
fn address(rest: &str, styles: &[Style], words: &mut Words) -> Option<usize> {
    let scheme = ["https://", "http://"]
        .into_iter()
        .find(|scheme| rest.starts_with(scheme))?;
    let end = rest
        .find(|c: char| c.is_whitespace() || c == '<')
        .unwrap_or(rest.len());
    let link = rest[..end].trim_end_matches(['.', ',', ':', ';', '"', '\'', ']', ')', '*', '_', '|', '~']);
    if link.len() <= scheme.len() {
        return None;
    }
    words.push(link, styles);
    Some(link.len())
}
