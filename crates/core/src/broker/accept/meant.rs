//! Which ask a typed text is for.

use crate::{
    broker::Broker,
    id::AskId,
    inbound::{Inbound, Said},
    store::{MessageRole, Record, StoreError},
};

/// Which ask a typed text is for.
pub(super) enum Meant {
    /// This one.
    Ask {
        record: Box<Record>,
        /// Why it is this one.
        because: Because,
    },
    /// Several are pending here, and the text does not say which.
    Several(Vec<Record>),
    /// It replies to a message of ours that is not known, which may be the prompt of another ask than the pending ones.
    Unknown,
    /// None is pending here, and the text was meant for us.
    None,
    /// The text was not meant for us.
    Unheard,
}

/// Why a text is for an ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Because {
    /// It replies to a message about the ask, of this role.
    Reply(MessageRole),
    /// It stands in the thread of such a message, or in a thread where one ask alone is pending, and says nothing of us:
    /// only what is plainly an answer counts.
    Thread,
    /// It is the only pending ask of the conversation, in which the text was meant for us.
    Only,
}

impl Because {
    /// Why a text that was heard in full before is for the same ask again.
    pub(super) const AGAIN: Self = Self::Reply(MessageRole::Prompt);
}

impl Broker {
    /// Finds the ask that a text is for: the one whose message it replies to or whose thread it is in, else the only
    /// pending one of the conversation, unless it replies to what may be another's.
    pub(super) async fn meant(&self, event: &Inbound, said: &Said) -> Result<Meant, StoreError> {
        let addressed = event.direct || said.addressed;
        let channel = &event.at.channel;
        if let Some(message) = &said.reply_to
            && let Some(owner) = self.store.by_message(channel, message).await?
            && let Some(record) = self.store.get(owner.ask).await?
        {
            return Ok(Meant::Ask {
                record: Box::new(record),
                because: Because::Reply(owner.role),
            });
        }
        if let Some(message) = &said.thread
            && let Some(owner) = self.store.by_message(channel, message).await?
            && let Some(record) = self.store.get(owner.ask).await?
        {
            let because = if addressed {
                Because::Reply(owner.role)
            } else {
                Because::Thread
            };
            return Ok(Meant::Ask {
                record: Box::new(record),
                because,
            });
        }
        if !addressed && !self.capabilities(&event.at).is_thread {
            return Ok(Meant::Unheard);
        }
        let mut open = self.store.open_at(&event.at).await?;
        let because = if addressed { Because::Only } else { Because::Thread };
        Ok(match open.len() {
            1 if said.reply_to.is_some() => Meant::Unknown,
            1 => Meant::Ask {
                record: Box::new(open.remove(0)),
                because,
            },
            _ if !addressed => Meant::Unheard,
            0 => Meant::None,
            _ => Meant::Several(open),
        })
    }

    /// The ask an edited text was for when it was first said, if that left it open to being read again.
    pub(super) async fn meant_before(
        &self,
        event: &Inbound,
        said: &Said,
    ) -> Result<Option<(AskId, bool)>, StoreError> {
        use crate::store::Verdict;
        let heard = self.store.heard_message(&event.at.channel, &said.message).await?;
        Ok(
            heard
                .and_then(|heard| Some((heard.ask?, matches!(heard.verdict, Verdict::Hint | Verdict::Kept)))),
        )
    }
}
