//! The side of Slack that people see.
//!
//! Everything here is what a person can do in Slack's client, and what they see in it. A test that wants anything
//! else (a press on a button that is gone, a forged one) has it too, under a name that says so.

#![expect(
    clippy::must_use_candidate,
    reason = "people act for the effect; the name of a message is often of no use"
)]

pub(super) mod person;
pub(super) mod place;
pub(super) mod seen;
pub(super) mod typed;
