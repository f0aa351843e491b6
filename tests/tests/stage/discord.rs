//! Discord.

use std::{collections::BTreeMap, sync::Arc};

use askd_channel_discord::{DiscordChannel, DiscordConfig};
use askd_core::channel::Channel;
use askd_testkit::{
    chance::SeededChance,
    clock::TestClock,
    discord::{Connection, DiscordPlatform, Fault},
};

use super::{Outage, Scenery, Starting};

pub(crate) fn start(clock: TestClock) -> Starting {
    Box::pin(async { Arc::new(platform(clock).await) as _ })
}

/// For a story of what Discord alone has.
pub(crate) async fn platform(clock: TestClock) -> DiscordPlatform {
    DiscordPlatform::start(clock, connect).await
}

/// A channel as the program makes one.
fn connect(connection: Connection) -> Arc<dyn Channel> {
    let config = DiscordConfig {
        token: connection.token.into(),
        api_url: Some(connection.api_url),
    };
    let chance = Arc::new(SeededChance::new(7));
    Arc::new(DiscordChannel::new(connection.name, &config, connection.clock, chance).unwrap())
}

impl Scenery for DiscordPlatform {
    fn kind(&self) -> &'static str {
        "discord"
    }

    fn name(&self) -> &'static str {
        "Discord"
    }

    fn api_url(&self) -> String {
        self.fake().url()
    }

    fn secrets(&self) -> Vec<(&'static str, String)> {
        vec![("token", self.fake().token())]
    }

    fn refuse_secrets(&self) {
        self.fake().revoke_token("another");
    }

    /// A number that is nobody's.
    fn out_of_reach(&self) -> String {
        "@1100000000000000001".to_owned()
    }

    fn break_connection(&self) {
        self.fake().drop_sockets();
    }

    fn go_down(&self, how: Outage) {
        let fault = match how {
            Outage::Hangs => Fault::Hangs { done: false },
            Outage::BadGateway => Fault::Gateway { status: 502 },
        };
        self.fake().fail_until_mended("*", fault);
        self.fake().refuse_sockets(true);
        match how {
            Outage::Hangs => self.fake().freeze_sockets(),
            Outage::BadGateway => self.fake().drop_sockets(),
        }
    }

    fn come_back(&self) {
        self.fake().refuse_sockets(false);
        self.fake().mend();
    }

    fn counts(&self) -> BTreeMap<String, usize> {
        self.fake().counts()
    }

    fn rests(&self) -> bool {
        self.fake().is_idle()
    }

    fn transcript(&self) -> String {
        self.fake().transcript()
    }
}
