//! A scene in which the fake Telegram says everything it can say.

use std::{sync::Arc, time::Duration};

use axum::{
    body::{Body, to_bytes},
    http::{Request, header::CONTENT_TYPE},
};
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::{
    clock::TestClock,
    telegram::{FakeTelegram, MessageAt, Setup},
};

/// Something the fake said.
pub(super) struct Sample {
    /// The method that was called; none for an update.
    pub(super) of: String,
    pub(super) arguments: Value,
    pub(super) value: Value,
}

/// Everything that was said.
pub(super) struct Scene {
    fake: FakeTelegram,
    clock: TestClock,
    /// The results of calls that succeeded.
    pub(super) answers: Vec<Sample>,
    pub(super) updates: Vec<Sample>,
    /// The `parameters` of refusals.
    pub(super) refusals: Vec<Sample>,
}

impl Scene {
    pub(super) async fn play() -> Self {
        let clock = TestClock::new();
        let fake = FakeTelegram::without_server(Setup::default(), Arc::new(clock.clone()));
        let mut scene = Self {
            fake,
            clock,
            answers: Vec::new(),
            updates: Vec::new(),
            refusals: Vec::new(),
        };
        scene.bot_alone().await;
        scene.direct().await;
        scene.in_groups().await;
        scene.in_channels().await;
        scene.members().await;
        scene.fetch().await;
        scene
    }

    /// Calls a method as a bot does, and gives the whole body.
    pub(super) async fn call(&self, method: &str, arguments: &Value) -> Value {
        let request = Request::post(format!("/bot{}/{method}", self.fake.token()))
            .header(CONTENT_TYPE, "application/json")
            .body(Body::from(arguments.to_string()))
            .expect("a request of plain parts");
        let response = match self.fake.router().oneshot(request).await {
            Ok(response) => response,
            Err(never) => match never {},
        };
        let body = to_bytes(response.into_body(), usize::MAX).await;
        let body = body.expect("the scene orders no faults");
        serde_json::from_slice(&body).expect("the Bot API answers in JSON")
    }

    async fn calls(&mut self, method: &str, arguments: Value) -> Value {
        let body = self.call(method, &arguments).await;
        let sample = |value: &Value| Sample {
            of: method.to_owned(),
            arguments: arguments.clone(),
            value: value.clone(),
        };
        self.refusals.extend(body.get("parameters").map(sample));
        self.answers.extend(body.get("result").map(sample));
        body["result"].clone()
    }

    async fn sends(&mut self, arguments: Value) -> MessageAt {
        let message = self.calls("sendMessage", arguments).await;
        MessageAt {
            chat: message["chat"]["id"].as_i64().unwrap_or_default(),
            id: message["message_id"].as_i64().unwrap_or_default(),
        }
    }

    async fn bot_alone(&mut self) {
        let commands = json!([{"command": "skip", "description": "Skip the question"}]);
        self.calls("getMe", json!({})).await;
        self.calls("getWebhookInfo", json!({})).await;
        self.calls("setMyCommands", json!({"commands": commands})).await;
        self.calls("getMyCommands", json!({})).await;
        self.calls("deleteMyCommands", json!({})).await;
        let hook = json!({"url": "https://example.org/hook", "allowed_updates": ["message"]});
        self.calls("setWebhook", hook).await;
        self.calls("getWebhookInfo", json!({})).await;
        self.calls("deleteWebhook", json!({})).await;
        self.calls("getUpdates", json!({"allowed_updates": []})).await;
    }

