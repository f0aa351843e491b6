//! A scene in which the fake Discord says everything it can say.

use std::{collections::BTreeSet, sync::Arc};

use axum::{
    body::{Body, to_bytes},
    http::{Request, header},
};
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::{
    clock::TestClock,
    discord::{FakeDiscord, Fault, MessageAt, Permission, Person, Place, ROUTES, Setup, gateway_tap::Tap},
};

/// Something the fake said.
pub(super) struct Sample {
    /// The route that was called, or the schema that it should fit.
    pub(super) of: String,
    /// Below the version.
    pub(super) path: String,
    pub(super) body: Value,
    pub(super) status: u16,
    pub(super) value: Value,
}

/// What a call came to.
pub(super) struct Answer {
    pub(super) status: u16,
    headers: Vec<String>,
    value: Value,
}

/// Everything that was said.
pub(super) struct Scene {
    fake: FakeDiscord,
    tap: Tap,
    /// The answers to calls that succeeded.
    pub(super) answers: Vec<Sample>,
    /// Parts of events that are described.
    pub(super) events: Vec<Sample>,
    pub(super) refusals: Vec<Sample>,
    /// The headers of all answers.
    pub(super) headers: BTreeSet<String>,
}

impl Scene {
    pub(super) async fn play() -> Self {
        let fake = FakeDiscord::without_server(&Setup::default(), Arc::new(TestClock::new()));
        let tap = Tap::open(&fake);
        let mut scene = Self {
            fake,
            tap,
            answers: Vec::new(),
            events: Vec::new(),
            refusals: Vec::new(),
            headers: BTreeSet::new(),
        };
        let (sara, ops) = scene.looks().await;
        scene.messages(&sara, &ops).await;
        scene.interactions(&sara, &ops).await;
        scene.forms(&sara, &ops).await;
        scene.refuses(&sara).await;
        scene.hears();
        scene
    }

    /// Makes a call as a bot does.
    pub(super) async fn call(&self, method: &str, path: &str, body: &Value) -> Answer {
        let mut request = Request::builder()
            .method(method)
            .uri(format!("/api/v10{path}"))
            .header(header::AUTHORIZATION, format!("Bot {}", self.fake.token()))
            .header(header::USER_AGENT, "DiscordBot (https://example.org, 1)");
        let mut content = Body::empty();
        if !body.is_null() {
            request = request.header(header::CONTENT_TYPE, "application/json");
            content = Body::from(body.to_string());
        }
        let request = request.body(content).expect("a request of plain parts");
        let response = match self.fake.router().oneshot(request).await {
            Ok(response) => response,
            Err(never) => match never {},
        };
        let status = response.status().as_u16();
        let headers = response.headers().keys();
        let headers = headers.map(|name| name.as_str().to_owned()).collect();
        let bytes = to_bytes(response.into_body(), usize::MAX).await;
        let bytes = bytes.expect("the scene orders no faults of the connection");
        let value = if bytes.is_empty() {
            Value::Null
        } else {
            serde_json::from_slice(&bytes).expect("the API answers in JSON")
        };
        Answer {
            status,
            headers,
            value,
        }
    }

    async fn calls(&mut self, route: &str, path: &str, body: Value) -> Value {
        let known = ROUTES.iter().find(|known| known.name == route);
        let known = known.expect("a route of the fake");
        let answer = self.call(known.method, path, &body).await;
        self.headers.extend(answer.headers);
        let (samples, of) = match answer.status {
            429 => (&mut self.refusals, "RatelimitedResponse"),
            400.. => (&mut self.refusals, "ErrorResponse"),
            _ => (&mut self.answers, route),
        };
        samples.push(Sample {
            of: of.to_owned(),
            path: path.to_owned(),
            body,
            status: answer.status,
            value: answer.value.clone(),
        });
        answer.value
    }

    async fn gets(&mut self, route: &str, path: &str) -> Value {
        self.calls(route, path, Value::Null).await
    }

    /// The interaction that was heard of last.
    fn asked(&mut self) -> Value {
        let asked = self.tap.last("INTERACTION_CREATE");
        asked.expect("somebody asked for something")
    }

