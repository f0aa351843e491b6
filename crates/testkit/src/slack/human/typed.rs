//! What people type, as it travels: `&`, `<` and `>` as entities, emoji as names, links in angle brackets.

use std::sync::LazyLock;

use regex::{Captures, Regex};

use crate::slack::{emoji, mrkdwn::escaped};

/// Addresses that the client makes links of: of the web, of mail, and bare names of hosts.
static LINKS: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"(?P<url>https?://[^\s<>|]+)|(?P<mail>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)|(?P<host>\b(?:[a-zA-Z0-9-]+\.)+(?:com|org|net|io|dev)\b(?:/[^\s<>|]*)?)";
    Regex::new(pattern).expect("the pattern is constant and tested")
});

/// The text as the client sends it.
pub(crate) fn encoded(text: &str) -> String {
    let mut out = String::new();
    let mut end = 0;
    for found in LINKS.captures_iter(text) {
        let (Some(whole), Some((link, length))) = (found.get(0), link(&found)) else {
            continue;
        };
        out.push_str(&plain(&text[end..whole.start()]));
        out.push_str(&link);
        end = whole.start() + length;
    }
    out.push_str(&plain(&text[end..]));
    out
}

fn plain(text: &str) -> String {
    emoji::named(&escaped(text))
}

/// The link, and how much of what was found it takes up.
fn link(found: &Captures<'_>) -> Option<(String, usize)> {
    let whole = found.get(0)?.as_str();
    // What ends a sentence ends no address, nor does a bracket that was opened before it.
    let mut text = whole.trim_end_matches(['.', ',', ';', ':', '!', '?', '"', '\'', '*', '_', '~', '`']);
    if !text.contains('(') {
        text = text.trim_end_matches(')');
    }
    let shown = escaped(text);
    let link = if found.name("url").is_some() {
        format!("<{shown}>")
    } else if found.name("mail").is_some() {
        format!("<mailto:{shown}|{shown}>")
    } else {
        format!("<http://{shown}|{shown}>")
    };
    Some((link, text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_travels_with_entities_names_of_emoji_and_links_in_brackets() {
        for (typed, travels) in [
            ("a & b < c > d", "a &amp; b &lt; c &gt; d"),
            ("&amp; <!channel> <@U1>", "&amp;amp; &lt;!channel&gt; &lt;@U1&gt;"),
            ("2\u{fe0f}\u{20e3}", ":two:"),
            (
                "see https://example.org/a?b=1&c=2.",
                "see <https://example.org/a?b=1&amp;c=2>.",
            ),
            ("[d](https://example.org) x", "[d](<https://example.org>) x"),
            (
                "ask ops@example.org",
                "ask <mailto:ops@example.org|ops@example.org>",
            ),
            ("on example.org now", "on <http://example.org|example.org> now"),
            ("1.5 or 2.", "1.5 or 2."),
            ("*bold* _it_ `code`", "*bold* _it_ `code`"),
        ] {
            assert_eq!(encoded(typed), travels);
        }
    }
}
