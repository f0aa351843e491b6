//! The fake Slack as the suite of all channels wants it.
//!
//! The channel itself is not known here: its crate brings it as a [`Connection`] to be made. What this has to know of
//! it is how it writes addresses (`<conversation>`, or `<conversation>/<thread>`) and the names of messages
//! (`<conversation>/<ts>`), and that a button carries its data as its value.
//!
//! Slack has no reply but the thread. In a direct conversation a reply is a text in the message's thread; in a channel
//! a text in a thread is talk, so a reply to the app is one that mentions it too.
//!
//! Nor can anything be sent silently: each message in a direct conversation rings unless its reader has just written
//! there. The suite wants one ring for an ask, so what comes at once counts as one here, a follow-up on the heels of its
//! prompt among it.

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

use super::{
    Arguments, FakeSlack, Fault, MessageAt, Person, Place, Seen, World, server::RESPONSE_URL, state::State,
};
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
    /// The token of the app's bot.
    pub bot_token: String,
    /// The token of the app itself.
    pub app_token: String,
    /// The clock of everything.
    pub clock: Arc<dyn Clock>,
}

/// A fake Slack with the people of the suite on it, all of them in one private channel.
#[derive(Debug)]
pub struct SlackPlatform {
    fake: FakeSlack,
    clock: TestClock,
    connect: fn(Connection) -> Arc<dyn Channel>,
    rest: Mutex<Rest>,
    sara: Person,
    omid: Person,
    stranger: Person,
    machine: Person,
    group: Place,
}

/// What is needed to know whether everything has come through.
#[derive(Debug, Default)]
struct Rest {
    /// By how much more was heard than had to be, at the last rest.
    surplus: usize,
    /// Lets time pass until a channel whose sockets broke is back.
    away: JoinSet<()>,
}

/// How much time passes at once while a channel is away, and how long that takes: its connection is a real one, from
/// which time must not run away.
const STEP: Duration = Duration::from_millis(250);
const STEP_TAKES: Duration = Duration::from_millis(10);

/// Keyed posts: nothing that `chat.postMessage` takes makes a repeated call show one message, but blocks keep the ids they
/// were given, so that a message can be found again in the past of its conversation.
const OFFERS: &[Feature] = &[
    Feature::Buttons,
    Feature::Forms,
    Feature::Edits,
    Feature::Replies,
    Feature::Threads,
    Feature::Groups,
    Feature::BareGroupTexts,
    Feature::PrivateTexts,
    Feature::Order,
    Feature::PeopleEdit,
    Feature::Forwards,
    Feature::Attachments,
    Feature::Machines,
    Feature::Redelivery,
    Feature::KeyedPosts,
];

impl SlackPlatform {
    /// Starts one. `connect` makes the channel under test.
    pub async fn start(clock: TestClock, connect: fn(Connection) -> Arc<dyn Channel>) -> Self {
        let fake = FakeSlack::start(Arc::new(clock.clone())).await;
        let (sara, omid) = (fake.person("Sara"), fake.person("Omid"));
        let (stranger, machine) = (fake.person("Somebody"), fake.machine("Robot"));
        let group = fake.private_channel("ops", &[&sara, &omid, &stranger, &machine]);
        Self {
            fake,
            clock,
            connect,
            rest: Mutex::default(),
            sara,
            omid,
            stranger,
            machine,
            group,
        }
    }

    /// The platform itself, for its transcript and its counts.
    #[must_use]
    pub fn fake(&self) -> &FakeSlack {
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
            Who::Hidden => unreachable!("nobody hides on Slack, so none is offered"),
        }
    }

    /// Bots have no conversation with each other: they talk among others.
    fn place(&self, place: suite::Place) -> Place {
        match place {
            suite::Place::Direct(Who::Machine) | suite::Place::Group => self.group.clone(),
            suite::Place::Direct(who) => self.person(who).direct(),
        }
    }
}

