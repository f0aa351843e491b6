//! The cases, by theme.

mod clocks;
mod ends;
mod faults;
mod groups;
mod limits;
mod outages;
mod pairing;
mod prompts;
mod restarts;
mod several;
mod taps;
mod texts;

use super::{Case, Place, SeenMessage, Who, world::bare};

pub(super) fn all() -> Vec<Case> {
    themes().into_iter().flat_map(|(_, cases)| cases).collect()
}

/// All of them, theme by theme.
pub(super) fn themes() -> [(&'static str, Vec<Case>); 12] {
    [
        ("What a new ask shows", prompts::cases()),
        ("Buttons and forms", taps::cases()),
        ("What people type between them and us", texts::cases()),
        (
            "Several questions, several answers, and several people",
            several::cases(),
        ),
        ("Where more than one person reads", groups::cases()),
        ("How an ask ends, and what shows it", ends::cases()),
        (
            "What does not fit, and what is written to do harm",
            limits::cases(),
        ),
        ("What the platform does to us", faults::cases()),
        ("What the platform does to us for minutes", outages::cases()),
        ("A clock that is set", clocks::cases()),
        ("What a process leaves behind for the next", restarts::cases()),
        (
            "Accounts that nobody owns, and how they come to be somebody's",
            pairing::cases(),
        ),
    ]
}

/// Sara's conversation with us.
const SARA: Place = Place::Direct(Who::Sara);
/// Omid's.
const OMID: Place = Place::Direct(Who::Omid);

/// The labels of a message's buttons, in order.
fn labels(message: &SeenMessage) -> Vec<String> {
    message.buttons.iter().map(|button| bare(&button.label)).collect()
}

/// All of these messages in one text, without bidi controls.
fn read(messages: &[SeenMessage]) -> String {
    let texts: Vec<&str> = messages.iter().map(|message| message.text.as_str()).collect();
    bare(&texts.join("\n"))
}

/// Checks that all of these stand in a text.
#[track_caller]
fn says(text: &str, wanted: &[&str]) {
    for wanted in wanted {
        assert!(text.contains(wanted), "\"{wanted}\" is missing in: {text}");
    }
}
