//! What the fake knows of Slack and the description of 2021 does not, each with where it is from.

/// Something that is known from elsewhere.
#[derive(Clone, Copy, Debug)]
pub(super) struct Newer {
    pub(super) what: What,
    /// The methods it is of; none where the name says it all.
    pub(super) of: &'static [&'static str],
    /// Its name; for a field, the fault that the description finds.
    pub(super) name: &'static str,
    /// Where it is from.
    pub(super) source: &'static str,
}

/// What it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    Method,
    Parameter,
    Error,
    Field,
}

const fn error(of: &'static [&'static str], name: &'static str, source: &'static str) -> Newer {
    Newer {
        what: What::Error,
        of,
        name,
        source,
    }
}

const fn field(name: &'static str, source: &'static str) -> Newer {
    Newer {
        what: What::Field,
        of: &[],
        name,
        source,
    }
}

const SENDING: &[&str] = &["chat.postMessage", "chat.postEphemeral", "chat.update"];
const POSTING: &[&str] = &["chat.postMessage", "chat.postEphemeral"];
const KEPT: &[&str] = &["chat.postMessage", "chat.update"];
const OPENING: &[&str] = &["views.open"];
const UPDATING: &[&str] = &["views.update"];
const READING: &[&str] = &["conversations.history", "conversations.replies"];

/// The page of each method on docs.slack.dev.
const PAGE: &str = "docs.slack.dev, the method's page";
const MESSAGES: &str = "docs.slack.dev, \"message event\" and recorded messages";
const SHARES: &str = "@slack/types, MessageAttachment; recorded messages";
const PAGES: &str = "docs.slack.dev, \"Pagination\"";

/// All of it.
pub(super) const NEWER: [Newer; 43] = [
    Newer {
        what: What::Method,
        of: &[],
        name: "apps.connections.open",
        source: PAGE,
    },
    Newer {
        what: What::Parameter,
        of: KEPT,
        name: "metadata",
        source: PAGE,
    },
    error(&[], "ratelimited", "docs.slack.dev, \"Rate limits\""),
    error(&[], "unknown_method", PAGE),
    error(SENDING, "invalid_blocks", PAGE),
    error(SENDING, "invalid_blocks_format", PAGE),
    error(SENDING, "msg_blocks_too_long", "bolt-js issue 2509"),
    error(KEPT, "invalid_metadata_format", PAGE),
    error(&["chat.update"], "block_mismatch", PAGE),
    error(POSTING, "messages_tab_disabled", PAGE),
    error(
        POSTING,
        "cannot_reply_to_message",
        "the page of chat.postEphemeral, for other kinds of messages",
    ),
    error(POSTING, "thread_not_found", "a guess, from conversations.replies"),
    error(&["chat.postEphemeral"], "not_in_channel", PAGE),
    error(
        &["chat.postMessage", "conversations.open"],
        "cannot_dm_bot",
        "reports of both methods",
    ),
    error(OPENING, "expired_trigger_id", PAGE),
    error(OPENING, "exchanged_trigger_id", PAGE),
    error(OPENING, "invalid_trigger_id", PAGE),
    error(UPDATING, "not_found", PAGE),
    error(UPDATING, "hash_conflict", PAGE),
    error(READING, "not_in_channel", PAGE),
    error(READING, "invalid_cursor", PAGE),
    error(&["conversations.replies"], "invalid_ts_latest", PAGE),
    error(&["conversations.replies"], "invalid_ts_oldest", PAGE),
    field(
        "objs_conversation.num_members is not documented",
        "the parameter include_num_members",
    ),
    field("objs_message.app_id is not documented", MESSAGES),
    field("objs_message.edited is not documented", MESSAGES),
    field("objs_message.attachments.author_id is not documented", SHARES),
    field("objs_message.attachments.author_name is not documented", SHARES),
    field("objs_message.attachments.channel_id is not documented", SHARES),
    field("objs_message.attachments.channel_team is not documented", SHARES),
    field("objs_message.attachments.from_url is not documented", SHARES),
    field("objs_message.attachments.is_msg_unfurl is not documented", SHARES),
    field("objs_message.attachments.is_share is not documented", SHARES),
    field("objs_message.attachments.mrkdwn_in is not documented", SHARES),
    field("objs_message.attachments.text is not documented", SHARES),
    field("objs_message.attachments.ts is not documented", SHARES),
    field("conversations.history.response_metadata is not documented", PAGES),
    field("conversations.replies.response_metadata is not documented", PAGES),
    field(
        "conversations.replies.messages.app_id is not documented",
        MESSAGES,
    ),
    field(
        "conversations.replies.messages.blocks is not documented",
        MESSAGES,
    ),
    field(
        "conversations.replies.messages.bot_id is not documented",
        MESSAGES,
    ),
    field(
        "conversations.replies.messages.bot_profile is not documented",
        MESSAGES,
    ),
    field(
        "conversations.replies.messages.client_msg_id is not documented",
        MESSAGES,
    ),
];
