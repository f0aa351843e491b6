//! What the tests share: a broker with a few people and tokens, the API over it, and calls that read like sentences.

use std::{
    collections::BTreeSet,
    sync::{Arc, LazyLock},
};

use askd_core::{
    broker::{Broker, Parts, Settings},
    channel::Channel,
    id::{PersonName, TokenName},
    people::{Directory, Person},
    push::PushSender,
    rights::{Principal, Role, Tokens},
    route::{Route, Target},
    store::{Store, memory::MemoryStore},
    words::Language,
};
use askd_http::{HttpOptions, router};
use askd_testkit::{chance::SeededChance, clock::TestClock, doorbell::Doorbell, sample};
use axum::{
    Router,
    body::Body,
    http::{HeaderMap, Request, StatusCode, header},
    response::Response,
};
use http_body_util::BodyExt as _;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

use crate::contract::Contract;

/// Names of tokens; each is its own secret.
pub(crate) const AGENT: &str = "build-bot";
pub(crate) const OTHER_AGENT: &str = "night-bot";
pub(crate) const SUBAGENT: &str = "helper-bot";
pub(crate) const SARA: &str = "sara-phone";
pub(crate) const OMID: &str = "omid-phone";
pub(crate) const OPERATOR: &str = "root";

/// A broker with its API. Asks go to sara, who has an account on a channel that is not configured, and a token; omid
/// has a token and may answer nothing.
pub(crate) struct World {
    pub(crate) clock: TestClock,
    pub(crate) store: Arc<MemoryStore>,
    pub(crate) broker: Arc<Broker>,
    pub(crate) stop: CancellationToken,
    pub(crate) tokens: watch::Sender<Arc<Tokens>>,
    pub(crate) directory: watch::Sender<Arc<Directory>>,
    api: Router,
}

impl World {
    pub(crate) fn new() -> Self {
        Self::with(HttpOptions::default())
    }

    pub(crate) fn with(options: HttpOptions) -> Self {
        Self::built(options, Vec::new())
    }

    /// Where people reach it by this address.
    pub(crate) fn reached_at(public_url: &str) -> Self {
        let settings = Settings {
            public_url: Some(public_url.to_owned()),
            ..Settings::default()
        };
        Self::set_up(HttpOptions::default(), Vec::new(), settings)
    }

    /// Where browsers can be woken.
    pub(crate) fn with_push(bell: &Arc<Doorbell>) -> Self {
        let world = Self::new();
        let broker = Broker::new(Parts {
            store: Arc::clone(&world.store) as Arc<dyn Store>,
            clock: Arc::new(world.clock.clone()),
            chance: Arc::new(SeededChance::new(8)),
            channels: Vec::new(),
            directory: world.directory.subscribe(),
            tokens: world.tokens.subscribe(),
            settings: Settings::default(),
            stopping: world.stop.clone(),
        });
        let broker = Arc::new(broker.with_push(Arc::clone(bell) as Arc<dyn PushSender>));
        Self {
            api: router(Arc::clone(&broker), HttpOptions::default()),
            broker,
            ..world
        }
    }

    pub(crate) fn built(options: HttpOptions, channels: Vec<Arc<dyn Channel>>) -> Self {
        Self::set_up(options, channels, Settings::default())
    }

    fn set_up(options: HttpOptions, channels: Vec<Arc<dyn Channel>>, settings: Settings) -> Self {
        let (clock, store, stop) = (
            TestClock::new(),
            Arc::new(MemoryStore::new()),
            CancellationToken::new(),
        );
        let (tokens, tokens_now) = watch::channel(Arc::new(all_tokens()));
        let (directory, directory_now) = watch::channel(Arc::new(directory()));
        let broker = Arc::new(Broker::new(Parts {
            store: Arc::clone(&store) as Arc<dyn Store>,
            clock: Arc::new(clock.clone()),
            chance: Arc::new(SeededChance::new(7)),
            channels,
            directory: directory_now,
            tokens: tokens_now,
            settings,
            stopping: stop.clone(),
        }));
        let api = router(Arc::clone(&broker), options);
        Self {
            clock,
            store,
            broker,
            stop,
            tokens,
            directory,
            api,
        }
    }

    /// The code of a link for this person, or for the operator.
    pub(crate) async fn sign_in_code(&self, person: Option<&str>) -> String {
        let offer = self
            .post("/v1/sign-in/codes")
            .token(OPERATOR)
            .json(&json!({ "person": person }))
            .send()
            .await;
        assert_eq!(offer.status, StatusCode::CREATED, "{}", offer.body);
        offer.text("/code")
    }

    /// Somebody opens a link; what their browser sends from then on.
    pub(crate) async fn signed_in(&self, person: Option<&str>) -> String {
        let code = self.sign_in_code(person).await;
        let answer = self
            .post("/v1/sign-in")
            .json(&json!({ "code": code }))
            .send()
            .await;
        assert_eq!(answer.status, StatusCode::NO_CONTENT, "{}", answer.body);
        let set = answer.header("set-cookie");
        set.split(';').next().unwrap().to_owned()
    }

    pub(crate) fn get(&self, path: &str) -> Call {
        self.call("GET", path)
    }

    pub(crate) fn post(&self, path: &str) -> Call {
        self.call("POST", path)
    }

    pub(crate) fn delete(&self, path: &str) -> Call {
        self.call("DELETE", path)
    }

