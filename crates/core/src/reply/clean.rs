//! Clean-up: what two texts must share to count as the same.
//!
//! People type "۲", "2️⃣", "**Staging**" and "STAGING (recommended)." and mean what is shown. Clean-up removes what
//! carries no meaning, and nothing else; it serves comparing only. What is passed on is always the text as typed,
//! so a [`Folded`] text remembers for each of its letters where in the source it stood.
//!
//! * [`Folded`]: compatibility forms, case, digits of every script, Arabic and Persian letters, invisible characters.
//! * [`tidy`]: and without quotes, backticks, `*` and `_` around the whole. Only around: `5"` is five inches.
//! * [`key`]: as labels (and words of the vocabulary) compare: and without blanks, outer dots, recommended marker.
//!
//! Folding decomposes (NFKD) where SPEC 4 says NFKC. Two texts are equal in the one form exactly if they are in the
//! other, and decomposition goes letter by letter, which keeps the way back to the source.

use std::{borrow::Cow, ops::Range};

use unicode_normalization::char::decompose_compatible;

use super::known;

/// A text folded for comparing, with the way back to what was typed.
#[derive(Debug)]
pub(super) struct Folded<'t> {
    source: &'t str,
    text: String,
    /// For each byte of `text`, the byte in `source` where the character it came from begins.
    origin: Vec<usize>,
}

impl<'t> Folded<'t> {
    /// Folds all of `source`, in time linear in its length.
    pub(super) fn new(source: &'t str) -> Self {
        let mut text = String::with_capacity(source.len());
        let mut origin = Vec::with_capacity(source.len());
        for (at, c) in source.char_indices() {
            fold(c, &mut text);
            origin.resize(text.len(), at);
        }
        Self { source, text, origin }
    }

    /// The folded text.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// What was typed for this part of [`Folded::text`], trimmed. A character that folds to several (`⒈`) belongs
    /// to the part in which it begins.
    pub(super) fn typed(&self, part: Range<usize>) -> &'t str {
        let end = |at: usize| self.origin.get(at).copied().unwrap_or(self.source.len());
        self.source[end(part.start)..end(part.end).max(end(part.start))].trim()
    }
}

/// `text` folded, without the way back.
pub(super) fn folded(text: &str) -> String {
    Folded::new(text).text
}

fn fold(c: char, into: &mut String) {
    if c.is_ascii() {
        return into.push(c.to_ascii_lowercase());
    }
    match c {
        _ if is_invisible(c) => {}
        // Its decomposition is a blank and a combining accent; people type it as a quote.
        '\u{B4}' => into.push('\''),
        // Its decomposition is "No", which is also a word for no.
        '\u{2116}' => into.push('#'),
        // The keycap of ten; the other keycaps are a digit and U+20E3.
        '\u{1F51F}' => into.push_str("10"),
        _ => decompose_compatible(c, |part| fold_part(part, into)),
    }
}

fn fold_part(c: char, into: &mut String) {
    if c.is_ascii() {
        return into.push(c.to_ascii_lowercase());
    }
    match c {
        _ if is_invisible(c) => {}
        // Persian yeh for Arabic yeh and for alef maksura, which looks the same at the end of a word; Persian kaf.
        '\u{64A}' | '\u{649}' => into.push('\u{6CC}'),
        '\u{643}' => into.push('\u{6A9}'),
        _ => match digit(c) {
            Some(digit) => into.push(digit),
            // Case folding without a table of its own: there and back again joins ß with SS and both sigmas. The
            // first step is for the capital ß, which has no capital of its own.
            None => into.extend(
                c.to_lowercase()
                    .flat_map(char::to_uppercase)
                    .flat_map(char::to_lowercase),
            ),
        },
    }
}

/// Characters without a shape of their own: zero width, bidi controls, variation selectors, skin tones, and the box
/// of a keycap. Tag characters are not among them: they are all that tells the flags of England and Scotland apart.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}'
        | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{20E3}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}'
        | '\u{1F3FB}'..='\u{1F3FF}' | '\u{E0100}'..='\u{E01EF}')
}

