//! The broker without any entrance before it: holds the suite to its word, and shows what an entrance has to bring.

use std::{collections::BTreeMap, sync::Arc};

use askd_core::{
    ask::Ask,
    broker::{AskError, Broker, CallError, Key, Query, Request},
    id::{Address, AskId, ChannelName, PersonName, QuestionId},
    inbound::{Act, Became, Inbound, Inbox as _, Sender, Submission},
    result::AgentResult,
    rights::Denied,
    stage::Responder,
    store::Record,
};
use async_trait::async_trait;
use jiff::SignedDuration;
use serde_json::{Value, json};

use super::{Ability, Askd, Caller, Entrance, Refusal};

/// Calls the broker.
#[derive(Debug)]
pub struct Direct {
    broker: Arc<Broker>,
}

impl Direct {
    /// Before this askd.
    #[must_use]
    pub fn new(askd: &Askd) -> Self {
        Self {
            broker: askd.broker(),
        }
    }

    async fn hand_in(&self, caller: Caller, id: &str, what: Submission) -> Result<Value, Refusal> {
        let (who, ask) = (caller.principal(), parse(id)?);
        let record = self.broker.get(&who, ask).await?;
        let responder = match caller {
            Caller::Sara | Caller::Omid => Responder::Person(PersonName::new(caller.name())),
            Caller::Operator => Responder::Operator(who.token.clone()),
            _ => return Err(Refusal::Role),
        };
        let event = Inbound {
            event: self.broker.new_event_id(),
            from: Sender::Caller {
                principal: who.clone(),
                language: None,
            },
            at: Address::new(ChannelName::new("cli"), caller.name()),
            direct: true,
            when: self.broker.clock().now(),
            act: Act::Submitted { ask, what },
        };
        let receipt = self.broker.accept(event).await;
        let receipt = receipt.map_err(|not_taken| Refusal::Other(not_taken.text))?;
        let word = match &receipt.became {
            Became::Settled => "settled",
            Became::Kept { .. } => "kept",
            Became::TooLate => "too_late",
            Became::NotYours => "not_yours",
            _ => "hint",
        };
        let now = self.broker.get(&who, record.ask.id).await?.ask;
        Ok(json!({ "receipt": word, "text": receipt.text, "stored": stored(&now, &responder) }))
    }
}

#[async_trait]
impl Entrance for Direct {
    fn abilities(&self) -> &'static [Ability] {
        use Ability::{Answer, Cancel, Keys, Read, Reply, Skip, Wait};
        &[Keys, Wait, Cancel, Read, Answer, Reply, Skip]
    }

    async fn ask(&self, caller: Caller, body: &Value, key: Option<&str>) -> Result<Value, Refusal> {
        let request = Request {
            body: body.clone(),
            key: key.map(|key| Key::Explicit(key.to_owned())),
            agent: None,
            rules: askd_core::ask::validate::Rules::default(),
        };
        let accepted = self.broker.ask(&caller.principal(), request).await?;
        Ok(view(&accepted.record))
    }

    async fn wait(&self, caller: Caller, id: &str, seconds: u8) -> Result<Value, Refusal> {
        let until = self.broker.clock().now() + SignedDuration::from_secs(i64::from(seconds));
        let record = self.broker.wait(&caller.principal(), parse(id)?, until).await?;
        Ok(json!(AgentResult::of(&record.ask)))
    }

    async fn cancel(&self, caller: Caller, id: &str) -> Result<Value, Refusal> {
        Ok(view(&self.broker.cancel(&caller.principal(), parse(id)?).await?))
    }

    async fn get(&self, caller: Caller, id: &str) -> Result<Value, Refusal> {
        Ok(view(&self.broker.get(&caller.principal(), parse(id)?).await?))
    }

    async fn list(&self, caller: Caller, status: Option<&str>) -> Result<Vec<Value>, Refusal> {
        let query = Query {
            status: status.map(str::to_owned),
            ..Query::default()
        };
        let page = self.broker.list(&caller.principal(), query).await?;
        Ok(page.records.iter().map(view).collect())
    }

    async fn answer(&self, caller: Caller, id: &str, answers: &Value) -> Result<Value, Refusal> {
        let values: BTreeMap<QuestionId, Vec<String>> =
            serde_json::from_value(answers.clone()).map_err(|error| Refusal::Other(error.to_string()))?;
        self.hand_in(caller, id, Submission::Values(values)).await
    }

    async fn reply(&self, caller: Caller, id: &str, text: &str) -> Result<Value, Refusal> {
        self.hand_in(caller, id, Submission::Text(text.to_owned())).await
    }

    async fn skip(&self, caller: Caller, id: &str) -> Result<Value, Refusal> {
        self.hand_in(caller, id, Submission::Skip).await
    }
}

impl From<AskError> for Refusal {
    fn from(error: AskError) -> Self {
        match error {
            AskError::Denied(denied) => denied.into(),
            AskError::Faults(faults) => {
                let fault =
                    |fault: &askd_core::ask::validate::Fault| (fault.pointer.clone(), fault.rule.to_string());
                Self::Invalid(faults.iter().map(fault).collect())
            }
            AskError::OtherBody => Self::KeyReused,
            AskError::TooMany { .. } => Self::TooManyPending,
            other => Self::Other(other.to_string()),
        }
    }
}

impl From<CallError> for Refusal {
    fn from(error: CallError) -> Self {
        match error {
            CallError::NotFound => Self::NoAsk,
            CallError::Denied(denied) => denied.into(),
            other => Self::Other(other.to_string()),
        }
    }
}

impl From<Denied> for Refusal {
    fn from(denied: Denied) -> Self {
        match denied {
            Denied::Subagent => Self::Subagent,
            Denied::Role => Self::Role,
            Denied::NotYours => Self::NoAsk,
        }
    }
}

fn parse(id: &str) -> Result<AskId, Refusal> {
    AskId::parse(id).ok_or(Refusal::NoAsk)
}

fn view(record: &Record) -> Value {
    let ask = &record.ask;
    json!({
        "id": ask.id.to_string(),
        "status": ask.status(),
        "createdAt": ask.created_at,
        "deadline": ask.deadline,
        "warnings": ask.warnings.iter().map(|warning| json!({ "kind": warning.kind() })).collect::<Vec<_>>(),
        "result": ask.outcome().map(|_| AgentResult::of(ask)),
    })
}

fn stored(ask: &Ask, who: &Responder) -> Value {
    let kept = ask.kept(who);
    let given = kept.iter(&ask.questions);
    given
        .map(|(question, given)| (question.id.to_string(), json!(given.answer.values(question))))
        .collect()
}
