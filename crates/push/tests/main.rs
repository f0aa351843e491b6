//! Pushes to a push service of our own, which checks everything that the real ones do.

#![expect(clippy::unwrap_used, reason = "what cannot be unwrapped fails the test")]

mod pushing;
mod refusing;

use std::{sync::Arc, time::Duration};

use askd_core::{
    channel::{ChannelError, Next},
    clock::Clock as _,
    id::{DeliveryId, PostKey},
    push::{Browser, BrowserFault, Push, PushSender as _},
};
use askd_push::{Contact, PushConfig, Service, WebPush};
use askd_testkit::{
    chance::SeededChance,
    clock::TestClock,
    push_service::{Device, PushService},
};

const MINUTE: Duration = Duration::from_mins(1);

/// A sender, and a service that the operator has named.
struct Bench {
    service: PushService,
    sender: WebPush,
    clock: TestClock,
    chance: SeededChance,
}

impl Bench {
    async fn new() -> Self {
        tls();
        let clock = TestClock::new();
        let service = PushService::start(Arc::new(clock.clone())).await;
        let sender = sender(7, &[service.origin()], &clock);
        let chance = SeededChance::new(1);
        Self {
            service,
            sender,
            clock,
            chance,
        }
    }

    /// A browser that subscribed with the sender's key.
    fn subscribed(&self, name: &str) -> Device {
        self.service.subscribe(name, self.sender.public_key())
    }

    /// A push that is worth something for a quarter of an hour.
    fn next(&self) -> Push {
        Push {
            until: self.clock.now() + 15 * MINUTE,
            topic: PostKey::prompt(DeliveryId::make(&self.chance)),
        }
    }

    async fn push(&self, device: &Device) -> Result<(), ChannelError> {
        self.sender.push(&device.browser, self.next()).await
    }
}

/// A sender whose key is made of this byte.
fn sender(key: u8, services: &[&str], clock: &TestClock) -> WebPush {
    let config = PushConfig {
        key: [key; 32],
        contact: Contact::parse("mailto:ops@example.org").unwrap(),
        services: services
            .iter()
            .map(|text| Service::parse(text).unwrap())
            .collect(),
    };
    WebPush::new(config, Arc::new(clock.clone())).unwrap()
}

fn tls() {
    // It is there already where another test was first.
    let _ = rustls::crypto::ring::default_provider().install_default();
}
