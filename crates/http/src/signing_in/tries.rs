//! How often codes may be tried.
//!
//! A caller's address has ten wrong codes a minute. All together have a hundred; beyond, only addresses that have tried
//! nothing wrong within the minute are let through. So whoever floods this locks out themselves, and others behind
//! their own address, for a minute after they stop, and nobody else.

use std::{
    collections::VecDeque,
    sync::{Mutex, PoisonError},
};

use jiff::{SignedDuration, Timestamp};

use crate::remote::Client;

/// How long a wrong code counts.
const WINDOW: SignedDuration = SignedDuration::from_mins(1);
/// Wrong codes of one address within the window.
const MOST_OF_ONE: usize = 10;
/// Wrong codes of all addresses within the window, from which on those who have any are not heard.
const MOST_OF_ALL: usize = 100;
/// Tries that are remembered, at some 40 bytes each; the oldest make room.
const KEPT: usize = 1_000;

/// The tries of the last minute, oldest first, but for those that succeeded.
#[derive(Debug, Default)]
pub(crate) struct Tries(Mutex<VecDeque<(Client, Timestamp)>>);

impl Tries {
    /// Counts a try. It counts until [`Tries::succeeded`], so that many at once are no way around.
    ///
    /// # Errors
    /// The seconds after which to try again; nothing is counted then.
    pub(crate) fn begin(&self, from: Client, now: Timestamp) -> Result<(), u32> {
        self.with(|tries| {
            // A clock that was set back must not keep anybody out for longer.
            while tries
                .front()
                .is_some_and(|(_, at)| now.duration_since(*at).abs() >= WINDOW)
            {
                tries.pop_front();
            }
            let mut own = tries.iter().filter(|(who, _)| *who == from);
            let count = own.clone().count();
            // Until one of ten is forgotten; where all have too many, until all of the own are.
            let until = if count >= MOST_OF_ONE {
                own.next()
            } else if tries.len() >= MOST_OF_ALL {
                own.next_back()
            } else {
                None
            };
            if let Some((_, at)) = until {
                let left = (*at + WINDOW).duration_since(now).as_millis();
                return Err(u32::try_from(left.max(0)).map_or(1, |millis| millis.div_ceil(1000).max(1)));
            }
            if tries.len() >= KEPT {
                tries.pop_front();
            }
            tries.push_back((from, now));
            Ok(())
        })
    }

    /// Forgets what this address tried: it had a code that was right.
    pub(crate) fn succeeded(&self, from: Client) {
        self.with(|tries| tries.retain(|(who, _)| *who != from));
    }

    fn with<T>(&self, work: impl FnOnce(&mut VecDeque<(Client, Timestamp)>) -> T) -> T {
        // A panic while holding the lock leaves at worst a try too few.
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    fn from(n: u32) -> Client {
        Client::address(IpAddr::V4(n.into()))
    }

    fn at(millis: i64) -> Timestamp {
        Timestamp::UNIX_EPOCH + SignedDuration::from_hours(1) + SignedDuration::from_millis(millis)
    }

    #[test]
    fn an_address_has_ten_tries_a_minute_and_is_told_when_to_go_on() {
        let tries = Tries::default();
        for n in 0..10 {
            assert_eq!(tries.begin(from(1), at(n * 1000)), Ok(()), "{n}");
        }

        assert_eq!(tries.begin(from(1), at(10_000)), Err(50));
        assert_eq!(tries.begin(from(1), at(59_999)), Err(1));
        assert_eq!(tries.begin(from(1), at(60_000)), Ok(()), "the first is forgotten");
        assert_eq!(tries.begin(from(1), at(60_000)), Err(1));
        assert_eq!(tries.begin(from(2), at(60_000)), Ok(()), "another has their own");
    }

    #[test]
    fn a_refused_try_is_not_held_against_anybody() {
        let tries = Tries::default();
        for _ in 0..10 {
            tries.begin(from(1), at(0)).unwrap();
        }
        for n in 0..1000 {
            assert!(tries.begin(from(1), at(n)).is_err());
        }

        assert_eq!(tries.begin(from(1), at(60_000)), Ok(()));
    }

    #[test]
    fn a_flood_from_everywhere_keeps_out_nobody_who_did_nothing_wrong() {
        let tries = Tries::default();
        for n in 0..5_000 {
            assert_eq!(tries.begin(from(n), at(0)), Ok(()), "{n}");
        }

        assert_eq!(tries.begin(from(u32::MAX), at(1)), Ok(()));
        assert_eq!(
            tries.begin(from(4_999), at(1)),
            Err(60),
            "who has a wrong one waits"
        );
        assert!(tries.0.lock().unwrap().len() <= KEPT, "and memory is bounded");
        assert_eq!(tries.begin(from(4_999), at(60_001)), Ok(()));
    }

    #[test]
    fn who_had_a_right_code_begins_anew() {
        let tries = Tries::default();
        for _ in 0..10 {
            tries.begin(from(1), at(0)).unwrap();
        }
        tries.succeeded(from(1));

        assert_eq!(tries.begin(from(1), at(0)), Ok(()));
    }

    #[test]
    fn a_clock_that_was_set_back_keeps_nobody_out() {
        let tries = Tries::default();
        for _ in 0..10 {
            tries.begin(from(1), at(3_000_000)).unwrap();
        }

        assert_eq!(tries.begin(from(1), at(0)), Ok(()));
    }
}
