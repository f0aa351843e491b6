//! The floor: texts between two, and nothing else. Messages cannot be changed, have no order, and nobody is there but
//! the two. Whatever askd does must work here.

use std::time::Duration;

use askd_core::present::{Limit, Unit};

use super::{Fake, Profile};
use crate::{channel_suite::Feature, clock::TestClock};

/// An empty platform of this kind.
#[must_use]
pub fn new(clock: TestClock) -> Fake {
    const OFFERS: &[Feature] = &[Feature::Replies, Feature::Redelivery];
    let text = Limit {
        max: 480,
        unit: Unit::Bytes,
    };
    let profile = Profile {
        offers: OFFERS,
        text,
        buttons: None,
        forms: None,
        toast: Limit {
            max: 0,
            unit: Unit::Bytes,
        },
        pace: Some(Duration::from_millis(500)),
        opens_conversations: false,
        markup: false,
    };
    Fake::new(profile, clock)
}
