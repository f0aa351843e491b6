//! Answers by callers with a token or who signed in: the API, the panel, the command line.

use std::collections::BTreeMap;

use crate::{
    answer::Answer,
    ask::Ask,
    broker::{
        Broker,
        accept::{Actor, gesture, receipts},
    },
    id::{AskId, QuestionId},
    inbound::{Inbound, Receipt, Sender, Submission},
    present::Capabilities,
    reply::{self, Asked, Reading},
    stage::How,
    store::StoreError,
    words::Arg,
};

impl Broker {
    pub(super) async fn submitted(
        &self,
        event: &Inbound,
        actor: &Actor,
        ask: AskId,
        what: &Submission,
    ) -> Result<Receipt, StoreError> {
        let Sender::Caller { principal, .. } = &event.from else {
            return Ok(receipts::hidden(actor));
        };
        let Some(record) = self.store.get(ask).await? else {
            return Ok(receipts::gone(actor));
        };
        let Ok(responder) = principal.may_answer(&record.ask, &self.directory()) else {
            return Ok(receipts::not_yours(&record.ask, actor));
        };
        let actor = &Actor {
            responder: Some(responder),
            ..self.about(actor, &record)
        };
        let how = match what {
            Submission::Text(_) => How::Reply,
            Submission::Values(_) | Submission::Skip => How::Api,
        };
        let Some(gesture) = gesture(event, actor, &record, how) else {
            return Ok(receipts::not_yours(&record.ask, actor));
        };
        if record.ask.outcome().is_some() {
            return Ok(receipts::over(event, &record.ask, actor));
        }
        let reading = match what {
            Submission::Skip => Reading::Skip,
            Submission::Text(text) if is_command(text, &record.ask) => {
                // None of them does anything here.
                let can = Capabilities {
                    slash_commands: false,
                    ..Capabilities::plain_text()
                };
                return Ok(receipts::help(&can, actor));
            }
            Submission::Text(text) => {
                let answered = record.ask.kept(gesture.who);
                reply::read(
                    text,
                    &Asked {
                        questions: &record.ask.questions,
                        answered: &answered,
                    },
                )
            }
            Submission::Values(values) => match exact(values, &record.ask) {
                Ok(answers) => return self.hand_in(&gesture, &record, answers, None).await,
                Err(receipt) => return Ok(receipt.say(actor)),
            },
        };
        match reading {
            Reading::Answers { answers, hint } => {
                self.hand_in(&gesture, &record, answers, hint.as_ref()).await
            }
            Reading::Skip => self.skip(&gesture, &record).await,
            Reading::Hint(hint) => Ok(receipts::hint(
                &hint,
                &record.ask,
                &self.capabilities(&event.at),
                actor,
            )),
        }
    }
}

/// Whether a text is one of the commands that tell something, which no channel takes for an answer either. `/skip` is
/// read as a reply.
fn is_command(text: &str, ask: &Ask) -> bool {
    let text = text.trim();
    let is_label = || {
        ask.questions
            .iter()
            .flat_map(|question| &question.choices)
            .any(|choice| choice.label == text)
    };
    matches!(text, "/help" | "/pending" | "/start") && !is_label()
}

/// Exact values: a label character for character is its option, anything else the person's own words.
fn exact(
    values: &BTreeMap<QuestionId, Vec<String>>,
    ask: &Ask,
) -> Result<Vec<(QuestionId, Answer)>, BadValues> {
    let mut answers = Vec::with_capacity(values.len());
    for (id, values) in values {
        let question = ask.questions.get(id).ok_or(BadValues::NoQuestion)?;
        if values.len() > 1 && !question.multi_select {
            return Err(BadValues::OnlyOne);
        }
        let (mut choices, mut own) = (Vec::new(), Vec::new());
        for value in values {
            let value = value.trim();
            match question.choices.iter().position(|choice| choice.label == value) {
                Some(position) => choices.push(position),
                None if reply::is_blank(value) => return Err(BadValues::Nothing),
                None if value.chars().count() > reply::OWN_WORDS => return Err(BadValues::TooLong),
                None => own.push(value.to_owned()),
            }
        }
        answers.push((id.clone(), Answer::new(choices, own).ok_or(BadValues::Nothing)?));
    }
    if answers.is_empty() {
        Err(BadValues::Nothing)
    } else {
        Ok(answers)
    }
}

/// Why exact values were not taken.
enum BadValues {
    NoQuestion,
    OnlyOne,
    Nothing,
    TooLong,
}

impl BadValues {
    fn say(&self, actor: &Actor) -> Receipt {
        match self {
            Self::NoQuestion => receipts::bad_value("receipt-value-no-question", &[], actor),
            Self::OnlyOne => receipts::bad_value("receipt-value-only-one", &[], actor),
            Self::Nothing => receipts::bad_value("receipt-value-nothing", &[], actor),
            Self::TooLong => {
                let limit = [("limit", Arg::Count(reply::OWN_WORDS))];
                receipts::bad_value("hint-too-long", &limit, actor)
            }
        }
    }
}
