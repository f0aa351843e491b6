//! What goes wrong on demand, between the bot and the platform.
//!
//! A fault is ordered for the next calls of a method. One that says `done` strikes after the platform has done what it
//! was asked, so that only the answer is lost: the case in which nobody can know.

use std::{fmt, time::Duration};

use super::{arguments::Arguments, refusal::Refusal};

/// How a call fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// 429, with this pause.
    Throttled {
        /// Seconds to wait.
        seconds: u64,
    },
    /// Any refusal of the Bot API.
    Refused {
        /// HTTP status and `error_code`.
        code: u16,
        /// The whole `description`.
        description: String,
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
    /// Nothing comes, until the caller gives up or [`FakeTelegram::mend`] is called.
    ///
    /// [`FakeTelegram::mend`]: super::FakeTelegram::mend
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
    /// The token is not accepted.
    #[must_use]
    pub fn unauthorized() -> Self {
        Self::refused(&Refusal::unauthorized())
    }

    /// Another process polls with the same token, and it came later.
    #[must_use]
    pub fn another_poller() -> Self {
        Self::refused(&Refusal::conflict(super::methods::polling::OTHER_POLLER))
    }

    /// The person has blocked the bot.
    #[must_use]
    pub fn blocked() -> Self {
        Self::refused(&Refusal::forbidden("bot was blocked by the user"))
    }

    fn refused(refusal: &Refusal) -> Self {
        Self::Refused {
            code: refusal.code,
            description: refusal.description.clone(),
        }
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
    /// Counts the breakings; a poll that waits ends when it changes.
    pub(crate) broken: u64,
}

/// Whether a fault is meant for a call of this method, in lower case, with these arguments.
pub(crate) type Meant = Box<dyn Fn(&str, &Arguments) -> bool + Send>;

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
        let name = method.to_lowercase();
        let meant: Meant = match method {
            "*" => Box::new(|_, _| true),
            _ => Box::new(move |method, _| method == name),
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

    /// The fault that strikes this call of `method`, in lower case.
    pub(crate) fn take(&mut self, method: &str, arguments: &Arguments) -> Option<Fault> {
        let strikes = |ordered: &Ordered| (ordered.meant)(method, arguments);
        let at = self.ordered.iter().position(strikes)?;
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
