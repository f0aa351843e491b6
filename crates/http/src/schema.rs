//! Types that exist for their schema alone: what is sent in is checked by hand, so that all faults are found at once,
//! and what the core hands out has no schema of its own.
//!
//! `tests/openapi.rs` holds real answers against these schemas, so they cannot drift from what is sent.
#![expect(dead_code, reason = "read by the schema derive, never built")]

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// What an agent asks.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schema(example = json!({
    "questions": [{
        "id": "deploy_target",
        "header": "Target",
        "question": "Where should this go?",
        "options": [
            { "label": "Staging (Recommended)", "description": "Safe; resets nightly" },
            { "label": "Production" }
        ]
    }],
    "timeoutSeconds": 900
}))]
pub(crate) struct NewAsk {
    /// One to three questions, each with an id of its own. Prefer one.
    #[schema(min_items = 1, max_items = 3)]
    questions: Vec<NewQuestion>,
    /// Seconds that people have to answer: a whole number. Out of 30 to 3600 it is moved to the nearest bound, with
    /// a warning.
    #[schema(default = 900, nullable = false)]
    timeout_seconds: Option<i64>,
    /// Background for the human, in short Markdown.
    #[schema(max_length = 4000, nullable = false)]
    context: Option<String>,
    /// The conversation the agent works in; routes match its id.
    #[schema(nullable = false)]
    session: Option<NewSession>,
    /// The agent's run; its asks can be cancelled together.
    #[schema(nullable = false, max_length = 200, pattern = "\\S")]
    run: Option<String>,
}

/// The conversation an agent works in.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewSession {
    /// The agent's own id.
    #[schema(max_length = 200, pattern = "\\S")]
    id: String,
    /// A title for the human.
    #[schema(nullable = false, max_length = 200)]
    title: Option<String>,
}

/// One question. "Other" and "Skip" are always possible and never declared.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct NewQuestion {
    /// The answer's key, in snake_case.
    #[schema(pattern = "^[a-z][a-z0-9_]*$", max_length = 64)]
    id: String,
    /// A short label; cut to 12 characters, with a warning.
    #[schema(min_length = 1, pattern = "\\S")]
    header: String,
    /// The question in one sentence.
    #[schema(min_length = 1, max_length = 2000, pattern = "\\S")]
    question: String,
    /// What can be chosen, the recommended one first, its label ending in ` (Recommended)`.
    #[schema(min_items = 2, max_items = 4)]
    options: Vec<NewOption>,
    /// Whether several options may hold at once.
    #[schema(default = false, nullable = false)]
    multi_select: Option<bool>,
}

/// A declared option.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewOption {
    /// What is shown, typed and returned: one line.
    #[schema(min_length = 1, max_length = 200, pattern = "\\S")]
    label: String,
    /// What it means.
    #[schema(max_length = 1000, nullable = false)]
    description: Option<String>,
}

/// What an answer may come with.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Header)]
pub(crate) struct AnswerHeaders {
    /// A repeat of the same answer under the same key changes nothing more and gets an equal receipt.
    #[serde(rename = "Idempotency-Key")]
    #[param(nullable = false, min_length = 1, max_length = 255)]
    key: Option<String>,
    /// The channel that others are told it was given on; `http` without it.
    #[serde(rename = "Askd-Client")]
    #[param(inline, nullable = false)]
    client: Option<ClientName>,
}

/// A client of this API that has a name of its own.
#[derive(Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ClientName {
    Cli,
    Panel,
}

/// Answers by question.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "answers": { "deploy_target": ["Staging (Recommended)"] } }))]
pub(crate) struct NewAnswers {
    /// `{question id: [labels, or own words]}`.
    answers: BTreeMap<String, Vec<String>>,
}

/// An answer as a person types it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "text": "2" }))]
pub(crate) struct NewReply {
    /// Read like a message on a channel.
    text: String,
}

/// Which account to cut off.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "account": "telegram:12345" }))]
pub(crate) struct Unpair {
    /// Its address; all of the person's accounts without it.
    account: Option<String>,
}

/// The code of a link.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "code": "00112233445566778899aabbccddeeff" }))]
pub(crate) struct NewSignIn {
    /// What stands behind `#` in the link.
    code: String,
}

