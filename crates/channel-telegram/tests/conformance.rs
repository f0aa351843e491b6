//! The suite of all channels over this one and the fake Telegram.

use std::{process::ExitCode, sync::Arc};

use askd_channel_telegram::{TelegramChannel, TelegramConfig};
use askd_core::channel::Channel;
use askd_testkit::{
    chance::SeededChance,
    channel_suite::{self, Subject},
    telegram::{Connection, TelegramPlatform},
};

fn main() -> ExitCode {
    channel_suite::run(vec![Subject {
        name: "telegram",
        start: |clock| Box::pin(async { Arc::new(TelegramPlatform::start(clock, connect).await) as _ }),
        ignores: include_str!("conformance/ignores.txt"),
    }])
}

fn connect(connection: Connection) -> Arc<dyn Channel> {
    let config = TelegramConfig {
        token: connection.token.into(),
        api_url: Some(connection.api_url),
    };
    let chance = Arc::new(SeededChance::new(1));
    let channel = TelegramChannel::new(connection.name, &config, connection.clock, chance);
    Arc::new(channel.expect("the configuration is right"))
}
