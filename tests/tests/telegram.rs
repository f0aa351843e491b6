//! askd on Telegram: the real program, and a Telegram of our own with people on it. What a clock decides is told inside
//! this process (`expiring`, and the kill in `surviving`).
//!
//! Every story ends in a golden file below `snapshots/`: the conversation as people saw it, to be read by whoever cares
//! for how askd talks.

mod answering;
pub(crate) mod bench;
mod costing;
mod expiring;
mod guide;
mod joining;
mod refusing;
mod surviving;
mod transcript;
