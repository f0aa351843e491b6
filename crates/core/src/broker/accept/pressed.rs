//! Buttons and forms.

use crate::{
    answer::Answer,
    broker::{
        Broker,
        accept::{Actor, gesture, receipts},
    },
    dispatch,
    id::MessageRef,
    inbound::{Act, Became, Inbound, PressedMessage, Receipt, Sender},
    present::{self, Gesture as ButtonGesture, Message, Payload},
    reply,
    stage::How,
    store::{Delivery, Record, StoreError},
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
        let Some(gesture) = gesture(event, actor, &record, How::Tap) else {
            return Ok(refused(event, &record, actor));
        };
        self.adopt(event, &record, on).await?;
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
        on: Option<&PressedMessage>,
    ) -> Result<Receipt, StoreError> {
        let message = on.map(|on| &on.message);
        let Some((_, record)) = self.asked_by(event, payload, message).await? else {
            return Ok(receipts::button_old(actor));
        };
        let actor = &self.about(actor, &record);
        let Some(gesture) = gesture(event, actor, &record, How::Form) else {
            return Ok(refused(event, &record, actor));
        };
        if let Some(on) = on {
            self.adopt(event, &record, on).await?;
        }
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

    /// Takes a prompt over whose `post` was never confirmed. Whoever presses a button on it proves that it was shown,
    /// and it must be edited with the others. Only for who may answer: others can send the data of any button they see
    /// with the name of any message, and must not decide which messages an ask has.
    async fn adopt(&self, event: &Inbound, record: &Record, on: &PressedMessage) -> Result<(), StoreError> {
        if showing(record, &on.message).is_some() {
            return Ok(());
        }
        let (message, placed) = (&on.message, on.placed);
        self.store
            .adopt(record.ask.id, &event.at, message, placed, self.clock.now())
            .await
    }

    /// The message whose button was pressed, as the dispatcher is about to render it: see `Receipt::shows`.
    pub(super) async fn shows(
        &self,
        event: &Inbound,
        receipt: &Receipt,
    ) -> Result<Option<Message>, StoreError> {
        let on = match &event.act {
            Act::Pressed { message, .. } => Some(message),
            Act::Filled { message, .. } => message.as_ref(),
            Act::Said(_) | Act::Submitted { .. } => None,
        };
        let Some(on) = on else { return Ok(None) };
        let Some(ask) = receipt.ask.filter(|_| receipt.became == Became::Settled) else {
            return Ok(None);
        };
        let Some(record) = self.store.get(ask).await? else {
            return Ok(None);
        };
        let Some(delivery) = showing(&record, &on.message) else {
            return Ok(None);
        };
        let (at, directory) = (delivery.conversation(), self.directory());
        let can = self.capabilities(at);
        let position = delivery.prompts().position(|shown| shown.message == on.message);
        let Some(position) = position.filter(|_| can.edits) else {
            return Ok(None);
        };
        let reader = dispatch::reader(delivery, self.store.as_ref(), &directory).await?;
        let link = dispatch::link(self.public_url(), ask);
        let of = delivery.prompts().count();
        let messages = present::settled(&record.ask, at, &can, &reader, link.as_deref(), of);
        Ok(messages.into_iter().nth(position))
    }

    /// The ask a button belongs to, if it was shown in this conversation: a button's data copied elsewhere, or made
    /// up, is worth nothing, and so it is on a message that is known to be about another ask. A message that is known
    /// proves the place: of an old message, a platform may not tell the whole conversation (Telegram forgets the topic).
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
        if let Some(on) = on
            && let Some(owner) = self.store.by_message(&at.channel, on).await?
            && owner.ask != record.ask.id
        {
            return Ok(None);
        }
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

/// The delivery that a message belongs to.
fn showing<'a>(record: &'a Record, message: &MessageRef) -> Option<&'a Delivery> {
    let shows = |delivery: &&Delivery| delivery.messages.iter().any(|shown| shown.message == *message);
    record.deliveries.iter().find(shows)
}

fn refused(event: &Inbound, record: &Record, actor: &Actor) -> Receipt {
    match event.from {
        Sender::Hidden => receipts::hidden(actor),
        _ => receipts::not_yours(&record.ask, actor),
    }
}
