//! Every number of this entrance, with its unit and its source.

use std::time::Duration;

use jiff::SignedDuration;

/// How often a waiting call tells that it still waits. Clients that give a silent call up do so after 60 s at the
/// earliest (opencode; the others after 300 s), and proxies between 30 s and 60 s.
pub(crate) const TELL_EVERY: SignedDuration = SignedDuration::from_secs(15);

/// How long after its last waiter left an ask is taken back, where leaving means that. Source: SPEC 2.
pub(crate) const REATTACH: SignedDuration = SignedDuration::from_secs(15);

/// Longest hold of `ask_user_wait`: below the 60 s after which clients with a short cap give a call up.
pub(crate) const WAIT: SignedDuration = SignedDuration::from_secs(50);

/// How long after the deadline a call still waits for the end to be stored.
pub(crate) const LATE: SignedDuration = SignedDuration::from_secs(5);

/// How long a call that a stopping askd handed over may be taken up again. Longer than any restart, and far shorter
/// than an ask is remembered.
pub(crate) const HAND_OVER: SignedDuration = SignedDuration::from_mins(10);

/// How long a call that has ended still makes a cancel under its number ambiguous. Numbers repeat: every client of one
/// token counts its requests from zero. Far longer than a cancel and an answer can cross on their way.
pub(crate) const CROSSING: SignedDuration = SignedDuration::from_mins(1);

/// Longest wait for the body of a request that has begun.
pub(crate) const BODY: Duration = Duration::from_secs(30);

/// Longest id of a call in `_meta`. Unit: bytes. A longer one is none: what is that long is not an id.
pub(crate) const ID: usize = 512;

/// Longest idempotency key (the same as over HTTP), and longest name of a connection. Unit: characters, all of them
/// ASCII.
pub(crate) const KEY: usize = 255;

/// Longest name of a client that people are shown. Unit: characters.
pub(crate) const CLIENT: usize = 60;

/// Longest hold that a client may ask for with a header: longer than any ask lives.
pub(crate) const HOLD: i64 = 3_600;
