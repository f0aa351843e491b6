//! How fast calls may follow each other, and the headers that say so.
//!
//! Discord does not document its limits: it tells them with every answer, and a client that keeps to what it is told
//! is never refused. The numbers here are of the kind that is seen there. Off unless asked for: most tests stand still
//! in time, where everything is too fast. Source: Discord docs, "Rate Limits".

use std::{collections::BTreeMap, time::Duration};

use axum::http::{HeaderMap, HeaderValue};
use jiff::Timestamp;

use super::{limits, refusal::Refusal};

#[derive(Debug)]
pub(crate) struct Rates {
    pub(crate) enforced: bool,
    buckets: BTreeMap<String, Bucket>,
    /// All that is counted together.
    global: Bucket,
}

#[derive(Clone, Copy, Debug, Default)]
struct Bucket {
    began: Option<Timestamp>,
    used: usize,
}

/// What a client is told of its pace.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Pace {
    bucket: String,
    limit: usize,
    remaining: usize,
    reset: Timestamp,
    reset_after: Duration,
}

/// How many calls of a route fit into which time, within one bucket.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Allowance {
    limit: usize,
    window: Duration,
}

impl Allowance {
    pub(crate) const fn new(limit: usize, window: Duration) -> Self {
        Self { limit, window }
    }
}

impl Bucket {
    /// Counts a call. The rest of the window, and how many more fit; an error where none did.
    fn count(&mut self, allowed: Allowance, now: Timestamp) -> Result<(usize, Duration), Duration> {
        let began = self.began.filter(|began| *began + allowed.window > now);
        if began.is_none() {
            *self = Self {
                began: Some(now),
                used: 0,
            };
        }
        let ends = began.unwrap_or(now) + allowed.window;
        let left = Duration::try_from(ends.duration_since(now)).unwrap_or_default();
        if self.used >= allowed.limit {
            return Err(left);
        }
        self.used += 1;
        Ok((allowed.limit - self.used, left))
    }
}

impl Rates {
    pub(crate) fn new(enforced: bool) -> Self {
        Self {
            enforced,
            buckets: BTreeMap::new(),
            global: Bucket::default(),
        }
    }

    /// Counts a call, or says when the next may come. `bucket` is the route with the channel, guild or webhook that it
    /// is about.
    pub(crate) fn count(
        &mut self,
        bucket: &str,
        allowed: Allowance,
        counts_globally: bool,
        now: Timestamp,
    ) -> Result<Pace, Box<(Refusal, Pace)>> {
        let told = |remaining: usize, left: Duration| Pace {
            bucket: fingerprint(bucket),
            limit: allowed.limit,
            remaining,
            reset: now + left,
            reset_after: left,
        };
        if !self.enforced {
            return Ok(told(allowed.limit - 1, allowed.window));
        }
        let second = Allowance::new(limits::CALLS_A_SECOND, Duration::from_secs(1));
        if counts_globally && let Err(left) = self.global.count(second, now) {
            return Err(Box::new((Refusal::throttled(left, true), told(0, left))));
        }
        match self
            .buckets
            .entry(bucket.to_owned())
            .or_default()
            .count(allowed, now)
        {
            Ok((remaining, left)) => Ok(told(remaining, left)),
            Err(left) => Err(Box::new((Refusal::throttled(left, false), told(0, left)))),
        }
    }
}

impl Pace {
    /// The headers that say it.
    pub(crate) fn write(&self, headers: &mut HeaderMap) {
        let reset = Duration::from_millis(u64::try_from(self.reset.as_millisecond()).unwrap_or_default());
        let seconds = |time: Duration| format!("{:.3}", time.as_secs_f64());
        for (name, value) in [
            ("x-ratelimit-limit", self.limit.to_string()),
            ("x-ratelimit-remaining", self.remaining.to_string()),
            ("x-ratelimit-reset", seconds(reset)),
            ("x-ratelimit-reset-after", seconds(self.reset_after)),
            ("x-ratelimit-bucket", self.bucket.clone()),
        ] {
            let value = HeaderValue::from_str(&value).expect("digits and dots");
            headers.insert(name, value);
        }
    }
}

/// A name for a bucket that tells nothing, as real ones.
fn fingerprint(bucket: &str) -> String {
    let hash = bucket.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}{:016x}", hash.rotate_left(32))
}