    async fn looks(&mut self) -> (Person, Place) {
        let sara = self.fake.person("Sara");
        let ops = self.fake.channel("ops", &[&sara]);
        let (guild, bot) = (self.fake.guild_id(), self.fake.bot_id());
        self.gets("get_gateway", "/gateway").await;
        self.gets("get_bot_gateway", "/gateway/bot").await;
        self.gets("get_my_application", "/applications/@me").await;
        self.gets("get_my_oauth2_application", "/oauth2/applications/@me")
            .await;
        self.gets("get_my_user", "/users/@me").await;
        self.gets("list_my_guilds", "/users/@me/guilds").await;
        self.gets("get_user", &format!("/users/{}", sara.id())).await;
        self.gets("get_guild", &format!("/guilds/{guild}")).await;
        self.gets("get_guild_member", &format!("/guilds/{guild}/members/{bot}"))
            .await;
        self.gets(
            "get_guild_member",
            &format!("/guilds/{guild}/members/{}", sara.id()),
        )
        .await;
        self.gets("list_guild_roles", &format!("/guilds/{guild}/roles"))
            .await;
        ops.denies(Permission::EmbedLinks);
        self.gets("list_guild_channels", &format!("/guilds/{guild}/channels"))
            .await;
        let recipient = json!({"recipient_id": sara.id().to_string()});
        self.calls("create_dm", "/users/@me/channels", recipient).await;
        for channel in [sara.direct().id(), ops.id()] {
            self.gets("get_channel", &format!("/channels/{channel}")).await;
            let path = format!("/channels/{channel}/typing");
            self.gets("trigger_typing_indicator", &path).await;
        }
        let commands = json!([
            {"name": "skip", "description": "Skip", "description_localizations": {"de": "Überspringen"}},
            {"name": "start", "description": "Begin", "options": [
                {"type": 3, "name": "code", "description": "The code", "max_length": 64},
            ]},
        ]);
        let path = format!("/applications/{bot}/commands");
        self.calls("bulk_set_application_commands", &path, commands).await;
        self.gets("list_application_commands", &path).await;
        (sara, ops)
    }

    async fn messages(&mut self, sara: &Person, ops: &Place) {
        let path = format!("/channels/{}/messages", ops.id());
        let said = sara.mentions_bot(ops, "hello");
        sara.sends_photo(ops, Some(said), "this one");
        sara.forwards(said, ops);
        sara.pins(said);
        ops.hook_posts("Alerts", "2");
        let link = json!({"type": 2, "style": 5, "label": "Open", "url": "https://example.org"});
        let ask = json!({"type": 2, "style": 1, "label": "Staging", "custom_id": "a"});
        let posted = self
            .calls(
                "create_message",
                &path,
                json!({
                    "content": format!("Where, <@{}>?", sara.id()),
                    "components": [{"type": 1, "components": [ask, link]}],
                    "nonce": "n", "enforce_nonce": true, "flags": 4,
                    "allowed_mentions": {"parse": ["users"], "replied_user": false},
                    "message_reference": {"message_id": said.id.to_string()},
                }),
            )
            .await;
        let prompt = at(&posted);
        let one = format!("{path}/{}", prompt.id);
        let thread = self
            .calls(
                "create_thread_from_message",
                &format!("{one}/threads"),
                json!({"name": "Deploy"}),
            )
            .await;
        let thread = format!("/channels/{}", thread["id"].as_str().unwrap_or_default());
        self.gets("get_channel", &thread).await;
        self.gets("join_thread", &format!("{thread}/thread-members/@me"))
            .await;
        self.calls("update_channel", &thread, json!({"archived": false}))
            .await;
        sara.opens_thread(ops, "Another");
        let guild = self.fake.guild_id();
        self.gets(
            "get_active_guild_threads",
            &format!("/guilds/{guild}/threads/active"),
        )
        .await;
        self.gets("get_message", &one).await;
        self.gets("get_message", &format!("{path}/{}", said.id)).await;
        self.gets("list_messages", &format!("{path}?limit=100")).await;
        sara.edits(said, "hello again");
        let gone = self
            .calls(
                "create_message",
                &path,
                json!({"content": "x", "allowed_mentions": {"parse": []}}),
            )
            .await;
        self.calls(
            "update_message",
            &format!("{path}/{}", at(&gone).id),
            json!({"content": "y", "components": [], "allowed_mentions": {"parse": []}}),
        )
        .await;
        self.gets("delete_message", &format!("{path}/{}", at(&gone).id))
            .await;
    }

    async fn interactions(&mut self, sara: &Person, ops: &Place) {
        let text = json!({"content": "Recorded", "allowed_mentions": {"parse": []}});
        sara.presses(ops, "Staging");
        let pressed = self.asked();
        self.answers_with(&pressed, json!({"type": 5, "data": {"flags": 64}}))
            .await;
        let webhook = webhook(&pressed);
        let original = format!("{webhook}/messages/@original");
        let followed = self.calls("execute_webhook", &webhook, text.clone()).await;
        let followed = self.calls("execute_webhook", &webhook, text.clone()).await["id"]
            .as_str()
            .or(followed["id"].as_str())
            .map(str::to_owned);
        let followed = format!("{webhook}/messages/{}", followed.unwrap_or_default());
        self.gets("get_original_webhook_message", &original).await;
        self.calls("update_original_webhook_message", &original, text.clone())
            .await;
        self.gets("get_webhook_message", &followed).await;
        self.calls("update_webhook_message", &followed, text.clone())
            .await;
        self.gets("delete_webhook_message", &followed).await;
        self.gets("delete_original_webhook_message", &original).await;
        sara.uses(&sara.direct(), "start", Some("abc"));
        let used = self.asked();
        self.answers_with(&used, json!({"type": 4, "data": text})).await;
        sara.presses(ops, "Staging");
        let again = self.asked();
        self.answers_with(&again, json!({"type": 6})).await;
    }

