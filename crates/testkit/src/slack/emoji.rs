//! Emoji and their names: what people type as a picture travels as a name.
//!
//! Only those that somebody may type in an answer, and a few more. A skin tone follows as a name of its own.

use std::fmt::Write as _;

/// Emoji, without variation selector, and names, without colons.
const NAMES: [(&str, &str); 28] = [
    ("0\u{20e3}", "zero"),
    ("1\u{20e3}", "one"),
    ("2\u{20e3}", "two"),
    ("3\u{20e3}", "three"),
    ("4\u{20e3}", "four"),
    ("5\u{20e3}", "five"),
    ("6\u{20e3}", "six"),
    ("7\u{20e3}", "seven"),
    ("8\u{20e3}", "eight"),
    ("9\u{20e3}", "nine"),
    ("\u{1f51f}", "keycap_ten"),
    ("\u{1f44d}", "+1"),
    ("\u{1f44e}", "-1"),
    ("\u{1f44c}", "ok_hand"),
    ("\u{1f197}", "ok"),
    ("\u{2705}", "white_check_mark"),
    ("\u{2714}", "heavy_check_mark"),
    ("\u{274c}", "x"),
    ("\u{2753}", "question"),
    ("\u{2757}", "exclamation"),
    ("\u{26a0}", "warning"),
    ("\u{2764}", "heart"),
    ("\u{1f642}", "slightly_smiling_face"),
    ("\u{1f64f}", "pray"),
    ("\u{1f389}", "tada"),
    ("\u{1f525}", "fire"),
    ("\u{1f680}", "rocket"),
    ("\u{1f6d1}", "octagonal_sign"),
];

const TONES: [&str; 5] = ["\u{1f3fb}", "\u{1f3fc}", "\u{1f3fd}", "\u{1f3fe}", "\u{1f3ff}"];

const VARIATION: char = '\u{fe0f}';

/// The text with pictures turned into names.
pub(crate) fn named(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    'text: while let Some(c) = rest.chars().next() {
        // A keycap's digit stands before its variation selector, so that is passed over on both sides.
        let bare: String = rest.chars().take(4).filter(|c| *c != VARIATION).collect();
        for (picture, name) in NAMES {
            if bare.starts_with(picture) {
                let _ = write!(out, ":{name}:");
                rest = after(rest, picture.chars().count());
                for (n, tone) in TONES.iter().enumerate() {
                    if let Some(left) = rest.strip_prefix(tone) {
                        let _ = write!(out, ":skin-tone-{}:", n + 2);
                        rest = left;
                    }
                }
                continue 'text;
            }
        }
        out.push(c);
        rest = &rest[c.len_utf8()..];
    }
    out
}

/// What is left after so many characters, and the variation selectors among and behind them.
fn after(text: &str, mut count: usize) -> &str {
    let end = text.find(|c| {
        if c == VARIATION {
            return false;
        }
        count = count.wrapping_sub(1);
        count == usize::MAX
    });
    &text[end.unwrap_or(text.len())..]
}

/// The picture of a name, without colons.
pub(crate) fn picture(name: &str) -> Option<String> {
    if let Some(tone) = name.strip_prefix("skin-tone-") {
        let tone: usize = tone.parse().ok()?;
        return TONES.get(tone.checked_sub(2)?).map(|tone| (*tone).to_owned());
    }
    let (picture, _) = NAMES.iter().find(|(_, known)| *known == name)?;
    Some((*picture).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_become_names_and_a_skin_tone_one_more() {
        for (typed, travels) in [
            ("2\u{fe0f}\u{20e3}", ":two:"),
            ("2\u{20e3} or 3\u{fe0f}\u{20e3}", ":two: or :three:"),
            ("\u{1f44d}\u{1f3fc}", ":+1::skin-tone-3:"),
            ("\u{2764}\u{fe0f}!", ":heart:!"),
            ("2", "2"),
            ("\u{6f2} \u{ff12}", "\u{6f2} \u{ff12}"),
        ] {
            assert_eq!(named(typed), travels);
        }
        assert_eq!(picture("two").as_deref(), Some("2\u{20e3}"));
        assert_eq!(picture("skin-tone-3").as_deref(), Some("\u{1f3fc}"));
        assert_eq!(picture("no-such-thing"), None);
    }
}
