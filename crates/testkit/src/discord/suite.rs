//! The fake Discord as the suite of all channels wants it.
//!
//! The channel itself is not known here: its crate brings it as a [`Connection`] to be made. What this has to know of
//! it is how it writes addresses (`<channel or thread>`, `@<account>`) and the names of messages
//! (`<channel>/<message>`), and that what answers somebody's text replies to that text.
//!
//! Discord acknowledges by number and not by event: a session that is resumed goes on behind the last that its client has
//! received, whatever became of it, and a new one is told nothing of before. So neither `Redelivery` nor `KeptPresses` is
//! offered; that an event can come twice all the same is for the channel's own tests
//! ([`FakeDiscord::redeliver_last`]). Texts cannot be answered privately, nobody is hidden, and no link opens a
//! conversation with a text in it.

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

use super::{Call, FakeDiscord, Fault, MessageAt, Person, Place, Seen, Setup, World};
use crate::{
    channel_suite::{self as suite, Feature, Platform, Saying, SeenButton, SeenForm, SeenMessage, Who},
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

/// A fake Discord with the people of the suite on it: all are in one guild, and talk in one of its channels.
#[derive(Debug)]
pub struct DiscordPlatform {
    fake: FakeDiscord,
    clock: TestClock,
    connect: fn(Connection) -> Arc<dyn Channel>,
    offers: &'static [Feature],
    rest: Mutex<Rest>,
    sara: Person,
    omid: Person,
    stranger: Person,
    /// Another bot of the guild.
    machine: Person,
    group: Place,
    /// Where that bot talks: bots have no direct conversations with each other.
    machines: Place,
}

/// What is needed to know whether everything has come through.
#[derive(Debug, Default)]
struct Rest {
    /// How much was heard, and meant to be, when everything had come through last.
    heard: usize,
    meant: usize,
    /// Ends once a channel that connects has come to rest.
    away: JoinSet<()>,
}

/// How much time passes at once while a channel is away, and how long that takes: its connection is a real one, from
/// which time must not run away.
const STEP: Duration = Duration::from_millis(250);
const STEP_TAKES: Duration = Duration::from_millis(10);

/// Steps that a connection has to be there without anything happening: by then a channel has asked for what it missed.
const QUIET_STEPS: usize = 6;

/// Steps that time moves on at least after a connection broke: nobody comes back at once.
const PAUSE_STEPS: usize = 8;

/// Steps for which a channel that begins is let alone. One that is refused the intents it asks for has to wait before it
/// begins once more.
const PATIENCE: usize = 20;

/// Without the intent for contents.
const OFFERS: &[Feature] = &[
    Feature::Buttons,
    Feature::Forms,
    Feature::Edits,
    Feature::Replies,
    Feature::Threads,
    Feature::Groups,
    Feature::Order,
    Feature::PeopleEdit,
    Feature::Forwards,
    Feature::Attachments,
    Feature::Machines,
    Feature::KeyedPosts,
];

/// With it.
const OFFERS_WITH_CONTENT: &[Feature] = &[
    Feature::Buttons,
    Feature::Forms,
    Feature::Edits,
    Feature::Replies,
    Feature::Threads,
    Feature::Groups,
    Feature::BareGroupTexts,
    Feature::Order,
    Feature::PeopleEdit,
    Feature::Forwards,
    Feature::Attachments,
    Feature::Machines,
    Feature::KeyedPosts,
];

impl DiscordPlatform {
    /// Starts one on which bots read everything. `connect` makes the channel under test.
    pub async fn start(clock: TestClock, connect: fn(Connection) -> Arc<dyn Channel>) -> Self {
        Self::start_as(Setup::default(), clock, connect).await
    }

    /// Starts one.
    pub async fn start_as(
        setup: Setup,
        clock: TestClock,
        connect: fn(Connection) -> Arc<dyn Channel>,
    ) -> Self {
        let offers = if setup.message_content {
            OFFERS_WITH_CONTENT
        } else {
            OFFERS
        };
        let fake = FakeDiscord::start_as(setup, Arc::new(clock.clone())).await;
        let (sara, omid) = (fake.person("Sara"), fake.person("Omid"));
        let (stranger, machine) = (fake.person("Somebody"), fake.machine("Monitor"));
        let group = fake.channel("ops", &[&sara, &omid, &stranger]);
        let machines = fake.channel("alerts", &[&machine]);
        Self {
            fake,
            clock,
            connect,
            offers,
            rest: Mutex::default(),
            sara,
            omid,
            stranger,
            machine,
            group,
            machines,
        }
    }

    /// The platform itself, for its transcript and its counts.
    #[must_use]
    pub fn fake(&self) -> &FakeDiscord {
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
            Who::Machine => &self.machine,
            Who::Hidden => unreachable!("nobody is hidden on Discord, so none is offered"),
        }
    }

    fn place(&self, place: suite::Place) -> Place {
        match place {
            suite::Place::Direct(Who::Machine) => self.machines.clone(),
            suite::Place::Direct(who) => self.person(who).direct(),
            suite::Place::Group => self.group.clone(),
        }
    }

    /// A place and the threads in it.
    fn with_threads(&self, place: &Place) -> Vec<Place> {
        let threads = self.fake.world.look(|state| {
            let channels = state.channels.values();
            let below = channels.filter(|channel| channel.parent() == Some(place.id()));
            below.map(|channel| channel.id).collect::<Vec<u64>>()
        });
        let threads = threads.into_iter().map(|id| Place::new(&self.fake.world, id));
        [place.clone()].into_iter().chain(threads).collect()
    }

    /// The thread below a message, which is begun if there is none.
    fn thread(&self, who: Who, below: MessageAt) -> Place {
        let is_there = self
            .fake
            .world
            .look(|state| state.channels.contains_key(&below.id));
        if is_there {
            Place::new(&self.fake.world, below.id)
        } else {
            self.person(who).opens_thread_below(below, "About this")
        }
    }

    /// Waits, in the background, until a channel is connected and has asked for all that it missed. Time moves on while
    /// it is away, but for the first steps: `patience` is how many.
    fn comes_back(&self, patience: usize, at_least: usize) {
        let (world, clock) = (Arc::clone(&self.fake.world), self.clock.clone());
        self.rest().away.spawn(async move {
            let (mut quiet, mut steps, mut before) = (0, 0, 0);
            while quiet < QUIET_STEPS || steps < at_least {
                tokio::time::sleep(STEP_TAKES).await;
                let connected = is_connected(&world);
                if steps < at_least || (!connected && steps >= patience) {
                    clock.advance(STEP);
                }
                steps += 1;
                let now = world.look(|state| state.calls.len() + state.meant + state.under_way);
                quiet = if connected && now == before { quiet + 1 } else { 0 };
                before = now;
            }
            world.touch();
        });
    }
}

