//! Slack.

use std::{collections::BTreeMap, sync::Arc};

use askd_channel_slack::{SlackChannel, SlackConfig};
use askd_core::channel::Channel;
use askd_testkit::{
    chance::SeededChance,
    clock::TestClock,
    slack::{Connection, Fault, SlackPlatform},
};

use super::{Outage, Scenery, Starting};

pub(crate) fn start(clock: TestClock) -> Starting {
    Box::pin(async { Arc::new(platform(clock).await) as _ })
}

/// For a story of what Slack alone has.
pub(crate) async fn platform(clock: TestClock) -> SlackPlatform {
    SlackPlatform::start(clock, connect).await
}

/// A channel as the program makes one.
fn connect(connection: Connection) -> Arc<dyn Channel> {
    let config = SlackConfig {
        bot_token: connection.bot_token.into(),
        app_token: connection.app_token.into(),
        api_url: Some(connection.api_url),
    };
    let chance = Arc::new(SeededChance::new(7));
    Arc::new(SlackChannel::new(connection.name, &config, connection.clock, chance).unwrap())
}

impl Scenery for SlackPlatform {
    fn kind(&self) -> &'static str {
        "slack"
    }

    fn name(&self) -> &'static str {
        "Slack"
    }

    fn api_url(&self) -> String {
        self.fake().url()
    }

    fn secrets(&self) -> Vec<(&'static str, String)> {
        vec![
            ("bot_token", self.fake().bot_token()),
            ("app_token", self.fake().app_token()),
        ]
    }

    fn refuse_secrets(&self) {
        self.fake().revoke_bot_token();
        self.fake().revoke_app_token();
    }

    fn out_of_reach(&self) -> String {
        "U0NOBODY000".to_owned()
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
        match how {
            Outage::Hangs => self.fake().freeze_sockets(),
            Outage::BadGateway => self.fake().drop_sockets(),
        }
    }

    fn come_back(&self) {
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
