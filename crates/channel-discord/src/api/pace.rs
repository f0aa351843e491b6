//! Discord's limits on calls, as its answers tell them.
//!
//! Calls of one kind share a *bucket*, whose name and state come with every answer; buckets are counted for each channel,
//! server or webhook by itself. What an answer said is remembered, so that a call which would be refused is not made: a
//! refused call counts too, and ten thousand of them in ten minutes shut the whole address out.
//!
//! Source: reference, "Rate Limits". Pure: time comes in.

use std::{collections::BTreeMap, time::Duration};

use jiff::Timestamp;

use crate::limits::later;

/// Against what a call counts: the kind of call, and whose bucket it is (the channel, say).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Counted {
    pub(crate) kind: &'static str,
    pub(crate) of: String,
}

/// What an answer says of the bucket it counted against.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Told {
    pub(crate) bucket: String,
    /// Calls that may still be made before the reset.
    pub(crate) remaining: u32,
    pub(crate) reset_after: Duration,
}

/// Buckets beyond which those that are over are forgotten.
const MANY: usize = 256;

/// What is known of all limits.
#[derive(Debug, Default)]
pub(crate) struct Pace {
    /// Until when nothing at all may be called.
    closed_until: Option<Timestamp>,
    /// Which bucket a kind of call counts against.
    names: BTreeMap<&'static str, String>,
    /// By the bucket's name, and whose it is.
    buckets: BTreeMap<(String, String), Bucket>,
}

#[derive(Debug)]
struct Bucket {
    remaining: u32,
    resets: Timestamp,
}

impl Pace {
    /// Takes one call from its bucket; how long to wait, if that is empty.
    pub(crate) fn admit(&mut self, call: &Counted, now: Timestamp) -> Result<(), Duration> {
        if let Some(until) = self.closed_until.filter(|until| *until > now) {
            return Err(between(now, until));
        }
        let Some(bucket) = self.bucket(call) else {
            return Ok(());
        };
        if bucket.resets <= now {
            // Until the next answer tells, one call at a time is as good a guess as any: what it held is not known.
            return Ok(());
        }
        match bucket.remaining.checked_sub(1) {
            Some(rest) => {
                bucket.remaining = rest;
                Ok(())
            }
            None => Err(between(now, bucket.resets)),
        }
    }

    /// Remembers what an answer said.
    pub(crate) fn learn(&mut self, call: &Counted, told: &Told, now: Timestamp) {
        if self.buckets.len() > MANY {
            self.buckets.retain(|_, bucket| bucket.resets > now);
        }
        self.names.insert(call.kind, told.bucket.clone());
        let bucket = Bucket {
            remaining: told.remaining,
            resets: later(now, told.reset_after),
        };
        self.buckets
            .insert((told.bucket.clone(), call.of.clone()), bucket);
    }

    /// A call was refused: nothing of its bucket, or nothing at all, may be called for this long.
    pub(crate) fn refused(&mut self, call: &Counted, pause: Duration, everything: bool, now: Timestamp) {
        let until = later(now, pause);
        if everything {
            self.closed_until = self.closed_until.max(Some(until));
            return;
        }
        let name = self
            .names
            .entry(call.kind)
            .or_insert_with(|| call.kind.to_owned());
        let bucket = Bucket {
            remaining: 0,
            resets: until,
        };
        self.buckets.insert((name.clone(), call.of.clone()), bucket);
    }

    fn bucket(&mut self, call: &Counted) -> Option<&mut Bucket> {
        let name = self.names.get(call.kind)?;
        self.buckets.get_mut(&(name.clone(), call.of.clone()))
    }
}

/// Rounded up: a call that comes a moment too soon is refused.
fn between(now: Timestamp, until: Timestamp) -> Duration {
    let rest = Duration::try_from(until.duration_since(now)).unwrap_or_default();
    rest.max(Duration::from_millis(1))
}

#[cfg(test)]
mod tests {
    use askd_testkit::clock::START;
    use jiff::SignedDuration;

    use super::*;

    fn call(kind: &'static str, of: &str) -> Counted {
        Counted {
            kind,
            of: of.to_owned(),
        }
    }

    fn told(remaining: u32, seconds: u64) -> Told {
        Told {
            bucket: "b".to_owned(),
            remaining,
            reset_after: Duration::from_secs(seconds),
        }
    }

    fn at(seconds: i64) -> Timestamp {
        START + SignedDuration::from_secs(seconds)
    }

    #[test]
    fn an_empty_bucket_is_waited_for_and_others_are_not() {
        let mut pace = Pace::default();
        let (post, elsewhere, edit) = (call("post", "1"), call("post", "2"), call("edit", "1"));
        assert_eq!(pace.admit(&post, START), Ok(()), "nothing is known yet");
        pace.learn(&post, &told(1, 5), START);

        assert_eq!(pace.admit(&post, START), Ok(()));
        assert_eq!(pace.admit(&post, START), Err(Duration::from_secs(5)));

        assert_eq!(pace.admit(&elsewhere, START), Ok(()));
        assert_eq!(pace.admit(&edit, START), Ok(()));
        assert_eq!(pace.admit(&post, at(5)), Ok(()));
    }

    #[test]
    fn kinds_of_call_may_share_a_bucket() {
        let mut pace = Pace::default();
        let (post, edit) = (call("post", "1"), call("edit", "1"));
        pace.learn(&post, &told(9, 5), START);
        pace.learn(&edit, &told(0, 5), START);

        assert_eq!(pace.admit(&post, START), Err(Duration::from_secs(5)));
    }

    #[test]
    fn a_refusal_closes_its_bucket_or_everything() {
        let mut pace = Pace::default();
        let (post, elsewhere) = (call("post", "1"), call("post", "2"));

        pace.refused(&post, Duration::from_secs(7), false, START);
        assert_eq!(pace.admit(&post, START), Err(Duration::from_secs(7)));
        assert_eq!(pace.admit(&elsewhere, START), Ok(()));

        pace.refused(&post, Duration::from_secs(3), true, START);
        assert_eq!(pace.admit(&elsewhere, START), Err(Duration::from_secs(3)));
        assert_eq!(pace.admit(&elsewhere, at(3)), Ok(()));
        assert_eq!(pace.admit(&post, at(3)), Err(Duration::from_secs(4)));
    }

    #[test]
    fn buckets_that_are_over_are_forgotten() {
        let mut pace = Pace::default();
        for n in 0..=MANY + 1 {
            pace.learn(&call("post", &n.to_string()), &told(0, 5), START);
        }

        pace.learn(&call("post", "x"), &told(0, 5), at(6));

        assert_eq!(pace.buckets.len(), 1);
    }
}
