//! The routes of the API that this fake knows, and how one is called.
//!
//! The table is the one place that says which routes, parameters and fields there are: the server goes by it, and
//! `cargo xtask contracts` holds it against the API's description, whose names for the routes these are. A field that is
//! not in it is refused, whatever Discord would do, because a test must not pass on an effect that nobody has modelled.

mod channels;
mod commands;
mod follow_ups;
mod interactions;
mod looking;
mod messages;
mod writing;

use std::{collections::BTreeMap, time::Duration};

use jiff::Timestamp;
use serde_json::Value;

use super::{form::Fields, rates::Allowance, refusal::Refusal, state::State};

/// A route of the API.
#[derive(Clone, Copy, Debug)]
pub struct Route {
    /// The name of the operation in the API's description.
    pub name: &'static str,
    /// In capitals.
    pub method: &'static str,
    /// With its parameters in braces.
    pub path: &'static str,
    /// Parameters of the query.
    pub query: &'static [&'static str],
    /// Fields of the body.
    pub body: &'static [&'static str],
    /// Whether the token is asked for; where it is not, the path holds one.
    pub authorized: bool,
    pub(crate) allowed: Allowance,
    pub(crate) run: Run,
}

pub(crate) type Run = fn(&mut State, &Request) -> Result<Reply, Refusal>;

/// What is asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Request {
    pub(crate) route: &'static str,
    parameters: BTreeMap<&'static str, String>,
    query: BTreeMap<String, String>,
    /// Null where there is none.
    pub(crate) body: Value,
}

/// A success.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Reply {
    /// 200.
    Told(Value),
    /// 201.
    Made(Value),
    /// 204.
    Done,
}

/// A call that reached the platform.
#[derive(Clone, Debug)]
pub struct Call {
    /// The route, as the API's description names it; empty where there is none.
    pub route: &'static str,
    /// In capitals.
    pub method: String,
    /// Below `/api/v10`.
    pub path: String,
    /// Parameters of the query.
    pub query: BTreeMap<String, String>,
    /// Null where there is none.
    pub body: Value,
    /// When, by the fake's clock.
    pub when: Timestamp,
    /// What came of it; none while it is under way, and where a fault made it end otherwise.
    pub outcome: Option<Result<Value, Refusal>>,
}

impl Call {
    /// Whether a message that it makes replies to one.
    #[must_use]
    pub fn replies(&self) -> bool {
        !self.body["message_reference"].is_null()
    }
}

impl Request {
    /// An id in the path.
    pub(crate) fn id(&self, name: &str) -> Result<u64, Refusal> {
        let text = self.parameters.get(name).map_or("", String::as_str);
        text.parse().map_err(|_| {
            let message = format!("Value \"{text}\" is not snowflake.");
            let reason = serde_json::json!({"code": "NUMBER_TYPE_COERCE", "message": message});
            Refusal::form(serde_json::json!({name: {"_errors": [reason]}}))
        })
    }

    pub(crate) fn parameter(&self, name: &str) -> &str {
        self.parameters.get(name).map_or("", String::as_str)
    }

    pub(crate) fn query(&self, name: &str) -> Option<&str> {
        self.query.get(name).map(String::as_str)
    }

    /// The body, which has to be an object.
    pub(crate) fn fields(&self) -> Result<&Fields, Refusal> {
        self.body.as_object().ok_or_else(Refusal::invalid_json)
    }
}

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

/// What a method and a path lead to.
pub(crate) enum Found {
    Route(&'static Route, BTreeMap<&'static str, String>),
    /// There is such a path, and not with this method.
    OtherMethod,
    Nothing,
}

/// The route of a path below `/api/v10`.
pub(crate) fn find(method: &str, path: &str) -> Found {
    let mut other = false;
    for route in &ROUTES {
        let Some(parameters) = fits(route.path, path) else {
            continue;
        };
        if route.method == method {
            return Found::Route(route, parameters);
        }
        other = true;
    }
    if other { Found::OtherMethod } else { Found::Nothing }
}

fn fits(template: &'static str, path: &str) -> Option<BTreeMap<&'static str, String>> {
    let (mut wanted, mut found) = (template.split('/'), path.split('/'));
    let mut parameters = BTreeMap::new();
    loop {
        let (wanted, found) = match (wanted.next(), found.next()) {
            (None, None) => return Some(parameters),
            (Some(wanted), Some(found)) => (wanted, found),
            _ => return None,
        };
        match wanted.strip_prefix('{').and_then(|name| name.strip_suffix('}')) {
            Some(name) if !found.is_empty() => {
                parameters.insert(name, found.to_owned());
            }
            None if wanted == found => {}
            _ => return None,
        }
    }
}

impl Route {
    /// What is asked for, if it consists of what the table knows.
    pub(crate) fn request(
        &'static self,
        parameters: BTreeMap<&'static str, String>,
        query: BTreeMap<String, String>,
        body: Value,
    ) -> Result<Request, Refusal> {
        let unknown = query.keys().find(|name| !self.query.contains(&name.as_str()));
        if let Some(name) = unknown {
            return Err(Refusal::not_modelled(&format!("`{name}` of {}", self.name)));
        }
        if let Value::Object(fields) = &body {
            let unknown = fields.keys().find(|name| !self.body.contains(&name.as_str()));
            if let Some(name) = unknown {
                return Err(Refusal::not_modelled(&format!("`{name}` of {}", self.name)));
            }
        }
        Ok(Request {
            route: self.name,
            parameters,
            query,
            body,
        })
    }

    /// The bucket of a call: its route, and what it is about. Source: Discord docs, "Rate Limits", "Top-level resources".
    pub(crate) fn bucket(&self, parameters: &BTreeMap<&'static str, String>) -> String {
        let major = [
            "channel_id",
            "guild_id",
            "webhook_id",
            "webhook_token",
            "interaction_token",
        ];
        let about = major.iter().filter_map(|name| parameters.get(name));
        let about: Vec<&str> = about.map(String::as_str).collect();
        format!("{} {}", self.name, about.join("/"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_leads_to_the_most_literal_route() {
        let name = |method: &str, path: &str| match find(method, path) {
            Found::Route(route, _) => route.name,
            Found::OtherMethod => "other method",
            Found::Nothing => "nothing",
        };

        assert_eq!(name("GET", "/users/@me"), "get_my_user");
        assert_eq!(name("GET", "/users/1"), "get_user");
        assert_eq!(
            name("PATCH", "/webhooks/1/t/messages/@original"),
            "update_original_webhook_message"
        );
        assert_eq!(
            name("PATCH", "/webhooks/1/t/messages/2"),
            "update_webhook_message"
        );
        assert_eq!(name("PUT", "/users/@me"), "other method");
        assert_eq!(name("GET", "/users//"), "nothing");
        assert_eq!(name("GET", "/nobody"), "nothing");
    }
}
