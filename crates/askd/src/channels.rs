//! Which kinds of channel are built in.
//!
//! A kind is a line here and a function that reads its section. That function judges nothing by itself: what a token or
//! an address has to look like, the channel's own crate knows, and what it says is noted at the key it names.

use std::sync::Arc;

use askd_channel_discord::{DiscordChannel, DiscordConfig};
use askd_channel_slack::{BadConfig as BadSlack, SlackChannel, SlackConfig};
use askd_channel_telegram::{BadConfig, TelegramChannel, TelegramConfig};
use askd_core::{
    channel::Channel,
    clock::{Clock, Steady},
    id::ChannelName,
};

use crate::{
    clock::{OsChance, SystemClock},
    config::{Kind, SecretFolders, Section},
};

/// Every kind, by the word in `kind = "…"`.
pub(crate) const BUILT_IN: &[Kind] = &[
    Kind {
        name: "telegram",
        build: telegram,
    },
    Kind {
        name: "discord",
        build: discord,
    },
    Kind {
        name: "slack",
        build: slack,
    },
];

/// Channels keep instants in memory alone.
fn steady() -> Arc<dyn Clock> {
    Arc::new(Steady::new(Arc::new(SystemClock)))
}

fn telegram(name: &ChannelName, section: &Section<'_>, folders: &SecretFolders) -> Option<Arc<dyn Channel>> {
    // Both are read before either is missed, so that all faults are told at once.
    let (token, api_url) = (folders.secret(section, "token"), section.text("api_url"));
    let token = token?;
    let config = TelegramConfig {
        token: token.value.clone(),
        api_url: api_url.as_ref().map(|url| url.value.clone()),
    };
    match TelegramChannel::new(name.clone(), &config, steady(), Arc::new(OsChance)) {
        Ok(channel) => Some(Arc::new(channel)),
        Err(bad) => {
            match (&bad, api_url) {
                (BadConfig::ApiUrl, Some(url)) => section.refuse(&url, bad.to_string()),
                _ => section.refuse(&token, bad.to_string()),
            }
            None
        }
    }
}

fn discord(name: &ChannelName, section: &Section<'_>, folders: &SecretFolders) -> Option<Arc<dyn Channel>> {
    let (token, api_url) = (folders.secret(section, "token"), section.text("api_url"));
    let token = token?;
    let config = DiscordConfig {
        token: token.value.clone(),
        api_url: api_url.as_ref().map(|url| url.value.clone()),
    };
    match DiscordChannel::new(name.clone(), &config, steady(), Arc::new(OsChance)) {
        Ok(channel) => Some(Arc::new(channel)),
        Err(bad) => {
            match (bad.key(), api_url) {
                ("api_url", Some(url)) => section.refuse(&url, bad.to_string()),
                _ => section.refuse(&token, bad.to_string()),
            }
            None
        }
    }
}

fn slack(name: &ChannelName, section: &Section<'_>, folders: &SecretFolders) -> Option<Arc<dyn Channel>> {
    let (bot, app) = (
        folders.secret(section, "bot_token"),
        folders.secret(section, "app_token"),
    );
    let api_url = section.text("api_url");
    let (bot, app) = (bot?, app?);
    let config = SlackConfig {
        bot_token: bot.value.clone(),
        app_token: app.value.clone(),
        api_url: api_url.as_ref().map(|url| url.value.clone()),
    };
    match SlackChannel::new(name.clone(), &config, steady(), Arc::new(OsChance)) {
        Ok(channel) => Some(Arc::new(channel)),
        Err(bad) => {
            match (&bad, api_url) {
                (BadSlack::ApiUrl, Some(url)) => section.refuse(&url, bad.to_string()),
                (BadSlack::AppToken, _) => section.refuse(&app, bad.to_string()),
                _ => section.refuse(&bot, bad.to_string()),
            }
            None
        }
    }
}
