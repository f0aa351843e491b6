//! The seam to a database.
//!
//! Each method is one domain fact and one transaction: when it returns `Ok`, it is durable, and it happened whole or
//! not at all. The rules are in [`record`], shared by every store; a store loads, calls, and writes. Time comes in.
//! Absence is `Ok(None)`, a lost race is a value ([`Closed`]), and an error means that nothing was done.
//!
//! Every store is held to `askd_testkit::store_suite`.

pub mod delivery;
pub mod memory;
pub mod record;
pub mod sign_in;
pub mod tally;

use std::{fmt::Debug, time::Duration};

use async_trait::async_trait;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use tokio::sync::broadcast;

pub use self::{
    delivery::{
        Delivery, DeliveryState, Failure, MessageOwner, MessageRole, PutBack, ShownMessage, Task, Work,
    },
    record::Record,
    sign_in::{SignIn, SignInCode},
    tally::{DeliveryResult, Fact, Tally},
};
use crate::{
    answer::Answers,
    channel::{Posted, Source},
    id::{
        ActionToken, Address, AskId, ChannelName, DeliveryId, EventId, MessageRef, PersonName, RunId,
        TokenName,
    },
    inbound::Placed,
    people::Tie,
    push::{Subscription, SubscriptionId},
    stage::{Closed, End, Kept, Responder, SettledBy},
    words::Language,
};

/// Where asks live.
#[async_trait]
pub trait Store: Debug + Send + Sync {
    /// Stores a new ask with its deliveries, unless its key has been used or its owner has too many pending (which
    /// keeps no ask out that is over already). The same ask once more, after an unclear error, is a repeat.
    async fn ask(&self, new: NewAsk) -> Result<Asked, StoreError>;

    /// The ask with its deliveries.
    async fn get(&self, id: AskId) -> Result<Option<Record>, StoreError>;

    /// Asks that match, newest first, at most `filter.limit`.
    async fn list(&self, filter: &Filter) -> Result<Vec<Record>, StoreError>;

    /// The ask whose buttons carry this token, whatever its stage.
    async fn by_action(&self, token: ActionToken) -> Result<Option<Record>, StoreError>;

    /// The ask that this message is about, whatever its stage.
    async fn by_message(
        &self,
        channel: &ChannelName,
        message: &MessageRef,
    ) -> Result<Option<MessageOwner>, StoreError>;

    /// Pending asks of which a prompt was shown in this conversation (as events name it), oldest first.
    async fn open_at(&self, at: &Address) -> Result<Vec<Record>, StoreError>;

    /// Whether a pending ask is on its way to this conversation: to be posted, being posted, or posted without a
    /// confirmation. People may see it already.
    async fn is_on_its_way(&self, at: &Address) -> Result<bool, StoreError>;

    /// Of the asks that were shown in this conversation, the one that ended last, if at or after `since`.
    async fn ended_at(&self, at: &Address, since: Timestamp) -> Result<Option<Record>, StoreError>;

    /// What became of an event that was taken over before.
    async fn heard(&self, channel: &ChannelName, event: &EventId) -> Result<Option<Heard>, StoreError>;

    /// What became of a message when it was first said (not of later versions of it).
    async fn heard_message(
        &self,
        channel: &ChannelName,
        message: &MessageRef,
    ) -> Result<Option<Heard>, StoreError>;

    /// Records an event that changed no ask, for recognising it again. A known event changes nothing.
    async fn note(&self, heard: Heard) -> Result<(), StoreError>;

    /// Adds to what a person has answered, and ends the ask where that completes it. `heard` is recorded in the same
    /// transaction; if its event is known already, nothing is changed and the result tells what is stored now.
    /// `None` if there is no such ask.
    async fn keep(
        &self,
        id: AskId,
        answers: Answers,
        by: SettledBy,
        heard: Option<Heard>,
        now: Timestamp,
    ) -> Result<Option<Kept>, StoreError>;

