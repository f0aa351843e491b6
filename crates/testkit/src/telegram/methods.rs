//! The methods of the Bot API that this fake knows, and how one is called.
//!
//! The table is the one place that says which methods and parameters there are: the server goes by it, and `cargo xtask
//! contracts` holds it against the documentation. A parameter that is not in it is refused, whatever Telegram would
//! do, because a test must not pass on an effect that nobody has modelled.

mod access;
mod answering;
mod changing;
mod commands;
mod looking;
pub(crate) mod polling;
mod sending;

use jiff::Timestamp;
use serde_json::Value;

use super::{arguments::Arguments, refusal::Refusal, state::State};

/// A method of the Bot API.
#[derive(Debug)]
pub struct Method {
    /// As the documentation writes it. Callers may write it in any case.
    pub name: &'static str,
    /// What it takes.
    pub parameters: &'static [Parameter],
    pub(crate) run: Run,
}

/// A parameter of a method.
#[derive(Debug)]
pub struct Parameter {
    /// As the documentation writes it.
    pub name: &'static str,
    /// What is said where it is missing; none where it may be.
    pub required: Option<&'static str>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Run {
    /// Done at once, under the lock.
    Now(fn(&mut State, &Arguments) -> Result<Value, Refusal>),
    /// Waits for updates.
    Poll,
}

/// A call that reached the platform.
#[derive(Clone, Debug)]
pub struct Call {
    /// The method, as the documentation writes it, or as it was called if there is no such method.
    pub method: String,
    /// With what.
    pub arguments: Arguments,
    /// When, by the fake's clock.
    pub when: Timestamp,
    /// What came of it; none while it is under way, and where a fault made it end otherwise.
    pub outcome: Option<Result<Value, Refusal>>,
}

const fn optional(name: &'static str) -> Parameter {
    Parameter { name, required: None }
}

const fn required(name: &'static str, or: &'static str) -> Parameter {
    Parameter {
        name,
        required: Some(or),
    }
}

const CHAT: Parameter = required("chat_id", "chat_id is empty");
const TEXT: Parameter = required("text", "message text is empty");

/// All of them.
pub static METHODS: [Method; 16] = [
    Method {
        name: "getMe",
        parameters: &[],
        run: Run::Now(looking::get_me),
    },
    Method {
        name: "getUpdates",
        parameters: &[
            optional("offset"),
            optional("limit"),
            optional("timeout"),
            optional("allowed_updates"),
        ],
        run: Run::Poll,
    },
    Method {
        name: "setWebhook",
        parameters: &[
            required("url", "parameter \"url\" is required"),
            optional("allowed_updates"),
            optional("drop_pending_updates"),
        ],
        run: Run::Now(polling::set_webhook),
    },
    Method {
        name: "deleteWebhook",
        parameters: &[optional("drop_pending_updates")],
        run: Run::Now(polling::delete_webhook),
    },
    Method {
        name: "getWebhookInfo",
        parameters: &[],
        run: Run::Now(polling::get_webhook_info),
    },
    Method {
        name: "sendMessage",
        parameters: &[
            TEXT,
            CHAT,
            optional("message_thread_id"),
            optional("parse_mode"),
            optional("entities"),
            optional("link_preview_options"),
            optional("disable_notification"),
            optional("protect_content"),
            optional("reply_parameters"),
            optional("reply_markup"),
        ],
        run: Run::Now(sending::send_message),
    },
    Method {
        name: "sendChatAction",
        parameters: &[
            required("action", "wrong parameter action in request"),
            CHAT,
            optional("message_thread_id"),
        ],
        run: Run::Now(sending::send_chat_action),
    },
    Method {
        name: "editMessageText",
        parameters: &[
            optional("text"),
            optional("chat_id"),
            optional("message_id"),
            optional("parse_mode"),
            optional("entities"),
            optional("link_preview_options"),
            optional("reply_markup"),
        ],
        run: Run::Now(changing::edit_message_text),
    },
    Method {
        name: "editMessageReplyMarkup",
        parameters: &[
            optional("chat_id"),
            optional("message_id"),
            optional("reply_markup"),
        ],
        run: Run::Now(changing::edit_message_reply_markup),
    },
    Method {
        name: "deleteMessage",
        parameters: &[
            required("chat_id", "chat identifier is not specified"),
            required("message_id", "message identifier is not specified"),
        ],
        run: Run::Now(changing::delete_message),
    },
    Method {
        name: "answerCallbackQuery",
        parameters: &[
            required("callback_query_id", answering::TOO_OLD),
            optional("text"),
            optional("show_alert"),
            optional("cache_time"),
        ],
        run: Run::Now(answering::answer_callback_query),
    },
    Method {
        name: "setMyCommands",
        parameters: &[
            required("commands", "parameter \"commands\" is required"),
            optional("scope"),
            optional("language_code"),
        ],
        run: Run::Now(commands::set),
    },
    Method {
        name: "getMyCommands",
        parameters: &[optional("scope"), optional("language_code")],
        run: Run::Now(commands::get),
    },
    Method {
        name: "deleteMyCommands",
        parameters: &[optional("scope"), optional("language_code")],
        run: Run::Now(commands::delete),
    },
    Method {
        name: "getChat",
        parameters: &[CHAT],
        run: Run::Now(looking::get_chat),
    },
    Method {
        name: "getChatMember",
        parameters: &[CHAT, required("user_id", "invalid user_id specified")],
        run: Run::Now(looking::get_chat_member),
    },
];

/// The method of this name, in any case: teloxide writes `SendMessage`.
pub(crate) fn named(name: &str) -> Option<&'static Method> {
    METHODS
        .iter()
        .find(|method| method.name.eq_ignore_ascii_case(name))
}

impl Method {
    /// Whether the parameters are those of the table.
    pub(crate) fn check(&self, arguments: &Arguments) -> Result<(), Refusal> {
        let known = |name: &str| self.parameters.iter().any(|parameter| parameter.name == name);
        if let Some(name) = arguments.names().find(|name| !known(name)) {
            return Err(Refusal::not_modelled(&format!("`{name}` of {}", self.name)));
        }
        for parameter in self.parameters {
            let may_be_empty = parameter.name == "url";
            let missing = !arguments.has(parameter.name)
                || (arguments.text(parameter.name).is_empty() && !may_be_empty);
            if let Some(says) = parameter.required.filter(|_| missing) {
                return Err(Refusal::broken(says));
            }
        }
        Ok(())
    }
}
