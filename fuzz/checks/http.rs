//! Bodies of requests. An input is a line with a route, who calls, and perhaps how the body is declared; after it the body,
//! in which `⟲piece⟲` is repeated to see how the time grows.
//!
//! `ask agent` is the usual one. What comes back must be what the route promises or a problem, whatever was sent, and of a
//! body with faults all must be named.

use std::{cell::RefCell, collections::BTreeSet, sync::Arc};

use arbitrary::Unstructured;
use askd_core::{
    ask::validate::{Rules, validate},
    broker::{Broker, Parts, Settings},
    clock::{Chance, Clock},
    id::{PersonName, TokenName},
    people::{Directory, Person},
    rights::{Principal, Role, Tokens},
    store::memory::MemoryStore,
};
use askd_http::{HttpOptions, router};
use async_trait::async_trait;
use axum::{
    Router,
    body::{Body, to_bytes},
    http::{Request, StatusCode, header},
};
use jiff::Timestamp;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

use crate::{asks::VOCABULARY, growth::Repeated, made};

/// Longest body. Unit: bytes. Source: `limits.max_body_bytes`.
const LONG: usize = 512 * 1024;

/// Requests after which everything begins anew, so that what was asked does not pile up.
const FRESH_AFTER: usize = 200;

/// Routes that take a body, by the word in an input.
const ROUTES: [(&str, &str); 9] = [
    ("ask", "/v1/asks"),
    ("answer", "/v1/asks/{id}/answers"),
    ("reply", "/v1/asks/{id}/reply"),
    ("skip", "/v1/asks/{id}/skip"),
    ("pair", "/v1/people/sara/pair"),
    ("unpair", "/v1/people/sara/unpair"),
    ("sign-in", "/v1/sign-in"),
    ("code", "/v1/sign-in/codes"),
    ("forget", "/v1/forget"),
];

/// Sends it, and checks what comes back.
pub(crate) fn check(input: &[u8]) {
    let line = input.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let body = input.get(line.len() + 1..).unwrap_or_default();
    let line = String::from_utf8_lossy(line);
    let mut words = line.split(' ');
    let route = words.next().unwrap_or_default();
    let Some((_, path)) = ROUTES.iter().find(|(name, _)| *name == route) else {
        return;
    };
    let sent = Sent {
        path,
        token: words.next().unwrap_or("agent"),
        media: words.next().unwrap_or("application/json"),
    };
    if let Some(repeated) = std::str::from_utf8(body).ok().and_then(Repeated::of) {
        repeated.is_linear(LONG / 4, String::into_bytes, |body| {
            send(&sent, body);
        });
        return;
    }
    let made = body
        .strip_prefix(b"?")
        .map(|bytes| made_of(bytes).to_string().into_bytes());
    let body = made.as_deref().unwrap_or(body);
    let answer = send(&sent, body);
    answer.is_foreseen();
    if route == "ask" && sent.token == "agent" && sent.media == "application/json" {
        says_all_that_is_wrong(&answer, body);
    }
}

fn made_of(bytes: &[u8]) -> Value {
    let mut bytes = Unstructured::new(bytes);
    let choice = json!({ "label": "Staging" });
    let question = json!({ "id": "target", "header": "Target", "question": "Where?", "options": [choice, { "label": "Production" }] });
    let known = [
        json!({ "questions": [question], "timeoutSeconds": 900, "session": { "id": "s", "title": "t" }, "run": "r", "context": "c" }),
        json!({ "answers": { "target": ["Staging"] } }),
        json!({ "text": "1" }),
        json!({ "code": "00112233445566778899aabbccddeeff" }),
        json!({ "session": "s" }),
    ];
    let mut body = known[made::up_to(&mut bytes, known.len() - 1)].clone();
    for _ in 0..made::up_to(&mut bytes, 3) {
        body = made::changed(&mut bytes, &VOCABULARY, body);
    }
    body
}

