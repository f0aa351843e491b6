//! What was said in a conversation before, read again.
//!
//! For two questions that events cannot answer: whether a post whose answer was lost stands, and what people said while
//! nobody heard them.

use askd_core::inbound::Placed;
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use serde_json::Value;

use crate::{
    channel::SlackChannel,
    error::Failure,
    limits,
    place::{Place, Ts},
};

/// How far back a post is looked for whose answer was lost. It is tried again within half a minute; Slack's clock and
/// ours may disagree.
const LATELY: SignedDuration = SignedDuration::from_mins(15);

/// From when on.
#[derive(Clone, Debug)]
pub(crate) enum Since {
    /// From shortly before this instant.
    Lately(Timestamp),
    /// From this message on.
    Message(Ts),
}

impl Since {
    /// As Slack wants it.
    fn oldest(&self) -> String {
        match self {
            Self::Lately(now) => format!("{}.000000", (*now - LATELY).as_second()),
            Self::Message(ts) => ts.to_string(),
        }
    }
}

#[derive(Deserialize)]
struct Page {
    messages: Vec<Value>,
    response_metadata: Option<Metadata>,
}

#[derive(Deserialize)]
struct Metadata {
    #[serde(default)]
    next_cursor: String,
}

/// The messages of a conversation or of a thread, oldest first, as Slack has them; of a conversation without what stands
/// in its threads. At most [`limits::PAGES`] pages, the newest of a conversation and the oldest of a thread.
pub(crate) async fn read(channel: &SlackChannel, at: &Place, since: &Since) -> Result<Vec<Value>, Failure> {
    let (oldest, limit) = (since.oldest(), limits::PAGE.to_string());
    let mut parameters = vec![
        ("channel", at.conversation.as_str()),
        ("oldest", &oldest),
        ("inclusive", "true"),
        ("limit", &limit),
    ];
    let method = match &at.thread {
        Some(root) => {
            parameters.push(("ts", root.as_str()));
            "conversations.replies"
        }
        None => "conversations.history",
    };
    let mut messages = Vec::new();
    let mut cursor = String::new();
    for _ in 0..limits::PAGES {
        let mut parameters = parameters.clone();
        if !cursor.is_empty() {
            parameters.push(("cursor", &cursor));
        }
        let page: Page = channel.api.ask(method, &parameters).await?;
        messages.extend(page.messages);
        cursor = page
            .response_metadata
            .map(|more| more.next_cursor)
            .unwrap_or_default();
        if cursor.is_empty() {
            break;
        }
    }
    if !cursor.is_empty() {
        tracing::warn!(channel = %channel.name, messages = messages.len(), "too much was said");
    }
    messages.sort_by_key(placed);
    Ok(messages)
}

fn placed(message: &Value) -> Option<Placed> {
    message["ts"].as_str().and_then(Ts::parse).map(|ts| ts.placed())
}
