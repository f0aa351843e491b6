//! The cases, by theme.

mod ends;
mod faults;
mod groups;
mod limits;
mod pairing;
mod prompts;
mod restarts;
mod several;
mod taps;
mod texts;

use super::{Case, Place, SeenMessage, Who, world::bare};

pub(super) fn all() -> Vec<Case> {
    [
        prompts::cases(),
        taps::cases(),
        texts::cases(),
        several::cases(),
        groups::cases(),
        ends::cases(),
        limits::cases(),
        faults::cases(),
        restarts::cases(),
        pairing::cases(),
    ]
    .into_iter()
    .flatten()
    .collect()
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