    /// Ends an ask. The first stored end wins; the deadline is compared inside the transaction. `heard` as in
    /// [`Store::keep`]. `None` if there is no such ask.
    async fn close(
        &self,
        id: AskId,
        end: End,
        heard: Option<Heard>,
        now: Timestamp,
    ) -> Result<Option<Closed>, StoreError>;

    /// Cancels every pending ask of this owner's run; of any owner's, if `owner` is `None`. Returns those it ended,
    /// including those that it found expired.
    async fn cancel_run(
        &self,
        owner: Option<&TokenName>,
        run: &RunId,
        now: Timestamp,
    ) -> Result<Vec<AskId>, StoreError>;

    /// Ends every pending ask whose deadline has passed. Returns those it ended.
    async fn expire(&self, now: Timestamp) -> Result<Vec<AskId>, StoreError>;

    /// The earliest deadline of a pending ask.
    async fn next_deadline(&self) -> Result<Option<Timestamp>, StoreError>;

    /// Claims at most `max` due deliveries of this channel until `until`, earliest first, and never two of one
    /// conversation at once, so that messages arrive in order.
    async fn claim(
        &self,
        channel: &ChannelName,
        now: Timestamp,
        until: Timestamp,
        max: usize,
    ) -> Result<Vec<Task>, StoreError>;

    /// When this channel next has something to do; may be in the past. What waits for a claim in its conversation is
    /// due when that claim runs out, not before, so that nobody asks in vain.
    async fn next_due(&self, channel: &ChannelName) -> Result<Option<Timestamp>, StoreError>;

    /// Records that a claimed prompt was posted.
    async fn posted(
        &self,
        ask: AskId,
        id: DeliveryId,
        posted: &Posted,
        now: Timestamp,
    ) -> Result<(), StoreError>;

    /// Records that a claimed delivery shows the outcome.
    async fn settled(&self, ask: AskId, id: DeliveryId, follow_up: Option<&Posted>)
    -> Result<(), StoreError>;

    /// Ends a claim whose work could not be done. Returns whether that ended the ask as undelivered.
    async fn put_back(
        &self,
        ask: AskId,
        id: DeliveryId,
        how: PutBack,
        now: Timestamp,
    ) -> Result<bool, StoreError>;

    /// Gives up every open delivery of a channel that stopped for good; where its credentials were refused, all but the
    /// edits of what is over. Returns the asks that this ended.
    async fn channel_stopped(
        &self,
        channel: &ChannelName,
        why: Failure,
        now: Timestamp,
    ) -> Result<Vec<AskId>, StoreError>;

    /// Lets go of every claim on this channel, so that its work is due at once, and brings what is due much later nearer
    /// ([`Record::let_go`]). For the one process that serves the channel, before its dispatcher runs: whoever held the
    /// claims has died.
    async fn let_go(&self, channel: &ChannelName, now: Timestamp) -> Result<(), StoreError>;

    /// The clock was set back `by` this much: what is claimed or tried again later on this channel is moved along
    /// ([`Record::set_back`]), so that every pause is as long as it was meant to be.
    async fn set_back(
        &self,
        channel: &ChannelName,
        by: SignedDuration,
        now: Timestamp,
    ) -> Result<(), StoreError>;

    /// Channels that have open deliveries, to find those that are no longer configured.
    async fn channels_with_work(&self) -> Result<Vec<ChannelName>, StoreError>;

    /// Records further messages about an ask in one of its conversations; ignored elsewhere.
    async fn add_note(&self, ask: AskId, posted: &Posted, role: MessageRole) -> Result<(), StoreError>;

    /// Records that a panel showed the ask to `person` (or to an operator), by the rule of [`Record::seen`]; `id` is the
    /// name of the delivery that this is. Returns the ask as it is then; `None` if there is none.
    async fn seen(
        &self,
        ask: AskId,
        at: &Address,
        person: Option<&PersonName>,
        id: DeliveryId,
        now: Timestamp,
    ) -> Result<Option<Record>, StoreError>;

    /// Takes over a prompt whose post was never confirmed and on which somebody pressed a button.
    async fn adopt(
        &self,
        ask: AskId,
        at: &Address,
        message: &MessageRef,
        placed: Option<Placed>,
        now: Timestamp,
    ) -> Result<(), StoreError>;

