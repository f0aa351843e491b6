//! What comes with a click and may be used for a while: the `trigger_id` that opens a view, and the `response_url`.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde_json::Value;

use super::{
    arguments::Arguments,
    blocks, limits,
    message::{Author, Content, Draft, MessageAt},
    refusal::Refusal,
    state::State,
};

/// What is taken by a `response_url`.
const KNOWN: [&str; 7] = [
    "text",
    "blocks",
    "response_type",
    "replace_original",
    "delete_original",
    "thread_ts",
    "mrkdwn",
];

#[derive(Debug, Default)]
pub(crate) struct Triggers {
    triggers: BTreeMap<String, Trigger>,
    urls: BTreeMap<String, ResponseUrl>,
}

/// What a view can be opened on.
#[derive(Clone, Debug)]
pub(crate) struct Trigger {
    pub(crate) who: String,
    /// In which conversation it was made.
    pub(crate) channel: String,
    when: Timestamp,
    used: bool,
}

#[derive(Clone, Debug)]
struct ResponseUrl {
    who: String,
    on: MessageAt,
    when: Timestamp,
    used: usize,
}

impl State {
    /// A `trigger_id` for what somebody just did.
    pub(crate) fn new_trigger(&mut self, who: &str, channel: &str) -> String {
        let number = self.new_uuid().replace('-', "");
        let id = format!("{}.{}.{number}", self.now.as_millisecond(), 5_141_592_653_u64);
        let trigger = Trigger {
            who: who.to_owned(),
            channel: channel.to_owned(),
            when: self.now,
            used: false,
        };
        self.triggers.triggers.insert(id.clone(), trigger);
        id
    }

    /// Uses a trigger up. Source: `views.open`; that a used one is `exchanged_trigger_id` too.
    pub(crate) fn use_trigger(&mut self, id: &str) -> Result<Trigger, Refusal> {
        let now = self.now;
        let trigger = self.triggers.triggers.get_mut(id);
        let trigger = trigger.ok_or_else(|| Refusal::broken("invalid_trigger_id", Vec::new()))?;
        if trigger.used {
            return Err(Refusal::broken("exchanged_trigger_id", Vec::new()));
        }
        if trigger.when + limits::TRIGGER < now {
            return Err(Refusal::broken("expired_trigger_id", Vec::new()));
        }
        trigger.used = true;
        Ok(trigger.clone())
    }

    /// A `response_url` for a click on a message.
    pub(crate) fn new_response_url(&mut self, who: &str, on: &MessageAt) -> String {
        let path = format!("/actions/{}/{}", super::state::TEAM, self.new_uuid());
        let url = ResponseUrl {
            who: who.to_owned(),
            on: on.clone(),
            when: self.now,
            used: 0,
        };
        self.triggers.urls.insert(path.clone(), url);
        format!("http://{}{path}", self.host)
    }

    /// Does what is asked for through a `response_url`.
    pub(crate) fn respond(&mut self, path: &str, arguments: &Arguments) -> Result<(), Refusal> {
        let now = self.now;
        let url = self
            .triggers
            .urls
            .get_mut(path)
            .ok_or_else(|| Refusal::of("invalid_url"))?;
        if url.when + limits::RESPOND_WITHIN < now {
            return Err(Refusal::broken("expired_url", Vec::new()));
        }
        if url.used >= limits::RESPONSES {
            return Err(Refusal::broken("used_url", Vec::new()));
        }
        url.used += 1;
        let url = url.clone();
        if let Some(name) = arguments.names().find(|name| !KNOWN.contains(name)) {
            return Err(Refusal::not_modelled(&format!("`{name}` of a response_url")));
        }
        if arguments.flag("delete_original") {
            self.delete_any(&url.on);
            return Ok(());
        }
        let content = self.content(arguments)?;
        if arguments.flag("replace_original") {
            self.check_markup("response_url", &content);
            self.change_any(&url.on, content);
            return Ok(());
        }
        let thread = match arguments.text("thread_ts") {
            text if text.is_empty() => None,
            text => Some(self.thread_root(&url.on.channel, &text)?),
        };
        self.check_markup("response_url", &content);
        let only = (arguments.text("response_type") != "in_channel").then(|| url.who.clone());
        let draft = Draft {
            thread,
            only,
            ..Draft::new(Author::App, content)
        };
        self.post(&url.on.channel, draft);
        Ok(())
    }

    /// The text and the blocks of a call that shows a message.
    pub(crate) fn content(&mut self, arguments: &Arguments) -> Result<Content, Refusal> {
        let blocks = arguments.structure("blocks");
        let blocks = match blocks.map_err(|_| Refusal::broken("invalid_blocks_format", Vec::new()))? {
            None => Vec::new(),
            Some(blocks) => blocks::check_message(blocks, || self.new_id("b"))?,
        };
        let text = arguments.text("text");
        if text.is_empty() && blocks.is_empty() {
            return Err(Refusal::broken("no_text", Vec::new()));
        }
        if limits::length(&text, true) > limits::TEXT.max {
            return Err(Refusal::broken("msg_too_long", Vec::new()));
        }
        let metadata = arguments.structure("metadata");
        let metadata = metadata.map_err(|_| Refusal::broken("invalid_metadata_format", Vec::new()))?;
        let is_metadata =
            |value: &Value| value["event_type"].is_string() && value["event_payload"].is_object();
        if metadata.as_ref().is_some_and(|metadata| !is_metadata(metadata)) {
            return Err(Refusal::broken("invalid_metadata_format", Vec::new()));
        }
        Ok(Content {
            text,
            mrkdwn: !arguments.has("mrkdwn") || arguments.flag("mrkdwn"),
            blocks,
            metadata,
            ..Content::default()
        })
    }

    /// Notes what is not escaped in a message of the app.
    pub(crate) fn check_markup(&mut self, by: &str, content: &Content) {
        let mut faults = self.shown_content(content, "").faults;
        if !content.blocks.is_empty() {
            faults.extend(self.fallback_faults(&content.text));
        }
        for fault in faults {
            self.violation(by, fault);
        }
    }
}
