//! `/help`, `/pending`, `/skip`, `/start`, and pairing.

use std::time::Duration;

use jiff::SignedDuration;

use crate::{
    broker::{
        Broker,
        accept::{Actor, gesture, receipts},
        pair,
    },
    id::PersonName,
    inbound::{Act, Inbound, Receipt, Said, Sender},
    stage::{How, Responder},
    store::{Redeemed, StoreError, Verdict},
};

/// Wrong codes of one account that are looked at within ten minutes. Codes have 128 bits: the limit is for the log,
/// not for the odds.
const MOST_TRIES: u32 = 5;

/// Pairing codes of one text that are looked at where others read.
const MOST_BURNT: usize = 8;

/// How often an unknown account is told how to be paired. Source: SPEC 4.
const TELL_STRANGERS: Duration = Duration::from_mins(10);

/// How long the end of an ask is worth telling to somebody who finds nothing open. Source: SPEC 4.
pub(super) const RECENT: SignedDuration = SignedDuration::from_hours(1);

impl Broker {
    /// Carries a command out, or a pairing code. `None` for any other text; `/skip` is read as a reply.
    pub(super) async fn command(
        &self,
        event: &Inbound,
        actor: &Actor,
        said: &Said,
    ) -> Result<Option<Receipt>, StoreError> {
        let text = said.text.trim();
        let heard = event.direct || said.addressed;
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        if let Some(code) = code_in(said).filter(|_| event.direct) {
            return self.redeem(event, actor, code).await.map(Some);
        }
        if let Some(receipt) = self.burn(event, actor, said).await? {
            return Ok(Some(receipt));
        }
        if !heard || !rest.is_empty() && word != "/start" {
            return Ok(None);
        }
        Ok(match word {
            "/help" | "/start" | "/pending" if actor.responder.is_none() => {
                Some(self.stranger(event, actor).await?)
            }
            "/help" | "/start" => Some(receipts::help(&self.capabilities(&event.at), actor)),
            "/pending" => {
                let open = self.store.open_at(&event.at).await?;
                if open.is_empty() {
                    Some(self.nothing_open(event, actor).await?)
                } else {
                    let actor = &self.about(actor, &open[0]);
                    Some(receipts::pending(&open, self.clock.now(), actor))
                }
            }
            _ => None,
        })
    }

    /// Makes pairing codes worth nothing that others see: in whatever they stand, whoever wrote it, and as often as they
    /// like; of one text the first [`MOST_BURNT`] that look like one. `None` where there are none; what merely looks like one, in the middle of something, is no business of ours.
    pub(super) async fn burn(
        &self,
        event: &Inbound,
        actor: &Actor,
        said: &Said,
    ) -> Result<Option<Receipt>, StoreError> {
        if event.direct {
            return Ok(None);
        }
        let mut burnt = false;
        for code in codes_in(&said.text).take(MOST_BURNT) {
            let (hash, now) = (pair::hash(code), self.clock.now());
            // Under the name of the conversation: whoever quotes a checksum here has tried nothing.
            let redeemed = self
                .store
                .redeem(&hash, &event.at, false, now, MOST_TRIES)
                .await?;
            burnt |= redeemed == Redeemed::Burnt;
        }
        if burnt {
            tracing::warn!(channel = %event.at.channel, "pairing code burnt");
        }
        // Of a text that is nothing but a code it is not told where others read whether it was one.
        if !burnt && code_in(said).is_none() {
            return Ok(None);
        }
        let heard = self.heard_as(event, None, None, Verdict::Other);
        self.store.note(heard).await?;
        Ok(Some(receipts::code_burnt(actor)))
    }

    async fn redeem(&self, event: &Inbound, actor: &Actor, code: &str) -> Result<Receipt, StoreError> {
        let Sender::Account { account, .. } = &event.from else {
            return Ok(receipts::hidden(actor));
        };
        let (hash, now) = (pair::hash(code), self.clock.now());
        let redeemed = self
            .store
            .redeem(&hash, account, event.direct, now, MOST_TRIES)
            .await?;
        if redeemed != Redeemed::TooOften {
            let heard = self.heard_as(event, None, None, Verdict::Other);
            self.store.note(heard).await?;
        }
        Ok(match redeemed {
            Redeemed::Tied(person) => {
                tracing::info!(channel = %account.channel, person = %person, "account paired");
                self.paired(&person, actor)
            }
            Redeemed::Burnt => {
                tracing::warn!(channel = %account.channel, "pairing code burnt");
                receipts::code_burnt(actor)
            }
            Redeemed::Unknown => receipts::code_unknown(actor),
            Redeemed::TooOften => {
                tracing::warn!(channel = %account.channel, "too many pairing codes tried");
                receipts::code_too_often(actor)
            }
        })
    }

