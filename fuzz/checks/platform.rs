//! What the checks of all channels share.
//!
//! An input is an event as JSON; or `"` and what somebody typed, which stands in an event then (with `⟲piece⟲` to see how
//! the time grows); or bytes by which one of the known events is changed.

use arbitrary::Unstructured;
use askd_core::{
    id::{Address, ChannelName},
    inbound::{Act, Inbound, Said, Sender},
};
use serde_json::Value;

use crate::made::{self, Vocabulary};

/// What an input is.
#[derive(Debug)]
pub(crate) enum Input<'a> {
    /// An event.
    Event(Value),
    /// Something typed.
    Typed(&'a str),
}

/// Reads an input; `known` are events to change.
pub(crate) fn input<'a>(input: &'a [u8], known: &[Value], of: &Vocabulary) -> Option<Input<'a>> {
    if let Some(typed) = input.strip_prefix(b"\"") {
        return std::str::from_utf8(typed).ok().map(Input::Typed);
    }
    if let Ok(event) = serde_json::from_slice(input) {
        return Some(Input::Event(event));
    }
    let mut bytes = Unstructured::new(input);
    let mut event = known[made::up_to(&mut bytes, known.len() - 1)].clone();
    for _ in 0..=made::up_to(&mut bytes, 3) {
        event = made::changed(&mut bytes, of, event);
    }
    Some(Input::Event(event))
}

/// What holds for everything that somebody did, on every platform.
pub(crate) fn holds(inbound: &Inbound, channel: &ChannelName) {
    assert!(!inbound.event.as_str().is_empty());
    is_ours(&inbound.at, channel);
    if let Sender::Account { account, .. } = &inbound.from {
        is_ours(account, channel);
    }
    assert!(
        !matches!(inbound.from, Sender::Caller { .. }),
        "no platform hands in a token"
    );
    assert!(!matches!(inbound.act, Act::Submitted { .. }), "nor values");
}

fn is_ours(address: &Address, channel: &ChannelName) {
    assert_eq!(address.channel, *channel);
    // What is stored is read again, by this.
    assert_eq!(Address::split(&address.to_string()).as_ref(), Some(address));
}

/// What was said, which must be something: nothing else comes of a text.
pub(crate) fn said(inbound: &Inbound) -> &Said {
    match &inbound.act {
        Act::Said(said) => said,
        other => panic!("{other:?} was not said"),
    }
}

/// What was typed is passed on as it is where nothing in it has a meaning on the platform, and never becomes longer.
pub(crate) fn is_passed_on(typed: &str, said: &str, special: &[char]) {
    if !typed.contains(special) {
        assert_eq!(said, typed);
    }
    assert!(
        said.chars().count() <= typed.chars().count(),
        "{said:?} is longer than {typed:?}"
    );
}