struct Sent<'a> {
    path: &'a str,
    token: &'a str,
    media: &'a str,
}

#[derive(Debug)]
struct Answer {
    status: StatusCode,
    media: String,
    body: Value,
}

impl Answer {
    fn is_foreseen(&self) {
        let Self { status, media, body } = self;
        assert!(!status.is_server_error(), "{self:?}");
        match *status {
            StatusCode::NO_CONTENT => {}
            status if status.is_success() => {
                assert_eq!(media, "application/json");
                assert!(body.is_object());
            }
            status => {
                assert_eq!(media, "application/problem+json", "{status}");
                assert_eq!(body["status"], status.as_u16());
                assert!(
                    body["type"]
                        .as_str()
                        .is_some_and(|kind| kind.starts_with("urn:askd:problem:"))
                );
                assert!(body["title"].as_str().is_some_and(|title| !title.is_empty()));
                let errors = body["errors"].as_array().map_or(0, Vec::len);
                let is_invalid = body["type"] == "urn:askd:problem:invalid";
                assert_eq!(is_invalid, errors > 0, "{body}");
            }
        }
    }
}

/// The entrance says the same of an ask as the core's validation.
fn says_all_that_is_wrong(answer: &Answer, body: &[u8]) {
    let parsed = serde_json::from_slice::<Value>(body);
    let expected = match &parsed {
        Err(_) => StatusCode::BAD_REQUEST,
        Ok(body) if validate(body, &Rules::default()).is_err() => StatusCode::UNPROCESSABLE_ENTITY,
        Ok(_) => StatusCode::CREATED,
    };
    assert_eq!(answer.status, expected, "{answer:?}");
    let Ok(body) = parsed else { return };
    match validate(&body, &Rules::default()) {
        Ok(draft) => {
            let told = serde_json::to_value(&draft.questions).expect("questions are data");
            let questions = answer.body["questions"].as_array().expect("the ask").iter();
            for (shown, known) in questions.zip(told.as_array().expect("a list")) {
                for (name, value) in known.as_object().expect("a question") {
                    assert_eq!(shown.get(name), Some(value), "{name}");
                }
            }
        }
        Err(faults) => {
            let told: Vec<(&str, &str)> = answer.body["errors"]
                .as_array()
                .expect("errors")
                .iter()
                .map(|error| {
                    (
                        error["pointer"].as_str().unwrap_or("?"),
                        error["rule"].as_str().unwrap_or("?"),
                    )
                })
                .collect();
            let known: Vec<(&str, &str)> = faults
                .iter()
                .map(|fault| (fault.pointer.as_str(), fault.rule.code()))
                .collect();
            assert_eq!(told, known, "all faults, in their order");
        }
    }
}

thread_local! {
    static DESK: RefCell<Option<Desk>> = const { RefCell::new(None) };
}

fn send(sent: &Sent<'_>, body: &[u8]) -> Answer {
    DESK.with_borrow_mut(|desk| {
        if desk.as_ref().is_none_or(|desk| desk.sent >= FRESH_AFTER) {
            *desk = Some(Desk::new());
        }
        desk.as_mut().expect("it was just made").send(sent, body)
    })
}

/// askd with one ask, of which sara may be asked.
struct Desk {
    runtime: tokio::runtime::Runtime,
    api: Router,
    ask: String,
    sent: usize,
    // Dropped, it would end what listens to it.
    _kept: (watch::Sender<Arc<Tokens>>, watch::Sender<Arc<Directory>>),
}

