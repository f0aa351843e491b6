//! The calls we make: where each goes, and against what it counts.

use std::borrow::Cow;

use reqwest::Method;
use serenity::model::id::{ApplicationId, ChannelId, GuildId, InteractionId, MessageId, UserId};

use super::pace::Counted;
use crate::{limits, read::Token};

/// One of our calls.
#[derive(Clone, Debug)]
pub(crate) enum Route<'a> {
    /// Where the gateway is, and how often a session may be begun.
    Gateway,
    /// What Discord knows of our application.
    Application,
    /// What Discord knows of the bot.
    Me,
    /// The conversation with one person.
    OpenDirect,
    Channel(ChannelId),
    Guild(GuildId),
    Member(GuildId, UserId),
    Send(ChannelId),
    Edit(ChannelId, MessageId),
    Delete(ChannelId, MessageId),
    /// One page of what was said after this, the newest first.
    After(ChannelId, MessageId),
    /// All our commands at once.
    Commands(ApplicationId),
    /// The one answer to an interaction.
    Answer(InteractionId, &'a Token),
    /// A further message on an interaction.
    FollowUp(ApplicationId, &'a Token),
    /// The first message on an interaction, changed.
    Original(ApplicationId, &'a Token),
    /// The first message on an interaction, taken away.
    DropOriginal(ApplicationId, &'a Token),
}

impl Route<'_> {
    pub(super) fn method(&self) -> Method {
        match self {
            Self::Gateway
            | Self::Application
            | Self::Me
            | Self::Channel(_)
            | Self::Guild(_)
            | Self::Member(..)
            | Self::After(..) => Method::GET,
            Self::OpenDirect | Self::Send(_) | Self::Answer(..) | Self::FollowUp(..) => Method::POST,
            Self::Edit(..) | Self::Original(..) => Method::PATCH,
            Self::Commands(_) => Method::PUT,
            Self::Delete(..) | Self::DropOriginal(..) => Method::DELETE,
        }
    }

    /// The path below the version, piece by piece.
    pub(super) fn segments(&self) -> Vec<Cow<'_, str>> {
        fn id(id: &impl ToString) -> Cow<'static, str> {
            Cow::Owned(id.to_string())
        }
        match self {
            Self::Gateway => vec!["gateway".into(), "bot".into()],
            Self::Application => vec!["applications".into(), "@me".into()],
            Self::Me => vec!["users".into(), "@me".into()],
            Self::OpenDirect => vec!["users".into(), "@me".into(), "channels".into()],
            Self::Channel(channel) => vec!["channels".into(), id(channel)],
            Self::Guild(guild) => vec!["guilds".into(), id(guild)],
            Self::Member(guild, user) => vec!["guilds".into(), id(guild), "members".into(), id(user)],
            Self::Send(channel) | Self::After(channel, _) => {
                vec!["channels".into(), id(channel), "messages".into()]
            }
            Self::Edit(channel, message) | Self::Delete(channel, message) => {
                vec!["channels".into(), id(channel), "messages".into(), id(message)]
            }
            Self::Commands(application) => {
                vec!["applications".into(), id(application), "commands".into()]
            }
            Self::Answer(interaction, token) => vec![
                "interactions".into(),
                id(interaction),
                token.expose().into(),
                "callback".into(),
            ],
            Self::FollowUp(application, token) => {
                vec!["webhooks".into(), id(application), token.expose().into()]
            }
            Self::Original(application, token) | Self::DropOriginal(application, token) => vec![
                "webhooks".into(),
                id(application),
                token.expose().into(),
                "messages".into(),
                "@original".into(),
            ],
        }
    }

    pub(super) fn query(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::After(_, message) => vec![
                ("after", message.to_string()),
                ("limit", limits::PAGE.to_string()),
            ],
            // Tells which message the answer has become, so that a reply to it is understood.
            Self::Answer(..) => vec![("with_response", "true".to_owned())],
            _ => Vec::new(),
        }
    }

    /// Against what it counts. `None` for answers to interactions, which have no limit.
    pub(super) fn counted(&self) -> Option<Counted> {
        let (kind, of) = match self {
            Self::Answer(..) => return None,
            Self::Gateway => ("gateway", String::new()),
            Self::Application => ("application", String::new()),
            Self::Me => ("me", String::new()),
            Self::OpenDirect => ("open direct", String::new()),
            Self::Channel(channel) => ("channel", channel.to_string()),
            Self::Guild(guild) => ("guild", guild.to_string()),
            Self::Member(guild, _) => ("member", guild.to_string()),
            Self::Send(channel) => ("send", channel.to_string()),
            Self::Edit(channel, _) => ("edit", channel.to_string()),
            Self::Delete(channel, _) => ("delete", channel.to_string()),
            Self::After(channel, _) => ("after", channel.to_string()),
            Self::Commands(_) => ("commands", String::new()),
            Self::FollowUp(_, token) => ("follow up", token.expose().to_owned()),
            Self::Original(_, token) => ("original", token.expose().to_owned()),
            Self::DropOriginal(_, token) => ("drop original", token.expose().to_owned()),
        };
        Some(Counted { kind, of })
    }

    /// Whether it is made in the bot's name. What happens on an interaction is allowed by the interaction's own token.
    pub(super) fn is_ours(&self) -> bool {
        !matches!(
            self,
            Self::Answer(..) | Self::FollowUp(..) | Self::Original(..) | Self::DropOriginal(..)
        )
    }
}
