//! Buttons, what they carry, and how they are laid out.

use super::Buttons;
use crate::id::ActionToken;

/// What can be pressed below a message: exactly one kind, already laid out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Controls {
    /// Nothing.
    None,
    /// Rows of buttons, from the top; no row is empty.
    Buttons(Vec<Vec<Button>>),
}

/// One button.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Button {
    /// What stands on it; fits the platform's limit.
    pub label: String,
    /// What comes back when it is pressed.
    pub payload: Payload,
}

/// What a button carries, at most 64 bytes as text: whose it is, and in clear what it does, so that a channel can
/// open a form at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Payload {
    /// Names the ask.
    pub token: ActionToken,
    /// What the button does.
    pub gesture: Gesture,
}

/// What a button does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Gesture {
    /// Chooses the option at this position, from 0, of the ask's only question.
    Choose(usize),
    /// Asks for own words.
    Other,
    /// Declines the whole ask.
    Skip,
}

impl Payload {
    /// Longest payload text. Unit: bytes. Source: Telegram Bot API `InlineKeyboardButton.callback_data`, "1-64
    /// bytes"; the other platforms allow more.
    pub const MAX: usize = 64;

    /// Reads what [`Payload::text`] wrote; `None` for anything else, such as forged or foreign button data.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (token, gesture) = text.split_once('.')?;
        let gesture = match gesture {
            "other" => Gesture::Other,
            "skip" => Gesture::Skip,
            position => {
                let n: usize = position.parse().ok()?;
                (n.to_string() == position).then_some(Gesture::Choose(n))?
            }
        };
        Some(Self {
            token: ActionToken::parse(token)?,
            gesture,
        })
    }

    /// The text a platform carries for us: `<32 hex digits>.<position | other | skip>`.
    #[must_use]
    pub fn text(self) -> String {
        match self.gesture {
            Gesture::Choose(n) => format!("{}.{n}", self.token),
            Gesture::Other => format!("{}.other", self.token),
            Gesture::Skip => format!("{}.skip", self.token),
        }
    }
}

/// What the buttons of one prompt say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Labels {
    /// Of the options, in declared order; none where the question is answered in text.
    pub(super) options: Vec<String>,
    /// What the options are called where a label is too long for a button, in the same order.
    pub(super) markers: Vec<String>,
    pub(super) other: String,
    pub(super) skip: String,
}

impl Controls {
    /// Buttons for all options or for none: with their labels, or with their markers if one label does not fit.
    /// Then Other…, if there are option buttons, and Skip, as far as the platform has room.
    pub(super) fn lay_out(labels: &Labels, token: ActionToken, platform: Option<&Buttons>) -> Self {
        let Some(platform) = platform else {
            return Self::None;
        };
        let room = platform.max.min(platform.per_row.saturating_mul(platform.rows));
        let button = |label: &String, gesture| Button {
            label: label.clone(),
            payload: Payload { token, gesture },
        };
        let fit = |set: &[String]| set.len() <= room && set.iter().all(|label| platform.label.fits(label));
        let [short, long] = [&labels.markers, &labels.options];
        let (options, one_per_row) = if fit(long) {
            (long.as_slice(), true)
        } else {
            (short.as_slice(), false)
        };
        let options = if fit(options) { options } else { &[] };

        let chosen = options
            .iter()
            .enumerate()
            .map(|(n, label)| button(label, Gesture::Choose(n)));
        let chosen: Vec<Button> = chosen.collect();
        let other = (!chosen.is_empty()).then(|| button(&labels.other, Gesture::Other));
        let rest = other.into_iter().chain([button(&labels.skip, Gesture::Skip)]);
        let rest = rest
            .filter(|button| platform.label.fits(&button.label))
            .take(room - chosen.len());
        Self::from_rows(rows(chosen, rest.collect(), one_per_row, platform))
    }

    fn from_rows(rows: Vec<Vec<Button>>) -> Self {
        if rows.is_empty() {
            Self::None
        } else {
            Self::Buttons(rows)
        }
    }

    /// All buttons, from the top, each row from its start.
    pub fn buttons(&self) -> impl Iterator<Item = &Button> {
        let rows = match self {
            Self::None => [].as_slice(),
            Self::Buttons(rows) => rows,
        };
        rows.iter().flatten()
    }

