//! The fake Telegram as the suite of all channels wants it.
//!
//! The channel itself is not known here: its crate brings it as a [`Connection`] to be made. What this has to know of
//! it is how it writes addresses (`<chat>`, or `<chat>/<topic>`) and the names of messages (`<chat>/<message>`), and
//! that what answers somebody's text replies to that text, silently.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use askd_core::{
    channel::Channel,
    clock::Clock,
    id::{ChannelName, MessageRef},
};
use async_trait::async_trait;
use tokio::{sync::watch, task::JoinSet};

use super::{Arguments, FakeTelegram, Fault, Markup, MessageAt, Person, Place, Seen, World, message::Author};
use crate::{
    channel_suite::{self as suite, Call, Feature, Platform, Saying, SeenButton, SeenForm, SeenMessage, Who},
    clock::TestClock,
};

/// What a channel needs to connect to the fake.
#[derive(Debug)]
pub struct Connection {
    /// The channel's name.
    pub name: ChannelName,
    /// What `api_url` of the configuration would say.
    pub api_url: String,
    /// The bot's token.
    pub token: String,
    /// The clock of everything.
    pub clock: Arc<dyn Clock>,
}

/// A fake Telegram with the people of the suite on it: each has started the bot, and all are in one group.
#[derive(Debug)]
pub struct TelegramPlatform {
    fake: FakeTelegram,
    clock: TestClock,
    connect: fn(Connection) -> Arc<dyn Channel>,
    rest: Mutex<Rest>,
    sara: Person,
    omid: Person,
    stranger: Person,
    /// An administrator who speaks as the group.
    hidden: Person,
    group: Place,
}

/// What is needed to know whether everything has come through.
#[derive(Debug, Default)]
struct Rest {
    /// Hand-outs that were never heard, because the process died on them.
    unheard: usize,
    /// Lets time pass until a channel whose connection broke is back.
    away: JoinSet<()>,
}

/// How much time passes at once while a channel is away, and how long that takes: its connection is a real one, from
/// which time must not run away.
const STEP: Duration = Duration::from_millis(250);
const STEP_TAKES: Duration = Duration::from_millis(10);

const OFFERS: &[Feature] = &[
    Feature::Buttons,
    Feature::Edits,
    Feature::Replies,
    Feature::Groups,
    Feature::Order,
    Feature::PeopleEdit,
    Feature::Forwards,
    Feature::Attachments,
    Feature::HiddenSenders,
    Feature::Redelivery,
    Feature::KeptPresses,
    Feature::PairingLinks,
];

impl TelegramPlatform {
    /// Starts one. `connect` makes the channel under test.
    pub async fn start(clock: TestClock, connect: fn(Connection) -> Arc<dyn Channel>) -> Self {
        let fake = FakeTelegram::start(Arc::new(clock.clone())).await;
        let (sara, omid) = (fake.person("Sara"), fake.person("Omid"));
        let (stranger, hidden) = (fake.person("Somebody"), fake.person("Administrator"));
        let group = fake.supergroup("Ops", &[&hidden, &sara, &omid, &stranger]);
        Self {
            fake,
            clock,
            connect,
            rest: Mutex::default(),
            sara,
            omid,
            stranger,
            hidden,
            group,
        }
    }

    /// The platform itself, for its transcript and its counts.
    #[must_use]
    pub fn fake(&self) -> &FakeTelegram {
        &self.fake
    }

    fn rest(&self) -> MutexGuard<'_, Rest> {
        self.rest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn person(&self, who: Who) -> &Person {
        match who {
            Who::Sara => &self.sara,
            Who::Omid => &self.omid,
            Who::Stranger => &self.stranger,
            Who::Hidden => &self.hidden,
            Who::Machine => unreachable!("bots do not hear bots, so none is offered"),
        }
    }

    fn place(&self, place: suite::Place) -> Place {
        match place {
            suite::Place::Direct(who) => self.person(who).direct(),
            suite::Place::Group => self.group.clone(),
        }
    }
}

