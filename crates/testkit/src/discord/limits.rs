//! What Discord takes, as numbers with their units and sources.
//!
//! These are the platform's side of the matter, written down a second time and on purpose: a channel has its own
//! `limits.rs`, and a number that is wrong in one of the two fails a test instead of agreeing with itself. Where the
//! API's description states a number, [`stated`] says where, and `cargo xtask contracts` looks it up there.
//!
//! Characters are Unicode scalar values: the servers are known to count code points, and the libraries that check
//! before they send (serenity, twilight-validate) agree. Where sources disagree the strict reading stands and is
//! marked as a guess.

use std::time::Duration;

/// Longest content of a message, once its ends are trimmed. Unit: scalars.
///
/// Source: Discord docs, "Create Message", `content`: "up to 2000 characters". The API's description says 4000, which
/// holds for people who pay.
pub const CONTENT: usize = 2000;

/// Longest content that a person can type; more becomes a file. Unit: scalars. Source: Discord's help pages on Nitro.
pub const TYPED: usize = 4000;

/// Most rows of a message or a form. Source: Discord docs, "Component Reference", "Action Row".
pub const ROWS: usize = 5;

/// Most buttons of a row. Source: `ActionRowComponentForMessageRequest.components`.
pub const BUTTONS: usize = 5;

/// Longest label of a button. Unit: scalars. Source: `ButtonComponentForMessageRequest.label`.
pub const LABEL: usize = 80;

/// Longest `custom_id`; the shortest is 1. Unit: scalars. Source: `ButtonComponentForMessageRequest.custom_id`.
pub const CUSTOM_ID: usize = 100;

/// Longest link of a button. Unit: scalars. Source: `ButtonComponentForMessageRequest.url`.
pub const URL: usize = 512;

/// Longest title of a form; the shortest is 1. Unit: scalars. Source: `ModalInteractionCallbackRequestData.title`.
pub const TITLE: usize = 45;

/// Longest label of an input; the shortest is 1. Unit: scalars. Source: `TextInputComponentForModalRequest.label`.
pub const INPUT_LABEL: usize = 45;

/// Longest description below the label of an input. Unit: scalars.
/// Source: `LabelComponentForModalRequest.description`.
pub const INPUT_DESCRIPTION: usize = 100;

/// Longest placeholder of an input. Unit: scalars. Source: `TextInputComponentForModalRequest.placeholder`.
pub const PLACEHOLDER: usize = 100;

/// Longest text of an input. Unit: scalars. Source: `TextInputComponentForModalRequest.value`.
pub const INPUT: usize = 4000;

/// Longest nonce. Unit: scalars. Source: `MessageCreateRequest.nonce`.
pub const NONCE: usize = 25;

/// How long a nonce is remembered. A guess: Discord docs, "Create Message", `enforce_nonce`, say "the past few
/// minutes".
pub const NONCE_KEPT: Duration = Duration::from_mins(3);

/// Most accounts or roles that `allowed_mentions` names. Source: `MessageAllowedMentionsRequest.users`.
pub const ALLOWED_MENTIONS: usize = 100;

/// Most messages of one list, and how many where nobody says. Source: `list_messages`, `limit`.
pub const LIST: usize = 100;
/// How many messages a list has where nobody says. Source: Discord docs, "Get Channel Messages".
pub const LIST_DEFAULT: usize = 50;

/// Within what time an interaction is answered. Source: Discord docs, "Receiving and Responding", "Interaction
/// Callback".
pub const ANSWER_WITHIN: Duration = Duration::from_secs(3);

/// How long an interaction can be followed up. Source: Discord docs, "Receiving and Responding", "Followup Messages".
pub const FOLLOW_UP_WITHIN: Duration = Duration::from_mins(15);

/// Most commands of an application. Source: Discord docs, "Application Commands", "Registering a Command".
pub const COMMANDS: usize = 100;

/// Longest name of a command, in lower case; the shortest is 1. Unit: scalars.
/// Source: `ApplicationCommandUpdateRequest.name`.
pub const COMMAND: usize = 32;

/// Longest description of a command; the shortest is 1. Unit: scalars.
/// Source: `ApplicationCommandUpdateRequest.description`.
pub const COMMAND_DESCRIPTION: usize = 100;

/// Longest text of an option. Unit: scalars. Source: `ApplicationCommandStringOption.max_length`.
pub const OPTION: usize = 6000;