    /// Whether one of the buttons does this.
    #[must_use]
    pub fn can(&self, gesture: Gesture) -> bool {
        self.buttons().any(|button| button.payload.gesture == gesture)
    }
}

/// One option per row, where the platform has the rows: full-width rows read best on a phone. Else as few rows as
/// hold them, with a break before Other… and Skip if there is room for it.
fn rows(options: Vec<Button>, rest: Vec<Button>, one_per_row: bool, platform: &Buttons) -> Vec<Vec<Button>> {
    let in_rows = |buttons: &[Button], width: usize| -> Vec<Vec<Button>> {
        buttons.chunks(width.max(1)).map(<[Button]>::to_vec).collect()
    };
    let below = in_rows(&rest, platform.per_row);
    if one_per_row && options.len() + below.len() <= platform.rows {
        return in_rows(&options, 1).into_iter().chain(below).collect();
    }
    let above = in_rows(&options, platform.per_row);
    if above.len() + below.len() <= platform.rows {
        return above.into_iter().chain(below).collect();
    }
    let all: Vec<Button> = options.into_iter().chain(rest).collect();
    in_rows(&all, platform.per_row)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::present::{Limit, Unit};

    fn platform(max: usize, per_row: usize, rows: usize, label: usize) -> Buttons {
        Buttons {
            max,
            per_row,
            rows,
            label: Limit {
                max: label,
                unit: Unit::Scalars,
            },
        }
    }

    fn drawn(options: &[&str], platform: &Buttons) -> String {
        let token = ActionToken::parse("0123456789abcdef0123456789abcdef").unwrap();
        let labels = Labels {
            options: options.iter().map(ToString::to_string).collect(),
            markers: (1..=options.len()).map(|n| n.to_string()).collect(),
            other: "Other".to_owned(),
            skip: "Skip".to_owned(),
        };
        match Controls::lay_out(&labels, token, Some(platform)) {
            Controls::None => String::new(),
            Controls::Buttons(rows) => {
                let row =
                    |row: &Vec<Button>| row.iter().map(|b| b.label.as_str()).collect::<Vec<_>>().join(" ");
                rows.iter().map(row).collect::<Vec<_>>().join(" | ")
            }
        }
    }

    #[test]
    fn options_get_a_row_each_while_there_are_rows_and_share_them_otherwise() {
        let four = ["North", "East", "South", "West"];
        for (options, platform, expected) in [
            (&four[..2], platform(25, 5, 5, 80), "North | East | Other Skip"),
            (
                &four,
                platform(25, 5, 5, 80),
                "North | East | South | West | Other Skip",
            ),
            (
                &four,
                platform(25, 5, 4, 80),
                "North East South West | Other Skip",
            ),
            (
                &four,
                platform(25, 2, 3, 80),
                "North East | South West | Other Skip",
            ),
            (&four, platform(25, 5, 1, 80), "North East South West Other"),
            (
                &four,
                platform(25, 1, 9, 80),
                "North | East | South | West | Other | Skip",
            ),
        ] {
            assert_eq!(drawn(options, &platform), expected);
        }
    }

    #[test]
    fn one_label_too_long_makes_markers_of_all() {
        assert_eq!(
            drawn(&["Staging", "Yes"], &platform(25, 5, 5, 5)),
            "1 2 | Other Skip"
        );
    }

    #[test]
    fn what_has_no_room_gives_way_from_the_end_and_options_only_all_together() {
        let three = ["a", "b", "c"];
        for (platform, expected) in [
            (platform(5, 5, 5, 80), "a | b | c | Other Skip"),
            (platform(4, 5, 5, 80), "a | b | c | Other"),
            (platform(3, 5, 5, 80), "a | b | c"),
            (platform(2, 5, 5, 80), "Skip"),
            (platform(5, 5, 5, 4), "a | b | c | Skip"),
            (platform(5, 5, 5, 0), ""),
            (platform(0, 5, 5, 80), ""),
        ] {
            assert_eq!(drawn(&three, &platform), expected, "{platform:?}");
        }
        assert_eq!(
            drawn(&[], &platform(25, 5, 5, 80)),
            "Skip",
            "a question answered in text"
        );
    }
}
