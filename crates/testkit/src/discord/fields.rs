//! The fields of nested objects that this fake takes, by the schemas of the API's description.
//!
//! Whatever is not in these lists is refused. Those of whole bodies stand with their routes.

/// A row of buttons.
pub(crate) const ROW: &[&str] = &["type", "id", "components"];
/// A button.
pub(crate) const BUTTON: &[&str] = &["type", "id", "style", "label", "custom_id", "url", "disabled"];
/// Whom a message may ping.
pub(crate) const ALLOWED_MENTIONS: &[&str] = &["parse", "users", "roles", "replied_user"];
/// The message that is replied to.
pub(crate) const REFERENCE: &[&str] = &[
    "type",
    "message_id",
    "channel_id",
    "guild_id",
    "fail_if_not_exists",
];
/// A message in answer to an interaction.
pub(crate) const ANSWER: &[&str] = &[
    "content",
    "embeds",
    "attachments",
    "components",
    "allowed_mentions",
    "flags",
    "tts",
];
/// A change of the message whose button was pressed.
pub(crate) const UPDATE: &[&str] = &[
    "content",
    "embeds",
    "attachments",
    "components",
    "allowed_mentions",
    "flags",
];
/// A message on its way.
pub(crate) const LOADING: &[&str] = &["flags", "attachments"];
/// A form.
pub(crate) const MODAL: &[&str] = &["custom_id", "title", "components"];
/// A row of a form.
pub(crate) const MODAL_ROW: &[&str] = &["type", "id", "components"];
/// A label of a form.
pub(crate) const LABEL: &[&str] = &["type", "id", "label", "description", "component"];
/// An input of a form.
pub(crate) const INPUT: &[&str] = &[
    "type",
    "id",
    "custom_id",
    "style",
    "label",
    "value",
    "placeholder",
    "required",
    "min_length",
    "max_length",
];
/// A slash command. The description leaves `nsfw` out, which the documentation has.
pub(crate) const COMMAND: &[&str] = &[
    "id",
    "type",
    "name",
    "name_localizations",
    "description",
    "description_localizations",
    "options",
    "contexts",
    "integration_types",
    "default_member_permissions",
    "dm_permission",
];
/// The option of a slash command that takes a text.
pub(crate) const OPTION: &[&str] = &[
    "type",
    "name",
    "name_localizations",
    "description",
    "description_localizations",
    "required",
    "min_length",
    "max_length",
    "choices",
    "autocomplete",
];
/// What libraries send with every option, empty.
pub(crate) const OPTION_OF_OTHERS: &[&str] = &["options", "channel_types", "min_value", "max_value"];

/// Each list with its schema.
#[must_use]
pub fn nested() -> Vec<(&'static str, &'static [&'static str])> {
    vec![
        ("ActionRowComponentForMessageRequest", ROW),
        ("ButtonComponentForMessageRequest", BUTTON),
        ("MessageAllowedMentionsRequest", ALLOWED_MENTIONS),
        ("MessageReferenceRequest", REFERENCE),
        ("IncomingWebhookInteractionRequest", ANSWER),
        ("IncomingWebhookInteractionRequest", LOADING),
        (
            "IncomingWebhookUpdateForInteractionCallbackRequestPartial",
            UPDATE,
        ),
        ("ModalInteractionCallbackRequestData", MODAL),
        ("ActionRowComponentForModalRequest", MODAL_ROW),
        ("LabelComponentForModalRequest", LABEL),
        ("TextInputComponentForModalRequest", INPUT),
        ("ApplicationCommandUpdateRequest", COMMAND),
        ("ApplicationCommandStringOption", OPTION),
    ]
}

/// Numbers that mean something: the schema, what it calls them, and what they are.
#[must_use]
pub fn numbers() -> Vec<(&'static str, &'static str, i64)> {
    use super::{components, message::Kind};
    let kind = |kind: Kind| i64::try_from(kind.number()).unwrap_or_default();
    vec![
        ("MessageComponentTypes", "ACTION_ROW", components::ACTION_ROW),
        ("MessageComponentTypes", "BUTTON", components::BUTTON),
        ("MessageComponentTypes", "TEXT_INPUT", components::TEXT_INPUT),
        ("MessageComponentTypes", "LABEL", components::LABEL),
        ("ButtonStyleTypes", "PRIMARY", 1),
        ("ButtonStyleTypes", "SECONDARY", 2),
        ("ButtonStyleTypes", "SUCCESS", 3),
        ("ButtonStyleTypes", "DANGER", 4),
        ("ButtonStyleTypes", "LINK", 5),
        ("TextInputStyleTypes", "SHORT", 1),
        ("TextInputStyleTypes", "PARAGRAPH", 2),
        ("InteractionCallbackTypes", "CHANNEL_MESSAGE_WITH_SOURCE", 4),
        (
            "InteractionCallbackTypes",
            "DEFERRED_CHANNEL_MESSAGE_WITH_SOURCE",
            5,
        ),
        ("InteractionCallbackTypes", "DEFERRED_UPDATE_MESSAGE", 6),
        ("InteractionCallbackTypes", "UPDATE_MESSAGE", 7),
        ("InteractionCallbackTypes", "MODAL", 9),
        ("InteractionTypes", "APPLICATION_COMMAND", 2),
        ("InteractionTypes", "MESSAGE_COMPONENT", 3),
        ("InteractionTypes", "MODAL_SUBMIT", 5),
        ("ChannelTypes", "GUILD_TEXT", 0),
        ("ChannelTypes", "DM", 1),
        ("ChannelTypes", "PUBLIC_THREAD", 11),
        ("MessageType", "DEFAULT", kind(Kind::Default)),
        ("MessageType", "CHANNEL_PINNED_MESSAGE", kind(Kind::Pinned)),
        ("MessageType", "USER_JOIN", kind(Kind::Joined)),
        ("MessageType", "THREAD_CREATED", kind(Kind::ThreadMade)),
        ("MessageType", "REPLY", kind(Kind::Reply)),
        ("MessageType", "CHAT_INPUT_COMMAND", kind(Kind::Command)),
        ("MessageType", "THREAD_STARTER_MESSAGE", kind(Kind::ThreadStarter)),
        ("MessageReferenceType", "DEFAULT", 0),
        ("ApplicationCommandType", "CHAT", 1),
        ("ApplicationCommandOptionType", "STRING", 3),
    ]
}
