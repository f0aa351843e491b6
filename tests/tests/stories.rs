//! askd on every platform, from one script of human actions: the real program, and a platform of our own with people on
//! it. What a clock decides is told inside this process (`expiring`).
//!
//! Most stories end in a golden file below `snapshots/`, one for each platform: the conversation as people saw it, to be
//! read by whoever cares for how askd talks.

mod answering;
mod costing;
mod expiring;
mod guide;
mod joining;
mod refusing;
mod secrecy;
mod storing;
mod surviving;
