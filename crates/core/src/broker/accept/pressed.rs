//! Buttons and forms.

use crate::{
    answer::Answer,
    broker::{
        Broker,
        accept::{Actor, gesture, receipts},
    },
    id::MessageRef,
    inbound::{Inbound, PressedMessage, Receipt, Sender},
    present::{Gesture as ButtonGesture, Payload},
    reply,
    stage::How,
    store::{Record, StoreError},
};

impl Broker {
    pub(super) async fn pressed(
        &self,
        event: &Inbound,
        actor: &Actor,
        payload: &str,
        on: &PressedMessage,
    ) -> Result<Receipt, StoreError> {
        let Some((payload, record)) = self.asked_by(event, payload, Some(&on.message)).await? else {
            return Ok(receipts::button_old(actor));
        };
        let actor = &self.about(actor, &record);
        let known = record
            .deliveries
            .iter()
            .any(|d| d.messages.iter().any(|m| m.message == on.message));
        if !known {
            // Its `post` was never confirmed. Whoever presses it proves that it was shown, and it must be edited with
            // the others.
            let (message, placed) = (&on.message, on.placed);
            self.store
                .adopt(record.ask.id, &event.at, message, placed, self.clock.now())
                .await?;
        }
        let Some(gesture) = gesture(event, actor, &record, How::Tap) else {
            return Ok(refused(event, &record, actor));
        };
        if record.ask.outcome().is_some() {
            return Ok(receipts::over(event, &record.ask, actor));
        }
        match payload.gesture {
            ButtonGesture::Skip => self.skip(&gesture, &record).await,
            ButtonGesture::Other => match record.ask.questions.only() {
                Some(question) => Ok(receipts::write_own(
                    &record.ask,
                    question,
                    payload,
                    &self.capabilities(&event.at),
                    actor,
                )),
                None => Ok(receipts::button_old(actor)),
            },
            ButtonGesture::Choose(position) => {
                let question = record.ask.questions.only().filter(|q| position < q.choices.len());
                let Some(question) = question else {
                    return Ok(receipts::button_old(actor));
                };
                let answers = vec![(question.id.clone(), Answer::choice(position))];
                self.hand_in(&gesture, &record, answers, None).await
            }
        }
    }

    pub(super) async fn filled(
        &self,
        event: &Inbound,
        actor: &Actor,
        payload: &str,
        text: &str,
    ) -> Result<Receipt, StoreError> {
        let Some((_, record)) = self.asked_by(event, payload, None).await? else {
            return Ok(receipts::button_old(actor));
        };
        let actor = &self.about(actor, &record);
        let Some(gesture) = gesture(event, actor, &record, How::Form) else {
            return Ok(refused(event, &record, actor));
        };
        if record.ask.outcome().is_some() {
            return Ok(receipts::over(event, &record.ask, actor));
        }
        let Some(question) = record.ask.questions.only() else {
            return Ok(receipts::button_old(actor));
        };
        match reply::read_own_words(text, question) {
            Ok(answer) => {
                self.hand_in(&gesture, &record, vec![(question.id.clone(), answer)], None)
                    .await
            }
            Err(hint) => Ok(receipts::hint(
                &hint,
                &record.ask,
                &self.capabilities(&event.at),
                actor,
            )),
        }
    }

    /// The ask a button belongs to, if it was shown in this conversation: a button's data copied elsewhere, or made
    /// up, is worth nothing. A message that is known proves the place: of an old message, a platform may not tell the
    /// whole conversation (Telegram forgets the topic).
    async fn asked_by(
        &self,
        event: &Inbound,
        payload: &str,
        on: Option<&MessageRef>,
    ) -> Result<Option<(Payload, Record)>, StoreError> {
        let Some(payload) = Payload::parse(payload) else {
            return Ok(None);
        };
        let Some(record) = self.store.by_action(payload.token).await? else {
            return Ok(None);
        };
        let at = &event.at;
        let here = record.deliveries.iter().any(|delivery| {
            // Before its post is confirmed, a direct address has no conversation to compare with.
            delivery.conversation() == at
                || (!delivery.is_delivered() && delivery.to.channel == at.channel)
                || (delivery.to.channel == at.channel
                    && on.is_some_and(|on| delivery.messages.iter().any(|shown| shown.message == *on)))
        });
        Ok(here.then_some((payload, record)))
    }
}

fn refused(event: &Inbound, record: &Record, actor: &Actor) -> Receipt {
    match event.from {
        Sender::Hidden => receipts::hidden(actor),
        _ => receipts::not_yours(&record.ask, actor),
    }
}
