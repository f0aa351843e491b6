//! The fake Telegram, in the words of the suite.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use askd_channel_telegram::{TelegramChannel, TelegramConfig};
use askd_core::{
    channel::Channel,
    clock::Clock,
    id::{ChannelName, MessageRef},
};
use askd_testkit::{
    chance::SeededChance,
    channel_suite::{Call, Fault, Feature, Place, Platform, Saying, SeenButton, SeenForm, SeenMessage, Who},
    clock::TestClock,
    telegram::{self, Arguments, FakeTelegram, MessageAt, Person},
};
use async_trait::async_trait;
use tokio::sync::watch;

/// Telegram with the suite's people on it.
pub(crate) struct Stage {
    clock: TestClock,
    fake: FakeTelegram,
    sara: Person,
    omid: Person,
    stranger: Person,
    /// An administrator of the group who stays anonymous.
    hidden: Person,
    group: telegram::Place,
    redelivered: AtomicUsize,
}

impl Stage {
    pub(crate) async fn new(clock: TestClock) -> Self {
        let fake = FakeTelegram::start(Arc::new(clock.clone())).await;
        let [sara, omid, stranger, hidden] =
            ["Sara", "Omid", "Mallory", "Admin"].map(|name| fake.person(name));
        let group = fake.supergroup("Shop", &[&sara, &omid, &stranger, &hidden]);
        Self {
            clock,
            fake,
            sara,
            omid,
            stranger,
            hidden,
            group,
            redelivered: AtomicUsize::new(0),
        }
    }

    fn person(&self, who: Who) -> &Person {
        match who {
            Who::Sara => &self.sara,
            Who::Omid => &self.omid,
            Who::Stranger => &self.stranger,
            Who::Hidden => &self.hidden,
            Who::Machine => panic!("bots do not hear other bots"),
        }
    }

    fn place(&self, place: Place) -> telegram::Place {
        match place {
            Place::Direct(who) => self.person(who).direct(),
            Place::Group => self.group.clone(),
        }
    }

    /// Messages of ours in a place, as somebody there sees them.
    fn of_ours(&self, place: Place) -> Vec<telegram::Seen> {
        let viewer = match place {
            Place::Direct(who) => self.person(who),
            Place::Group => &self.sara,
        };
        let mut seen = viewer.sees(&self.place(place));
        seen.retain(|seen| seen.by_bot);
        seen
    }
}

/// As the channel names it.
fn named(at: MessageAt) -> MessageRef {
    MessageRef::new(format!("{}/{}", at.chat, at.id))
}

fn at(message: &MessageRef) -> MessageAt {
    let (chat, id) = message
        .as_str()
        .split_once('/')
        .expect("a message of this channel");
    let number = |text: &str| text.parse().expect("a number");
    MessageAt {
        chat: number(chat),
        id: number(id),
    }
}

/// Whether a call, its name in lower case, tells somebody what became of what they did.
fn is_feedback(method: &str, arguments: &Arguments) -> bool {
    method == "answercallbackquery"
        || (method == "sendmessage" && !arguments.text("reply_parameters").is_empty())
}