    pub(crate) fn call(&self, method: &str, path: &str) -> Call {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::HOST, "localhost:7373");
        Call {
            api: self.api.clone(),
            method: method.to_owned(),
            path: path.to_owned(),
            request,
            body: Body::empty(),
        }
    }

    /// A new ask by the agent; its id.
    pub(crate) async fn asked(&self) -> String {
        self.asked_by(AGENT).await
    }

    pub(crate) async fn asked_by(&self, token: &str) -> String {
        let answer = self
            .post("/v1/asks")
            .token(token)
            .json(&one_question())
            .send()
            .await;
        assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.body);
        answer.text("/id")
    }

    /// An ask of two questions by the agent; its id.
    pub(crate) async fn asked_two(&self) -> String {
        let answer = self
            .post("/v1/asks")
            .token(AGENT)
            .json(&two_questions())
            .send()
            .await;
        assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.body);
        answer.text("/id")
    }

    /// sara answers the one question.
    pub(crate) async fn answered(&self, id: &str) {
        let values = json!({ "answers": { "deploy_target": ["Production"] } });
        let answer = self
            .post(&format!("/v1/asks/{id}/answers"))
            .token(SARA)
            .json(&values)
            .send()
            .await;
        assert_eq!(answer.text("/receipt"), "settled", "{}", answer.body);
    }
}

fn all_tokens() -> Tokens {
    let person = |name: &str| Role::Person(PersonName::new(name));
    let roles = [
        (AGENT, Role::Agent),
        (OTHER_AGENT, Role::Agent),
        (SUBAGENT, Role::Subagent),
        (SARA, person("sara")),
        (OMID, person("omid")),
        (OPERATOR, Role::Operator),
    ];
    let mut tokens = Tokens::default();
    for (name, role) in roles {
        assert!(tokens.add(
            name,
            Principal {
                token: TokenName::new(name),
                role
            }
        ));
    }
    tokens
}

fn directory() -> Directory {
    let person = |display: &str, accounts: &[&str]| Person {
        display: display.to_owned(),
        language: Some(Language::English),
        time_zone: None,
        accounts: accounts.iter().map(|text| sample::address(text)).collect(),
    };
    let (sara, omid) = (PersonName::new("sara"), PersonName::new("omid"));
    Directory {
        people: [
            (sara.clone(), person("Sara", &["telegram:1"])),
            (omid.clone(), person("Omid", &[])),
        ]
        .into(),
        routes: vec![Route {
            agent: None,
            session: None,
            to: vec![Target::Person(sara.clone())],
            answerers: Vec::new(),
            language: None,
            time_zone: None,
        }],
        with_token: BTreeSet::from([sara, omid]),
        ..Directory::empty()
    }
}

pub(crate) fn one_question() -> Value {
    json!({ "questions": [{
        "id": "deploy_target",
        "header": "Target",
        "question": "Where should this go?",
        "options": [
            { "label": "Staging (Recommended)", "description": "Safe; resets nightly" },
            { "label": "Production" },
        ],
    }] })
}

pub(crate) fn two_questions() -> Value {
    let mut body = one_question();
    let alerts = json!({
        "id": "alerts",
        "header": "Alerts",
        "question": "Who should hear about it?",
        "options": [{ "label": "Ops" }, { "label": "Developers" }, { "label": "Nobody" }],
        "multiSelect": true,
    });
    body["questions"].as_array_mut().unwrap().push(alerts);
    body
}

/// Read once for all tests.
static CONTRACT: LazyLock<Contract> = LazyLock::new(Contract::served);

/// A request in the making.
#[must_use]
pub(crate) struct Call {
    api: Router,
    method: String,
    path: String,
    request: axum::http::request::Builder,
    body: Body,
}

impl Call {
    pub(crate) fn token(self, token: &str) -> Self {
        self.header("authorization", &format!("Bearer {token}"))
    }

    /// As the panel sends it, with the cookie of a sign-in.
    pub(crate) fn panel(self, cookie: &str) -> Self {
        self.header("cookie", cookie).header("askd-client", "panel")
    }

    pub(crate) fn header(mut self, name: &str, value: &str) -> Self {
        self.request = self.request.header(name, value);
        self
    }

    /// In place of what was sent under this name.
    pub(crate) fn replaced(mut self, name: &'static str, value: Option<&str>) -> Self {
        let headers = self.request.headers_mut().unwrap();
        headers.remove(name);
        if let Some(value) = value {
            headers.insert(name, value.parse().unwrap());
        }
        self
    }

    pub(crate) fn json(self, body: &Value) -> Self {
        self.header("content-type", "application/json")
            .body(body.to_string())
    }

    pub(crate) fn body(mut self, body: impl Into<Body>) -> Self {
        self.body = body.into();
        self
    }

    /// The answer with its body, held against the description.
    pub(crate) async fn send(self) -> Answer {
        let (method, path) = (self.method.clone(), self.path.clone());
        let response = self.open().await;
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        let body = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
        let answer = Answer {
            status: parts.status,
            headers: parts.headers,
            body,
        };
        CONTRACT.hold(&method, &path, &answer);
        answer
    }

    /// The answer, its body still to come.
    pub(crate) async fn open(self) -> Response {
        let request = self.request.body(self.body).unwrap();
        self.api.oneshot(request).await.unwrap()
    }
}

/// What came back.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Value,
}

impl Answer {
    /// What is at this JSON pointer.
    pub(crate) fn at(&self, pointer: &str) -> &Value {
        self.body
            .pointer(pointer)
            .unwrap_or_else(|| panic!("no {pointer} in {}", self.body))
    }

    /// The text at this JSON pointer.
    pub(crate) fn text(&self, pointer: &str) -> String {
        self.at(pointer)
            .as_str()
            .unwrap_or_else(|| panic!("no text at {pointer} in {}", self.body))
            .to_owned()
    }

    /// The code of the problem; empty for no problem.
    pub(crate) fn problem(&self) -> &str {
        let kind = self.body.get("type").and_then(Value::as_str).unwrap_or_default();
        kind.strip_prefix("urn:askd:problem:").unwrap_or_default()
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}