fn is_connected(world: &World) -> bool {
    world.look(|state| {
        let newest = state.sessions.newest();
        newest.is_some_and(super::sessions::Session::is_connected)
    })
}

fn meant(call: suite::Call) -> impl Fn(&Call) -> bool + Send + 'static {
    move |made| match call {
        suite::Call::Post => made.route == "create_message" && !made.replies(),
        suite::Call::Edit => made.route == "update_message",
        suite::Call::Feedback => is_feedback(made),
        suite::Call::Listen => made.route == "get_gateway",
    }
}

/// Whether a call tells somebody what became of what they did.
fn is_feedback(call: &Call) -> bool {
    match call.route {
        "create_message" => call.replies(),
        "create_interaction_response" | "execute_webhook" | "update_original_webhook_message" => true,
        _ => false,
    }
}

#[async_trait]
impl Platform for DiscordPlatform {
    fn offers(&self) -> &'static [Feature] {
        self.offers
    }

    async fn connect(&self, name: ChannelName, clock: Arc<dyn Clock>) -> Arc<dyn Channel> {
        // The process before is gone, and with it its sockets; that they are is noticed later.
        self.fake.world.change(super::state::State::cut_loose);
        let channel = (self.connect)(Connection {
            name,
            api_url: self.fake.url(),
            token: self.fake.token(),
            clock,
        });
        self.comes_back(PATIENCE, 0);
        channel
    }

    fn account(&self, who: Who) -> String {
        format!("@{}", self.person(who).id())
    }

    fn group(&self) -> String {
        self.group.id().to_string()
    }

    fn say(&self, who: Who, place: suite::Place, what: &Saying) -> MessageRef {
        let person = self.person(who);
        let reply_to = what.reply_to.as_ref().map(at);
        let place = match &what.thread {
            Some(message) => self.thread(who, at(message)),
            None => self.place(place),
        };
        let text = what.text.as_str();
        let is_plain = !what.forwarded && !what.attachment && !what.mention && reply_to.is_none();
        if is_plain && let Some((name, option)) = person.types_command(&place, text) {
            let press = person.uses(&place, &name, option.as_deref());
            return MessageRef::new(format!("{}/{}", place.id(), press.id));
        }
        let said = if what.forwarded {
            person.passes_on(text, &place)
        } else if what.attachment {
            person.sends_photo(&place, reply_to, text)
        } else {
            match reply_to {
                Some(to) if what.mention => person.replies_mentioning(to, text),
                Some(to) => person.replies(to, text),
                // What a bot says is meant for us only if it says so.
                None if what.mention || who == Who::Machine => person.mentions_bot(&place, text),
                None => person.says(&place, text),
            }
        };
        name(said)
    }

    fn press(&self, who: Who, button: &SeenButton) {
        self.person(who)
            .presses_data(at(&button.on), &button.data, &button.label);
    }

    fn fill(&self, who: Who, text: &str) {
        self.person(who).fills(text);
    }

    fn edit(&self, who: Who, message: &MessageRef, text: &str) {
        self.person(who).edits(at(message), text);
    }

    fn seen(&self, place: suite::Place) -> Vec<SeenMessage> {
        let reader = match place {
            suite::Place::Direct(who) => self.person(who),
            suite::Place::Group => &self.sara,
        };
        let places = self.with_threads(&self.place(place));
        let mut seen: Vec<Seen> = places.iter().flat_map(|place| reader.sees(place)).collect();
        seen.sort_by_key(|seen| seen.at.id);
        let ours = seen.into_iter().filter(|seen| seen.by_bot && !seen.alone);
        ours.map(shown).collect()
    }

    fn told(&self, who: Who) -> Vec<String> {
        self.person(who).told()
    }

    fn form(&self, who: Who) -> Option<SeenForm> {
        let form = self.person(who).form()?;
        let label = form.inputs.first().map(|input| input.label.clone());
        Some(SeenForm {
            title: form.title,
            label: label.unwrap_or_default(),
        })
    }

    fn feedback(&self) -> usize {
        self.fake.world.look(|state| {
            let asked = state.interactions.values();
            let asked: usize = asked.map(super::interactions::Interaction::feedback).sum();
            let messages = state
                .channels
                .values()
                .flat_map(|channel| channel.messages.values());
            let answers = messages.filter(|message| {
                let replied = message.draft.replies_to().and_then(|to| state.raw_message(to));
                let to_somebody = replied.is_some_and(|replied| !state.account(replied.draft.author).is_bot);
                message.draft.author == state.bot.id && to_somebody
            });
            asked + answers.count()
        })
    }

    fn fail_next(&self, call: suite::Call, fault: suite::Fault) {
        self.fake.fail_meant(meant(call), discords(fault));
    }

    fn fail_all(&self, call: suite::Call, fault: suite::Fault) {
        self.fake.world.change(|state| {
            state
                .faults
                .order_for(Box::new(meant(call)), None, discords(fault));
        });
        if call == suite::Call::Listen {
            // To resume is to ask nobody where the gateway is.
            self.fake.refuse_sockets(true);
            self.fake.world.change(|state| {
                state.sessions.send_all(&super::sessions::Out::Cut);
                state.cut_loose();
            });
        }
    }

    fn mend(&self) {
        self.fake.mend();
        self.fake.refuse_sockets(false);
    }

    fn is_heard(&self) -> bool {
        is_connected(&self.fake.world)
    }

    fn hanging(&self) -> usize {
        self.fake.hanging()
    }

    fn redeliver_last(&self) {
        self.fake.redeliver_last();
    }

    fn drop_connection(&self) {
        // Before it can come back it has to be gone.
        self.fake.world.change(|state| {
            state.sessions.send_all(&super::sessions::Out::Cut);
            state.cut_loose();
        });
        self.comes_back(0, PAUSE_STEPS);
    }

    fn fall_silent(&self) {
        self.fake.freeze_sockets();
        self.fake.mute_sockets(true);
    }

    fn speak_again(&self) {
        self.fake.mute_sockets(false);
        self.drop_connection();
    }

    fn delete(&self, message: &MessageRef) {
        self.group.delete(at(message));
    }

    /// All was told and received, what people did for us was heard, and what was said while nobody listened was asked
    /// for.
    fn is_idle(&self, heard: usize) -> bool {
        let mut rest = self.rest();
        while rest.away.try_join_next().is_some() {}
        if !rest.away.is_empty() || !self.fake.is_idle() {
            return false;
        }
        let (meant, unread, calls) = self.fake.world.look(|state| {
            let calls = state.under_way - state.faults.hanging;
            (state.meant, state.unread(), calls)
        });
        // More may be heard than was meant to be: people talk, too, and nobody has to look away.
        let idle = unread == 0 && calls == 0 && heard - rest.heard >= meant - rest.meant;
        if idle {
            (rest.heard, rest.meant) = (heard, meant);
        }
        idle
    }

    fn activity(&self) -> watch::Receiver<u64> {
        self.fake.activity()
    }

    fn violations(&self) -> Vec<String> {
        self.fake.violations()
    }
}

