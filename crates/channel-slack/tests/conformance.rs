//! The suite of all channels over this one and the fake Slack.

use std::{process::ExitCode, sync::Arc};

use askd_channel_slack::{SlackChannel, SlackConfig};
use askd_core::channel::Channel;
use askd_testkit::{
    chance::SeededChance,
    channel_suite::{self, Subject},
    slack::{Connection, SlackPlatform},
};

fn main() -> ExitCode {
    channel_suite::run(vec![Subject {
        name: "slack",
        start: |clock| Box::pin(async { Arc::new(SlackPlatform::start(clock, connect).await) as _ }),
        ignores: include_str!("conformance/ignores.txt"),
    }])
}

fn connect(connection: Connection) -> Arc<dyn Channel> {
    let config = SlackConfig {
        bot_token: connection.bot_token.into(),
        app_token: connection.app_token.into(),
        api_url: Some(connection.api_url),
    };
    let chance = Arc::new(SeededChance::new(1));
    let channel = SlackChannel::new(connection.name, &config, connection.clock, chance);
    Arc::new(channel.expect("the configuration is right"))
}