#[async_trait]
impl Platform for TelegramPlatform {
    fn offers(&self) -> &'static [Feature] {
        OFFERS
    }

    async fn connect(&self, name: ChannelName, clock: Arc<dyn Clock>) -> Arc<dyn Channel> {
        (self.connect)(Connection {
            name,
            api_url: self.fake.url(),
            token: self.fake.token(),
            clock,
        })
    }

    fn account(&self, who: Who) -> String {
        self.person(who).id().to_string()
    }

    fn group(&self) -> String {
        self.group.id().to_string()
    }

    fn say(&self, who: Who, place: suite::Place, what: &Saying) -> MessageRef {
        let (person, place) = (self.person(who), self.place(place));
        let reply_to = what.reply_to.as_ref().map(at);
        let text = if what.mention {
            format!("@{} {}", self.fake.username(), what.text)
        } else {
            what.text.clone()
        };
        let said = if what.forwarded {
            person.passes_on(&text, &self.hidden, &place)
        } else if what.attachment {
            person.sends_photo(&place, reply_to, &text)
        } else {
            match (who, reply_to) {
                (Who::Hidden, Some(to)) => person.replies_anonymously(to, &text),
                (Who::Hidden, None) => person.says_anonymously(&place, &text),
                (_, Some(to)) => person.replies(to, &text),
                (_, None) => person.says(&place, &text),
            }
        };
        name(said)
    }

    fn press(&self, who: Who, button: &SeenButton) {
        self.person(who)
            .taps_data(at(&button.on), &button.data, &button.label);
    }

    fn fill(&self, _: Who, _: &str) {
        unreachable!("Telegram has no forms, so none is offered");
    }

    fn edit(&self, who: Who, message: &MessageRef, text: &str) {
        self.person(who).edits(at(message), text);
    }

    fn seen(&self, place: suite::Place) -> Vec<SeenMessage> {
        let reader = match place {
            suite::Place::Direct(who) => self.person(who),
            suite::Place::Group => &self.sara,
        };
        let seen = reader.sees(&self.place(place)).into_iter();
        seen.filter(|seen| seen.by_bot).map(shown).collect()
    }

    fn told(&self, who: Who) -> Vec<String> {
        let id = self.person(who).id();
        let answers = self.fake.answers().into_iter();
        answers
            .filter(|(by, _)| *by == id)
            .filter_map(|(_, answer)| answer.text)
            .collect()
    }

    fn form(&self, _: Who) -> Option<SeenForm> {
        None
    }

    fn feedback(&self) -> usize {
        self.fake.world.look(|state| {
            // Also where the platform says that it was answered already: nobody can do more.
            let taps = state
                .calls
                .iter()
                .filter(|call| call.method == "answerCallbackQuery" && call.outcome.is_some());
            // A demand to reply comes with the answer to a tap, which is counted already.
            let messages = state.chats.values().flat_map(|chat| chat.messages.values());
            let answers = messages.filter(|message| {
                let replied = message.reply_to.map(|id| MessageAt { id, ..message.at });
                let to_somebody = replied.and_then(|at| {
                    let chat = state.chats.get(&at.chat)?;
                    Some(chat.messages.get(&at.id)?.author != Author::Bot)
                });
                message.author == Author::Bot
                    && to_somebody == Some(true)
                    && !matches!(message.markup, Markup::ForceReply { .. })
            });
            taps.count() + answers.count()
        })
    }

    fn fail_next(&self, call: Call, fault: suite::Fault) {
        self.fake.fail_meant(meant(call), telegrams(fault));
    }

    fn fail_all(&self, call: Call, fault: suite::Fault) {
        self.fake.world.change(|state| {
            state
                .faults
                .order_for(Box::new(meant(call)), None, telegrams(fault));
        });
        if call == Call::Listen {
            self.fake.break_poll();
        }
    }

    fn mend(&self) {
        self.fake.mend();
    }

    fn is_heard(&self) -> bool {
        polls(&self.fake.world)
    }

    fn hanging(&self) -> usize {
        self.fake.hanging()
    }

    fn redeliver_last(&self) {
        self.fake.redeliver_last();
    }

    fn drop_connection(&self) {
        self.fake.break_poll();
        let (world, clock) = (Arc::clone(&self.fake.world), self.clock.clone());
        self.rest().away.spawn(async move {
            // Before it can come back it has to be gone.
            tokio::time::sleep(STEP_TAKES).await;
            while !polls(&world) {
                clock.advance(STEP);
                tokio::time::sleep(STEP_TAKES).await;
            }
            world.touch();
        });
    }

    fn fall_silent(&self) {
        let hangs = Fault::Hangs { done: false };
        self.fake.fail_until_mended("getUpdates", hangs);
        self.fake.break_poll();
    }

    fn speak_again(&self) {
        self.fake.mend();
        self.drop_connection();
    }

    fn delete(&self, message: &MessageRef) {
        self.group.delete(at(message));
    }

    /// All is fetched and confirmed, and a poll waits. Or the channel has heard everything and does not confirm it,
    /// because it was not taken over: that is refused, as far as Telegram can tell.
    fn is_idle(&self, heard: usize) -> bool {
        let mut rest = self.rest();
        while rest.away.try_join_next().is_some() {}
        if !rest.away.is_empty() {
            return false;
        }
        let (idle, fresh, handed_out) = self.fake.world.look(|state| {
            let updates = &state.updates;
            let idle = updates.waiting() == 0 && updates.polling > 0;
            (idle, updates.fresh(), updates.handed_out().sum::<usize>())
        });
        if idle {
            rest.unheard = handed_out.saturating_sub(heard);
        }
        idle || (fresh == 0 && handed_out == heard + rest.unheard)
    }

    fn activity(&self) -> watch::Receiver<u64> {
        self.fake.activity()
    }

    fn violations(&self) -> Vec<String> {
        self.fake.violations()
    }
}

