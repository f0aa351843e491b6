//! Telegram's HTML: a few tags, four named references, and no mercy for a bare `<`.
//!
//! Follows TDLib's `parse_html` byte by byte where a fault is concerned, because the texts of faults name byte offsets.

use super::{Entity, Formatted, Kind, sorted};
use crate::telegram::links;

/// Takes the tags out of `text` and makes spans of them.
///
/// # Errors
/// What is wrong, as the server says it after `can't parse entities: `.
pub(crate) fn parse(text: &str) -> Result<Formatted, String> {
    let mut parser = Parser {
        text: text.as_bytes(),
        at: 0,
        out: Vec::with_capacity(text.len()),
        units: 0,
        open: Vec::new(),
        entities: Vec::new(),
    };
    parser.run()?;
    let text = String::from_utf8(parser.out).map_err(|_| {
        "Text contains invalid Unicode characters after decoding HTML entities, check for unmatched surrogate code units"
            .to_owned()
    })?;
    Ok(Formatted {
        text,
        entities: sorted(parser.entities),
    })
}

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
    out: Vec<u8>,
    /// Length of `out` in UTF-16 code units.
    units: usize,
    open: Vec<Open>,
    entities: Vec<Entity>,
}

/// A tag that has not been closed.
struct Open {
    name: String,
    argument: String,
    /// Where its content begins, in units and in bytes of the output.
    units: usize,
    bytes: usize,
}

const TAGS: [&str; 16] = [
    "a",
    "b",
    "strong",
    "i",
    "em",
    "s",
    "strike",
    "del",
    "u",
    "ins",
    "tg-spoiler",
    "tg-emoji",
    "span",
    "pre",
    "code",
    "blockquote",
];