impl super::state::State {
    /// No session is connected any more, whatever its socket still does.
    fn cut_loose(&mut self) {
        let now = self.now;
        let sockets: Vec<u64> = self.sessions.sockets.keys().copied().collect();
        for socket in sockets {
            self.sessions.disconnect(socket, None, now);
        }
    }

    /// Messages that people wrote for the bot while nobody listened, and that it has not asked for.
    fn unread(&self) -> usize {
        let channels = self.channels.values();
        let messages = channels.flat_map(super::state::Channel::open_messages);
        messages
            .filter(|message| !message.handed_out && self.is_meant(message))
            .count()
    }
}

/// The suite's faults, as Discord has them.
fn discords(fault: suite::Fault) -> Fault {
    match fault {
        suite::Fault::Throttled(pause) => Fault::Throttled { pause },
        suite::Fault::Unclear { done } => Fault::Lost { done },
        suite::Fault::Refused => Fault::unauthorized(),
        suite::Fault::Unreachable => Fault::cannot_reach(),
        suite::Fault::Rejected => Fault::invalid_form(),
        suite::Fault::Garbage => Fault::Gateway { status: 200 },
        suite::Fault::Hang => Fault::Hangs { done: false },
    }
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
    MessageRef::new(at.to_string())
}

fn at(name: &MessageRef) -> MessageAt {
    let parts = name.as_str().split_once('/').and_then(|(channel, id)| {
        Some(MessageAt {
            channel: channel.parse().ok()?,
            id: id.parse().ok()?,
        })
    });
    parts.unwrap_or_else(|| panic!("a message is named <channel>/<message>, not {name:?}"))
}
