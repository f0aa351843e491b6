//! The side of Discord that people see.
//!
//! Everything here is what a person can do with a telephone in hand, and what they see on it. A test that wants
//! anything else (a press of a button that is gone, a forged one) has it too, under a name that says so.

#![expect(
    clippy::must_use_candidate,
    reason = "people act for the effect; the id of a message is often of no use"
)]

pub(super) mod commands;
mod forms;
pub(super) mod person;
pub(super) mod place;
pub(super) mod press;
pub(super) mod seen;
