//! Answering with a token.
//!
//! An answer goes the way of a tap on Telegram: it is put into an [`Inbound`] and handed to the broker's inbox. What
//! became of it is in the receipt, not in the status: 200 says that it was looked at.
//!
//! Tests: `tests/answering.rs`.

use std::{collections::BTreeMap, convert::Infallible, sync::Arc};

use askd_core::{
    answer::Answers,
    ask::Ask,
    id::{Address, AskId, EventId, QuestionId, hex},
    inbound::{Act, Became, Inbound, Inbox as _, Receipt, Sender, Submission},
    rights::Denied,
    stage::{End, Responder},
};
use axum::{
    Json,
    extract::{FromRequestParts, State},
    http::request::Parts,
};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::{
    Api,
    asks::InPath,
    auth::{Caller, Client, IdempotencyKey, Wanted},
    body,
    problem::Problem,
    schema::{AnswerHeaders, NewAnswers, NewReply},
    view::{FaultView, ReceiptView, SeenView},
};

/// Answer with exact values
///
/// Labels of options character for character, or own words; a value that is no label is own words, whatever it looks
/// like. May be partial: what is there is kept until the person's set is complete.
#[utoipa::path(
    post,
    path = "/v1/asks/{id}/answers",
    operation_id = "answer",
    tag = "answers",
    params(("id" = String, Path, description = "The ask."), AnswerHeaders),
    request_body = NewAnswers,
    responses(
        (status = 200, description = "What became of it.", body = ReceiptView),
        (status = 404, description = "There is none, or the caller may not answer it (`no-ask`)."),
        (status = 422, description = "The body breaks rules (`invalid`)."),
    ),
)]
pub(crate) async fn answer(
    State(api): State<Arc<Api>>,
    caller: Caller,
    sent: Sent,
    body::Json(body): body::Json,
) -> Result<Json<ReceiptView>, Problem> {
    let values = values(&body).map_err(Problem::invalid)?;
    hand_in(&api, &caller, sent, Submission::Values(values)).await
}

/// Answer with a text
///
/// Read like a message on a channel: numbers, letters, labels, several answers in one text.
#[utoipa::path(
    post,
    path = "/v1/asks/{id}/reply",
    operation_id = "reply",
    tag = "answers",
    params(("id" = String, Path, description = "The ask."), AnswerHeaders),
    request_body = NewReply,
    responses(
        (status = 200, description = "What became of it.", body = ReceiptView),
        (status = 404, description = "There is none, or the caller may not answer it (`no-ask`)."),
        (status = 422, description = "The body breaks rules (`invalid`)."),
    ),
)]
pub(crate) async fn reply(
    State(api): State<Arc<Api>>,
    caller: Caller,
    sent: Sent,
    body::Json(body): body::Json,
) -> Result<Json<ReceiptView>, Problem> {
    let text = text(&body).map_err(Problem::invalid)?;
    hand_in(&api, &caller, sent, Submission::Text(text)).await
}

/// Decline the whole ask
///
/// A body is not read.
#[utoipa::path(
    post,
    path = "/v1/asks/{id}/skip",
    operation_id = "skip",
    tag = "answers",
    params(("id" = String, Path, description = "The ask."), AnswerHeaders),
    responses(
        (status = 200, description = "What became of it.", body = ReceiptView),
        (status = 404, description = "There is none, or the caller may not answer it (`no-ask`)."),
    ),
)]
pub(crate) async fn skip(
    State(api): State<Arc<Api>>,
    caller: Caller,
    sent: Sent,
) -> Result<Json<ReceiptView>, Problem> {
    hand_in(&api, &caller, sent, Submission::Skip).await
}

/// What every answer comes with.
#[derive(Debug)]
pub(crate) struct Sent {
    ask: AskId,
    client: Client,
    wanted: Wanted,
    key: IdempotencyKey,
}

impl FromRequestParts<Arc<Api>> for Sent {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, api: &Arc<Api>) -> Result<Self, Problem> {
        Ok(Self {
            ask: InPath::from_request_parts(parts, api).await?.0,
            client: Client::from_request_parts(parts, api).await?,
            wanted: infallible(Wanted::from_request_parts(parts, api).await),
            key: IdempotencyKey::from_request_parts(parts, api).await?,
        })
    }
}

fn infallible<T>(never_wrong: Result<T, Infallible>) -> T {
    match never_wrong {
        Ok(value) => value,
    }
}

async fn hand_in(
    api: &Api,
    caller: &Caller,
    sent: Sent,
    what: Submission,
) -> Result<Json<ReceiptView>, Problem> {
    let principal = &caller.principal;
    let Some(responder) = principal.responder() else {
        return Err(Denied::Role.into());
    };
    // What the caller may not see is not there; the inbox would say `not_yours` and so tell that it is.
    api.broker.get(principal, sent.ask).await?;

    let inbound = Inbound {
        event: event(api, &sent, principal.token.as_str(), &what),
        from: Sender::Caller {
            principal: principal.clone(),
            language: sent.wanted.0,
        },
        at: Address::new(sent.client.0, principal.token.as_str()),
        direct: true,
        when: api.broker.clock().now(),
        act: Act::Submitted { ask: sent.ask, what },
    };
    let receipt = api.broker.accept(inbound).await?;
    let now = api.broker.get(principal, sent.ask).await?.ask;
    Ok(Json(view(&receipt, &now, &responder)))
}