/// What answers somebody replies to them, and a prompt replies to nobody.
fn meant(call: Call) -> impl Fn(&str, &Arguments) -> bool + Send + 'static {
    move |method, arguments| {
        let replies = arguments.has("reply_parameters");
        match call {
            Call::Post => method == "sendmessage" && !replies,
            Call::Edit => method == "editmessagetext",
            Call::Feedback => method == "answercallbackquery" || (method == "sendmessage" && replies),
            Call::Listen => method == "getupdates",
        }
    }
}

fn polls(world: &World) -> bool {
    world.look(|state| state.updates.polling > 0)
}

/// The suite's faults, as Telegram has them.
fn telegrams(fault: suite::Fault) -> Fault {
    match fault {
        suite::Fault::Throttled(pause) => Fault::Throttled {
            seconds: whole_seconds(pause),
        },
        suite::Fault::Unclear { done } => Fault::Lost { done },
        suite::Fault::Refused => Fault::unauthorized(),
        suite::Fault::Unreachable => Fault::blocked(),
        suite::Fault::Rejected => Fault::Refused {
            code: 400,
            description: "Bad Request: message is too long".to_owned(),
        },
        suite::Fault::Garbage => Fault::Gateway { status: 200 },
        suite::Fault::Hang => Fault::Hangs { done: false },
    }
}

fn whole_seconds(pause: Duration) -> u64 {
    pause.as_secs() + u64::from(pause.subsec_nanos() > 0)
}

fn shown(seen: Seen) -> SeenMessage {
    let message = name(seen.at);
    let button = |button: super::SeenButton| SeenButton {
        label: button.label,
        on: message.clone(),
        data: button.data,
    };
    SeenMessage {
        buttons: seen.buttons.into_iter().flatten().map(button).collect(),
        text: seen.text,
        rang: seen.rang,
        message,
    }
}

fn name(at: MessageAt) -> MessageRef {
    MessageRef::new(format!("{}/{}", at.chat, at.id))
}

fn at(name: &MessageRef) -> MessageAt {
    let parts = name.as_str().split_once('/').and_then(|(chat, id)| {
        Some(MessageAt {
            chat: chat.parse().ok()?,
            id: id.parse().ok()?,
        })
    });
    parts.unwrap_or_else(|| panic!("a message is named <chat>/<message>, not {name:?}"))
}
