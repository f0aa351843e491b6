//! Taking an ask over: validate, choose who is asked, store.

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::{
    ask::{
        Ask, Draft, Warning,
        validate::{Faults, Rules, validate},
    },
    broker::Broker,
    clock::whole_millis,
    id::{ActionToken, AskId, DeliveryId, hex},
    people::Directory,
    rights::{Denied, Principal},
    route::{self, Destination, Plan},
    stage::{End, Outcome, Pending, Responder, Stage, Unreached},
    store::{Asked, Delivery, DeliveryState, IdempotencyKey, NewAsk, Record, StoreError},
};

/// What an entrance hands in.
#[derive(Clone, Debug)]
pub struct Request {
    /// The ask as JSON, unchecked.
    pub body: Value,
    /// What makes a repeat of this request return the first ask.
    pub key: Option<Key>,
    /// The agent's name as its client tells it; the token's name, if absent.
    pub agent: Option<String>,
    /// What this entrance accepts.
    pub rules: Rules,
}

/// What makes a repeat return the first ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Key {
    /// Sent as such: another body under the same key is refused.
    Explicit(String),
    /// Derived from the client's call id: another body is another ask.
    Derived(String),
}

/// An ask that was taken over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// The ask with its deliveries, as it is now.
    pub record: Record,
    /// Whether the key had been used before, and this is that ask.
    pub repeat: bool,
}