    async fn forms(&mut self, sara: &Person, ops: &Place) {
        let input = json!({"type": 4, "custom_id": "text", "style": 2, "label": "Own words"});
        let modal =
            json!({"custom_id": "m", "title": "Target", "components": [{"type": 1, "components": [input]}]});
        let text = json!({"content": "Done", "allowed_mentions": {"parse": []}});
        for update in [false, true] {
            sara.presses(ops, "Staging");
            let pressed = self.asked();
            self.answers_with(&pressed, json!({"type": 9, "data": modal}))
                .await;
            sara.fills("after lunch");
            let filled = self.asked();
            let kind = if update { 7 } else { 4 };
            self.answers_with(&filled, json!({"type": kind, "data": text}))
                .await;
        }
        sara.uses(ops, "skip", None);
        let used = self.asked();
        self.answers_with(&used, json!({"type": 9, "data": modal})).await;
        sara.fills("after lunch");
        let filled = self.asked();
        self.answers_with(&filled, json!({"type": 4, "data": text})).await;
        let path = format!("/channels/{}/messages?limit=100", ops.id());
        self.gets("list_messages", &path).await;
    }

    async fn answers_with(&mut self, interaction: &Value, answer: Value) {
        let text = |name: &str| interaction[name].as_str().unwrap_or_default();
        let path = format!(
            "/interactions/{}/{}/callback?with_response=true",
            text("id"),
            text("token")
        );
        self.calls("create_interaction_response", &path, answer).await;
    }

    async fn refuses(&mut self, sara: &Person) {
        let path = format!("/channels/{}/messages", sara.direct().id());
        let wrong = json!({"content": "x".repeat(2001), "components": [{"type": 1, "components": []}]});
        self.calls("create_message", &path, wrong).await;
        self.calls("create_message", &path, json!({})).await;
        self.gets("get_channel", "/channels/1").await;
        let pause = std::time::Duration::from_millis(1500);
        for fault in [Fault::Throttled { pause }, Fault::ThrottledGlobally { pause }] {
            self.fake.fail_next("get_my_user", fault);
            self.gets("get_my_user", "/users/@me").await;
        }
    }

    /// Takes the described parts of what the gateway told.
    fn hears(&mut self) {
        /// What events add to the object that they bring. Source: Discord docs, "Gateway Events".
        const ADDED: [&str; 3] = ["guild_id", "member", "newly_created"];
        for (name, data) in self.tap.heard() {
            let mut parts = Vec::new();
            match name.as_str() {
                "MESSAGE_CREATE" | "MESSAGE_UPDATE" => {
                    parts.push(("MessageResponse", without(&data, &ADDED)));
                }
                "THREAD_CREATE" | "THREAD_UPDATE" => {
                    parts.push(("ThreadResponse", without(&data, &["newly_created"])));
                }
                "CHANNEL_CREATE" | "CHANNEL_UPDATE" => parts.push(("GuildChannelResponse", data.clone())),
                "READY" => parts.push(("UserPIIResponse", data["user"].clone())),
                "INTERACTION_CREATE" => {
                    parts.push(("MessageResponse", data["message"].clone()));
                    parts.push(("UserResponse", data["user"].clone()));
                    parts.push(("GuildMemberResponse", without(&data["member"], &["permissions"])));
                }
                _ => {}
            }
            let parts = parts.into_iter().filter(|(_, value)| !value.is_null());
            self.events.extend(parts.map(|(of, value)| Sample {
                of: of.to_owned(),
                path: name.clone(),
                body: Value::Null,
                status: 0,
                value,
            }));
        }
    }
}

fn without(value: &Value, names: &[&str]) -> Value {
    let mut value = value.clone();
    if let Value::Object(fields) = &mut value {
        for name in names {
            fields.remove(*name);
        }
    }
    value
}

fn at(message: &Value) -> MessageAt {
    let id = |name: &str| message[name].as_str().and_then(|id| id.parse().ok());
    MessageAt {
        channel: id("channel_id").unwrap_or_default(),
        id: id("id").unwrap_or_default(),
    }
}

fn webhook(interaction: &Value) -> String {
    let text = |name: &str| interaction[name].as_str().unwrap_or_default();
    format!("/webhooks/{}/{}", text("application_id"), text("token"))
}
