//! One platform with people on it, and the patience to wait for what they see.

use std::{fmt::Write as _, sync::Arc, time::Duration};

use askd_core::clock::Clock as _;
use askd_stories::PATIENCE;
use askd_testkit::{
    channel_suite::{Place, Who},
    clock::{TestClock, WallClock},
};
use tokio::{runtime::Runtime, time::timeout};

use super::{Person, Scenery, Start, readable};

/// How far the platform's clock may be behind the program's.
const BEHIND: Duration = Duration::from_millis(10);

/// A clock for platforms that follows the machine's, by which the real program lives.
pub(crate) fn clock(runtime: &Runtime) -> TestClock {
    let clock = TestClock::at(WallClock.now());
    let follows = clock.clone();
    runtime.spawn(async move {
        loop {
            tokio::time::sleep(BEHIND).await;
            let now = WallClock.now();
            if now > follows.now() {
                follows.set(now);
            }
        }
    });
    clock
}

/// A platform that runs.
pub(crate) struct Scene {
    pub(crate) platform: Arc<dyn Scenery>,
    /// What its channel is called in the configuration: as its kind is.
    pub(crate) channel: &'static str,
    runtime: Arc<Runtime>,
}

impl Scene {
    /// Starts a platform.
    pub(crate) fn open(start: Start, runtime: &Arc<Runtime>) -> Self {
        Self::on(runtime.block_on(start(clock(runtime))), runtime)
    }

    /// On a platform that lives by [`clock`].
    pub(crate) fn on(platform: Arc<dyn Scenery>, runtime: &Arc<Runtime>) -> Self {
        Self {
            channel: platform.kind(),
            platform,
            runtime: Arc::clone(runtime),
        }
    }

    /// Sara, alone with askd.
    pub(crate) fn sara(&self) -> Person<'_> {
        self.person(Who::Sara)
    }

    /// Omid, alone with askd.
    pub(crate) fn omid(&self) -> Person<'_> {
        self.person(Who::Omid)
    }

    /// Somebody who is not in the configuration, alone with askd.
    pub(crate) fn stranger(&self) -> Person<'_> {
        self.person(Who::Stranger)
    }

    fn person(&self, who: Who) -> Person<'_> {
        Person::new(self, who, Place::Direct(who))
    }

    /// The group in which they all are, as the configuration writes it.
    pub(crate) fn group(&self) -> String {
        format!("{}:{}", self.channel, self.platform.group())
    }

    /// The channel's section of the configuration.
    pub(crate) fn section(&self) -> String {
        let (channel, kind, url) = (self.channel, self.platform.kind(), self.platform.api_url());
        let mut section = format!("[channels.{channel}]\nkind = \"{kind}\"\napi_url = \"{url}\"\n");
        for (key, secret) in self.platform.secrets() {
            writeln!(section, "{key} = \"{secret}\"").unwrap();
        }
        section
    }

    /// Where an answer was given, as it is said of one: "on Telegram".
    pub(crate) fn here(&self) -> String {
        format!("on {}", self.platform.name())
    }

    /// Waits until `look` finds something. Looks again whenever anything has happened.
    pub(crate) fn until<T>(&self, what: &str, mut look: impl FnMut() -> Option<T>) -> T {
        let mut activity = self.platform.activity();
        let found = self.runtime.block_on(async {
            let found = async {
                loop {
                    if let Some(found) = look() {
                        return found;
                    }
                    activity.changed().await.expect("the platform is there");
                }
            };
            timeout(PATIENCE, found).await
        });
        found.unwrap_or_else(|_| panic!("waited in vain for {what}\n\n{}", self.platform.transcript()))
    }

    /// Waits until askd listens and everything that people did has been taken over.
    pub(crate) fn rests(&self) {
        self.until("rest", || self.platform.rests().then_some(()));
    }

    /// The conversation, for a golden file. Demands that askd kept to the rules of the platform.
    pub(crate) fn transcript(&self) -> String {
        self.rests();
        assert_eq!(self.platform.violations(), [""; 0]);
        readable(&self.platform.transcript())
    }
}
