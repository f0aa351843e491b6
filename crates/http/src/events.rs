//! What happens, as it happens.
//!
//! `GET /v1/events` is a stream of server-sent events about the asks that the caller may see. Changes are numbered
//! here, in the order in which the store tells them, and the last of them are kept, so that a client that was away
//! goes on where it left (`Last-Event-ID`). One that was away for too long, or knows an id from before a restart, is
//! told to read everything anew (`resync`). Only the fact of a change is kept: the ask is read when it is sent, with
//! the rights the caller has then.
//!
//! No task fills the log. Its receiver is drained, under a lock, by whoever looks at it; each stream has another
//! receiver that only wakes it. The store sends a change to all receivers in one step, so who is woken by a change
//! finds it in the log.
//!
//! Tests: `tests/events.rs`.

use std::{
    collections::VecDeque,
    convert::Infallible,
    sync::{Arc, Mutex, PoisonError},
};

use askd_core::{
    broker::{Access, Broker, CallError},
    store::{Change, Changed},
};
use axum::{
    extract::State,
    http::HeaderMap,
    response::{IntoResponse, Response, Sse, sse::Event},
};
use futures_util::stream;
use jiff::{SignedDuration, Timestamp};
use tokio::sync::{
    OwnedSemaphorePermit,
    broadcast::{
        Receiver,
        error::{RecvError, TryRecvError},
    },
};

use crate::{
    Api,
    auth::Caller,
    load::Counted,
    problem::Problem,
    view::{AskView, EventView},
};

/// Longest silence on a stream: below the 60 seconds after which proxies commonly give a connection up.
const QUIET: SignedDuration = SignedDuration::from_secs(15);

/// How long a client waits before it connects again, unless it knows better.
const RETRY: std::time::Duration = std::time::Duration::from_secs(2);

/// The last changes, numbered.
#[derive(Debug)]
pub(crate) struct EventLog {
    /// Tells numbers of this process from those of an earlier one.
    epoch: String,
    log: Mutex<Log>,
}

#[derive(Debug)]
struct Log {
    incoming: Receiver<Change>,
    kept: VecDeque<Change>,
    most: usize,
    /// The number of the newest change; the first change is 1.
    newest: u64,
}

/// What follows a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Following {
    /// This change, and its number.
    Is(u64, Change),
    /// Nothing yet.
    Nothing,
    /// It is not known any more; the newest number is this.
    Forgotten(u64),
}

impl EventLog {
    /// A log that keeps the last `most` changes from now on.
    pub(crate) fn new(broker: &Broker, most: usize) -> Self {
        Self {
            epoch: broker.new_event_id().to_string(),
            log: Mutex::new(Log {
                incoming: broker.changes(),
                kept: VecDeque::new(),
                most,
                newest: 0,
            }),
        }
    }

    fn with<T>(&self, look: impl FnOnce(&mut Log) -> T) -> T {
        // A panic while holding the lock leaves at worst one change out of the log; it never did more than push.
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        log.drain();
        look(&mut log)
    }

    fn newest(&self) -> u64 {
        self.with(|log| log.newest)
    }

    fn following(&self, number: u64) -> Following {
        self.with(|log| log.following(number))
    }

    fn id(&self, number: u64) -> String {
        format!("{}.{number}", self.epoch)
    }

    /// The number in an id, if what followed it is known: not for ids of another process, those that were forgotten,
    /// and what never was one.
    fn number(&self, id: &str) -> Option<u64> {
        let (epoch, number) = id.rsplit_once('.')?;
        let number = number.parse().ok()?;
        let known = epoch == self.epoch && self.with(|log| log.knows_what_follows(number));
        known.then_some(number)
    }
}

impl Log {
    fn drain(&mut self) {
        loop {
            match self.incoming.try_recv() {
                Ok(change) => {
                    self.newest += 1;
                    self.kept.push_back(change);
                    if self.kept.len() > self.most {
                        self.kept.pop_front();
                    }
                }
                // Nobody looked for so long that the store's own buffer ran over: what came before the gap must not
                // be taken for what came right before the next change.
                Err(TryRecvError::Lagged(missed)) => {
                    self.newest += missed;
                    self.kept.clear();
                }
                Err(TryRecvError::Empty | TryRecvError::Closed) => return,
            }
        }
    }

    fn knows_what_follows(&self, number: u64) -> bool {
        number <= self.newest && !matches!(self.following(number), Following::Forgotten(_))
    }

    fn following(&self, number: u64) -> Following {
        let behind = self.newest.saturating_sub(number);
        if behind == 0 {
            return Following::Nothing;
        }
        let from_the_end = usize::try_from(behind).unwrap_or(usize::MAX);
        match self.kept.len().checked_sub(from_the_end) {
            Some(at) => Following::Is(number + 1, self.kept[at]),
            None => Following::Forgotten(self.newest),
        }
    }
}

