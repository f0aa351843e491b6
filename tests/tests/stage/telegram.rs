//! Telegram.

use std::{collections::BTreeMap, sync::Arc};

use askd_channel_telegram::{TelegramChannel, TelegramConfig};
use askd_core::channel::Channel;
use askd_testkit::{
    chance::SeededChance,
    clock::TestClock,
    telegram::{Connection, Fault, TelegramPlatform},
};

use super::{Outage, Scenery, Starting};

/// What the bot calls whether or not anybody asks.
const ALWAYS: [&str; 3] = ["getUpdates", "getMe", "setMyCommands"];

pub(crate) fn start(clock: TestClock) -> Starting {
    Box::pin(async { Arc::new(platform(clock).await) as _ })
}

/// For a story of what Telegram alone has.
pub(crate) async fn platform(clock: TestClock) -> TelegramPlatform {
    TelegramPlatform::start(clock, connect).await
}

/// A channel as the program makes one.
fn connect(connection: Connection) -> Arc<dyn Channel> {
    let config = TelegramConfig {
        token: connection.token.into(),
        api_url: Some(connection.api_url),
    };
    let chance = Arc::new(SeededChance::new(7));
    Arc::new(TelegramChannel::new(connection.name, &config, connection.clock, chance).unwrap())
}

impl Scenery for TelegramPlatform {
    fn kind(&self) -> &'static str {
        "telegram"
    }

    fn name(&self) -> &'static str {
        "Telegram"
    }

    fn api_url(&self) -> String {
        self.fake().url()
    }

    fn secrets(&self) -> Vec<(&'static str, String)> {
        vec![("token", self.fake().token())]
    }

    fn refuse_secrets(&self) {
        self.fake()
            .revoke_token("7300000042:AAAnotherAnotherAnotherAnother0000");
    }

    /// A person who has never pressed START.
    fn out_of_reach(&self) -> String {
        self.fake().stranger("Nobody").id().to_string()
    }

    fn break_connection(&self) {
        self.fake().break_poll();
    }

    fn go_down(&self, how: Outage) {
        let fault = match how {
            Outage::Hangs => Fault::Hangs { done: false },
            Outage::BadGateway => Fault::Gateway { status: 502 },
        };
        self.fake().fail_until_mended("*", fault);
        self.fake().break_poll();
    }

    fn come_back(&self) {
        self.fake().mend();
    }

    fn counts(&self) -> BTreeMap<String, usize> {
        let mut counts = self.fake().counts();
        counts.retain(|method, _| !ALWAYS.contains(&method.as_str()));
        counts
    }

    fn rests(&self) -> bool {
        self.fake().is_idle()
    }

    fn transcript(&self) -> String {
        self.fake().transcript()
    }
}
