//! Guilds, the application, and what a session begins with.

use serde_json::{Value, json};

use super::instant;
use crate::discord::{
    Permission,
    events::intents,
    permissions::OF_EVERYBODY,
    state::{Channel, State},
};

/// Flag of an application that may read contents, below a hundred guilds. Source: Discord docs, "Application Flags".
const MESSAGE_CONTENT_LIMITED: u64 = 1 << 19;

impl State {
    pub(crate) fn application_flags(&self) -> u64 {
        if self.bot.granted & intents::MESSAGE_CONTENT == 0 {
            0
        } else {
            MESSAGE_CONTENT_LIMITED
        }
    }

    pub(crate) fn application_json(&self) -> Value {
        let flags = self.application_flags();
        let name = &self.account(self.bot.id).name;
        json!({
            "id": self.bot.id.to_string(),
            "name": name,
            "icon": null,
            "description": "",
            "type": null,
            "bot": self.user_json(self.bot.id),
            "bot_public": false,
            "bot_require_code_grant": false,
            "verify_key": "00".repeat(32),
            "flags": flags,
            "flags_new": flags.to_string(),
            "redirect_uris": [],
            "interactions_endpoint_url": self.bot.endpoint,
            "role_connections_verification_url": null,
            "owner": {
                "id": "1", "username": "owner", "avatar": null, "discriminator": "0", "public_flags": 0, "flags": 0,
                "global_name": "Owner", "primary_guild": null,
            },
            "approximate_guild_count": self.guilds.len(),
            "approximate_user_install_count": 0,
            "approximate_user_authorization_count": 0,
            "explicit_content_filter": 0,
            "team": null,
            "eligible_oauth2_scopes": [],
        })
    }

    pub(crate) fn role_json(&self, guild: u64) -> Value {
        let guild = self.guild(guild);
        let role = |id: u64, name: &str, may: u64, tags: Value| {
            json!({
                "id": id.to_string(),
                "name": name,
                "permissions": may.to_string(),
                "position": i32::from(id != guild.id),
                "color": 0,
                "colors": {"primary_color": 0, "secondary_color": null, "tertiary_color": null},
                "hoist": false,
                "managed": id != guild.id,
                "mentionable": false,
                "icon": null,
                "unicode_emoji": null,
                "tags": tags,
                "flags": 0,
            })
        };
        let name = &self.account(self.bot.id).name;
        let tags = json!({"bot_id": self.bot.id.to_string()});
        json!([
            role(guild.id, "@everyone", OF_EVERYBODY, json!({})),
            role(guild.bot_role, name, guild.bot_may, tags),
        ])
    }

    pub(crate) fn guild_json(&self, id: u64) -> Value {
        let guild = self.guild(id);
        json!({
            "id": id.to_string(),
            "name": guild.name,
            "icon": null,
            "description": null,
            "home_header": null,
            "splash": null,
            "discovery_splash": null,
            "features": [],
            "banner": null,
            "owner_id": "1",
            "application_id": null,
            "region": "deprecated",
            "afk_channel_id": null,
            "afk_timeout": 300,
            "system_channel_id": null,
            "system_channel_flags": 0,
            "widget_enabled": false,
            "widget_channel_id": null,
            "verification_level": 0,
            "roles": self.role_json(id),
            "default_message_notifications": 0,
            "mfa_level": 0,
            "explicit_content_filter": 0,
            "max_presences": null,
            "max_members": 500_000,
            "max_stage_video_channel_users": 50,
            "max_video_channel_users": 25,
            "vanity_url_code": null,
            "premium_tier": 0,
            "premium_subscription_count": 0,
            "preferred_locale": "en-US",
            "rules_channel_id": null,
            "safety_alerts_channel_id": null,
            "public_updates_channel_id": null,
            "premium_progress_bar_enabled": false,
            "nsfw": false,
            "nsfw_level": 0,
            "emojis": [],
            "stickers": [],
            "incidents_data": null,
        })
    }

    /// A guild, as a session is told of it at the start.
    pub(crate) fn guild_create_json(&self, id: u64) -> Value {
        let mut value = self.guild_json(id);
        let guild = self.guild(id);
        let since = guild.bot_since.unwrap_or(self.now);
        let of_guild = |channel: &&Channel| channel.guild() == Some(id);
        let visible = |channel: &&Channel| self.bot_can(channel, Permission::ViewChannel);
        let mine = self.channels.values().filter(of_guild).filter(visible);
        let (threads, channels): (Vec<&Channel>, Vec<&Channel>) =
            mine.partition(|channel| channel.thread().is_some());
        let threads = threads
            .into_iter()
            .filter(|channel| channel.thread().is_some_and(|thread| !thread.archived));
        let told = |channel: &Channel| {
            let mut value = self.channel_json(channel);
            // Within its guild it does not say whose it is.
            if let Some(fields) = value.as_object_mut() {
                fields.remove("guild_id");
            }
            value
        };
        value["joined_at"] = instant(since).into();
        value["large"] = false.into();
        value["unavailable"] = false.into();
        value["member_count"] = (guild.members.len() + 1).into();
        value["voice_states"] = json!([]);
        value["members"] = json!([self.member_json(id, self.bot.id)]);
        value["channels"] = channels.into_iter().map(told).collect();
        value["threads"] = threads.map(|thread| self.channel_json(thread)).collect();
        value["presences"] = json!([]);
        value["stage_instances"] = json!([]);
        value["guild_scheduled_events"] = json!([]);
        value["soundboard_sounds"] = json!([]);
        value
    }

    pub(crate) fn ready_json(&self, session: &str) -> Value {
        let guilds = self.guilds.values().filter(|guild| guild.bot_since.is_some());
        let guilds: Vec<Value> = guilds
            .map(|guild| json!({"id": guild.id.to_string(), "unavailable": true}))
            .collect();
        json!({
            "v": 10,
            "user_settings": {},
            "user": self.me_json(),
            "session_type": "normal",
            "session_id": session,
            "resume_gateway_url": format!("{}/resume", self.bot.gateway),
            "relationships": [],
            "private_channels": [],
            "presences": [],
            "guilds": guilds,
            "guild_join_requests": [],
            "geo_ordered_rtc_regions": [],
            "shard": [0, 1],
            "application": {"id": self.bot.id.to_string(), "flags": self.application_flags()},
            "_trace": ["fake"],
        })
    }
}
