//! The connection: what comes over the socket is handed in, and answered.
//!
//! One loop owns everything. The socket (`link`) tells what happens; texts wait for their turn (`lines`), interactions do
//! not, because they are worth nothing after three seconds. What people are told (`feedback`) runs beside that. Discord
//! tells nothing again: what was said in a gap is read anew at the beginning of each session (`missed`).
//!
//! It ends only where coming back is pointless: the token is refused, or the application may not connect. On stop, what is
//! under way gets three seconds, and the gateway is told goodbye.

mod feedback;
mod lines;
mod link;
mod missed;
mod seen;
mod trouble;
mod turns;

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use askd_core::{
    channel::ChannelError,
    dispatch::backoff,
    inbound::{Inbound, Inbox, NotTaken, Receipt, Sender},
};
use futures_util::{StreamExt as _, stream::FuturesUnordered};
use serde::{Deserialize, de::IgnoredAny};
use serenity::model::id::{ChannelId, MessageId};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use self::{
    feedback::Reply,
    lines::{Lines, Text},
    link::{Heard, Link},
    missed::Look,
    seen::Seen,
    turns::Turns,
};
use crate::{
    api::Route,
    channel::{DiscordChannel, Sent},
    known::Kind,
    limits,
    read::{Answer, Did, Reading, Spot, event, read},
    render,
};

/// Attempts after which a text no longer holds up its conversation.
const PATIENCE: u32 = 4;

/// Attempts after which a text is given up, if others were taken over meanwhile: some minutes.
const MOST_ATTEMPTS: u32 = 12;

/// Texts that may wait at once, and feedback on its way with them. Unit: events, of some kilobytes each. Where more is said
/// while the store takes nothing, the conversations are read anew later.
const MOST_WAITING: usize = 1_000;

/// Longest pause before a text is handed in again.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

type Work<'a> = Pin<Box<dyn Future<Output = Done<'a>> + Send + 'a>>;

/// What came of a piece of work, and what is left to do.
enum Done<'a> {
    /// A text of this conversation was handed in.
    Text {
        channel: ChannelId,
        then: Option<Work<'a>>,
    },
    /// What was said in a gap. Newer texts have waited for it.
    Missed { found: Vec<Text>, rest: Option<Look> },
    /// More of it. They have not.
    Late { found: Vec<Text>, rest: Option<Look> },
    /// Nothing is left.
    Nothing,
}

/// Receives until `stop`.
pub(crate) async fn listen(
    channel: &DiscordChannel,
    inbox: &dyn Inbox,
    stop: CancellationToken,
) -> Result<(), ChannelError> {
    let mut receiver = Receiver {
        hearing: Hearing {
            channel,
            inbox,
            seen: Arc::default(),
            turns: Arc::default(),
            taken: Arc::default(),
        },
        lines: Lines::default(),
        work: FuturesUnordered::new(),
        are_commands_registered: false,
        overheard: false,
    };
    let mut link = Link::new(channel, inbox);
    receiver.run(&mut link, &stop).await?;
    receiver.wind_up(link).await;
    Ok(())
}

struct Receiver<'a> {
    hearing: Hearing<'a>,
    lines: Lines,
    /// Events being handed in, and receipts being shown.
    work: FuturesUnordered<Work<'a>>,
    are_commands_registered: bool,
    /// Whether there were texts for which no room was left. Those after them are left too, until all that waits was taken
    /// over: from where the last was handed in, the conversations are then read anew.
    overheard: bool,
}

impl<'a> Receiver<'a> {
    async fn run(&mut self, link: &mut Link<'a>, stop: &CancellationToken) -> Result<(), ChannelError> {
        loop {
            tokio::select! {
                () = stop.cancelled() => return Ok(()),
                Some(done) = self.work.next(), if !self.work.is_empty() => self.done(done),
                heard = link.next() => match heard? {
                    Heard::Began => self.began(),
                    Heard::Event { kind, json } => self.heard(kind, json),
                },
            }
        }
    }

    /// A new session has begun.
    fn began(&mut self) {
        let channel = self.hearing.channel;
        tracing::info!(channel = %channel.name, "receiving");
        self.look_back();
        if !self.are_commands_registered {
            self.are_commands_registered = true;
            self.work.push(Box::pin(register_commands(channel)));
        }
    }

    /// Reads anew what was said since the last text was heard, before newer ones.
    fn look_back(&mut self) {
        self.overheard = false;
        self.lines.hold();
        let hearing = self.hearing.clone();
        self.work.push(Box::pin(async move {
            let mut look = Look::default();
            let is_whole = look.in_time(&hearing).await;
            let found = look.found();
            let rest = (!is_whole).then_some(look);
            Done::Missed { found, rest }
        }));
    }

    /// Whether there is room for one more text.
    fn has_room(&mut self) -> bool {
        let held = self.lines.waiting() + self.work.len();
        if held >= MOST_WAITING && !self.overheard {
            self.overheard = true;
            let name = &self.hearing.channel.name;
            tracing::error!(channel = %name, texts = held, "too many texts wait");
        }
        !self.overheard
    }

