//! A scene in which the fake Slack says everything it can say, and refuses whatever it can refuse.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use axum::{
    body::{Body, to_bytes},
    http::{Request, header},
};
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::{
    clock::TestClock,
    slack::{FakeSlack, METHODS, MessageAt, Person, Place, Setup},
};

/// Everything that was said.
pub(super) struct Scene {
    fake: FakeSlack,
    clock: TestClock,
    answers: Vec<(String, Value)>,
    refusals: BTreeMap<String, BTreeSet<String>>,
}

/// Who and what there is.
struct Cast {
    sara: Person,
    omid: Person,
    robot: Person,
    open: Place,
    closed: Place,
}

impl Scene {
    pub(super) async fn play() -> Self {
        let clock = TestClock::new();
        let fake = FakeSlack::without_server(&Setup::default(), Arc::new(clock.clone()));
        let (sara, omid, robot) = (fake.person("Sara"), fake.person("Omid"), fake.machine("Robot"));
        let cast = Cast {
            open: fake.channel("all", &[&sara, &omid, &robot]),
            closed: fake.private_channel("few", &[&sara]),
            sara,
            omid,
            robot,
        };
        let mut scene = Self {
            fake,
            clock,
            answers: Vec::new(),
            refusals: BTreeMap::new(),
        };
        scene.access(&cast).await;
        scene.messages(&cast).await;
        scene.what_does_not_fit(&cast).await;
        scene.where_nothing_can_go(&cast).await;
        scene.changes(&cast).await;
        scene.forms(&cast).await;
        scene.looking(&cast).await;
        scene
    }

    pub(super) fn answers_of(&self, method: &str) -> impl Iterator<Item = &Value> {
        self.answers
            .iter()
            .filter(move |(of, _)| of == method)
            .map(|(_, answer)| answer)
    }

    pub(super) fn refusals_of(&self, method: &str) -> BTreeSet<String> {
        self.refusals.get(method).cloned().unwrap_or_default()
    }

    /// Calls a method as an app does.
    async fn call(&mut self, method: &str, arguments: Value) -> Value {
        let known = METHODS.iter().find(|known| known.name == method);
        let (kind, body) = if known.is_none_or(|known| known.json) {
            ("application/json; charset=utf-8", arguments.to_string())
        } else {
            let fields = arguments.as_object().into_iter().flatten();
            let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            // What the scene says needs no escapes.
            let pairs = fields.map(|(name, value)| format!("{name}={}", text(value)));
            (
                "application/x-www-form-urlencoded",
                pairs.collect::<Vec<_>>().join("&"),
            )
        };
        let token = if method.starts_with("apps.") {
            self.fake.app_token()
        } else {
            self.fake.bot_token()
        };
        let request = Request::post(format!("/api/{method}"))
            .header(header::CONTENT_TYPE, kind)
            .header(header::AUTHORIZATION, format!("Bearer {token}"))
            .body(Body::from(body))
            .expect("a request of plain parts");
        let response = match self.fake.router().oneshot(request).await {
            Ok(response) => response,
            Err(never) => match never {},
        };
        let body = to_bytes(response.into_body(), usize::MAX).await;
        let body = body.expect("the scene orders no faults");
        let answer: Value = serde_json::from_slice(&body).expect("the Web API answers in JSON");
        if answer["ok"] == true {
            self.answers.push((method.to_owned(), answer.clone()));
        } else {
            let error = answer["error"].as_str().unwrap_or_default().to_owned();
            self.refusals.entry(method.to_owned()).or_default().insert(error);
        }
        answer
    }

    async fn posts(&mut self, arguments: Value) -> MessageAt {
        let answer = self.call("chat.postMessage", arguments).await;
        MessageAt {
            channel: answer["channel"].as_str().unwrap_or_default().to_owned(),
            ts: answer["ts"]
                .as_str()
                .unwrap_or_default()
                .parse()
                .expect("a timestamp"),
        }
    }

    async fn access(&mut self, cast: &Cast) {
        self.call("auth.test", json!({})).await;
        self.call("apps.connections.open", json!({})).await;
        for arguments in [
            json!({"users": cast.sara.id()}),
            json!({"users": cast.sara.id(), "return_im": true}),
            json!({"users": cast.robot.id()}),
            json!({"users": "U0NOBODY00"}),
            json!({}),
        ] {
            self.call("conversations.open", arguments).await;
        }
        let gone = self.fake.person("Gone");
        gone.is_deactivated();
        self.call("conversations.open", json!({"users": gone.id()})).await;
    }