impl Parser<'_> {
    fn run(&mut self) -> Result<(), String> {
        while self.at < self.text.len() {
            match self.peek() {
                b'&' => self.reference(),
                b'<' if self.byte(self.at + 1) == b'/' => self.end_tag()?,
                b'<' => self.start_tag()?,
                byte => {
                    self.count(byte);
                    self.out.push(byte);
                    self.at += 1;
                }
            }
        }
        match self.open.last() {
            None => Ok(()),
            Some(open) => Err(format!(
                "Can't find end tag corresponding to start tag \"{}\"",
                open.name
            )),
        }
    }

    /// The byte at `at`; 0 behind the end, which the server's C strings have there as well.
    fn byte(&self, at: usize) -> u8 {
        self.text.get(at).copied().unwrap_or(0)
    }

    fn peek(&self) -> u8 {
        self.byte(self.at)
    }

    fn count(&mut self, byte: u8) {
        // Not a continuation byte; four bytes are a surrogate pair.
        if byte & 0xc0 != 0x80 {
            self.units += 1 + usize::from(byte >= 0xf0);
        }
    }

    fn reference(&mut self) {
        if let Some((c, end)) = reference_at(self.text, self.at) {
            self.units += c.len_utf16();
            self.out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            self.at = end;
        } else {
            self.units += 1;
            self.out.push(b'&');
            self.at += 1;
        }
    }

    fn start_tag(&mut self) -> Result<(), String> {
        let begin = self.at;
        self.at += 1;
        let name = self.word(b'>');
        if self.peek() == 0 {
            return Err(format!("Unclosed start tag at byte offset {begin}"));
        }
        if !TAGS.contains(&name.as_str()) {
            return Err(format!("Unsupported start tag \"{name}\" at byte offset {begin}"));
        }
        let mut argument = String::new();
        loop {
            self.blanks();
            if self.peek() == b'>' {
                break;
            }
            self.attribute(begin, &name, &mut argument)?;
        }
        self.at += 1;
        if name == "span" && argument != "spoiler" {
            return Err(format!(
                "Tag \"span\" must have class \"tg-spoiler\" at byte offset {begin}"
            ));
        }
        self.open.push(Open {
            name,
            argument,
            units: self.units,
            bytes: self.out.len(),
        });
        Ok(())
    }

    fn attribute(&mut self, begin: usize, tag: &str, argument: &mut String) -> Result<(), String> {
        let from = self.at;
        while !is_space(self.peek()) && self.peek() != b'=' && !(tag == "blockquote" && self.peek() == b'>') {
            self.at += 1;
        }
        let attribute = String::from_utf8_lossy(&self.text[from..self.at]).into_owned();
        if attribute.is_empty() {
            return Err(format!(
                "Empty attribute name in the tag \"{tag}\" at byte offset {begin}"
            ));
        }
        self.blanks();
        if tag == "blockquote" && attribute == "expandable" {
            "expandable".clone_into(argument);
            if self.peek() != b'=' {
                return Ok(());
            }
        }
        if self.peek() != b'=' {
            return Err(format!(
                "Expected equal sign in declaration of an attribute of the tag \"{tag}\" at byte offset {begin}"
            ));
        }
        self.at += 1;
        self.blanks();
        if self.peek() == 0 {
            return Err(format!("Unclosed start tag \"{tag}\" at byte offset {begin}"));
        }
        let value = self.value()?;
        if self.peek() == 0 {
            return Err(format!("Unclosed start tag at byte offset {begin}"));
        }
        match (tag, attribute.as_str()) {
            ("a", "href") | ("tg-emoji", "emoji-id") => *argument = value,
            ("code", "class") if value.starts_with("language-") => value[9..].clone_into(argument),
            ("span", "class") if value.starts_with("tg-") => value[3..].clone_into(argument),
            _ => {}
        }
        Ok(())
    }

    fn value(&mut self) -> Result<String, String> {
        let quote = self.peek();
        if quote != b'\'' && quote != b'"' {
            let from = self.at;
            while self.peek().is_ascii_alphanumeric() || [b'.', b'-'].contains(&self.peek()) {
                self.at += 1;
            }
            if !is_space(self.peek()) && self.peek() != b'>' {
                return Err(format!("Unexpected end of name token at byte offset {from}"));
            }
            return Ok(String::from_utf8_lossy(&self.text[from..self.at]).to_lowercase());
        }
        self.at += 1;
        let mut value = Vec::new();
        while self.peek() != quote && self.peek() != 0 {
            if let Some((c, end)) = reference_at(self.text, self.at) {
                value.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                self.at = end;
            } else {
                value.push(self.peek());
                self.at += 1;
            }
        }
        if self.peek() == quote {
            self.at += 1;
        }
        Ok(String::from_utf8_lossy(&value).into_owned())
    }

    fn end_tag(&mut self) -> Result<(), String> {
        let begin = self.at;
        let Some(open) = self.open.pop() else {
            return Err(format!("Unexpected end tag at byte offset {begin}"));
        };
        self.at += 2;
        let name = self.word(b'>');
        self.blanks();
        if self.peek() != b'>' {
            return Err(format!("Unclosed end tag at byte offset {begin}"));
        }
        self.at += 1;
        if !name.is_empty() && name != open.name {
            return Err(format!(
                "Unmatched end tag at byte offset {begin}, expected \"</{}>\", found \"</{name}>\"",
                open.name
            ));
        }
        if self.units > open.units {
            self.close(open)?;
        }
        Ok(())
    }

    fn close(&mut self, open: Open) -> Result<(), String> {
        let (offset, length) = (open.units, self.units - open.units);
        let kind = match open.name.as_str() {
            "b" | "strong" => Kind::Plain("bold"),
            "i" | "em" => Kind::Plain("italic"),
            "s" | "strike" | "del" => Kind::Plain("strikethrough"),
            "u" | "ins" => Kind::Plain("underline"),
            "tg-spoiler" | "span" => Kind::Plain("spoiler"),
            "blockquote" if open.argument == "expandable" => Kind::Plain("expandable_blockquote"),
            "blockquote" => Kind::Plain("blockquote"),
            "pre" => Kind::Pre { language: None },
            "code" => {
                let around = self
                    .open
                    .last()
                    .is_some_and(|outer| outer.name == "pre" && outer.units == offset);
                if around && !open.argument.is_empty() {
                    // `<pre><code class="language-…">` is one span, which the outer tag would make a second time.
                    self.open.pop();
                    self.open.push(Open {
                        name: "pre".to_owned(),
                        argument: String::new(),
                        units: self.units,
                        bytes: self.out.len(),
                    });
                    Kind::Pre {
                        language: Some(open.argument),
                    }
                } else {
                    Kind::Plain("code")
                }
            }
            "a" => {
                let shown = String::from_utf8_lossy(&self.out[open.bytes..]);
                let url = if open.argument.is_empty() {
                    shown.into_owned()
                } else {
                    open.argument
                };
                // A link that leads nowhere is text, without a word.
                if links::check(&url).is_err() {
                    return Ok(());
                }
                Kind::TextLink { url }
            }
            _ => return Err("Invalid custom emoji identifier specified".to_owned()),
        };
        self.entities.push(Entity { kind, offset, length });
        Ok(())
    }

    /// The lower-cased word from here to a blank or `end`.
    fn word(&mut self, end: u8) -> String {
        let from = self.at;
        while !is_space(self.peek()) && self.peek() != end {
            self.at += 1;
        }
        String::from_utf8_lossy(&self.text[from..self.at]).to_lowercase()
    }

    fn blanks(&mut self) {
        while self.peek() != 0 && is_space(self.peek()) {
            self.at += 1;
        }
    }
}