    fn heard(&mut self, kind: String, json: String) {
        /// Where a text stands, and whose it is.
        #[derive(Deserialize)]
        struct Where {
            id: MessageId,
            channel_id: ChannelId,
            author: Option<event::User>,
            /// A text or a number, and told of what the bot itself sent.
            #[serde(default)]
            nonce: serde_json::Value,
        }
        let channel = self.hearing.channel;
        match kind.as_str() {
            "MESSAGE_CREATE" | "MESSAGE_UPDATE" => {
                let Ok(event) = serde_json::from_str::<event::Payload<Where>>(&json) else {
                    tracing::warn!(channel = %channel.name, "event not understood");
                    return;
                };
                let by = event.d.author.map(|author| author.id);
                if let (Some(nonce), Some(me)) = (event.d.nonce.as_str(), channel.known.me())
                    && by == Some(me.user)
                {
                    let (id, channel_id) = (event.d.id, event.d.channel_id);
                    channel.known.stands(nonce, Sent { id, channel_id });
                }
                let text = Text {
                    channel: event.d.channel_id,
                    kind,
                    json,
                };
                if self.has_room()
                    && let Some(text) = self.lines.join(text)
                {
                    self.hand_in(text);
                }
            }
            "INTERACTION_CREATE" => {
                let hearing = self.hearing.clone();
                self.work.push(Box::pin(hearing.interaction(json)));
            }
            _ => {
                if let Some(me) = channel.known.me() {
                    channel.known.places().hear(&kind, &json, me.user);
                }
            }
        }
    }

    fn hand_in(&mut self, text: Text) {
        let hearing = self.hearing.clone();
        self.work.push(Box::pin(hearing.text(text)));
    }

    /// A piece of work is done.
    fn done(&mut self, done: Done<'a>) {
        match done {
            Done::Nothing => {}
            Done::Text { channel, then } => {
                self.work.extend(then);
                if let Some(next) = self.lines.next(channel) {
                    self.hand_in(next);
                }
            }
            Done::Missed { found, rest } => {
                self.found(found.len());
                for text in self.lines.let_go(found) {
                    self.hand_in(text);
                }
                self.look_on(rest);
            }
            Done::Late { found, rest } => {
                self.found(found.len());
                for text in found
                    .into_iter()
                    .filter_map(|text| self.lines.join(text))
                    .collect::<Vec<_>>()
                {
                    self.hand_in(text);
                }
                self.look_on(rest);
            }
        }
        if self.overheard && self.work.is_empty() && self.lines.waiting() == 0 {
            self.look_back();
        }
    }

    fn found(&self, texts: usize) {
        if texts > 0 {
            tracing::info!(channel = %self.hearing.channel.name, texts, "texts of a gap read");
        }
    }

    /// Goes on with a look back that takes long. Where another session has begun since, that looks for itself.
    fn look_on(&mut self, rest: Option<Look>) {
        let Some(mut look) = rest.filter(|_| !self.lines.are_held()) else {
            return;
        };
        let hearing = self.hearing.clone();
        self.work.push(Box::pin(async move {
            let goes_on = look.step(&hearing).await;
            let found = look.found();
            let rest = goes_on.then_some(look);
            Done::Late { found, rest }
        }));
    }

    /// Finishes what is under way as far as there is time.
    async fn wind_up(&mut self, link: Link<'a>) {
        let name = &self.hearing.channel.name;
        // Real time: a stop is promised to be short by the clock on the wall.
        let rest = async {
            while let Some(done) = self.work.next().await {
                if let Done::Text { then: Some(then), .. } = done {
                    self.work.push(then);
                }
            }
        };
        link.goodbye();
        let rest = timeout(limits::GRACE, rest).await;
        if rest.is_err() {
            tracing::warn!(channel = %name, "receipts dropped");
        }
    }
}

/// Tells Discord our commands. They are a comfort: without them everything works.
async fn register_commands<'a>(channel: &DiscordChannel) -> Done<'a> {
    let Some(me) = channel.known.me() else {
        return Done::Nothing;
    };
    let route = Route::Commands(me.application);
    if let Err(failure) = channel
        .api
        .send::<_, IgnoredAny>(route, &render::command_list())
        .await
    {
        tracing::warn!(
            channel = %channel.name,
            error = &failure as &dyn std::error::Error,
            "commands not registered"
        );
    }
    Done::Nothing
}

/// What handing an event in needs.
#[derive(Clone)]
struct Hearing<'a> {
    channel: &'a DiscordChannel,
    inbox: &'a dyn Inbox,
    seen: Arc<Seen>,
    turns: Arc<Turns>,
    /// How often the inbox has taken something over.
    taken: Arc<AtomicU64>,
}