/// Follow what happens
///
/// Server-sent events, one `ask` event for each change to an ask that the caller may see: asked, shown or failed
/// somewhere, partly answered, ended. `data` is an `AskEvent`. Send `Last-Event-ID` to go on where an earlier
/// stream ended; where that is not possible the first event is `resync`: list the asks anew. Comments come at least
/// every 15 seconds. The stream ends when askd stops, the token is withdrawn or the
/// sign-in ends.
#[utoipa::path(
    get,
    path = "/v1/events",
    operation_id = "events",
    tag = "events",
    params(("Last-Event-ID" = Option<String>, Header, nullable = false, description = "`id` of the last event that was received.")),
    responses((status = 200, description = "The stream.", body = EventView, content_type = "text/event-stream")),
)]
pub(crate) async fn events(
    State(api): State<Arc<Api>>,
    caller: Caller,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let place = (api.load.hold()?, api.load.streams.one_more());
    let (wake, access) = (api.broker.changes(), api.broker.access());
    let now = api.events.newest();
    let known = match headers.get("last-event-id") {
        None => Some(now),
        Some(id) => id.to_str().ok().and_then(|id| api.events.number(id)),
    };
    let quiet_since = api.broker.clock().now();
    let follower = Follower {
        api,
        caller,
        wake,
        access,
        number: known.unwrap_or(now),
        first: Some(if known.is_some() {
            First::Hello
        } else {
            First::Resync
        }),
        quiet_since,
        _place: place,
    };
    let events = stream::unfold(follower, |mut follower| async {
        let event = follower.next().await?;
        Some((Ok::<_, Infallible>(event), follower))
    });
    // Proxies that buffer would hold events back; this header is nginx's, others honour it too.
    Ok(([("x-accel-buffering", "no")], Sse::new(events)).into_response())
}

/// What a stream begins with.
#[derive(Clone, Copy, Debug)]
enum First {
    /// A comment with the id, so that the client has one before anything happens.
    Hello,
    /// What the client has missed is not known.
    Resync,
}

/// One open stream.
struct Follower {
    api: Arc<Api>,
    caller: Caller,
    wake: Receiver<Change>,
    /// Tells when the caller may have lost its access.
    access: Access,
    /// Of the last change that was sent or passed over.
    number: u64,
    first: Option<First>,
    quiet_since: Timestamp,
    /// Among what is held, and counted, for as long as the stream is open.
    _place: (OwnedSemaphorePermit, Counted),
}

impl Follower {
    /// The next event; `None` ends the stream.
    async fn next(&mut self) -> Option<Event> {
        let api = Arc::clone(&self.api);
        let event = loop {
            // A clock that was set back must not keep the stream quiet for longer.
            self.quiet_since = self.quiet_since.min(api.broker.clock().now());
            let quiet_until = self.quiet_since + QUIET;
            // Looked at after every wait: a stream is open for days, and a token may be withdrawn in them.
            if api.broker.stopping().is_cancelled() || !self.caller.is_current(&api.broker).await {
                return None;
            }
            match self.first.take() {
                Some(First::Hello) => break self.comment("connected").retry(RETRY),
                Some(First::Resync) => break self.resync().retry(RETRY),
                None => {}
            }
            match api.events.following(self.number) {
                Following::Is(number, change) => {
                    self.number = number;
                    match self.ask(change).await {
                        Ok(Some(event)) => break event,
                        Ok(None) => {}
                        // The client comes back with the id of the event before, and so misses nothing.
                        Err(_) => return None,
                    }
                }
                Following::Forgotten(newest) => {
                    self.number = newest;
                    break self.resync();
                }
                Following::Nothing if api.broker.clock().now() >= quiet_until => {
                    break self.comment("still here");
                }
                Following::Nothing => {
                    tokio::select! {
                        woken = self.wake.recv() => match woken {
                            // A missed wake-up does not matter: the log tells what happened.
                            Ok(_) | Err(RecvError::Lagged(_)) => {}
                            Err(RecvError::Closed) => return None,
                        },
                        () = self.access.changed() => {}
                        () = api.broker.clock().sleep_until(quiet_until) => {}
                        () = api.broker.stopping().cancelled() => {}
                    }
                }
            }
        };
        self.quiet_since = api.broker.clock().now();
        Some(event)
    }

    /// The event about a change; `None` if the caller may not see the ask, or it is forgotten.
    async fn ask(&self, change: Change) -> Result<Option<Event>, CallError> {
        let record = match self.api.broker.get(&self.caller.principal, change.ask).await {
            Ok(record) => record,
            Err(CallError::NotFound | CallError::Denied(_)) => return Ok(None),
            Err(error) => return Err(error),
        };
        let view = EventView {
            change: word(change.what),
            ask: AskView::from(&record),
        };
        let json = serde_json::to_string(&view).expect("texts, numbers and lists of them are always JSON");
        Ok(Some(self.numbered().event("ask").data(json)))
    }

    fn resync(&self) -> Event {
        self.numbered().event("resync").data("{}")
    }

    /// Without data it is no event to a client, but it moves its `Last-Event-ID` on: what others' asks do would
    /// otherwise push a quiet client out of the log.
    fn comment(&self, text: &str) -> Event {
        self.numbered().comment(text)
    }

    fn numbered(&self) -> Event {
        Event::default().id(self.api.events.id(self.number))
    }
}

fn word(changed: Changed) -> &'static str {
    match changed {
        Changed::Asked => "asked",
        Changed::Delivery => "delivery",
        Changed::Kept => "kept",
        Changed::Ended => "ended",
    }
}