    /// What became of a code that was handed in by the same event before; `None` for events of another kind. A code
    /// is used up by then, so it cannot be looked at again.
    pub(super) fn redeemed_before(&self, event: &Inbound, actor: &Actor) -> Option<Receipt> {
        let Act::Said(said) = &event.act else { return None };
        if event.direct {
            code_in(said)?;
        }
        Some(match &actor.responder {
            _ if !event.direct => receipts::code_burnt(actor),
            Some((Responder::Person(person), _)) => self.paired(person, actor),
            _ => receipts::code_unknown(actor),
        })
    }

    fn paired(&self, person: &PersonName, actor: &Actor) -> Receipt {
        let directory = self.directory();
        let language = directory.language(Some(person), actor.told);
        receipts::paired(directory.display(person), language)
    }

    /// An account nobody owns is told how to be paired, at most every ten minutes, and never where others read.
    pub(super) async fn stranger(&self, event: &Inbound, actor: &Actor) -> Result<Receipt, StoreError> {
        let Sender::Account { account, .. } = &event.from else {
            return Ok(receipts::hidden(actor));
        };
        if !event.direct {
            return Ok(receipts::ignored());
        }
        let key = format!("stranger:{account}");
        let first = self
            .store
            .say_once(&key, self.clock.now(), TELL_STRANGERS)
            .await?;
        Ok(if first {
            receipts::stranger(actor)
        } else {
            receipts::ignored()
        })
    }

    /// A reply to a message of ours that is not known, while an ask is pending.
    pub(super) async fn unknown_reply(&self, event: &Inbound, actor: &Actor) -> Result<Receipt, StoreError> {
        if self.is_on_its_way(event).await? {
            return Ok(receipts::on_its_way(actor));
        }
        Ok(receipts::reply_unknown(actor))
    }

    /// Whether a prompt is on its way to where this was said. Before its first post, a direct conversation is known by
    /// the account alone.
    async fn is_on_its_way(&self, event: &Inbound) -> Result<bool, StoreError> {
        if self.store.is_on_its_way(&event.at).await? {
            return Ok(true);
        }
        match &event.from {
            Sender::Account { account, .. } if event.direct => self.store.is_on_its_way(account).await,
            _ => Ok(false),
        }
    }

    /// Nothing waits for an answer here; how the last ask ended is told if that was within the hour.
    pub(super) async fn nothing_open(&self, event: &Inbound, actor: &Actor) -> Result<Receipt, StoreError> {
        if self.is_on_its_way(event).await? {
            return Ok(receipts::on_its_way(actor));
        }
        let since = self.clock.now() - RECENT;
        let Some(last) = self.store.ended_at(&event.at, since).await? else {
            return Ok(receipts::nothing_open(None, &event.at, actor));
        };
        let actor = &self.about(actor, &last);
        let may_answer = gesture(event, actor, &last, How::Reply).is_some();
        Ok(if may_answer && receipts::was_on_time(event, &last.ask) {
            receipts::over(event, &last.ask, actor)
        } else {
            receipts::nothing_open(Some(&last.ask), &event.at, actor)
        })
    }
}

/// The pairing code in a text, bare or behind `/start`. What somebody else said hands nothing in.
fn code_in(said: &Said) -> Option<&str> {
    let text = said.text.trim();
    let code = text
        .strip_prefix("/start")
        .and_then(|rest| rest.starts_with(char::is_whitespace).then_some(rest))
        .unwrap_or(text)
        .trim();
    (is_code(code) && !said.forwarded).then_some(code)
}

/// Everything in a text that looks like a pairing code, in a link too.
fn codes_in(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| is_code(word))
}

/// Whether a text looks like a pairing code: 32 hex digits, which nobody types as an answer.
fn is_code(text: &str) -> bool {
    text.len() == 32
        && text
            .bytes()
            .all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}