#[async_trait]
impl Platform for SlackPlatform {
    fn offers(&self) -> &'static [Feature] {
        OFFERS
    }

    async fn connect(&self, name: ChannelName, clock: Arc<dyn Clock>) -> Arc<dyn Channel> {
        (self.connect)(Connection {
            name,
            api_url: self.fake.url(),
            bot_token: self.fake.bot_token(),
            app_token: self.fake.app_token(),
            clock,
        })
    }

    fn account(&self, who: Who) -> String {
        self.person(who).id().to_owned()
    }

    fn group(&self) -> String {
        self.group.id().to_owned()
    }

    fn say(&self, who: Who, place: suite::Place, what: &Saying) -> MessageRef {
        let person = self.person(who);
        let direct = place != suite::Place::Group && who != Who::Machine;
        let below = what.reply_to.as_ref().or(what.thread.as_ref());
        let place = match below {
            Some(below) => self.place(place).thread(&at(below)),
            None => self.place(place),
        };
        // What begins with a slash is kept by Slack, which says itself what to do about that.
        let blank = if what.text.starts_with('/') { " " } else { "" };
        let text = format!("{blank}{}", what.text);
        let mentions = what.mention || who == Who::Machine || (what.reply_to.is_some() && !direct);
        let said = if what.forwarded {
            person.passes_on(&text, &self.omid, &place)
        } else if what.attachment {
            person.uploads(&place, &text)
        } else if mentions {
            person.mentions(&place, &text)
        } else {
            person.says(&place, &text)
        };
        name(&said)
    }

    fn press(&self, who: Who, button: &SeenButton) {
        self.person(who)
            .presses_data(&at(&button.on), &button.data, &button.label);
    }

    fn fill(&self, who: Who, text: &str) {
        self.person(who).fills(text);
    }

    fn edit(&self, who: Who, message: &MessageRef, text: &str) {
        self.person(who).edits(&at(message), text);
    }

    fn seen(&self, place: suite::Place) -> Vec<SeenMessage> {
        let reader = match place {
            suite::Place::Direct(who) => self.person(who),
            suite::Place::Group => &self.sara,
        };
        let seen = reader.sees(&self.place(place)).into_iter();
        seen.filter(|seen| seen.by_app).map(shown).collect()
    }

    fn told(&self, who: Who) -> Vec<String> {
        self.person(who).told()
    }

    fn form(&self, who: Who) -> Option<SeenForm> {
        let form = self.person(who).form()?;
        Some(SeenForm {
            title: form.title,
            label: form.labels.into_iter().next().unwrap_or_default(),
        })
    }

    fn feedback(&self) -> usize {
        self.fake.world.look(|state| state.answers.given)
    }

    fn fail_next(&self, call: Call, fault: suite::Fault) {
        self.fake.world.change(|state| {
            state
                .faults
                .order_for(Box::new(meant(call)), Some(1), slacks(fault));
        });
    }

    fn fail_all(&self, call: Call, fault: suite::Fault) {
        self.fake.world.change(|state| {
            state.faults.order_for(Box::new(meant(call)), None, slacks(fault));
        });
        if call == Call::Listen {
            self.fake.drop_sockets();
        }
    }

    fn mend(&self) {
        self.fake.mend();
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
        self.fake.drop_sockets();
        // What was acknowledged and could not be saved is answered once it can be, so its author still waits.
        self.fake.world.change(State::expect_last);
        let (world, clock) = (Arc::clone(&self.fake.world), self.clock.clone());
        self.rest().away.spawn(async move {
            while !is_connected(&world) {
                clock.advance(STEP);
                tokio::time::sleep(STEP_TAKES).await;
            }
            world.touch();
        });
    }

    fn fall_silent(&self) {
        self.fake.fail_until_mended("*", Fault::Hangs { done: false });
        self.fake.freeze_sockets();
    }

    fn speak_again(&self) {
        self.fake.mend();
        self.drop_connection();
    }

    fn delete(&self, message: &MessageRef) {
        self.group.delete(&at(message));
    }

    /// A socket is open, and every envelope is acknowledged, or was answered and is not acknowledged on purpose; and
    /// of what people did as much was heard as had to be.
    fn is_idle(&self, heard: usize) -> bool {
        let mut rest = self.rest();
        while rest.away.try_join_next().is_some() {}
        if !rest.away.is_empty() {
            return false;
        }
        let (through, to_be_heard) = self.fake.world.look(|state| {
            let envelopes = &state.envelopes;
            let answered = |act: &super::envelopes::Act| !state.answers.awaited_by(&act.channel, &act.who);
            let through =
                state.sockets.is_alive() && !envelopes.has_due(state.now) && envelopes.are_done(answered);
            (through, envelopes.to_be_heard())
        });
        let idle = through && heard >= to_be_heard + rest.surplus;
        if idle {
            rest.surplus = heard - to_be_heard;
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

fn meant(call: Call) -> impl Fn(&str, &Arguments, &State) -> bool + Send + 'static {
    move |method, arguments, state| {
        let posts = method == "chat.postMessage";
        // What is posted where somebody waits for an answer answers them.
        let answers = posts && state.answers.awaited(&destination(state, arguments));
        match call {
            Call::Post => posts && !answers,
            Call::Edit => method == "chat.update",
            Call::Feedback => answers || ["chat.postEphemeral", "views.open", RESPONSE_URL].contains(&method),
            Call::Listen => method == "apps.connections.open",
        }
    }
}

fn is_connected(world: &World) -> bool {
    world.look(|state| state.sockets.is_alive())
}

/// The conversation that a post goes to; an account stands for the one with it.
fn destination(state: &State, arguments: &Arguments) -> String {
    let name = arguments.text("channel");
    state.direct_with(&name).unwrap_or(name)
}

/// The suite's faults, as Slack has them.
fn slacks(fault: suite::Fault) -> Fault {
    match fault {
        suite::Fault::Throttled(pause) => Fault::Throttled {
            seconds: whole_seconds(pause),
        },
        suite::Fault::Unclear { done } => Fault::Lost { done },
        suite::Fault::Refused => Fault::unauthorized(),
        suite::Fault::Unreachable => Fault::refused("channel_not_found"),
        suite::Fault::Rejected => Fault::refused("msg_too_long"),
        suite::Fault::Garbage => Fault::Gateway { status: 200 },
        suite::Fault::Hang => Fault::Hangs { done: false },
    }
}

fn whole_seconds(pause: Duration) -> u64 {
    pause.as_secs() + u64::from(pause.subsec_nanos() > 0)
}

fn shown(seen: Seen) -> SeenMessage {
    let message = name(&seen.at);
    let button = |button: super::SeenButton| SeenButton {
        label: button.label,
        on: message.clone(),
        data: button.data,
    };
    SeenMessage {
        buttons: seen.buttons.into_iter().flatten().map(button).collect(),
        text: seen.text,
        rang: seen.rang && !seen.at_once,
        message,
    }
}

fn name(at: &MessageAt) -> MessageRef {
    MessageRef::new(format!("{}/{}", at.channel, at.ts))
}

fn at(name: &MessageRef) -> MessageAt {
    let parts = name.as_str().split_once('/').and_then(|(channel, ts)| {
        Some(MessageAt {
            channel: channel.to_owned(),
            ts: ts.parse().ok()?,
        })
    });
    parts.unwrap_or_else(|| panic!("a message is named <conversation>/<ts>, not {name:?}"))
}
