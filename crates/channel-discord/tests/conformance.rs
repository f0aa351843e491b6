//! The suite of all channels over this one and the fake Discord.

use std::{process::ExitCode, sync::Arc};

use askd_channel_discord::{DiscordChannel, DiscordConfig};
use askd_core::channel::Channel;
use askd_testkit::{
    chance::SeededChance,
    channel_suite::{self, Subject},
    discord::{Connection, DiscordPlatform},
};

fn main() -> ExitCode {
    channel_suite::run(vec![Subject {
        name: "discord",
        start: |clock| Box::pin(async { Arc::new(DiscordPlatform::start(clock, connect).await) as _ }),
        ignores: include_str!("conformance/ignores.txt"),
    }])
}

fn connect(to: Connection) -> Arc<dyn Channel> {
    let config = DiscordConfig {
        token: to.token.into(),
        api_url: Some(to.api_url),
    };
    let chance = Arc::new(SeededChance::new(1));
    let channel = DiscordChannel::new(to.name, &config, to.clock, chance);
    Arc::new(channel.expect("the configuration is right"))
}