/// Who is to be signed in.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({ "person": "sara" }))]
pub(crate) struct NewSignInCode {
    /// The name in `[people.NAME]`; the operator who calls without it.
    person: Option<String>,
}

/// A browser's subscription, as `PushSubscription.toJSON()` writes it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schema(example = json!({
    "endpoint": "https://updates.push.services.mozilla.com/wpush/v2/gAAAAA",
    "keys": { "p256dh": "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8", "auth": "AAAAAAAAAAAAAAAAAAAAAA" },
}))]
pub(crate) struct NewSubscription {
    /// Where the browser is woken: an address at the push service of its maker, or at one that the configuration names.
    endpoint: String,
    /// By which only this browser can read what comes.
    keys: SubscriptionKeys,
    /// Not looked at.
    expiration_time: Option<f64>,
}

/// The keys of a browser, in base64url without padding.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SubscriptionKeys {
    /// Its public key: an uncompressed point on P-256.
    p256dh: String,
    /// A secret of 16 bytes.
    auth: String,
}

/// What to forget: exactly one of these.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schema(as = Forget, min_properties = 1, max_properties = 1, example = json!({ "session": "web-7" }))]
#[expect(
    dead_code,
    reason = "a description; the body is read by hand, to name what is wrong"
)]
pub(crate) struct WhatToForget {
    /// The ask with this id.
    #[schema(nullable = false, format = "uuid")]
    ask: Option<String>,
    /// Every ask of this session, whoever asked.
    #[schema(nullable = false)]
    session: Option<String>,
    /// Every ask that ended before this instant (RFC 3339).
    #[schema(value_type = Option<String>, nullable = false, format = DateTime)]
    ended_before: Option<String>,
}

/// What the agent gets. `status` and `answers` never change; the rest may grow.
#[derive(Serialize, ToSchema)]
#[serde(tag = "status", rename_all = "snake_case")]
#[schema(as = Result)]
pub(crate) enum ResultSchema {
    /// Every question has an answer.
    #[serde(rename_all = "camelCase")]
    Answered {
        /// The answers.
        answers: AnswersSchema,
        /// The ask.
        ask_id: String,
        /// Who settled it.
        settled_by: SettledBySchema,
        /// When.
        #[schema(format = DateTime)]
        settled_at: String,
        /// Ids of questions whose answer has own words.
        free_text: Vec<String>,
    },
    /// It ended without one.
    #[serde(rename_all = "camelCase")]
    NoAnswer {
        /// Why.
        reason: NoAnswerReason,
        /// The ask.
        ask_id: String,
        /// What a model should do now, in one sentence.
        message: String,
    },
}

/// Answers by question.
#[derive(Serialize, ToSchema)]
#[schema(as = Answers)]
pub(crate) struct AnswersSchema {
    /// `{question id: [values]}`: labels in declared order, then own words.
    answers: BTreeMap<String, Vec<String>>,
}

/// Who settled an ask.
#[derive(Serialize, ToSchema)]
#[schema(as = SettledBy)]
pub(crate) struct SettledBySchema {
    /// Their name as others see it.
    name: String,
    /// The channel's name in the configuration; `http`, `cli` or `panel` for answers with a token.
    channel: String,
    /// By which gesture.
    how: HowSchema,
}

/// A gesture: a button, a typed message, a form, or exact values through the API or the command line.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = How)]
pub(crate) enum HowSchema {
    Tap,
    Reply,
    Form,
    Api,
}

/// Why there is no answer.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum NoAnswerReason {
    Expired,
    Skipped,
    Cancelled,
    Undelivered,
}

/// The life of a delivery.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum DeliveryStatus {
    Queued,
    Shown,
    Settling,
    Settled,
    Failed,
    Dropped,
}

/// What a warning is about.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum WarningKind {
    TimeoutClamped,
    HeaderCut,
    NoChannel,
}

/// What became of an answer.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ReceiptKind {
    Settled,
    Kept,
    Hint,
    TooLate,
    NotYours,
}

/// What changed.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ChangeKind {
    Asked,
    Delivery,
    Kept,
    Ended,
}
