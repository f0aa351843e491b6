//! Platforms that exist only here, from the plainest upward.
//!
//! One small platform with a channel of its own, cut to a [`Profile`]: [`plain`] is the floor that every channel
//! reaches, [`buttons`] has what most chat programs have, [`full`] offers everything. They hold the suite to its
//! word before any real adapter does, and show what an adapter has to do: `fake/channel.rs` is one, in short.
//!
//! `network` is the platform's servers and enforces its limits, `people` is how the suite acts on it, `channel` is
//! our side. The three meet only in what goes over the wire.

pub mod buttons;
mod channel;
pub mod full;
mod network;
mod people;
pub mod plain;
mod wire;

use std::sync::Arc;

use askd_core::present::{Buttons, Forms, Limit};

use self::network::Network;
use crate::{channel_suite::Feature, clock::TestClock};

/// What one of these platforms can do.
#[derive(Debug)]
pub struct Profile {
    /// Beside saying and hearing texts.
    pub offers: &'static [Feature],
    /// Longest text of one message, as it is read.
    pub text: Limit,
    /// Buttons below a message.
    pub buttons: Option<Buttons>,
    /// Forms that a button opens.
    pub forms: Option<Forms>,
    /// Longest toast.
    pub toast: Limit,
    /// Shortest pause between two messages to one conversation.
    pub pace: Option<std::time::Duration>,
    /// Whether a direct conversation has an address of its own, which is known only once it is open.
    pub opens_conversations: bool,
    /// Whether texts are markup on the wire, in which `<`, `>` and `&` must be escaped.
    pub markup: bool,
}

impl Profile {
    fn has(&self, feature: Feature) -> bool {
        self.offers.contains(&feature)
    }
}

/// One of these platforms, with people on it.
#[derive(Clone, Debug)]
pub struct Fake {
    network: Arc<Network>,
}

impl Fake {
    /// An empty platform of this profile, on this clock.
    #[must_use]
    pub fn new(profile: Profile, clock: TestClock) -> Self {
        Self {
            network: Arc::new(Network::new(profile, clock)),
        }
    }
}