    async fn direct(&mut self) {
        let (sara, omid) = (self.fake.person("Sara"), self.fake.person("Omid"));
        sara.speaks("fa");
        sara.takes_username("sara_dev");
        let chat = sara.id();
        sara.starts_with("abc");
        sara.says(
            &sara.direct(),
            "see https://example.org and #this, @askd_test_bot",
        );
        let photo = sara.sends_photo(&sara.direct(), None, "/skip");
        sara.edits(photo, "another caption");
        let entities = json!([
            {"type": "bold", "offset": 0, "length": 1}, {"type": "pre", "offset": 2, "length": 1, "language": "rust"},
            {"type": "text_link", "offset": 4, "length": 1, "url": "https://example.org"},
            {"type": "text_mention", "offset": 6, "length": 1, "user": {"id": chat}},
            {"type": "date_time", "offset": 8, "length": 1, "unix_time": 1, "date_time_format": "t"},
        ]);
        let keyboard = json!({"inline_keyboard": [[
            {"text": "A", "callback_data": "1"}, {"text": "B", "url": "https://example.org"},
            {"text": "C", "copy_text": {"text": "c"}},
        ]]});
        let prompt = json!({
            "chat_id": chat, "text": "a b c d e", "entities": entities, "reply_markup": keyboard,
            "reply_parameters": {"message_id": photo.id}, "protect_content": true,
        });
        let at = self.sends(prompt).await;
        self.calls("sendChatAction", json!({"chat_id": chat, "action": "typing"}))
            .await;
        self.calls("getChat", json!({"chat_id": chat})).await;
        let tap = sara.taps_below(at, "A");
        let answer = json!({"callback_query_id": tap.id, "text": "Recorded"});
        self.calls("answerCallbackQuery", answer).await;
        sara.taps_vanished(at, "1");
        let named = json!({"chat_id": at.chat, "message_id": at.id});
        let text =
            json!({"chat_id": at.chat, "message_id": at.id, "text": "<b>done</b>", "parse_mode": "HTML"});
        self.calls("editMessageReplyMarkup", named.clone()).await;
        self.calls("editMessageText", text).await;
        sara.forwards(at, &sara.direct());
        let secret = omid.says(&omid.direct(), "from somebody hidden");
        sara.forwards(secret, &sara.direct());
        omid.hides_forwards();
        sara.forwards(secret, &sara.direct());
        self.calls("deleteMessage", named).await;
        omid.blocks();
        omid.unblocks();
    }

    async fn in_groups(&mut self) {
        let (sara, omid) = (self.fake.person("Sara"), self.fake.person("Omid"));
        let group = self.fake.group("Ops", &[&sara, &omid]);
        let ours = self.sends(json!({"chat_id": group.id(), "text": "Where?"})).await;
        sara.replies(ours, "here");
        let moved = group.upgrade();
        self.calls("sendMessage", json!({"chat_id": group.id(), "text": "x"}))
            .await;
        self.calls("getChat", json!({"chat_id": moved.id()})).await;
        let ours = self.sends(json!({"chat_id": moved.id(), "text": "Where?"})).await;
        sara.replies(ours, "in a string of replies");
        sara.replies_anonymously(ours, "hidden");
        moved.leave(&omid);
        moved.add(&omid);
        moved.rename(&sara, "Operations");
        let forum = self.fake.forum("Dev", &[&sara]);
        let topic = forum.open_topic("Deploys");
        sara.says(&topic, "/skip");
        let thread = topic.topic_id();
        self.sends(json!({"chat_id": forum.id(), "text": "x", "message_thread_id": thread}))
            .await;
        self.fake.enforce_rates(true);
        self.calls("sendMessage", json!({"chat_id": forum.id(), "text": "too fast"}))
            .await;
        self.fake.enforce_rates(false);
        self.clock.advance(Duration::from_secs(2));
    }

    async fn in_channels(&mut self) {
        let sara = self.fake.person("Sara");
        let channel = self.fake.channel("News", &[&sara]);
        let group = self.fake.supergroup("Readers", &[&sara]);
        let post = channel.post("news");
        channel.change_post(post, "better news");
        sara.forwards(post, &sara.direct());
        sara.says_for(&channel, &group, "/skip");
        self.sends(json!({"chat_id": channel.id(), "text": "by the bot"}))
            .await;
    }

    async fn members(&mut self) {
        let (sara, omid) = (self.fake.person("Sara"), self.fake.person("Omid"));
        let stranger = self.fake.stranger("Nobody");
        let group = self.fake.supergroup("Ops", &[&sara, &omid]);
        group.promote(&omid);
        group.promote_bot();
        let bot = self.calls("getMe", json!({})).await["id"].clone();
        for id in [json!(sara.id()), json!(omid.id()), json!(stranger.id()), bot] {
            self.calls("getChatMember", json!({"chat_id": group.id(), "user_id": id}))
                .await;
        }
        group.kick_bot();
        group.add_bot();
    }

    async fn fetch(&mut self) {
        let mut offset = 0;
        loop {
            let batch = self
                .calls("getUpdates", json!({"offset": offset, "limit": 10}))
                .await;
            let batch = batch.as_array().cloned().unwrap_or_default();
            let Some(last) = batch.last() else {
                return;
            };
            offset = last["update_id"].as_i64().map_or(i64::MAX, |id| id + 1);
            self.updates.extend(batch.into_iter().map(|value| Sample {
                of: String::new(),
                arguments: Value::Null,
                value,
            }));
        }
    }
}
