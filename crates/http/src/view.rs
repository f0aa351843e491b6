//! What is on the wire.
//!
//! Names are camelCase and instants are RFC 3339 in UTC. A field of an answer is always there: what is not known is
//! `null`, what there is none of is an empty list, so that a program reads one shape. The exceptions are parts of the
//! agent's own request, which come back as they were sent: an option without `description` has none.
//!
//! The schemas of `/openapi.json` are made from these types; `tests/openapi.rs` holds real answers against them.

mod panel;
mod people;
mod problem;

use std::collections::BTreeMap;

use askd_core::{
    ask::{Ask, Question, Session, Warning},
    result::{AgentResult, SettledByView},
    store::{Delivery, DeliveryState, Record},
};
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

pub(crate) use self::{
    panel::{MeView, PushView, SeenView, SignInCodeView},
    people::{OfferView, PeopleView, PersonView, UnpairedView},
    problem::{ChannelView, FaultView, HealthView, ProblemView, ReadyView},
};
use crate::schema::{ChangeKind, DeliveryStatus, ReceiptKind, ResultSchema, SettledBySchema, WarningKind};

/// An ask, where it was shown, and how it ended.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Ask)]
pub(crate) struct AskView {
    /// Its id, a UUID; sorting by it is sorting by time of creation.
    pub(crate) id: String,
    /// `pending`, or how it ended.
    #[schema(value_type = Status)]
    pub(crate) status: &'static str,
    /// Who asks, as people see it.
    pub(crate) agent: String,
    /// The agent's session, if it named one.
    #[schema(required)]
    pub(crate) session: Option<SessionView>,
    /// The agent's run, if it named one.
    #[schema(required)]
    pub(crate) run: Option<String>,
    /// Background for the human, in short Markdown.
    #[schema(required)]
    pub(crate) context: Option<String>,
    /// What is asked, as it is shown: a long header is cut.
    pub(crate) questions: Vec<QuestionView>,
    /// When it was stored.
    #[schema(value_type = String, format = DateTime)]
    pub(crate) created_at: Timestamp,
    /// When it ends by itself.
    #[schema(value_type = String, format = DateTime)]
    pub(crate) deadline: Timestamp,
    /// Where it is shown, in the order of the route.
    pub(crate) deliveries: Vec<DeliveryView>,
    /// What was corrected, or what the agent's author should know.
    pub(crate) warnings: Vec<WarningView>,
    /// Who answered or declined it; `null` while it is pending, and where nobody did.
    #[schema(value_type = Option<SettledBySchema>, required)]
    pub(crate) settled_by: Option<SettledByView>,
    /// When it ended; `null` while it is pending.
    #[schema(value_type = Option<String>, format = DateTime, required)]
    pub(crate) settled_at: Option<Timestamp>,
    /// What the agent gets; `null` while the ask is pending.
    #[schema(value_type = Option<ResultSchema>, required)]
    pub(crate) result: Option<AgentResult>,
}

impl From<&Record> for AskView {
    fn from(record: &Record) -> Self {
        let ask = &record.ask;
        Self {
            id: ask.id.to_string(),
            status: ask.status(),
            agent: ask.agent.clone(),
            session: ask.session.as_ref().map(SessionView::from),
            run: ask.run.as_ref().map(ToString::to_string),
            context: ask.context.clone(),
            questions: ask.questions.iter().map(QuestionView::from).collect(),
            created_at: ask.created_at,
            deadline: ask.deadline,
            deliveries: record.deliveries.iter().map(DeliveryView::from).collect(),
            warnings: ask.warnings.iter().map(WarningView::from).collect(),
            settled_by: ask
                .outcome()
                .and_then(|outcome| outcome.end.by())
                .map(SettledByView::from),
            settled_at: ask.outcome().map(|outcome| outcome.at),
            result: result(ask),
        }
    }
}

fn result(ask: &Ask) -> Option<AgentResult> {
    ask.outcome().map(|_| AgentResult::of(ask))
}

/// Where an ask is in its life.
#[derive(Clone, Copy, Debug, serde::Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Status {
    /// Open.
    Pending,
    /// Every question has an answer.
    Answered,
    /// A person declined it.
    Skipped,
    /// The deadline passed.
    Expired,
    /// It was taken back.
    Cancelled,
    /// Nobody was shown it.
    Undelivered,
}

impl Status {
    /// The word in the store.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Answered => "answered",
            Self::Skipped => "skipped",
            Self::Expired => "expired",
            Self::Cancelled => "cancelled",
            Self::Undelivered => "undelivered",
        }
    }
}

/// The conversation an agent works in.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Session)]
pub(crate) struct SessionView {
    /// The agent's own id.
    pub(crate) id: String,
    /// A title for the human.
    #[schema(required)]
    pub(crate) title: Option<String>,
}