fn is_space(byte: u8) -> bool {
    [b' ', b'\t', b'\r', b'\n', 0, 0x0b].contains(&byte)
}

/// The character reference at `at` and where it ends. Only `lt`, `gt`, `amp` and `quot` have names; the semicolon may
/// be missing.
fn reference_at(text: &[u8], at: usize) -> Option<(char, usize)> {
    let rest = text[at..].strip_prefix(b"&")?;
    let length =
        |skip: usize, fits: fn(&u8) -> bool| rest[skip..].iter().take_while(|byte| fits(byte)).count();
    let number = |from: usize, to: usize, radix| {
        let digits = std::str::from_utf8(&rest[from..to]).ok()?;
        char::from_u32(u32::from_str_radix(digits, radix).ok()?).filter(|c| *c != '\0')
    };
    let (c, end) = if rest.starts_with(b"#x") {
        let end = 2 + length(2, u8::is_ascii_hexdigit);
        (number(2, end, 16)?, end)
    } else if rest.starts_with(b"#") {
        let end = 1 + length(1, u8::is_ascii_digit);
        (number(1, end, 10)?, end)
    } else {
        let end = length(0, u8::is_ascii_alphabetic);
        let c = match &rest[..end] {
            b"lt" => '<',
            b"gt" => '>',
            b"amp" => '&',
            b"quot" => '"',
            _ => return None,
        };
        (c, end)
    };
    let semicolon = usize::from(rest.get(end) == Some(&b';'));
    Some((c, at + 1 + end + semicolon))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_become_spans_and_references_characters() {
        let parsed = parse("👍 <b>a &lt; <i>b</i></b> &amp;&#39;&quot; <code>x</code>").expect("it is sound");

        assert_eq!(parsed.text, "👍 a < b &'\" x");
        assert_eq!(
            parsed.entities,
            [
                Entity::plain("bold", 3, 5),
                Entity::plain("italic", 7, 1),
                Entity::plain("code", 13, 1),
            ]
        );
    }

    #[test]
    fn links_code_blocks_and_quotes_keep_what_they_say() {
        let link = |url: &str| Kind::TextLink { url: url.to_owned() };
        let rust = Kind::Pre {
            language: Some("rust".to_owned()),
        };
        for (text, kind) in [
            (
                "<a href=\"https://example.org/?a&amp;b\">x</a>",
                link("https://example.org/?a&b"),
            ),
            ("<pre><code class=\"language-rust\">x</code></pre>", rust),
            ("<pre>x</pre>", Kind::Pre { language: None }),
            (
                "<blockquote expandable>x</blockquote>",
                Kind::Plain("expandable_blockquote"),
            ),
            ("<span class=\"tg-spoiler\">x</span>", Kind::Plain("spoiler")),
        ] {
            let parsed = parse(text).expect("it is sound");

            assert_eq!(parsed.text, "x", "{text}");
            assert_eq!(
                parsed.entities,
                [Entity {
                    kind,
                    offset: 0,
                    length: 1
                }],
                "{text}"
            );
        }
    }

    #[test]
    fn a_reference_without_a_name_that_telegram_knows_stays_as_it_is() {
        assert_eq!(
            parse("&nbsp; &apos; a & b").expect("sound").text,
            "&nbsp; &apos; a & b"
        );
    }

    #[test]
    fn a_fault_is_named_with_its_byte_offset() {
        for (text, fault) in [
            ("a < b", "Unsupported start tag \"\" at byte offset 2"),
            ("é <3", "Unclosed start tag at byte offset 3"),
            (
                "<script>x</script>",
                "Unsupported start tag \"script\" at byte offset 0",
            ),
            ("<b>x", "Can't find end tag corresponding to start tag \"b\""),
            (
                "<b><i>test</b></i>",
                "Unmatched end tag at byte offset 10, expected \"</i>\", found \"</b>\"",
            ),
            ("x</b>", "Unexpected end tag at byte offset 1"),
            (
                "<a href>x</a>",
                "Expected equal sign in declaration of an attribute of the tag \"a\" at byte offset 0",
            ),
        ] {
            assert_eq!(parse(text), Err(fault.to_owned()), "{text}");
        }
    }
}