    /// Whether `node` holds the channel until `until`: it does if nobody else's lease reaches beyond `now`. A single
    /// node always gets it.
    async fn lease(
        &self,
        channel: &ChannelName,
        node: &str,
        now: Timestamp,
        until: Timestamp,
    ) -> Result<bool, StoreError>;

    /// Accounts tied to people by pairing, and those cut off; oldest first.
    async fn ties(&self) -> Result<Vec<Tie>, StoreError>;

    /// Stores a tie; it replaces an earlier one of the same account.
    async fn tie(&self, tie: Tie) -> Result<(), StoreError>;

    /// The language that the platform last told of who reads at this account.
    async fn language_of(&self, account: &Address) -> Result<Option<Language>, StoreError>;

    /// Stores what the platform tells of an account's language; it replaces what was told before.
    async fn put_language(&self, account: &Address, language: Language) -> Result<(), StoreError>;

    /// Stores a pairing code, by its hash.
    async fn put_code(&self, code: PairingCode) -> Result<(), StoreError>;

    /// Uses a pairing code up, by the rule of [`Redeemed::decide`]. At most `most_tries` wrong codes per account are
    /// looked at within [`TRIES_WINDOW`].
    async fn redeem(
        &self,
        hash: &CodeHash,
        account: &Address,
        direct: bool,
        now: Timestamp,
        most_tries: u32,
    ) -> Result<Redeemed, StoreError>;

    /// Stores a code for signing in to the panel, by its hash.
    async fn put_sign_in_code(&self, code: SignInCode) -> Result<(), StoreError>;

    /// Uses a code for signing in up, by the rule of [`SignInCode::redeem`]: the sign-in it is good for is stored under
    /// `secret`. `None` for a code that is not known, was used, or is too old.
    async fn sign_in(
        &self,
        code: &CodeHash,
        secret: &CodeHash,
        now: Timestamp,
    ) -> Result<Option<SignIn>, StoreError>;

    /// The sign-in that is stored under `secret`, if it lasts at `now`.
    async fn signed_in(&self, secret: &CodeHash, now: Timestamp) -> Result<Option<SignIn>, StoreError>;

    /// Whether anybody is signed in as one of these at `now`.
    async fn any_signed_in(&self, who: &[Responder], now: Timestamp) -> Result<bool, StoreError>;

    /// Ends the sign-in that is stored under `secret`. Returns whether there was one.
    async fn sign_out(&self, secret: &CodeHash) -> Result<bool, StoreError>;

    /// Ends every sign-in of `who`, and makes every code for another worth nothing. Returns how many sign-ins ended.
    async fn sign_out_all(&self, who: &Responder) -> Result<usize, StoreError>;

    /// Stores the subscription of a browser: in place of what its sign-in had, and of what another had of the same browser.
    /// Of one who has more than `most`, the oldest go. `false`, and nothing is stored, where the sign-in has ended by `now`.
    ///
    /// A subscription ends with its sign-in, however that ends.
    async fn subscribe(&self, new: Subscription, most: usize, now: Timestamp) -> Result<bool, StoreError>;

    /// Forgets the subscription of this sign-in. Returns whether there was one.
    async fn unsubscribe(&self, sign_in: &CodeHash) -> Result<bool, StoreError>;

    /// Forgets a subscription that its push service does not know any more.
    async fn drop_subscription(&self, id: &SubscriptionId) -> Result<(), StoreError>;

    /// The subscription of this name, if its sign-in lasts at `now`.
    async fn subscription(
        &self,
        id: &SubscriptionId,
        now: Timestamp,
    ) -> Result<Option<Subscription>, StoreError>;

    /// Every subscription of these whose sign-in lasts at `now`, oldest first.
    async fn subscriptions(&self, who: &[Responder], now: Timestamp)
    -> Result<Vec<Subscription>, StoreError>;

    /// Whether this was not said since `now - every`; if so, it is recorded as said at `now`.
    async fn say_once(&self, key: &str, now: Timestamp, every: Duration) -> Result<bool, StoreError>;

