//! What goes wrong on demand, between the app and the platform.
//!
//! A fault is ordered for the next calls of a method. One that says `done` strikes after the platform has done what it
//! was asked, so that only the answer is lost: the case in which nobody can know.

use std::{fmt, time::Duration};

use super::{arguments::Arguments, state::State};

/// How a call fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// 429, with this pause.
    Throttled {
        /// Seconds to wait.
        seconds: u64,
    },
    /// Any refusal of the Web API, with HTTP status 200.
    Refused {
        /// The `error`.
        error: String,
    },
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
    /// Nothing comes, until the caller gives up or [`FakeSlack::mend`] is called.
    ///
    /// [`FakeSlack::mend`]: super::FakeSlack::mend
    Hangs {
        /// Whether the platform has done it before.
        done: bool,
    },
    /// The answer takes this long, by the fake's clock.
    Slow {
        /// How long.
        by: Duration,
    },
}

impl Fault {
    /// A refusal with this error.
    #[must_use]
    pub fn refused(error: &str) -> Self {
        Self::Refused {
            error: error.to_owned(),
        }
    }

    /// The token is not accepted.
    #[must_use]
    pub fn unauthorized() -> Self {
        Self::refused("invalid_auth")
    }

    /// The blocks are not taken, whatever they are.
    #[must_use]
    pub fn invalid_blocks() -> Self {
        Self::refused("invalid_blocks")
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

/// Whether a fault is meant for a call of this method with these arguments, in this state.
pub(crate) type Meant = Box<dyn Fn(&str, &Arguments, &State) -> bool + Send>;

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
    /// Orders a fault for a method, or for all of them by `*`.
    pub(crate) fn order(&mut self, method: &str, left: Option<usize>, fault: Fault) {
        let name = method.to_owned();
        let meant: Meant = match method {
            "*" => Box::new(|_, _, _| true),
            _ => Box::new(move |method, _, _| method == name),
        };
        self.order_for(meant, left, fault);
    }

    pub(crate) fn order_for(&mut self, meant: Meant, left: Option<usize>, fault: Fault) {
        self.ordered.push(Ordered { meant, left, fault });
    }

    pub(crate) fn mend(&mut self) {
        self.ordered.clear();
        self.mended += 1;
    }
}

impl State {
    /// The fault that strikes this call.
    pub(crate) fn take_fault(&mut self, method: &str, arguments: &Arguments) -> Option<Fault> {
        let strikes = |ordered: &Ordered| (ordered.meant)(method, arguments, self);
        let at = self.faults.ordered.iter().position(strikes)?;
        let ordered = &mut self.faults.ordered[at];
        let fault = ordered.fault.clone();
        if let Some(left) = &mut ordered.left {
            *left -= 1;
            if *left == 0 {
                self.faults.ordered.remove(at);
            }
        }
        Some(fault)
    }
}