    async fn messages(&mut self, cast: &Cast) {
        let text = |text: &str| json!({"type": "plain_text", "text": text});
        let blocks = json!([
            {"type": "section", "text": {"type": "mrkdwn", "text": "Where?"}},
            {"type": "actions", "elements": [{"type": "button", "text": text("A"), "action_id": "a", "value": "v"}]},
        ]);
        let prompt = self
            .posts(json!({"channel": cast.open.id(), "text": "Where?", "blocks": blocks}))
            .await;
        self.posts(json!({"channel": cast.sara.id(), "text": "Where?"}))
            .await;
        cast.sara.replies(&prompt, "here");
        let below = json!({
            "channel": cast.open.id(), "user": cast.sara.id(), "text": "Noted.", "thread_ts": prompt.ts.to_string(),
        });
        self.call("chat.postEphemeral", below).await;
        self.posts(json!({"channel": cast.open.id(), "text": "x", "thread_ts": prompt.ts.to_string()}))
            .await;
        let said = cast.sara.mentions(&cast.open, "2");
        cast.sara.edits(&said, "3");
        cast.sara.uploads(&cast.open, "a picture");
        cast.sara.shares(&said, &cast.open, "");
        cast.robot.says(&cast.open, "beep");
    }

    /// What is refused for what is in it.
    async fn what_does_not_fit(&mut self, cast: &Cast) {
        let at = self.posts(json!({"channel": cast.open.id(), "text": "x"})).await;
        let reply = cast.sara.replies(&at, "y").ts.to_string();
        let long = json!({"type": "section", "text": {"type": "plain_text", "text": "x".repeat(3000)}});
        for (more, everywhere) in [
            (json!({}), true),
            (json!({"text": "x".repeat(40_001)}), true),
            (json!({"blocks": [{"type": "section"}]}), true),
            (json!({"blocks": "x"}), true),
            (json!({"blocks": vec![long; 5]}), true),
            (json!({"text": "x", "metadata": {}}), false),
            (json!({"text": "x", "thread_ts": reply}), false),
            (json!({"text": "x", "thread_ts": "1000000000.000000"}), false),
        ] {
            let with = |base: Value| {
                let mut all = base.as_object().cloned().unwrap_or_default();
                all.extend(more.as_object().cloned().unwrap_or_default());
                Value::Object(all)
            };
            let is_metadata = more.get("metadata").is_some();
            self.call("chat.postMessage", with(json!({"channel": at.channel})))
                .await;
            if everywhere || is_metadata {
                let update = with(json!({"channel": at.channel, "ts": at.ts.to_string()}));
                self.call("chat.update", update).await;
            }
            if !is_metadata {
                let whisper = with(json!({"channel": at.channel, "user": cast.sara.id()}));
                self.call("chat.postEphemeral", whisper).await;
            }
        }
    }

    async fn where_nothing_can_go(&mut self, cast: &Cast) {
        let whisper = |channel: &str, who: &str| json!({"channel": channel, "user": who, "text": "x"});
        let post = |channel: &str| json!({"channel": channel, "text": "x"});
        let sara = cast.sara.id();
        self.call("chat.postMessage", post("C0NOWHERE0")).await;
        self.call("chat.postMessage", post(cast.robot.id())).await;
        self.call("chat.postEphemeral", whisper("C0NOWHERE0", sara)).await;
        self.call("chat.postEphemeral", whisper(cast.closed.id(), cast.omid.id()))
            .await;
        cast.open.archive();
        self.call("chat.postMessage", post(cast.open.id())).await;
        self.call("chat.postEphemeral", whisper(cast.open.id(), sara))
            .await;
        cast.open.unarchive();
        cast.open.remove_app();
        self.call("chat.postMessage", post(cast.open.id())).await;
        self.call("chat.postEphemeral", whisper(cast.open.id(), sara))
            .await;
        for method in ["conversations.history", "conversations.replies"] {
            self.call(
                method,
                json!({"channel": cast.open.id(), "ts": "1000000000.000000"}),
            )
            .await;
        }
        self.call("conversations.history", json!({"channel": cast.open.id()}))
            .await;
        cast.open.invite_app();
        self.fake.set_messages_tab(false);
        self.call("chat.postMessage", post(sara)).await;
        let direct = cast.sara.direct();
        self.call("chat.postEphemeral", whisper(direct.id(), sara)).await;
        self.fake.set_messages_tab(true);
    }