    /// Deletes asks that ended before `before`, with everything about them, oldest first, but none of a session that
    /// is still in use: one of whose asks is pending or ended later. Returns how many asks. Also deletes small
    /// records (events without a stored ask, things said once, codes, tries, sign-ins, leases) from before `before`. At
    /// most `max` of each a call, so that the writer stays free.
    async fn prune(&self, before: Timestamp, max: usize) -> Result<usize, StoreError>;

    /// Deletes history, with everything about it, at most `max` asks a call so that the writer stays free. Never an ask that
    /// has something left to do ([`Record::is_done`]): one that is pending, or whose messages do not show its end yet. Those
    /// are counted as kept.
    async fn forget(&self, what: &Forget, max: usize) -> Result<Forgotten, StoreError>;

    /// How many asks are pending.
    async fn count_pending(&self) -> Result<u64, StoreError>;

    /// Finds out whether anything can be stored: writes one small record, makes it durable, and keeps no other trace. What
    /// a database that is only read would not notice, a full disk or a file that became read-only, is an error here.
    async fn probe(&self, now: Timestamp) -> Result<(), StoreError>;

    /// What was counted since the store was opened. From memory: must not block.
    fn tally(&self) -> Tally;

    /// Tells of every stored change to an ask, after it is durable. A receiver that lags misses some and must read
    /// anew; a change may be told twice.
    fn changes(&self) -> broadcast::Receiver<Change>;
}

/// What a store is given to keep.
#[derive(Clone, Debug)]
pub struct NewAsk {
    /// The ask, pending, or over already where it reaches nobody.
    pub record: Record,
    /// The key that makes a repeat return the first ask.
    pub key: Option<IdempotencyKey>,
    /// Most pending asks of the same owner; the next is refused. `None`: no limit.
    pub max_pending: Option<usize>,
}

/// The key of an ask, unique among those of its owner for as long as the ask is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdempotencyKey {
    /// As the agent sent it, or as derived from a call id and the body.
    pub key: String,
    /// SHA-256 of the request, so that another request under the same key is noticed.
    pub body: [u8; 32],
}

/// What became of a new ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Stored.
    New(Box<Record>),
    /// The key was used with the same body; this is that ask, as it is now.
    Repeat(Box<Record>),
    /// The key was used with another body.
    OtherBody,
    /// The owner has this many pending already.
    TooMany {
        /// How many.
        pending: usize,
    },
}

/// Which history to delete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Forget {
    /// This ask.
    Ask(AskId),
    /// Every ask of this session, whoever asked.
    Session(String),
    /// Every ask that ended before this instant, of sessions that are in use too.
    EndedBefore(Timestamp),
}

impl Forget {
    /// Whether this ask is meant, done or not.
    #[must_use]
    pub fn means(&self, record: &Record) -> bool {
        let ask = &record.ask;
        match self {
            Self::Ask(id) => ask.id == *id,
            Self::Session(id) => ask.session.as_ref().is_some_and(|session| session.id == *id),
            Self::EndedBefore(instant) => ask.outcome().is_some_and(|outcome| outcome.at < *instant),
        }
    }
}

/// What became of history that was to be deleted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Forgotten {
    /// Asks that are gone.
    pub forgotten: usize,
    /// Asks that were meant and are still there, because something is left to do about them.
    pub kept: usize,
}

/// Which asks to list.
#[derive(Clone, Debug)]
pub struct Filter {
    /// Of this owner only.
    pub owner: Option<TokenName>,
    /// That this person may answer only.
    pub answerer: Option<PersonName>,
    /// `pending` or the word of an end.
    pub status: Option<String>,
    /// Of this session only.
    pub session: Option<String>,
    /// Older than this ask only (ids sort by time).
    pub before: Option<AskId>,
    /// At most this many.
    pub limit: usize,
}