/// What makes a repeat of this answer the same event: the caller's key together with what it was sent for, so that a
/// key used twice by mistake never hides an answer. Without a key each request is an event of its own.
fn event(api: &Api, sent: &Sent, token: &str, what: &Submission) -> EventId {
    let Some(key) = &sent.key.0 else {
        return api.broker.new_event_id();
    };
    let mut hash = Sha256::new();
    for part in [token, key, &sent.ask.to_string(), &format!("{what:?}")] {
        hash.update(part.len().to_le_bytes());
        hash.update(part);
    }
    let hash: [u8; 32] = hash.finalize().into();
    EventId::new(format!("key:{}", hex(&hash)))
}

/// `now` is the ask as it is after the answer: the receipt lists what it holds of this person, also where a hint
/// changed nothing.
fn view(receipt: &Receipt, now: &Ask, responder: &Responder) -> ReceiptView {
    let listed = |answers: &Answers| listed(now, answers);
    let (word, stored, missing) = match &receipt.became {
        Became::Settled => ("settled", listed(&settled_answers(now, responder)), Vec::new()),
        Became::Kept { stored, missing } => ("kept", listed(stored), missing.clone()),
        // None of the last three can come of a submission; each leaves the ask as it was, which is what `hint` says.
        Became::Hint | Became::WriteOwn(_) | Became::Told | Became::Ignored => {
            let kept = now.kept(responder);
            let missing = match now.outcome() {
                None => kept.missing(&now.questions),
                Some(_) => Vec::new(),
            };
            (
                "hint",
                listed(&kept),
                missing.iter().map(|question| question.id.clone()).collect(),
            )
        }
        Became::TooLate => ("too_late", listed(&settled_answers(now, responder)), Vec::new()),
        Became::NotYours => ("not_yours", BTreeMap::new(), Vec::new()),
    };
    ReceiptView {
        receipt: word,
        text: receipt.text.clone(),
        stored,
        missing: missing.iter().map(ToString::to_string).collect(),
    }
}

/// `{question id: [values]}`.
fn listed(ask: &Ask, answers: &Answers) -> BTreeMap<String, Vec<String>> {
    let given = answers.iter(&ask.questions);
    given
        .map(|(question, given)| (question.id.to_string(), given.answer.values(question)))
        .collect()
}

/// Tell that the panel shows it
///
/// Counts as delivered: an ask that nobody answers then ends as `expired`, not as `undelivered`. To be called once a page
/// that is visible has shown it; again changes nothing. A body is not read.
#[utoipa::path(
    post,
    path = "/v1/asks/{id}/seen",
    operation_id = "seen",
    tag = "panel",
    params(("id" = String, Path, description = "The ask.")),
    responses(
        (status = 200, description = "What the caller has answered so far.", body = SeenView),
        (status = 404, description = "There is none, or the caller may not answer it (`no-ask`)."),
    ),
)]
pub(crate) async fn seen(
    State(api): State<Arc<Api>>,
    caller: Caller,
    InPath(id): InPath,
) -> Result<Json<SeenView>, Problem> {
    let ask = api.broker.seen(&caller.principal, id).await?.ask;
    let responder = caller.principal.responder().ok_or(Denied::Role)?;
    let answered = match ask.outcome() {
        None => ask.kept(&responder),
        Some(_) => settled_answers(&ask, &responder),
    };
    let missing = match ask.outcome() {
        None => answered.missing(&ask.questions),
        Some(_) => Vec::new(),
    };
    Ok(Json(SeenView {
        stored: listed(&ask, &answered),
        missing: missing.iter().map(|question| question.id.to_string()).collect(),
    }))
}

fn settled_answers(ask: &Ask, responder: &Responder) -> Answers {
    match ask.outcome().map(|outcome| &outcome.end) {
        Some(End::Answered { answers, by }) if by.who == *responder => answers.clone(),
        _ => Answers::new(),
    }
}

/// `{"answers": {question id: [values]}}`. Which ids and values fit this ask is the broker's to say.
fn values(body: &Value) -> Result<BTreeMap<QuestionId, Vec<String>>, Vec<FaultView>> {
    let mut faults = Vec::new();
    let mut read = BTreeMap::new();
    match body::only_field(body, "answers", true, &mut faults) {
        Some(Value::Object(answers)) => {
            for (id, values) in answers {
                let at = format!("/answers/{}", body::escape(id));
                read.insert(QuestionId::new(id.as_str()), texts(values, &at, &mut faults));
            }
        }
        Some(other) => faults.push(FaultView::not_object("/answers", other)),
        None => {}
    }
    if faults.is_empty() { Ok(read) } else { Err(faults) }
}

fn texts(values: &Value, at: &str, faults: &mut Vec<FaultView>) -> Vec<String> {
    let Value::Array(values) = values else {
        faults.push(FaultView::not_list(at, values));
        return Vec::new();
    };
    let mut read = Vec::with_capacity(values.len());
    for (n, value) in values.iter().enumerate() {
        match value {
            Value::String(text) => read.push(text.clone()),
            other => faults.push(FaultView::not_text(&format!("{at}/{n}"), other)),
        }
    }
    read
}

/// `{"text": "…"}`.
fn text(body: &Value) -> Result<String, Vec<FaultView>> {
    let mut faults = Vec::new();
    let mut text = String::new();
    match body::only_field(body, "text", true, &mut faults) {
        Some(Value::String(sent)) => text.clone_from(sent),
        Some(other) => faults.push(FaultView::not_text("/text", other)),
        None => {}
    }
    if faults.is_empty() { Ok(text) } else { Err(faults) }
}