impl<'a> Hearing<'a> {
    /// Hands in what was typed.
    async fn text(self, text: Text) -> Done<'a> {
        let channel = text.channel;
        let then = self.typed(text).await;
        Done::Text { channel, then }
    }

    async fn typed(self, text: Text) -> Option<Work<'a>> {
        self.look_up_unless_direct(&text).await;
        let Did { inbound, answer } = self.read(&text.kind, &text.json)?;
        if !self.seen.is_new(&inbound.event) {
            return None;
        }
        let Answer::Reply(to) = answer else { return None };
        self.talks(to.channel, to.message, inbound.direct);
        let reply = self.reply(&inbound);
        let taken_then = self.taken.load(Ordering::Relaxed);
        for failures in 0..PATIENCE {
            if let Some(receipt) = self.try_once(&inbound, &reply, to, failures).await {
                return Some(Box::pin(async move {
                    reply.write(to, &receipt).await;
                    Done::Nothing
                }));
            }
        }
        // It holds up its conversation no longer.
        Some(Box::pin(async move {
            let mut failures = PATIENCE;
            // A store that takes nothing says nothing of this text.
            while failures < MOST_ATTEMPTS || self.taken.load(Ordering::Relaxed) == taken_then {
                if let Some(receipt) = self.try_once(&inbound, &reply, to, failures).await {
                    reply.write(to, &receipt).await;
                    return Done::Nothing;
                }
                failures = failures.saturating_add(1);
            }
            tracing::error!(channel = %self.channel.name, event.id = %inbound.event, "text given up");
            Done::Nothing
        }))
    }

    /// Hands a text in, after a pause where it was refused before. Discord does not hand it out again, so it is kept here
    /// until the inbox takes it; whoever typed it is told once.
    async fn try_once(
        &self,
        inbound: &Inbound,
        reply: &Reply<'_>,
        to: Spot,
        failures: u32,
    ) -> Option<Receipt> {
        if failures > 0 {
            let pause = backoff::pause(failures - 1, self.channel.chance.as_ref());
            self.channel.pause(pause.min(LONGEST_PAUSE)).await;
        }
        match self.accept(inbound.clone()).await {
            Ok(receipt) => Some(receipt),
            Err(not_taken) => {
                if failures == 0 {
                    reply.write(to, &feedback::apology(not_taken)).await;
                }
                None
            }
        }
    }

    async fn accept(&self, inbound: Inbound) -> Result<Receipt, NotTaken> {
        let receipt = self.inbox.accept(inbound).await?;
        self.taken.fetch_add(1, Ordering::Relaxed);
        Ok(receipt)
    }

    /// Hands in a press, a form or a command, and answers it.
    async fn interaction(self, json: String) -> Done<'a> {
        let Some(Did {
            inbound,
            answer: Answer::Interaction(to),
        }) = self.read("INTERACTION_CREATE", &json)
        else {
            return Done::Nothing;
        };
        let Some(me) = self.channel.known.me() else {
            return Done::Nothing;
        };
        if !self.seen.is_new(&inbound.event) {
            return Done::Nothing;
        }
        if inbound.direct {
            self.channel.known.places().learn(to.channel, Kind::Direct);
        }
        let reply = self.reply(&inbound);
        reply.answer(&to, me.application, self.accept(inbound)).await;
        Done::Nothing
    }

    fn read(&self, kind: &str, json: &str) -> Option<Did> {
        let me = self.channel.known.me()?;
        let places = self.channel.known.places();
        let reading = Reading {
            channel: &self.channel.name,
            me: &me,
            places: &places,
        };
        read(kind, json, &reading)
    }

    fn reply(&self, inbound: &Inbound) -> Reply<'a> {
        Reply {
            channel: self.channel,
            inbox: self.inbox,
            turns: Arc::clone(&self.turns),
            at: inbound.at.clone(),
            direct: inbound.direct,
            language: match &inbound.from {
                Sender::Account { language, .. } => *language,
                _ => None,
            },
        }
    }

    /// There is talk.
    fn talks(&self, channel: ChannelId, message: MessageId, direct: bool) {
        let known = &self.channel.known;
        if direct {
            known.places().learn(channel, Kind::Direct);
            known.talks().begin(channel, message);
        } else {
            known.talks().go_on(channel, message);
        }
    }

    async fn look_up_unless_direct(&self, text: &Text) {
        /// Told in a server alone.
        #[derive(Deserialize)]
        struct In {
            guild_id: Option<event::Ignored>,
        }
        let told = serde_json::from_str::<event::Payload<In>>(&text.json);
        if told.is_ok_and(|event| event.d.guild_id.is_some()) {
            self.look_up(text.channel).await;
        }
    }

    /// Finds out what a channel is, unless that is known. What cannot be found out is taken for an ordinary channel.
    async fn look_up(&self, channel: ChannelId) {
        let known = self.channel.known.places().kind(channel);
        if known.is_some() {
            return;
        }
        match self
            .channel
            .api
            .ask::<event::Channel>(Route::Channel(channel))
            .await
        {
            Ok(told) => self.channel.known.places().told(told),
            Err(failure) => tracing::debug!(
                channel = %self.channel.name,
                error = &failure as &dyn std::error::Error,
                "channel not looked up"
            ),
        }
    }
}