/// The zero of each run of ten decimal digits that has no compatibility decomposition. Source: Unicode 16.0,
/// general category Nd; a test compares it with the tables of `regex`.
const ZEROS: [u32; 67] = [
    0x0660, 0x06F0, 0x07C0, 0x0966, 0x09E6, 0x0A66, 0x0AE6, 0x0B66, 0x0BE6, 0x0C66, 0x0CE6, 0x0D66, 0x0DE6,
    0x0E50, 0x0ED0, 0x0F20, 0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90, 0x1B50, 0x1BB0,
    0x1C40, 0x1C50, 0xA620, 0xA8D0, 0xA900, 0xA9D0, 0xA9F0, 0xAA50, 0xABF0, 0x104A0, 0x10D30, 0x10D40,
    0x11066, 0x110F0, 0x11136, 0x111D0, 0x112F0, 0x11450, 0x114D0, 0x11650, 0x116C0, 0x116D0, 0x116DA,
    0x11730, 0x118E0, 0x11950, 0x11BF0, 0x11C50, 0x11D50, 0x11DA0, 0x11F50, 0x16130, 0x16A60, 0x16AC0,
    0x16B50, 0x16D70, 0x1E140, 0x1E2F0, 0x1E4F0, 0x1E5F1, 0x1E950,
];

fn digit(c: char) -> Option<char> {
    let code = u32::from(c);
    let run = ZEROS.partition_point(|&zero| zero <= code).checked_sub(1)?;
    char::from_digit(code - ZEROS[run], 10)
}

/// Quotes of any kind, backticks and the asterisks and underscores of Markdown, all as folding leaves them.
pub(super) fn is_wrapper(c: char) -> bool {
    matches!(c,
        '"' | '\'' | '`' | '*' | '_' | '«' | '»' | '\u{2018}'..='\u{201F}' | '\u{2032}' | '\u{2039}' | '\u{203A}'
        | '\u{3008}'..='\u{300F}' | '\u{301D}'..='\u{301F}')
}

/// `folded` without the blanks, quotes and emphasis around it; empty where there is nothing else. What stands on one
/// side only stays: `5"`, `*.rs`.
pub(super) fn tidy(folded: &str) -> &str {
    let mut rest = folded.trim();
    loop {
        let mut inner = rest.chars();
        match (inner.next(), inner.next_back()) {
            (Some(first), Some(last)) if is_wrapper(first) && is_wrapper(last) => {
                rest = inner.as_str().trim();
            }
            (Some(only), None) if is_wrapper(only) => return "",
            _ => return rest,
        }
    }
}

fn is_outer_dot(c: char) -> bool {
    matches!(c, '.' | '!' | '。' | '۔')
}

/// `folded` as labels compare. A label of nothing but what is removed (`...`, `*`) compares as it stands, so that a
/// key is empty only for a blank text.
pub(super) fn key(folded: &str) -> String {
    trimmed_key(folded, known::recommended())
}

/// The same for words of the vocabulary: the recommended marker is no part of a word that is typed.
pub(super) fn word_key(folded: &str) -> String {
    trimmed_key(folded, &[])
}

fn trimmed_key(folded: &str, endings: &[String]) -> String {
    let whole: String = folded.chars().filter(|c| !c.is_whitespace()).collect();
    let mut rest = whole.as_str();
    loop {
        let before = rest.len();
        rest = without_outer_dots(tidy(rest));
        if let Some(label) = endings
            .iter()
            .find_map(|ending| rest.strip_suffix(ending.as_str()))
        {
            rest = label;
        }
        if rest.len() == before {
            break;
        }
    }
    if rest.is_empty() { whole } else { rest.to_owned() }
}

/// A dot before a digit is a decimal point: ".5" is not "5".
fn without_outer_dots(text: &str) -> &str {
    let mut rest = text.trim_end_matches(is_outer_dot);
    while let Some(c) = rest.chars().next().filter(|&c| is_outer_dot(c)) {
        let after = &rest[c.len_utf8()..];
        if c == '.' && after.starts_with(|next: char| next.is_ascii_digit()) {
            break;
        }
        rest = after;
    }
    rest
}

