//! What most chat programs have: buttons, messages that can be changed, groups in which only what is meant for us
//! reaches us. No forms: own words after Other… are asked for by a message to reply to.

use std::time::Duration;

use askd_core::present::{Buttons, Limit, Unit};

use super::{Fake, Profile};
use crate::{channel_suite::Feature, clock::TestClock};

/// An empty platform of this kind.
#[must_use]
pub fn new(clock: TestClock) -> Fake {
    const OFFERS: &[Feature] = &[
        Feature::Buttons,
        Feature::Edits,
        Feature::Replies,
        Feature::Groups,
        Feature::Order,
        Feature::PeopleEdit,
        Feature::Forwards,
        Feature::Attachments,
        Feature::HiddenSenders,
        Feature::Machines,
        Feature::Redelivery,
        Feature::KeptPresses,
        Feature::PairingLinks,
    ];
    let profile = Profile {
        offers: OFFERS,
        text: Limit {
            max: 1000,
            unit: Unit::Utf16,
        },
        buttons: Some(Buttons {
            max: 100,
            per_row: 8,
            rows: 100,
            label: Limit {
                max: 40,
                unit: Unit::Utf16,
            },
        }),
        forms: None,
        toast: Limit {
            max: 200,
            unit: Unit::Scalars,
        },
        pace: Some(Duration::from_secs(1)),
        opens_conversations: false,
        markup: false,
    };
    Fake::new(profile, clock)
}
