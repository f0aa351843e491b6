//! What goes wrong on demand, between the bot and the platform.
//!
//! A fault is ordered for the next calls of a route. One that says `done` strikes after the platform has done what it
//! was asked, so that only the answer is lost: the case in which nobody can know.

use std::{fmt, time::Duration};

use super::{refusal::Refusal, routes::Call};

/// How a call fails.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// 429 for this route, with this pause.
    Throttled {
        /// How long to wait.
        pause: Duration,
    },
    /// 429 for everything that the bot does, with this pause.
    ThrottledGlobally {
        /// How long to wait.
        pause: Duration,
    },
    /// 429 by Cloudflare, which bars an address for a while: in HTML, with whole seconds in a header alone.
    Barred {
        /// Seconds to wait.
        seconds: u64,
    },
    /// Any refusal of the API.
    Refused(Box<Refusal>),
    /// A gateway in between answers, in HTML.
    Gateway {
        /// HTTP status: 502, 504, or 200 for the log-in page of a hotel.
        status: u16,
    },
    /// The connection breaks.
    Lost {
        /// Whether the platform has done it before.
        done: bool,
    },
    /// Nothing comes, until the caller gives up or [`FakeDiscord::mend`] is called.
    ///
    /// [`FakeDiscord::mend`]: super::FakeDiscord::mend
    Hangs {
        /// Whether the platform has done it before.
        done: bool,
    },
    /// It is done and answered after this long, by the fake's clock.
    Slow {
        /// How long.
        by: Duration,
    },
}

impl Fault {
    /// A refusal with a status, a code and a message of one's own.
    #[must_use]
    pub fn refused(status: u16, code: u32, message: &str) -> Self {
        Self::of(Refusal::new(status, code, message))
    }

    /// The token is not accepted.
    #[must_use]
    pub fn unauthorized() -> Self {
        Self::of(Refusal::unauthorized())
    }

    /// The channel cannot be seen.
    #[must_use]
    pub fn missing_access() -> Self {
        Self::of(Refusal::missing_access())
    }

    /// A right is missing.
    #[must_use]
    pub fn missing_permissions() -> Self {
        Self::of(Refusal::missing_permissions())
    }

    /// The person takes no messages of the bot.
    #[must_use]
    pub fn cannot_reach() -> Self {
        Self::of(Refusal::cannot_reach())
    }

    /// The message is gone.
    #[must_use]
    pub fn unknown_message() -> Self {
        Self::of(Refusal::unknown_message())
    }

    /// The thread is archived.
    #[must_use]
    pub fn archived() -> Self {
        Self::of(Refusal::archived())
    }

    /// Something in the body is not as it should be.
    #[must_use]
    pub fn invalid_form() -> Self {
        let reason = serde_json::json!({"code": "BASE_TYPE_MAX_LENGTH", "message": "Must be 2000 or fewer in length."});
        Self::of(Refusal::form(
            serde_json::json!({"content": {"_errors": [reason]}}),
        ))
    }

    /// The servers have a bad day and say so in JSON.
    #[must_use]
    pub fn internal() -> Self {
        Self::refused(500, 0, "500: Internal Server Error")
    }

    fn of(refusal: Refusal) -> Self {
        // Nobody broke a rule: it was ordered.
        Self::Refused(Box::new(Refusal {
            rule_broken: false,
            ..refusal
        }))
    }
}

/// The faults that are ordered and have not struck.
#[derive(Debug, Default)]
pub(crate) struct Faults {
    ordered: Vec<Ordered>,
    /// Counts the mendings; a call that hangs ends when it changes.
    pub(crate) mended: u64,
    /// Calls that hang at this moment.
    pub(crate) hanging: usize,
}

/// Whether a fault is meant for a call.
pub(crate) type Meant = Box<dyn Fn(&Call) -> bool + Send>;

struct Ordered {
    meant: Meant,
    /// None for all that come.
    left: Option<usize>,
    fault: Fault,
}

impl fmt::Debug for Ordered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ordered")
            .field("left", &self.left)
            .field("fault", &self.fault)
            .finish_non_exhaustive()
    }
}

impl Faults {
    /// Orders a fault for a route, or for all of them by `*`.
    pub(crate) fn order(&mut self, route: &str, left: Option<usize>, fault: Fault) {
        let route = route.to_owned();
        let meant: Meant = Box::new(move |call| route == "*" || call.route == route);
        self.order_for(meant, left, fault);
    }

    pub(crate) fn order_for(&mut self, meant: Meant, left: Option<usize>, fault: Fault) {
        self.ordered.push(Ordered { meant, left, fault });
    }

    pub(crate) fn mend(&mut self) {
        self.ordered.clear();
        self.mended += 1;
    }

    /// The fault that strikes this call.
    pub(crate) fn take(&mut self, call: &Call) -> Option<Fault> {
        let at = self.ordered.iter().position(|ordered| (ordered.meant)(call))?;
        let ordered = &mut self.ordered[at];
        let fault = ordered.fault.clone();
        if let Some(left) = &mut ordered.left {
            *left -= 1;
            if *left == 0 {
                self.ordered.remove(at);
            }
        }
        Some(fault)
    }
}