impl From<&Session> for SessionView {
    fn from(session: &Session) -> Self {
        Self {
            id: session.id.clone(),
            title: session.title.clone(),
        }
    }
}

/// One question.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Question)]
pub(crate) struct QuestionView {
    /// The answer's key.
    pub(crate) id: String,
    /// A short label.
    pub(crate) header: String,
    /// The question itself.
    pub(crate) question: String,
    /// What can be chosen.
    pub(crate) options: Vec<OptionView>,
    /// Whether several options may hold at once.
    pub(crate) multi_select: bool,
}

/// A declared option.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Option)]
pub(crate) struct OptionView {
    /// What is shown, typed and returned.
    pub(crate) label: String,
    /// What it means; absent where the agent gave none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) description: Option<String>,
}

impl From<&Question> for QuestionView {
    fn from(question: &Question) -> Self {
        let options = question.choices.iter().map(|choice| OptionView {
            label: choice.label.clone(),
            description: choice.description.clone(),
        });
        Self {
            id: question.id.to_string(),
            header: question.header.as_str().to_owned(),
            question: question.text.clone(),
            options: options.collect(),
            multi_select: question.multi_select,
        }
    }
}

/// One address the ask is shown at.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Delivery)]
pub(crate) struct DeliveryView {
    /// The channel's name in the configuration; `panel` for a page that showed it, `push` for a browser that is notified.
    pub(crate) channel: String,
    /// The whole address, as the configuration writes it: `telegram:-100123/7`. Of a browser a name that tells nothing.
    pub(crate) address: String,
    /// `queued`: to be posted. `shown`: posted, or taken over by a push service. `settling`: over, the messages are to show so. `settled`: they do.
    /// `failed`: never shown and given up. `dropped`: the ask was over before it was posted.
    #[schema(value_type = DeliveryStatus)]
    pub(crate) state: &'static str,
    /// Why it failed; `null` otherwise.
    #[schema(required)]
    pub(crate) reason: Option<&'static str>,
}

impl From<&Delivery> for DeliveryView {
    fn from(delivery: &Delivery) -> Self {
        Self {
            channel: delivery.to.channel.to_string(),
            address: delivery.to.to_string(),
            state: delivery.status(),
            reason: match delivery.state {
                DeliveryState::Failed(why) => Some(why.reason()),
                _ => None,
            },
        }
    }
}

/// Something the agent's author should know although the ask was taken.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Warning)]
pub(crate) struct WarningView {
    /// What it is about, for programs.
    #[schema(value_type = WarningKind)]
    pub(crate) kind: &'static str,
    /// The same in a sentence.
    pub(crate) message: String,
}

impl From<&Warning> for WarningView {
    fn from(warning: &Warning) -> Self {
        Self {
            kind: warning.kind(),
            message: warning.message(),
        }
    }
}

/// One page of asks, newest first.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AskPage)]
pub(crate) struct PageView {
    /// The asks.
    pub(crate) asks: Vec<AskView>,
    /// The `cursor` of the next page; `null` where this was the last.
    #[schema(required)]
    pub(crate) next: Option<String>,
}

/// What became of an answer.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Receipt)]
pub(crate) struct ReceiptView {
    /// `settled`: it ended the ask. `kept`: stored, more is missing. `hint`: not understood or not valid, nothing
    /// changed. `too_late`: the ask was over. `not_yours`: the caller may not answer it.
    #[schema(value_type = ReceiptKind)]
    pub(crate) receipt: &'static str,
    /// The same in words, in the person's language.
    pub(crate) text: String,
    /// What this person has answered so far: `{question id: [values]}`.
    #[schema(value_type = BTreeMap<String, Vec<String>>)]
    pub(crate) stored: BTreeMap<String, Vec<String>>,
    /// Ids of questions this person has yet to answer, in declared order; empty once the ask is over.
    pub(crate) missing: Vec<String>,
}

/// What a cancelled run took back.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = CancelledRun)]
pub(crate) struct CancelledView {
    /// Ids of the asks that this call ended; empty where none was pending.
    pub(crate) cancelled: Vec<String>,
}

/// What became of history that was to be deleted.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Forgotten)]
pub(crate) struct ForgottenView {
    /// Asks that are gone.
    pub(crate) forgotten: usize,
    /// Asks that were meant and stay: they are pending, or their messages do not show their end yet.
    pub(crate) kept: usize,
}

/// What is told on the event stream when an ask changed.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AskEvent)]
pub(crate) struct EventView {
    /// What changed: `asked`, `delivery`, `kept` (a partial answer) or `ended`.
    #[schema(value_type = ChangeKind)]
    pub(crate) change: &'static str,
    /// The ask as it is now, which may be further on than this change.
    pub(crate) ask: AskView,
}