#[async_trait]
impl Platform for Stage {
    fn offers(&self) -> &'static [Feature] {
        &[
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
            Feature::PairingLinks,
        ]
    }

    async fn connect(&self, name: ChannelName, clock: Arc<dyn Clock>) -> Arc<dyn Channel> {
        let config = TelegramConfig {
            token: self.fake.token().into(),
            api_url: Some(self.fake.url()),
        };
        let chance = Arc::new(SeededChance::new(1));
        let channel = TelegramChannel::new(name, &config, clock, chance);
        Arc::new(channel.expect("the configuration is right"))
    }

    fn account(&self, who: Who) -> String {
        self.person(who).id().to_string()
    }

    fn group(&self) -> String {
        self.group.id().to_string()
    }

    fn say(&self, who: Who, place: Place, what: &Saying) -> MessageRef {
        let (person, place) = (self.person(who), self.place(place));
        let mention = if what.mention {
            format!("@{} ", self.fake.username())
        } else {
            String::new()
        };
        let text = format!("{mention}{}", what.text);
        let reply_to = what.reply_to.as_ref().map(at);
        let said = match reply_to {
            _ if what.forwarded => person.passes_on(&text, &self.hidden, &place),
            _ if what.attachment => person.sends_photo(&place, reply_to, &text),
            Some(to) if who == Who::Hidden => person.replies_anonymously(to, &text),
            None if who == Who::Hidden => person.says_anonymously(&place, &text),
            Some(to) => person.replies(to, &text),
            None => person.says(&place, &text),
        };
        named(said)
    }

    fn press(&self, who: Who, button: &SeenButton) {
        self.person(who)
            .taps_data(at(&button.on), &button.data, &button.label);
    }

    fn fill(&self, _: Who, _: &str) {
        panic!("Telegram has no forms");
    }

    fn edit(&self, who: Who, message: &MessageRef, text: &str) {
        self.person(who).edits(at(message), text);
    }

    fn seen(&self, place: Place) -> Vec<SeenMessage> {
        let seen = self.of_ours(place).into_iter();
        seen.map(|seen| {
            let message = named(seen.at);
            let button = |button: telegram::SeenButton| SeenButton {
                label: button.label,
                on: message.clone(),
                data: button.data,
            };
            let rows = seen.buttons.into_iter();
            let buttons = rows.flatten().map(button).collect();
            SeenMessage {
                message: message.clone(),
                text: seen.text,
                buttons,
                rang: seen.rang,
            }
        })
        .collect()
    }

    fn told(&self, who: Who) -> Vec<String> {
        let id = self.person(who).id();
        let answers = self.fake.answers().into_iter();
        answers
            .filter(|(whom, _)| *whom == id)
            .filter_map(|(_, answer)| answer.text)
            .collect()
    }

    fn form(&self, _: Who) -> Option<SeenForm> {
        None
    }

    fn feedback(&self) -> usize {
        let places = [
            Place::Direct(Who::Sara),
            Place::Direct(Who::Omid),
            Place::Direct(Who::Stranger),
            Place::Group,
        ];
        let replies = places.into_iter().flat_map(|place| {
            let ours = self.of_ours(place);
            let numbers: Vec<MessageAt> = ours.iter().map(|seen| seen.at).collect();
            let replies = ours.into_iter().filter_map(|seen| seen.reply_to);
            replies.filter(|to| !numbers.contains(to)).collect::<Vec<_>>()
        });
        // An answer to a tap that comes too late is refused; where the tap counted, the prompt itself shows it.
        let calls = self.fake.calls();
        let notices = calls
            .iter()
            .filter(|call| call.method == "answerCallbackQuery" && call.outcome.is_some());
        notices.count() + replies.count()
    }

    fn fail_next(&self, call: Call, fault: Fault) {
        let refused = |description: &str| telegram::Fault::Refused {
            code: 400,
            description: description.to_owned(),
        };
        let fault = match fault {
            Fault::Throttled(pause) => telegram::Fault::Throttled {
                seconds: pause.as_secs(),
            },
            Fault::Unclear { done } => telegram::Fault::Lost { done },
            Fault::Refused => telegram::Fault::unauthorized(),
            Fault::Unreachable => telegram::Fault::blocked(),
            Fault::Rejected => refused("Bad Request: message is too long"),
            Fault::Hang => telegram::Fault::Hangs { done: false },
        };
        let meant = move |method: &str, arguments: &Arguments| match call {
            Call::Post => method == "sendmessage" && !is_feedback(method, arguments),
            Call::Edit => method == "editmessagetext",
            Call::Feedback => is_feedback(method, arguments),
        };
        self.fake.fail_meant(meant, fault);
    }

    fn hanging(&self) -> usize {
        self.fake.hanging()
    }

    fn redeliver_last(&self) {
        self.redelivered.fetch_add(1, Ordering::SeqCst);
        self.fake.redeliver_last();
    }

    fn drop_connection(&self) {
        self.fake.break_poll();
        // What was refused is handed in again after a pause.
        self.clock.advance(Duration::from_secs(2));
    }

    fn delete(&self, message: &MessageRef) {
        let chat = at(message).chat;
        let place = [&self.sara, &self.omid, &self.stranger]
            .into_iter()
            .map(Person::direct)
            .find(|place| place.id() == chat);
        place.unwrap_or_else(|| self.group.clone()).delete(at(message));
    }

    fn is_idle(&self, heard: usize) -> bool {
        if self.fake.is_idle() {
            return true;
        }
        // Refused and waiting for another try: all was handed out and looked at.
        let handed_out = self.fake.handed_out().len() + self.redelivered.load(Ordering::SeqCst);
        self.fake.waiting() > 0 && self.fake.unseen() == 0 && heard >= handed_out
    }

    fn activity(&self) -> watch::Receiver<u64> {
        self.fake.activity()
    }

    fn violations(&self) -> Vec<String> {
        self.fake.violations()
    }
}
