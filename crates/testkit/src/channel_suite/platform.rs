//! What a platform must let the suite do: connect a channel to it, act as people on it, look at what they see, and
//! make it fail.
//!
//! Written in the words of people: they say, press, fill in and see. How the channel and the platform talk to each
//! other is not the suite's business, so an adapter brings its real channel and a fake that speaks the real wire
//! format, and implements this trait over the two.

use std::{sync::Arc, time::Duration};

use askd_core::{
    channel::Channel,
    clock::Clock,
    id::{ChannelName, MessageRef},
};
use async_trait::async_trait;
use tokio::sync::watch;

/// A fake platform with people on it. One value serves one case.
///
/// It stands for the platform's servers, so it outlives every connection: after a restart of askd, `connect` is
/// called again and finds what was shown before. It keeps to the platform's limits by refusing what exceeds them
/// and by noting it in [`Platform::violations`].
#[async_trait]
pub trait Platform: Send + Sync {
    /// What it offers. A case that needs anything else is not run.
    fn offers(&self) -> &'static [Feature];

    /// A channel of this name that is connected to the platform, or will be as soon as it listens. Called once at the
    /// start and once after each restart; the channels before are then no longer used.
    async fn connect(&self, name: ChannelName, clock: Arc<dyn Clock>) -> Arc<dyn Channel>;

    /// The address of an account as the configuration writes it, without the channel's name. Not called for
    /// [`Who::Hidden`] and [`Who::Machine`].
    fn account(&self, who: Who) -> String;

    /// The address of a group as the configuration writes it, without the channel's name. Everybody is in it. Called
    /// only with [`Feature::Groups`].
    fn group(&self) -> String;

    /// Somebody says something. Returns the channel's name of the new message.
    fn say(&self, who: Who, place: Place, what: &Saying) -> MessageRef;

    /// Somebody presses a button, in the conversation of the message it stands on: also one that has been taken away,
    /// which a slow phone may still show.
    fn press(&self, who: Who, button: &SeenButton);

    /// Somebody sends in the form that is open before them.
    ///
    /// # Panics
    /// If none is.
    fn fill(&self, who: Who, text: &str);

    /// Somebody changes what they said.
    fn edit(&self, who: Who, message: &MessageRef, text: &str);

    /// Every message of ours that stands in a conversation, oldest first, as it looks now.
    fn seen(&self, place: Place) -> Vec<SeenMessage>;

    /// What was shown to one person alone, oldest first: toasts, and texts only they can see.
    fn told(&self, who: Who) -> Vec<String>;

    /// The form that is open before somebody.
    fn form(&self, who: Who) -> Option<SeenForm>;

    /// How many pieces of feedback people were given since the beginning: toasts, private texts, opened forms, and
    /// messages that answer what somebody said.
    fn feedback(&self) -> usize;

    /// The next such call of the channel fails. Several wait for their turn in the order they were given.
    fn fail_next(&self, call: Call, fault: Fault);

    /// From now on every such call fails like this, until [`Platform::mend`]. For [`Call::Listen`] that begins with the
    /// end of the connection over which the channel receives.
    fn fail_all(&self, call: Call, fault: Fault);

    /// No call fails any more; those that hang break off.
    fn mend(&self);

    /// Whether the channel hears: it is connected, or waits for the answer to a poll.
    fn is_heard(&self) -> bool;

    /// Calls that hang by [`Fault::Hang`] and that the channel has not given up.
    fn hanging(&self) -> usize {
        0
    }

    /// Hands the last event out again, whether or not it was acknowledged. Called only with [`Feature::Redelivery`].
    fn redeliver_last(&self);

    /// Breaks the connection over which the channel receives. It must come back by itself, and must then get what
    /// it has not acknowledged, and what happened meanwhile.
    fn drop_connection(&self);

    /// From now on the platform says nothing: what is connected looks alive, and who connects anew hears nothing either.
    fn fall_silent(&self);

    /// The platform behaves again. What hung breaks off, and the channel must come back by itself, as after
    /// [`Platform::drop_connection`].
    fn speak_again(&self);

    /// Deletes a message of ours, as an administrator might. Called only with [`Feature::Edits`].
    fn delete(&self, message: &MessageRef);

    /// Whether every event has come through: handed out, taken over (`heard` events were, over all connections) and
    /// acknowledged or refused.
    fn is_idle(&self, heard: usize) -> bool;

    /// Changes whenever anything happens on the platform, so that nobody has to look again and again.
    fn activity(&self) -> watch::Receiver<u64>;

    /// What the channel did that the platform's rules forbid. The suite fails on any.
    fn violations(&self) -> Vec<String>;
}

