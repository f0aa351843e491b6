//! What the app is told of, and in which words.
//!
//! An app hears what is said in conversations that it is a member of, as far as its scopes go, its own messages
//! included. A mention in a channel is told twice: as a message, and as a mention. Source: "Events API types",
//! `message`, `app_mention`.

use serde_json::{Value, json};

use super::{
    envelopes::{Act, Kind},
    message::{Author, Message, MessageAt},
    render::Button,
    state::{self, State, TEAM},
    wire,
};

impl State {
    /// Tells the app of a new message.
    pub(crate) fn deliver(&mut self, message: &Message) {
        let mut event = self.message_json(message);
        if message.content.file.is_some() {
            event["subtype"] = "file_share".into();
        }
        if message.content.broadcast {
            event["subtype"] = "thread_broadcast".into();
        }
        let act = self.act_of(message, None);
        self.push_message(message, event, act.clone());
        self.push_mention(message, act);
    }

    /// Tells the app that a message was changed. The preview of a link, which Slack adds by itself, is a change too.
    pub(crate) fn deliver_changed(&mut self, before: &Message, after: &Message) {
        let now = self.now;
        let ts = self.conversation_mut(&after.at.channel).next_ts(now);
        let event = json!({
            "type": "message", "subtype": "message_changed", "hidden": true, "ts": ts.to_string(),
            "message": self.message_json(after), "previous_message": self.message_json(before),
        });
        let by_hand = before.edited != after.edited;
        let act = by_hand.then(|| self.act_of(after, Some(ts))).flatten();
        self.push_message(after, event, act.clone());
        if !self.mentions_app(before) {
            self.push_mention(after, act);
        }
    }

    /// Shows a preview of the first link of a message, if it has one.
    pub(crate) fn preview(&mut self, at: &MessageAt) {
        let Some(message) = self.message_mut(at) else {
            return;
        };
        let link = message.content.text.split_once("<http");
        let link = link.and_then(|(_, rest)| rest.split(['>', '|']).next());
        let Some(url) = link.map(|rest| format!("http{rest}")) else {
            return;
        };
        let before = message.clone();
        message.content.preview = Some(url);
        let after = message.clone();
        self.deliver_changed(&before, &after);
    }

    /// Tells the app that a message is gone.
    pub(crate) fn deliver_deleted(&mut self, gone: &Message) {
        let now = self.now;
        let ts = self.conversation_mut(&gone.at.channel).next_ts(now);
        let event = json!({
            "type": "message", "subtype": "message_deleted", "hidden": true, "ts": ts.to_string(),
            "deleted_ts": gone.at.ts.to_string(), "previous_message": self.message_json(gone),
        });
        self.push_message(gone, event, None);
    }

    /// What somebody did by a message, if it is theirs.
    fn act_of(&self, message: &Message, edited: Option<super::message::Ts>) -> Option<Act> {
        let Author::Account(who) = &message.author else {
            return None;
        };
        if self.account(who).bot.is_some() {
            return None;
        }
        let conversation = self.conversation(&message.at.channel);
        let under_ours = message.thread.and_then(|root| conversation.messages.get(&root));
        let counts = conversation.kind == state::Kind::Direct
            || self.mentions_app(message)
            || under_ours.is_some_and(|root| root.author == Author::App);
        let version = edited.map(|ts| format!("/{ts}")).unwrap_or_default();
        let key = format!("{}/{}{version}", message.at.channel, message.at.ts);
        Some(Act::new(&message.at.channel, who, key, counts))
    }

    fn mentions_app(&self, message: &Message) -> bool {
        message.content.text.contains(&format!("<@{}>", self.app.user))
    }

    fn push_message(&mut self, of: &Message, mut event: Value, act: Option<Act>) {
        let conversation = self.conversation(&of.at.channel);
        let scope = match conversation.kind {
            state::Kind::Direct => "im:history",
            state::Kind::Public => "channels:history",
            state::Kind::Private => "groups:history",
        };
        event["channel_type"] = conversation.type_name().into();
        self.push_event(of, event, scope, act);
    }

    fn push_mention(&mut self, of: &Message, act: Option<Act>) {
        let direct = self.conversation(&of.at.channel).kind == state::Kind::Direct;
        if direct || of.author == Author::App || !self.mentions_app(of) {
            return;
        }
        let mut event = self.message_json(of);
        event["type"] = "app_mention".into();
        self.push_event(of, event, "app_mentions:read", act);
    }

    fn push_event(&mut self, of: &Message, mut event: Value, scope: &str, act: Option<Act>) {
        if !self.conversation(&of.at.channel).has_app || !self.app.bot_key.scopes.contains(scope) {
            return;
        }
        event["channel"] = of.at.channel.as_str().into();
        event["event_ts"] = event["ts"].clone();
        let id = self.new_id("Ev");
        let payload = json!({
            "token": "fake-verification-token", "team_id": TEAM, "context_team_id": TEAM,
            "context_enterprise_id": null, "api_app_id": self.app.id, "event": event, "type": "event_callback",
            "event_id": id, "event_time": self.now.as_second(), "is_ext_shared_channel": false,
            "event_context": format!("4-{id}"),
            "authorizations": [{
                "enterprise_id": null, "team_id": TEAM, "user_id": self.app.user, "is_bot": true,
                "is_enterprise_install": false,
            }],
        });
        self.push(Kind::Event, payload, act);
    }

    /// Somebody pressed a button.
    pub(crate) fn press(&mut self, who: &str, on: &MessageAt, button: &Button) {
        let trigger = self.new_trigger(who, &on.channel);
        let response_url = self.new_response_url(who, on);
        let whisper = self
            .message_ever(on)
            .is_some_and(|message| message.only.is_some());
        let thread = self.message_ever(on).and_then(|message| message.thread);
        let now = self.now;
        let pressed = self.conversation_mut(&on.channel).next_ts(now);
        let conversation = self.conversation(&on.channel);
        let name = match conversation.kind {
            state::Kind::Direct => "directmessage",
            state::Kind::Public => &conversation.name,
            state::Kind::Private => "privategroup",
        };
        let mut payload = json!({
            "type": "block_actions", "user": self.acting_user(who), "api_app_id": self.app.id,
            "token": "fake-verification-token", "trigger_id": trigger, "team": wire::team(),
            "enterprise": null, "is_enterprise_install": false,
            "channel": {"id": on.channel, "name": name},
            "container": {
                "type": "message", "message_ts": on.ts.to_string(), "channel_id": on.channel, "is_ephemeral": whisper,
            },
            "state": {"values": {}}, "response_url": response_url,
            "actions": [{
                "type": "button", "action_id": button.action_id, "block_id": button.block_id,
                "text": wire::returned(&json!({"type": "plain_text", "text": button.label, "emoji": true})),
                "value": button.value, "action_ts": pressed.to_string(),
            }],
        });
        if button.value.is_none()
            && let Value::Object(action) = &mut payload["actions"][0]
        {
            action.remove("value");
        }
        if let Some(root) = thread {
            payload["container"]["thread_ts"] = root.to_string().into();
        }
        // An ephemeral message is nowhere kept, and one that was deleted is gone.
        if let Some(message) = self.message(on) {
            payload["message"] = self.message_json(message);
        }
        let key = format!("click/{}/{pressed}", on.channel);
        let act = Act::new(&on.channel, who, key, true);
        self.push(Kind::Click, payload, Some(act));
    }
}
