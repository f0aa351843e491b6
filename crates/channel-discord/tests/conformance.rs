//! The suite of all channels over this one and the fake Discord.

use std::{process::ExitCode, sync::Arc};

use askd_channel_discord::{DiscordChannel, DiscordConfig};
use askd_core::channel::Channel;
use askd_testkit::{
    chance::SeededChance,
    channel_suite::{self, Subject},
    clock::TestClock,
    discord::{Connection, DiscordPlatform, Setup},
};

fn main() -> ExitCode {
    let whole = Subject {
        name: "discord",
        start: |clock| Box::pin(async { Arc::new(DiscordPlatform::start(clock, connect).await) as _ }),
        ignores: include_str!("conformance/ignores.txt"),
    };
    let without_content = Subject {
        name: "discord_without_content",
        start: |clock| Box::pin(async { Arc::new(start_without_content(clock).await) as _ }),
        ignores: include_str!("conformance/ignores_without_content.txt"),
    };
    channel_suite::run(vec![whole, without_content])
}

/// Without the privileged intent, the content of most messages is kept from us.
async fn start_without_content(clock: TestClock) -> DiscordPlatform {
    let setup = Setup {
        message_content: false,
        ..Setup::default()
    };
    DiscordPlatform::start_as(setup, clock, connect).await
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