/// What became of an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heard {
    /// On which channel.
    pub channel: ChannelName,
    /// The event, unique on its channel.
    pub event: EventId,
    /// The message it was about, for later versions of it.
    pub message: Option<MessageRef>,
    /// The ask it was for.
    pub ask: Option<AskId>,
    /// Who did it, where known.
    pub who: Option<Responder>,
    /// What became of it.
    pub verdict: Verdict,
    /// When it was taken over.
    pub at: Timestamp,
}

/// What became of an event, as far as later events need to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// It ended the ask, or tried to.
    Settled,
    /// It was kept, or tried to be. A later version of the message is read again.
    Kept,
    /// It got a hint. A later version of the message is read again.
    Hint,
    /// Anything else.
    Other,
}

/// A pairing code as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairingCode {
    /// SHA-256 of the code.
    pub hash: CodeHash,
    /// Whose account it will tie.
    pub person: PersonName,
    /// When it is worth nothing any more.
    pub expires: Timestamp,
}

/// SHA-256 of a secret that askd made, a pairing code or what signs somebody in: 128 random bits need no salt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CodeHash(pub [u8; 32]);

/// What became of a pairing code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Redeemed {
    /// The account is tied to this person now.
    Tied(PersonName),
    /// The code was shown outside a direct conversation, and is worth nothing any more.
    Burnt,
    /// No such code, or no longer.
    Unknown,
    /// This account has tried too often.
    TooOften,
}

/// The instant this long before `now`, or the earliest there is: "never twice" is a very long time.
#[must_use]
pub fn ago(now: Timestamp, long: Duration) -> Timestamp {
    now.checked_sub(long).unwrap_or(Timestamp::MIN)
}

/// How far back wrong pairing codes of an account count; those from further ahead than that are of a clock that was set
/// back, and count no more.
pub const TRIES_WINDOW: Duration = Duration::from_mins(10);

/// How long a one-time code is worth something, for pairing and for signing in. Source: SPEC 5.
pub const CODE_LIFE: SignedDuration = SignedDuration::from_mins(10);

/// Whether a code that is good until `expires` is worth something. Not if it seems to last for more than twice its life:
/// then the clock was set back, and how old it is nobody knows.
#[must_use]
pub fn is_fresh(expires: Timestamp, now: Timestamp) -> bool {
    now < expires && expires.duration_since(now) <= CODE_LIFE * 2
}

/// Whether what was said at `said` is within `every`. What was said in the future was said before the clock was set back,
/// and keeps nobody from being told again.
#[must_use]
pub fn is_recent(said: Timestamp, now: Timestamp, every: Duration) -> bool {
    ago(now, every) < said && said <= now
}

impl Redeemed {
    /// What becomes of a code that `found` is stored for, shown by an account with this many wrong `tries`.
    ///
    /// The store then acts on it: after `Tied` the code and the account's tries go and the tie is stored, after
    /// `Burnt` the code goes, after `Unknown` a try is noted, and `TooOften` changes nothing. A code seen by others
    /// is burnt whoever shows it and however often they tried.
    #[must_use]
    pub fn decide(found: Option<&PairingCode>, direct: bool, tries: u32, most: u32, now: Timestamp) -> Self {
        match found.filter(|code| is_fresh(code.expires, now)) {
            Some(_) if !direct => Self::Burnt,
            _ if tries >= most => Self::TooOften,
            Some(code) => Self::Tied(code.person.clone()),
            None => Self::Unknown,
        }
    }
}

/// Something about an ask changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// Which ask.
    pub ask: AskId,
    /// What changed.
    pub what: Changed,
}

/// What changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Changed {
    /// It was asked.
    Asked,
    /// A delivery came on, or has something to do.
    Delivery,
    /// A partial answer was kept.
    Kept,
    /// It ended.
    Ended,
}

/// Why a store did not do what it was asked; nothing was changed. `Display` names no content.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Busy or out of reach; the same call may work in a moment.
    #[error("the store is not available")]
    Unavailable(#[source] Source),
    /// There is no room left; it works again when there is.
    #[error("the store is full")]
    Full(#[source] Source),
    /// What is stored cannot be read. Someone must act: restore a backup.
    #[error("the store is damaged")]
    Damaged(#[source] Source),
}