/// Why an ask was not taken over; nothing was stored.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AskError {
    /// The caller may not ask.
    #[error(transparent)]
    Denied(#[from] Denied),
    /// The request breaks rules; all of them are listed.
    #[error(transparent)]
    Faults(#[from] Faults),
    /// The idempotency key was used with another body.
    #[error("the idempotency key was used for another request")]
    OtherBody,
    /// The caller has too many pending asks; wait for one of them.
    #[error("{pending} asks of this token are pending, and {max} is the most")]
    TooMany {
        /// How many are pending.
        pending: usize,
        /// The limit.
        max: usize,
    },
    /// The store did not take it; the same request may be tried again.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Broker {
    /// Takes an ask over: once this returns, it is stored and will be shown.
    ///
    /// # Errors
    /// See [`AskError`]; nothing was stored then.
    pub async fn ask(&self, who: &Principal, request: Request) -> Result<Accepted, AskError> {
        who.may_ask()?;
        let draft = validate(&request.body, &request.rules)?;
        let agent = request.agent.unwrap_or_else(|| who.token.to_string());
        let directory = self.directory();
        let ties = self.store.ties().await?;
        let session = draft.session.as_ref().map(|session| session.id.as_str());
        let plan = route::choose(&directory, &ties, &agent, session);
        let key = request.key.map(|key| idempotency(&key, &request.body));

        let on_panel = self.is_on_panel(plan.as_ref().ok(), &directory).await?;
        let woken = match &plan {
            Ok(plan) => self.to_be_woken(&plan.answerers).await?,
            Err(_) => Vec::new(),
        };

        let mut record = self.make(who, agent, draft, plan, on_panel);
        // They count as destinations beside others: an ask that reaches a browser has reached somebody. One that nobody
        // can be asked by their route is over by now, and wakes nobody.
        if record.ask.outcome().is_none() {
            let now = record.ask.created_at;
            let pushes = woken.into_iter().map(|browser| self.wake(browser, now));
            record.deliveries.extend(pushes);
        }
        record.end_if_lost(record.ask.created_at);
        let new = NewAsk {
            record,
            key,
            max_pending: Some(self.settings.max_pending),
        };
        match self.store.ask(new).await? {
            Asked::New(record) => {
                let record = self.without_stopped_channels(record).await?;
                tracing::info!(
                    ask.id = %record.ask.id,
                    owner = %record.ask.owner,
                    deliveries = record.deliveries.len(),
                    status = record.ask.status(),
                    "ask taken over"
                );
                Ok(Accepted {
                    record: *record,
                    repeat: false,
                })
            }
            Asked::Repeat(record) => Ok(Accepted {
                record: *record,
                repeat: true,
            }),
            Asked::OtherBody => Err(AskError::OtherBody),
            Asked::TooMany { pending } => Err(AskError::TooMany {
                pending,
                max: self.settings.max_pending,
            }),
        }
    }

    /// A channel may have stopped between choosing it and storing the ask; its sweep of open deliveries then missed
    /// this one.
    async fn without_stopped_channels(&self, record: Box<Record>) -> Result<Box<Record>, StoreError> {
        let queued = record
            .deliveries
            .iter()
            .filter(|delivery| delivery.state == DeliveryState::Queued);
        let stopped = queued.filter_map(|delivery| {
            let channel = &delivery.to.channel;
            Some((channel.clone(), self.lost(channel)?))
        });
        let stopped: Vec<_> = stopped.collect();
        if stopped.is_empty() {
            return Ok(record);
        }
        for (channel, why) in stopped {
            self.store
                .channel_stopped(&channel, why, self.clock.now())
                .await?;
        }
        Ok(self.store.get(record.ask.id).await?.map_or(record, Box::new))
    }

    /// Whether an ask without a destination reaches somebody all the same: who may answer it has a token, or is signed
    /// in to the panel.
    async fn is_on_panel(&self, plan: Option<&Plan>, directory: &Directory) -> Result<bool, StoreError> {
        let Some(plan) = plan.filter(|plan| plan.destinations.is_empty()) else {
            return Ok(false);
        };
        if plan
            .answerers
            .iter()
            .any(|person| directory.with_token.contains(person))
        {
            return Ok(true);
        }
        let answerers: Vec<Responder> = plan.answerers.iter().cloned().map(Responder::Person).collect();
        self.store.any_signed_in(&answerers, self.clock.now()).await
    }

    fn make(
        &self,
        who: &Principal,
        agent: String,
        draft: Draft,
        plan: Result<Plan, Unreached>,
        on_panel: bool,
    ) -> Record {
        let now = whole_millis(self.clock.now());
        let (plan, unrouted) = match plan {
            Ok(plan) => (plan, None),
            Err(why) => (
                Plan {
                    destinations: Vec::new(),
                    answerers: Vec::new(),
                },
                Some(why),
            ),
        };
        let no_destination = plan.destinations.is_empty();
        let waits_for_panel = unrouted.is_none() && (self.channels.is_empty() || on_panel);
        let mut warnings = draft.warnings;
        if waits_for_panel {
            warnings.push(Warning::NoChannel);
        }
        let unreached = unrouted.or((no_destination && !waits_for_panel).then_some(Unreached::NoAccount));
        let stage = match unreached {
            Some(why) => Stage::Over(Outcome {
                end: End::Undelivered(why),
                at: now,
            }),
            None => Stage::Pending(Pending::default()),
        };
        let ask = Ask {
            id: AskId::make(now, self.chance.as_ref()),
            owner: who.token.clone(),
            agent,
            session: draft.session,
            run: draft.run,
            context: draft.context,
            questions: draft.questions,
            action: ActionToken::make(self.chance.as_ref()),
            answerers: plan.answerers,
            waits_for_panel,
            created_at: now,
            deadline: now + jiff::SignedDuration::from_secs(i64::from(draft.timeout_seconds)),
            warnings,
            stage,
        };
        let deliveries = plan
            .destinations
            .into_iter()
            .map(|to| self.delivery(to, now))
            .collect();
        Record { ask, deliveries }
    }

    fn delivery(&self, destination: Destination, now: jiff::Timestamp) -> Delivery {
        let lost = self.lost(&destination.to.channel);
        let state = lost.map_or(DeliveryState::Queued, DeliveryState::Failed);
        Delivery {
            id: DeliveryId::make(self.chance.as_ref()),
            to: destination.to,
            at: None,
            person: destination.person,
            language: destination.language,
            time_zone: destination
                .time_zone
                .and_then(|zone| zone.iana_name().map(str::to_owned)),
            state,
            due: lost.is_none().then_some(now),
            claimed_until: None,
            attempts: 0,
            unclear: false,
            messages: Vec::new(),
        }
    }
}

fn idempotency(key: &Key, body: &Value) -> IdempotencyKey {
    // Two spellings of one request are one request. Objects are sorted anyway, unless another crate of the build wants
    // serde_json's `preserve_order`, which holds for all of it.
    let mut body = body.clone();
    body.sort_all_objects();
    let body: [u8; 32] = Sha256::digest(body.to_string()).into();
    let key = match key {
        Key::Explicit(key) => format!("key:{key}"),
        Key::Derived(call) => {
            format!("call:{}:{call}", hex(&body))
        }
    };
    IdempotencyKey { key, body }
}
