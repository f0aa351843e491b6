//! The table of routes.

use std::time::Duration;

use super::{Route, Run, channels, commands, follow_ups, interactions, looking, messages};
use crate::discord::rates::Allowance;

const NONE: &[&str] = &[];
const MESSAGE: &[&str] = &[
    "content",
    "embeds",
    "sticker_ids",
    "attachments",
    "components",
    "allowed_mentions",
    "flags",
    "message_reference",
    "nonce",
    "enforce_nonce",
    "tts",
];
const CHANGE: &[&str] = &[
    "content",
    "embeds",
    "attachments",
    "components",
    "allowed_mentions",
    "flags",
];
const FOLLOW_UP: &[&str] = &[
    "content",
    "embeds",
    "attachments",
    "components",
    "allowed_mentions",
    "flags",
    "tts",
];

const fn per(limit: usize, seconds: u64) -> Allowance {
    Allowance::new(limit, Duration::from_secs(seconds))
}

/// A route that takes nothing but its path.
const fn look(name: &'static str, path: &'static str, run: Run) -> Route {
    Route {
        name,
        method: "GET",
        path,
        query: NONE,
        body: NONE,
        authorized: true,
        allowed: per(50, 1),
        run,
    }
}

const fn act(
    name: &'static str,
    method: &'static str,
    path: &'static str,
    body: &'static [&'static str],
    allowed: Allowance,
    run: Run,
) -> Route {
    Route {
        name,
        method,
        path,
        query: NONE,
        body,
        authorized: true,
        allowed,
        run,
    }
}

const fn asking(route: Route, query: &'static [&'static str]) -> Route {
    Route { query, ..route }
}

/// A route whose path holds the token of an interaction.
const fn by_token(route: Route) -> Route {
    Route {
        authorized: false,
        ..route
    }
}

const ORIGINAL: &str = "/webhooks/{webhook_id}/{webhook_token}/messages/@original";
const FOLLOWED: &str = "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}";
const MESSAGES: &str = "/channels/{channel_id}/messages";
const ONE_MESSAGE: &str = "/channels/{channel_id}/messages/{message_id}";
const COMMANDS: &str = "/applications/{application_id}/commands";

/// All of them; of two that fit, the first is meant.
pub static ROUTES: [Route; 34] = [
    look("get_gateway", "/gateway", looking::gateway),
    look("get_bot_gateway", "/gateway/bot", looking::bot_gateway),
    look("get_my_application", "/applications/@me", looking::application),
    look(
        "get_my_oauth2_application",
        "/oauth2/applications/@me",
        looking::application,
    ),
    look("get_my_user", "/users/@me", looking::me),
    look("list_my_guilds", "/users/@me/guilds", looking::my_guilds),
    look(
        "get_my_guild_member",
        "/users/@me/guilds/{guild_id}/member",
        looking::for_people,
    ),
    act(
        "create_dm",
        "POST",
        "/users/@me/channels",
        &["recipient_id"],
        per(10, 10),
        channels::create_dm,
    ),
    look("get_user", "/users/{user_id}", looking::user),
    look("get_guild", "/guilds/{guild_id}", looking::guild),
    look(
        "get_guild_member",
        "/guilds/{guild_id}/members/{user_id}",
        looking::member,
    ),
    look("list_guild_roles", "/guilds/{guild_id}/roles", looking::roles),
    look(
        "list_guild_channels",
        "/guilds/{guild_id}/channels",
        looking::guild_channels,
    ),
    look(
        "get_active_guild_threads",
        "/guilds/{guild_id}/threads/active",
        looking::threads,
    ),
    look("get_channel", "/channels/{channel_id}", looking::channel),
    asking(
        look("list_messages", MESSAGES, messages::list),
        &["around", "before", "after", "limit"],
    ),
    act(
        "create_message",
        "POST",
        MESSAGES,
        MESSAGE,
        per(5, 5),
        messages::create,
    ),
    look("get_message", ONE_MESSAGE, messages::get),
    act(
        "update_message",
        "PATCH",
        ONE_MESSAGE,
        CHANGE,
        per(5, 5),
        messages::update,
    ),
    act(
        "delete_message",
        "DELETE",
        ONE_MESSAGE,
        NONE,
        per(5, 1),
        messages::delete,
    ),
    act(
        "create_thread_from_message",
        "POST",
        "/channels/{channel_id}/messages/{message_id}/threads",
        &["name", "auto_archive_duration", "rate_limit_per_user"],
        per(50, 300),
        channels::create_thread,
    ),
    act(
        "join_thread",
        "PUT",
        "/channels/{channel_id}/thread-members/@me",
        NONE,
        per(5, 5),
        channels::join_thread,
    ),
    act(
        "trigger_typing_indicator",
        "POST",
        "/channels/{channel_id}/typing",
        NONE,
        per(5, 5),
        channels::typing,
    ),
    asking(
        by_token(act(
            "create_interaction_response",
            "POST",
            "/interactions/{interaction_id}/{interaction_token}/callback",
            &["type", "data"],
            per(50, 1),
            interactions::respond,
        )),
        &["with_response"],
    ),
    asking(
        by_token(act(
            "execute_webhook",
            "POST",
            "/webhooks/{webhook_id}/{webhook_token}",
            FOLLOW_UP,
            per(5, 2),
            follow_ups::create,
        )),
        &["wait"],
    ),
    by_token(look(
        "get_original_webhook_message",
        ORIGINAL,
        follow_ups::get_original,
    )),
    by_token(act(
        "update_original_webhook_message",
        "PATCH",
        ORIGINAL,
        CHANGE,
        per(5, 2),
        follow_ups::update_original,
    )),
    by_token(act(
        "delete_original_webhook_message",
        "DELETE",
        ORIGINAL,
        NONE,
        per(5, 2),
        follow_ups::delete_original,
    )),
    by_token(look("get_webhook_message", FOLLOWED, follow_ups::get)),
    by_token(act(
        "update_webhook_message",
        "PATCH",
        FOLLOWED,
        CHANGE,
        per(5, 2),
        follow_ups::update,
    )),
    by_token(act(
        "delete_webhook_message",
        "DELETE",
        FOLLOWED,
        NONE,
        per(5, 2),
        follow_ups::delete,
    )),
    asking(
        look("list_application_commands", COMMANDS, commands::list),
        &["with_localizations"],
    ),
    act(
        "bulk_set_application_commands",
        "PUT",
        COMMANDS,
        NONE,
        per(2, 60),
        commands::replace,
    ),
    act(
        "update_channel",
        "PATCH",
        "/channels/{channel_id}",
        &["archived", "locked"],
        per(5, 5),
        channels::update,
    ),
];