/// `text` trimmed and without the lines that quote another message (`> `); whole where there are no others.
pub(super) fn without_quotes(text: &str) -> Cow<'_, str> {
    let is_quote = |line: &str| line.trim_start().starts_with('>');
    if !text.lines().any(is_quote) {
        return Cow::Borrowed(text.trim());
    }
    let own: String = text
        .split_inclusive('\n')
        .filter(|line| !is_quote(line))
        .collect();
    match own.trim() {
        "" => Cow::Borrowed(text.trim()),
        own => Cow::Owned(own.to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_every_script_are_digits() {
        let every: String = (0..=0x10_FFFF).filter_map(char::from_u32).collect();
        let digits = regex::Regex::new(r"\p{Nd}").unwrap();

        for found in digits.find_iter(&every) {
            let folded = folded(found.as_str());
            assert!(
                folded.len() == 1 && folded.as_bytes()[0].is_ascii_digit(),
                "{found:?} folds to {folded:?}"
            );
        }
    }

    #[test]
    fn what_carries_no_meaning_is_folded_away() {
        for (typed, expected) in [
            ("۲ ٢ ２ २ 2️⃣ ② 🔟", "2 2 2 2 2 2 10"),
            ("ÜBER Straße ΣΊΣΥΦΟΣ ﬁn", "u\u{308}ber strasse σι\u{301}συφοσ fin"),
            ("STRASSE STRAẞE", "strasse strasse"),
            ("علي كتاب", "علی کتاب"),
            ("می\u{200C}خواهم", "میخواهم"),
            ("\u{2068}a\u{2069}\u{FEFF}b\u{200D}", "ab"),
            ("👍🏽 ☎️", "👍 ☎"),
            ("№2 …", "#2 ..."),
        ] {
            assert_eq!(folded(typed), expected, "{typed:?}");
        }
    }

    #[test]
    fn flags_that_differ_only_in_tags_stay_apart() {
        let england = "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}";
        let scotland = "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}";

        assert_ne!(folded(england), folded(scotland));
    }

    #[test]
    fn only_what_stands_on_both_sides_is_removed() {
        for (typed, expected) in [
            ("**Staging**", "staging"),
            ("“‘Staging’”", "staging"),
            ("„Staging“", "staging"),
            ("«Staging»", "staging"),
            ("` 2 `", "2"),
            ("_*2*_", "2"),
            ("´2´", "2"),
            ("5\"", "5\""),
            ("*.rs", "*.rs"),
            ("***", ""),
            ("\"", ""),
            ("", ""),
        ] {
            assert_eq!(tidy(&folded(typed)), expected, "{typed:?}");
        }
    }

    #[test]
    fn labels_compare_without_blanks_outer_dots_and_recommended_marker() {
        for (one, other) in [
            ("Staging (Recommended)", "staging"),
            ("Staging (Recommended).", " STAGING!"),
            ("استقرار (توصیه‌شده)", "استقرار"),
            ("استقرار (پیشنهادی)", "استقرار۔"),
            ("می‌شود", "می شود"),
            ("\"Staging\".", "staging"),
            ("1 GB", "1gb"),
            (".NET", "net"),
        ] {
            assert_eq!(key(&folded(one)), key(&folded(other)), "{one:?} {other:?}");
        }
        for (one, other) in [
            (".5", "5"),
            ("-5", "5"),
            ("C", "C++"),
            ("...", "*"),
            ("Recommended", "(Recommended)"),
        ] {
            assert_ne!(key(&folded(one)), key(&folded(other)), "{one:?} {other:?}");
        }
    }

    #[test]
    fn the_way_back_leads_to_what_was_typed() {
        let typed = "۲\u{200C}: ﬁve “Été” ⒈x";
        let folded = Folded::new(typed);
        let at = |part: &str| {
            let start = folded.text().find(part).unwrap();
            folded.typed(start..start + part.len())
        };

        assert_eq!(
            at("2"),
            "۲\u{200C}",
            "what is invisible goes with what is before it"
        );
        assert_eq!(at("five"), "ﬁve");
        assert_eq!(at("“e\u{301}te\u{301}”"), "“Été”");
        assert_eq!(at("1."), "⒈");
        assert_eq!(folded.typed(0..folded.text().len()), typed);
    }

    #[test]
    fn quote_lines_go_unless_nothing_else_remains() {
        for (typed, expected) in [
            ("> Where?\n2", "2"),
            (" >> a\n\n  b \n> c", "b"),
            ("> 5 GB", "> 5 GB"),
            ("a > b", "a > b"),
            ("a\r\n> b\r\nc", "a\r\nc"),
        ] {
            assert_eq!(without_quotes(typed), expected, "{typed:?}");
        }
    }
}
