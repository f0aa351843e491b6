//! The side of Telegram that people see.
//!
//! Everything here is what a person can do with a telephone in hand, and what they see on it. A test that wants
//! anything else (a tap on a button that is gone, a forged one) has it too, under a name that says so.

#![expect(
    clippy::must_use_candidate,
    reason = "people act for the effect; the number of a message is often of no use"
)]

pub(super) mod person;
pub(super) mod place;
pub(super) mod seen;
