//! The spans that Telegram finds in any text by itself: commands, mentions, addresses.
//!
//! A bot knows a command or a mention by them and by nothing else, so the texts of people need them too.

use std::sync::LazyLock;

use regex::Regex;

use super::{Entity, Formatted, sorted};

/// What is looked for; the first group is the span.
static PATTERNS: LazyLock<[(&str, Regex); 4]> = LazyLock::new(|| {
    let pattern = |pattern| Regex::new(pattern).expect("the patterns are constants, and tested");
    [
        (
            "bot_command",
            pattern(r"(?:^|\s)(/[A-Za-z0-9_]{1,64}(?:@[A-Za-z0-9_]{3,32})?)(?:$|[^A-Za-z0-9_/@])"),
        ),
        ("mention", pattern(r"(?:^|[^\w@/])(@[A-Za-z0-9_]{4,32})\b")),
        ("url", pattern(r"(?i)\b(https?://[^\s<>]+[^\s<>.,;:!?)\]'])")),
        ("hashtag", pattern(r"(?:^|[\s.,:;])(#\w*[^\W\d]\w*)")),
    ]
});

/// Adds them to a text, but for those that would lie in code or a link.
pub(crate) fn add(formatted: &mut Formatted) {
    let mut entities = std::mem::take(&mut formatted.entities);
    for (name, pattern) in PATTERNS.iter() {
        let mut from = 0;
        // The blank between two commands belongs to both, so the search goes on at the end of the span.
        while let Some(span) = pattern
            .captures_at(&formatted.text, from)
            .and_then(|captures| captures.get(1))
        {
            let units = |text: &str| text.encode_utf16().count();
            let entity = Entity::plain(name, units(&formatted.text[..span.start()]), units(span.as_str()));
            if !entities.iter().any(|other| keeps_out(other, &entity)) {
                entities.push(entity);
            }
            from = span.end();
        }
    }
    formatted.entities = sorted(entities);
}

fn keeps_out(other: &Entity, entity: &Entity) -> bool {
    let style = ["bold", "italic", "underline", "strikethrough", "spoiler"];
    let quote = ["blockquote", "expandable_blockquote"];
    let transparent = style.contains(&other.name()) || quote.contains(&other.name());
    !transparent && other.offset < entity.end() && entity.offset < other.end()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(String, String)> {
        let mut formatted = Formatted {
            text: text.to_owned(),
            entities: Vec::new(),
        };
        add(&mut formatted);
        let units: Vec<u16> = text.encode_utf16().collect();
        let spans = formatted.entities.iter().map(|entity| {
            let span = String::from_utf16_lossy(&units[entity.offset..entity.end()]);
            (entity.name().to_owned(), span)
        });
        spans.collect()
    }

    #[test]
    fn commands_mentions_and_addresses_are_found_where_they_stand_alone() {
        for (text, expected) in [
            ("/start", vec![("bot_command", "/start")]),
            ("👍 /skip@askd_bot now", vec![("bot_command", "/skip@askd_bot")]),
            (
                "/skip /help",
                vec![("bot_command", "/skip"), ("bot_command", "/help")],
            ),
            ("/srv/data", vec![]),
            ("a/b", vec![]),
            ("@askd_bot production", vec![("mention", "@askd_bot")]),
            ("mail sara@example.org", vec![]),
            (
                "see https://example.org/a?b.",
                vec![("url", "https://example.org/a?b")],
            ),
            ("ticket #2", vec![]),
            ("about #deploy", vec![("hashtag", "#deploy")]),
        ] {
            let expected: Vec<_> = expected
                .into_iter()
                .map(|(name, span)| (name.to_owned(), span.to_owned()))
                .collect();

            assert_eq!(found(text), expected, "{text}");
        }
    }

    #[test]
    fn nothing_is_found_in_code() {
        let mut formatted = Formatted {
            text: "/start".to_owned(),
            entities: vec![Entity::plain("code", 0, 6)],
        };

        add(&mut formatted);

        assert_eq!(formatted.entities, [Entity::plain("code", 0, 6)]);
    }
}
