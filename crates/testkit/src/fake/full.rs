//! Everything a platform can offer, so that every case of the suite runs somewhere: buttons, forms, threads, private
//! texts, keys against showing twice, and markup that must be escaped.

use askd_core::present::{Buttons, Forms, Limit, Unit};

use super::{Fake, Profile};
use crate::{channel_suite::Feature, clock::TestClock};

/// An empty platform of this kind.
#[must_use]
pub fn new(clock: TestClock) -> Fake {
    const OFFERS: &[Feature] = &[
        Feature::Buttons,
        Feature::Forms,
        Feature::Edits,
        Feature::Replies,
        Feature::Threads,
        Feature::Groups,
        Feature::BareGroupTexts,
        Feature::PrivateTexts,
        Feature::Order,
        Feature::PeopleEdit,
        Feature::Forwards,
        Feature::Attachments,
        Feature::HiddenSenders,
        Feature::Machines,
        Feature::Redelivery,
        Feature::KeptPresses,
        Feature::KeyedPosts,
        Feature::PairingLinks,
    ];
    let short = Limit {
        max: 24,
        unit: Unit::Scalars,
    };
    let profile = Profile {
        offers: OFFERS,
        text: Limit {
            max: 2000,
            unit: Unit::Scalars,
        },
        buttons: Some(Buttons {
            max: 25,
            per_row: 5,
            rows: 5,
            label: Limit {
                max: 80,
                unit: Unit::Scalars,
            },
        }),
        forms: Some(Forms {
            title: short,
            label: short,
        }),
        toast: Limit {
            max: 400,
            unit: Unit::Scalars,
        },
        pace: None,
        opens_conversations: true,
        markup: true,
    };
    Fake::new(profile, clock)
}