/// Something a platform offers beside saying and hearing texts one to one. A platform that has it says so; the suite
/// then demands that the channel makes use of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feature {
    /// Buttons below a message.
    Buttons,
    /// Forms that a button opens.
    Forms,
    /// Posted messages can be changed.
    Edits,
    /// Replies to one message among many.
    Replies,
    /// Threads below a message.
    Threads,
    /// Conversations of more than one person.
    Groups,
    /// Texts in a group that neither reply to us nor mention us reach us too.
    BareGroupTexts,
    /// A text in a group can be answered so that only its sender sees it.
    PrivateTexts,
    /// Messages have a place in the order of their conversation.
    Order,
    /// People can change what they said.
    PeopleEdit,
    /// People can pass on what others said.
    Forwards,
    /// People can send photos and files.
    Attachments,
    /// People whose account is hidden.
    HiddenSenders,
    /// Bots that talk.
    Machines,
    /// Events that were not acknowledged are handed out again.
    Redelivery,
    /// A press that finds nobody listening waits until somebody does.
    KeptPresses,
    /// A post with a known key is shown once.
    KeyedPosts,
    /// A pairing code can be handed in by a link.
    PairingLinks,
}

/// Who does something. Sara and Omid are in the configuration; the stranger has an account that nobody owns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Who {
    /// May answer.
    Sara,
    /// May answer where a case says so.
    Omid,
    /// Nobody askd knows.
    Stranger,
    /// Somebody whose account the platform hides.
    Hidden,
    /// A bot.
    Machine,
}

impl Who {
    /// Everybody with an account.
    pub const WITH_ACCOUNT: [Self; 3] = [Self::Sara, Self::Omid, Self::Stranger];

    /// The name, in lower case.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Sara => "sara",
            Self::Omid => "omid",
            Self::Stranger => "stranger",
            Self::Hidden => "hidden",
            Self::Machine => "machine",
        }
    }
}

/// Where something is said and seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// Between one person and us.
    Direct(Who),
    /// Among all.
    Group,
}

/// What somebody says.
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Saying {
    /// What is typed; the caption of an attachment.
    pub text: String,
    /// The message it replies to.
    pub reply_to: Option<MessageRef>,
    /// The message in whose thread it stands.
    pub thread: Option<MessageRef>,
    /// Whether it mentions us.
    pub mention: bool,
    /// Whether a photo goes with it.
    pub attachment: bool,
    /// Whether it is somebody else's, passed on.
    pub forwarded: bool,
}

impl Saying {
    /// A plain text.
    pub fn text(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            ..Self::default()
        }
    }

    /// In reply to this message.
    pub fn reply_to(mut self, message: &SeenMessage) -> Self {
        self.reply_to = Some(message.message.clone());
        self
    }

    /// In the thread below this message.
    pub fn in_thread(mut self, message: &SeenMessage) -> Self {
        self.thread = Some(message.message.clone());
        self
    }

    /// With a mention of us before it.
    pub fn mentioning(mut self) -> Self {
        self.mention = true;
        self
    }

    /// With a photo.
    pub fn with_photo(mut self) -> Self {
        self.attachment = true;
        self
    }

    /// Passed on.
    pub fn forwarded(mut self) -> Self {
        self.forwarded = true;
        self
    }
}

/// A message of ours, as people see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenMessage {
    /// As the channel names it.
    pub message: MessageRef,
    /// As it is read, markup applied.
    pub text: String,
    /// From the top, row by row.
    pub buttons: Vec<SeenButton>,
    /// Whether phones rang when it came.
    pub rang: bool,
}

/// A button, as it can be pressed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenButton {
    /// What stands on it.
    pub label: String,
    /// The message below which it stands. A case that sets another one plays a forger.
    pub on: MessageRef,
    /// What comes back when it is pressed, as the platform carries it.
    pub data: String,
}

/// A form, as people see it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenForm {
    /// Above it.
    pub title: String,
    /// Before the input.
    pub label: String,
}

/// A kind of call that can be made to fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// A message by `Channel::post`.
    Post,
    /// A change by `Channel::edit`.
    Edit,
    /// Feedback on what somebody did.
    Feedback,
    /// What the channel receives by: a poll, or what opens a connection. Only for [`Platform::fail_all`].
    Listen,
}

/// How a call fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Too many calls; try again after this pause.
    Throttled(Duration),
    /// The answer is lost; the call may have been carried out.
    Unclear {
        /// Whether it was.
        done: bool,
    },
    /// The credentials are refused.
    Refused,
    /// The address cannot be reached: blocked, left, never started.
    Unreachable,
    /// The content is refused.
    Rejected,
    /// Something in between answers: a page in HTML, with a status as if all were well.
    Garbage,
    /// There is no answer at all, until the process ends or the platform is mended.
    Hang,
}