    async fn changes(&mut self, cast: &Cast) {
        let ours = self.posts(json!({"channel": cast.open.id(), "text": "x"})).await;
        let theirs = cast.sara.says(&cast.open, "y");
        let of = |at: &MessageAt| json!({"channel": at.channel, "ts": at.ts.to_string()});
        let with_text = |at: &MessageAt| {
            let mut update = of(at);
            update["text"] = "Done".into();
            update
        };
        self.call("chat.update", with_text(&ours)).await;
        self.call("chat.update", with_text(&theirs)).await;
        self.call("chat.delete", of(&theirs)).await;
        cast.open.archive();
        self.call("chat.update", with_text(&ours)).await;
        cast.open.unarchive();
        let nowhere = MessageAt {
            channel: "C0NOWHERE0".to_owned(),
            ts: ours.ts,
        };
        self.call("chat.update", with_text(&nowhere)).await;
        self.call("chat.delete", of(&nowhere)).await;
        let rich = json!([{"type": "rich_text", "elements": [
            {"type": "rich_text_section", "elements": [{"type": "text", "text": "x"}]},
        ]}]);
        let rich = self
            .posts(json!({"channel": cast.open.id(), "text": "x", "blocks": rich}))
            .await;
        let mut plain = with_text(&rich);
        plain["blocks"] = json!([{"type": "divider"}]);
        self.call("chat.update", plain).await;
        self.call("chat.delete", of(&ours)).await;
        self.call("chat.delete", of(&ours)).await;
        self.call("chat.update", with_text(&ours)).await;
    }

    async fn forms(&mut self, cast: &Cast) {
        let view = json!({"type": "modal", "title": {"type": "plain_text", "text": "x"}, "blocks": [{"type": "divider"}]});
        let trigger = self.fake.trigger(&cast.sara);
        let late = self.fake.trigger(&cast.sara);
        let open = |trigger: &str| json!({"trigger_id": trigger, "view": view});
        let opened = self.call("views.open", open(&trigger)).await;
        self.call("views.open", open(&trigger)).await;
        self.call("views.open", open("made up")).await;
        self.clock.advance(Duration::from_secs(4));
        self.call("views.open", open(&late)).await;
        let (id, hash) = (&opened["view"]["id"], &opened["view"]["hash"]);
        for update in [
            json!({"view_id": id, "hash": hash, "view": view}),
            json!({"view_id": id, "hash": hash, "view": view}),
            json!({"view_id": "V0NOTHING0", "view": view}),
        ] {
            self.call("views.update", update).await;
        }
    }

    async fn looking(&mut self, cast: &Cast) {
        for user in [cast.sara.id(), cast.robot.id(), "U0NOBODY00"] {
            self.call("users.info", json!({"user": user, "include_locale": true}))
                .await;
        }
        let robot = self.call("users.info", json!({"user": cast.robot.id()})).await;
        for bot in [&robot["user"]["profile"]["bot_id"], &json!("B0NOBODY00")] {
            self.call("bots.info", json!({"bot": bot})).await;
        }
        let direct = cast.sara.direct();
        for channel in [cast.open.id(), cast.closed.id(), direct.id(), "C0NOWHERE0"] {
            let info = json!({"channel": channel, "include_num_members": true});
            self.call("conversations.info", info).await;
            self.call("conversations.history", json!({"channel": channel}))
                .await;
            self.call(
                "conversations.replies",
                json!({"channel": channel, "ts": "1000000000.000000"}),
            )
            .await;
        }
        let prompt = cast.sara.sees(&cast.open).remove(0).at;
        let of = |more: Value| {
            let mut all = json!({"channel": prompt.channel, "ts": prompt.ts.to_string()});
            for (name, value) in more.as_object().into_iter().flatten() {
                all[name.as_str()] = value.clone();
            }
            all
        };
        for more in [
            json!({}),
            json!({"limit": 1}),
            json!({"cursor": "x"}),
            json!({"oldest": "x"}),
            json!({"latest": "x"}),
        ] {
            self.call("conversations.replies", of(more.clone())).await;
            let mut history = of(more);
            if let Value::Object(fields) = &mut history {
                fields.remove("ts");
            }
            self.call("conversations.history", history).await;
        }
    }
}