/// Languages that a command can be described in and that clients are set to. Source: `AvailableLocalesEnum`.
pub const LOCALES: [&str; 34] = [
    "ar", "bg", "cs", "da", "de", "el", "en-GB", "en-US", "es-419", "es-ES", "fi", "fr", "he", "hi", "hr",
    "hu", "id", "it", "ja", "ko", "lt", "nl", "no", "pl", "pt-BR", "ro", "ru", "sv-SE", "th", "tr", "uk",
    "vi", "zh-CN", "zh-TW",
];

/// How long a session that lost its socket can be resumed. A guess: "a few minutes" by observation.
pub const SESSION_KEPT: Duration = Duration::from_mins(3);

/// Most messages of a client on one socket within a minute. Source: Discord docs, "Gateway", "Rate Limiting".
pub const COMMANDS_A_MINUTE: usize = 120;

/// Sessions that a bot may begin within a day. Source: Discord docs, "Gateway", "Session Start Limit Object".
pub const SESSIONS: usize = 1000;

/// How often a client is told to send a heartbeat. Source: Discord docs, "Gateway", "Hello".
pub const HEARTBEAT: Duration = Duration::from_millis(41_250);

/// Calls within a second, over all routes but those of interactions. Source: Discord docs, "Rate Limits", "Global Rate
/// Limit".
pub const CALLS_A_SECOND: usize = 50;

/// A number that the API's description states.
#[derive(Clone, Copy, Debug)]
pub struct Stated {
    /// The schema.
    pub schema: &'static str,
    /// The property of it.
    pub property: &'static str,
    /// The keyword of JSON Schema.
    pub keyword: &'static str,
    /// The number.
    pub says: usize,
}

/// Every number above that the API's description states.
#[must_use]
pub fn stated() -> Vec<Stated> {
    let of = |schema, property, keyword, says| Stated {
        schema,
        property,
        keyword,
        says,
    };
    vec![
        of(
            "IncomingWebhookInteractionRequest",
            "content",
            "maxLength",
            CONTENT,
        ),
        of("IncomingWebhookRequestPartial", "content", "maxLength", CONTENT),
        of("MessageCreateRequest", "content", "maxLength", TYPED),
        of("MessageCreateRequest", "nonce", "maxLength", NONCE),
        of(
            "ActionRowComponentForMessageRequest",
            "components",
            "maxItems",
            BUTTONS,
        ),
        of("ActionRowComponentForMessageRequest", "components", "minItems", 1),
        of("ButtonComponentForMessageRequest", "label", "maxLength", LABEL),
        of(
            "ButtonComponentForMessageRequest",
            "custom_id",
            "maxLength",
            CUSTOM_ID,
        ),
        of("ButtonComponentForMessageRequest", "custom_id", "minLength", 1),
        of("ButtonComponentForMessageRequest", "url", "maxLength", URL),
        of("ModalInteractionCallbackRequestData", "title", "maxLength", TITLE),
        of("ModalInteractionCallbackRequestData", "title", "minLength", 1),
        of(
            "ModalInteractionCallbackRequestData",
            "custom_id",
            "maxLength",
            CUSTOM_ID,
        ),
        of(
            "TextInputComponentForModalRequest",
            "label",
            "maxLength",
            INPUT_LABEL,
        ),
        of(
            "TextInputComponentForModalRequest",
            "custom_id",
            "maxLength",
            CUSTOM_ID,
        ),
        of("TextInputComponentForModalRequest", "value", "maxLength", INPUT),
        of(
            "TextInputComponentForModalRequest",
            "max_length",
            "maximum",
            INPUT,
        ),
        of(
            "TextInputComponentForModalRequest",
            "placeholder",
            "maxLength",
            PLACEHOLDER,
        ),
        of("LabelComponentForModalRequest", "label", "maxLength", INPUT_LABEL),
        of(
            "LabelComponentForModalRequest",
            "description",
            "maxLength",
            INPUT_DESCRIPTION,
        ),
        of(
            "MessageAllowedMentionsRequest",
            "users",
            "maxItems",
            ALLOWED_MENTIONS,
        ),
        of(
            "MessageAllowedMentionsRequest",
            "roles",
            "maxItems",
            ALLOWED_MENTIONS,
        ),
        of("ApplicationCommandStringOption", "max_length", "maximum", OPTION),
        of("ApplicationCommandUpdateRequest", "name", "maxLength", COMMAND),
        of(
            "ApplicationCommandUpdateRequest",
            "description",
            "maxLength",
            COMMAND_DESCRIPTION,
        ),
    ]
}
