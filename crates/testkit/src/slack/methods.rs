//! The methods of the Web API that this fake knows, and how one is called.
//!
//! The table is the one place that says which methods, arguments, scopes and errors there are: the server goes by it,
//! and `cargo xtask contracts` holds it against Slack's description. An argument that is not in it is refused, whatever
//! Slack would do, because a test must not pass on an effect that nobody has modelled.

mod access;
mod changing;
mod looking;
mod sending;
mod viewing;

use jiff::Timestamp;
use serde_json::Value;

use super::{arguments::Arguments, refusal::Refusal, state::State};

/// A method of the Web API.
#[derive(Debug)]
pub struct Method {
    /// As the documentation writes it.
    pub name: &'static str,
    /// Whether it reads a JSON body. The others act as if nothing had been said.
    pub json: bool,
    /// Which token it takes.
    pub token: Token,
    /// What it takes.
    pub parameters: &'static [Parameter],
    /// What it is refused with here, beyond [`COMMON_ERRORS`].
    pub errors: &'static [&'static str],
    pub(crate) run: fn(&mut State, &Arguments) -> Result<Value, Refusal>,
}

/// Which token a method takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    /// The bot's, `xoxb-…`, with this scope if it needs one.
    Bot(Option<&'static str>),
    /// The bot's, with the scope that is for the kind of conversation: its end is given, such as `history`.
    ByConversation(&'static str),
    /// The app's, `xapp-…`, with this scope.
    App(&'static str),
}

/// A parameter of a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// As the documentation writes it.
    pub name: &'static str,
    /// Whether it has to be there.
    pub required: bool,
}

/// What any method may be refused with.
pub const COMMON_ERRORS: [&str; 14] = [
    "not_authed",
    "invalid_auth",
    "account_inactive",
    "token_revoked",
    "not_allowed_token_type",
    "missing_scope",
    "ratelimited",
    "invalid_arguments",
    "invalid_form_data",
    "invalid_post_type",
    "invalid_json",
    "json_not_object",
    "request_timeout",
    "unknown_method",
];

/// A call that reached the platform.
#[derive(Clone, Debug)]
pub struct Call {
    /// The method as it was called; `response_url` for one of those.
    pub method: String,
    /// With what.
    pub arguments: Arguments,
    /// When, by the fake's clock.
    pub when: Timestamp,
    /// What came of it; none while it is under way, and where a fault made it end otherwise.
    pub outcome: Option<Result<Value, Refusal>>,
}

const fn optional(name: &'static str) -> Parameter {
    Parameter {
        name,
        required: false,
    }
}

const fn required(name: &'static str) -> Parameter {
    Parameter { name, required: true }
}

const WRITE: Token = Token::Bot(Some("chat:write"));

/// All of them.
pub static METHODS: [Method; 14] = [
    Method {
        name: "auth.test",
        json: true,
        token: Token::Bot(None),
        parameters: &[],
        errors: &[],
        run: access::auth_test,
    },
    Method {
        name: "apps.connections.open",
        json: true,
        token: Token::App("connections:write"),
        parameters: &[],
        errors: &[],
        run: access::connections_open,
    },
    Method {
        name: "chat.postMessage",
        json: true,
        token: WRITE,
        parameters: &[
            required("channel"),
            optional("text"),
            optional("blocks"),
            optional("thread_ts"),
            optional("mrkdwn"),
            optional("metadata"),
            optional("link_names"),
            optional("parse"),
            optional("unfurl_links"),
            optional("unfurl_media"),
        ],
        errors: &[
            "channel_not_found",
            "not_in_channel",
            "is_archived",
            "cannot_dm_bot",
            "messages_tab_disabled",
            "thread_not_found",
            "cannot_reply_to_message",
            "no_text",
            "msg_too_long",
            "msg_blocks_too_long",
            "invalid_blocks",
            "invalid_blocks_format",
            "invalid_metadata_format",
        ],
        run: sending::post_message,
    },
    Method {
        name: "chat.postEphemeral",
        json: true,
        token: WRITE,
        parameters: &[
            required("channel"),
            required("user"),
            optional("text"),
            optional("blocks"),
            optional("thread_ts"),
            optional("link_names"),
            optional("parse"),
        ],
        errors: &[
            "channel_not_found",
            "not_in_channel",
            "is_archived",
            "user_not_in_channel",
            "messages_tab_disabled",
            "thread_not_found",
            "cannot_reply_to_message",
            "no_text",
            "msg_too_long",
            "msg_blocks_too_long",
            "invalid_blocks",
            "invalid_blocks_format",
        ],
        run: sending::post_ephemeral,
    },
    Method {
        name: "chat.update",
        json: true,
        token: WRITE,
        parameters: &[
            required("channel"),
            required("ts"),
            optional("text"),
            optional("blocks"),
            optional("metadata"),
            optional("link_names"),
            optional("parse"),
        ],
        errors: &[
            "channel_not_found",
            "message_not_found",
            "cant_update_message",
            "is_inactive",
            "block_mismatch",
            "no_text",
            "msg_too_long",
            "msg_blocks_too_long",
            "invalid_blocks",
            "invalid_blocks_format",
            "invalid_metadata_format",
        ],
        run: changing::update,
    },
    Method {
        name: "chat.delete",
        json: true,
        token: WRITE,
        parameters: &[required("channel"), required("ts")],
        errors: &["channel_not_found", "message_not_found", "cant_delete_message"],
        run: changing::delete,
    },
    Method {
        name: "views.open",
        json: true,
        token: Token::Bot(None),
        parameters: &[required("trigger_id"), required("view")],
        errors: &["expired_trigger_id", "exchanged_trigger_id", "invalid_trigger_id"],
        run: viewing::open,
    },
    Method {
        name: "views.update",
        json: true,
        token: Token::Bot(None),
        parameters: &[required("view"), optional("view_id"), optional("hash")],
        errors: &["not_found", "hash_conflict"],
        run: viewing::update,
    },
    Method {
        name: "users.info",
        json: false,
        token: Token::Bot(Some("users:read")),
        parameters: &[required("user"), optional("include_locale")],
        errors: &["user_not_found"],
        run: looking::users_info,
    },
    Method {
        name: "bots.info",
        json: false,
        token: Token::Bot(Some("users:read")),
        parameters: &[optional("bot")],
        errors: &["bot_not_found"],
        run: looking::bots_info,
    },
    Method {
        name: "conversations.open",
        json: true,
        token: Token::Bot(Some("im:write")),
        parameters: &[optional("users"), optional("return_im")],
        errors: &[
            "user_not_found",
            "user_disabled",
            "users_list_not_supplied",
            "cannot_dm_bot",
        ],
        run: access::conversations_open,
    },
    Method {
        name: "conversations.info",
        json: false,
        token: Token::ByConversation("read"),
        parameters: &[
            required("channel"),
            optional("include_locale"),
            optional("include_num_members"),
        ],
        errors: &["channel_not_found"],
        run: looking::conversations_info,
    },
    Method {
        name: "conversations.history",
        json: false,
        token: Token::ByConversation("history"),
        parameters: &[
            required("channel"),
            optional("cursor"),
            optional("inclusive"),
            optional("latest"),
            optional("limit"),
            optional("oldest"),
        ],
        errors: &[
            "channel_not_found",
            "not_in_channel",
            "invalid_cursor",
            "invalid_ts_latest",
            "invalid_ts_oldest",
        ],
        run: looking::history,
    },
    Method {
        name: "conversations.replies",
        json: false,
        token: Token::ByConversation("history"),
        parameters: &[
            required("channel"),
            required("ts"),
            optional("cursor"),
            optional("inclusive"),
            optional("latest"),
            optional("limit"),
            optional("oldest"),
        ],
        errors: &[
            "channel_not_found",
            "not_in_channel",
            "thread_not_found",
            "invalid_cursor",
            "invalid_ts_latest",
            "invalid_ts_oldest",
        ],
        run: looking::replies,
    },
];

/// The method of this name.
pub(crate) fn named(name: &str) -> Option<&'static Method> {
    METHODS.iter().find(|method| method.name == name)
}

impl Method {
    /// Whether the arguments are those of the table.
    pub(crate) fn check(&self, arguments: &Arguments) -> Result<(), Refusal> {
        let known = |name: &str| self.parameters.iter().any(|parameter| parameter.name == name);
        if let Some(name) = arguments.names().find(|name| !known(name)) {
            return Err(Refusal::not_modelled(&format!("`{name}` of {}", self.name)));
        }
        for (name, allowed) in [("parse", "none"), ("link_names", "false")] {
            if arguments.has(name) && ![allowed, "0", ""].contains(&arguments.text(name).as_str()) {
                return Err(Refusal::not_modelled(&format!("`{name}` other than {allowed}")));
            }
        }
        for parameter in self.parameters.iter().filter(|parameter| parameter.required) {
            if !arguments.has(parameter.name) {
                return Err(Refusal::missing(parameter.name));
            }
        }
        Ok(())
    }
}