impl Desk {
    fn new() -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        let mut tokens = Tokens::default();
        let roles = [
            ("agent", Role::Agent),
            ("sara", Role::Person(PersonName::new("sara"))),
            ("operator", Role::Operator),
            ("subagent", Role::Subagent),
        ];
        for (name, role) in roles {
            let token = TokenName::new(name);
            assert!(tokens.add(name, Principal { token, role }));
        }
        let sara = Person {
            display: "Sara".to_owned(),
            language: None,
            time_zone: None,
            accounts: Vec::new(),
        };
        let directory = Directory {
            people: [(PersonName::new("sara"), sara)].into(),
            with_token: BTreeSet::from([PersonName::new("sara")]),
            ..Directory::empty()
        };
        let (tokens, tokens_now) = watch::channel(Arc::new(tokens));
        let (directory, directory_now) = watch::channel(Arc::new(directory));
        let broker = Broker::new(Parts {
            store: Arc::new(MemoryStore::new()),
            clock: Arc::new(Still),
            chance: Arc::new(Counting::default()),
            channels: Vec::new(),
            directory: directory_now,
            tokens: tokens_now,
            settings: Settings {
                max_pending: usize::MAX,
                ..Settings::default()
            },
            stopping: CancellationToken::new(),
        });
        let options = HttpOptions {
            requests_per_second: 1_000_000.try_into().expect("it is not 0"),
            ..HttpOptions::default()
        };
        let api = router(Arc::new(broker), options);
        let mut desk = Self {
            runtime,
            api,
            ask: String::new(),
            sent: 0,
            _kept: (tokens, directory),
        };
        let choices = ["Staging", "Production"].map(|label| json!({ "label": label }));
        let question =
            json!({ "id": "target", "header": "Target", "question": "Where?", "options": choices });
        let first = Sent {
            path: "/v1/asks",
            token: "agent",
            media: "application/json",
        };
        let answer = desk.send(&first, json!({ "questions": [question] }).to_string().as_bytes());
        answer.body["id"]
            .as_str()
            .expect("an ask")
            .clone_into(&mut desk.ask);
        desk
    }

    fn send(&mut self, sent: &Sent<'_>, body: &[u8]) -> Answer {
        self.sent += 1;
        let mut request = Request::post(sent.path.replace("{id}", &self.ask))
            .header(header::HOST, "localhost:7373")
            .header(header::CONTENT_TYPE, "application/json")
            .body(Body::from(body.to_vec()))
            .expect("a request");
        let headers = request.headers_mut();
        let value =
            |text: &str| header::HeaderValue::from_str(text).unwrap_or(header::HeaderValue::from_static("?"));
        headers.insert(header::AUTHORIZATION, value(&format!("Bearer {}", sent.token)));
        headers.insert(header::CONTENT_TYPE, value(sent.media));
        let api = self.api.clone();
        self.runtime.block_on(async {
            let answer = api.oneshot(request).await.expect("an answer always comes");
            let (parts, body) = answer.into_parts();
            let body = to_bytes(body, usize::MAX).await.expect("it is in memory");
            let media = parts.headers.get(header::CONTENT_TYPE);
            Answer {
                status: parts.status,
                media: media
                    .and_then(|media| media.to_str().ok())
                    .unwrap_or_default()
                    .to_owned(),
                body: serde_json::from_slice(&body).unwrap_or_default(),
            }
        })
    }
}

/// A clock that stands still.
#[derive(Debug)]
struct Still;

#[async_trait]
impl Clock for Still {
    fn now(&self) -> Timestamp {
        Timestamp::UNIX_EPOCH
    }

    fn passed(&self) -> std::time::Duration {
        std::time::Duration::ZERO
    }

    async fn sleep_until(&self, until: Timestamp) {
        if until > self.now() {
            std::future::pending::<()>().await;
        }
    }
}

/// Bytes that are never the same twice.
#[derive(Debug, Default)]
struct Counting(std::sync::atomic::AtomicU64);

impl Chance for Counting {
    fn fill(&self, bytes: &mut [u8]) {
        let count = self
            .0
            .fetch_add(1, std::sync::atomic::Ordering::Relaxed)
            .to_le_bytes();
        for (byte, part) in bytes.iter_mut().zip(count.iter().cycle()) {
            *byte = *part;
        }
    }
}
