//! What people do and see.

use askd_testkit::channel_suite::{Feature, Place, Saying, SeenButton, SeenMessage, Who, world::bare};

use super::Scene;

/// Somebody in a conversation.
#[derive(Clone, Copy)]
pub(crate) struct Person<'a> {
    pub(crate) scene: &'a Scene,
    who: Who,
    place: Place,
}

/// Something they did.
pub(crate) struct Act<'a> {
    by: Person<'a>,
    /// What they had been told, and seen there, before; and how much feedback everybody had been given.
    told: usize,
    feedback: usize,
    seen: Vec<SeenMessage>,
}

impl<'a> Person<'a> {
    pub(super) fn new(scene: &'a Scene, who: Who, place: Place) -> Self {
        Self { scene, who, place }
    }

    /// The same person among all.
    pub(crate) fn in_the_group(self) -> Self {
        Self {
            place: Place::Group,
            ..self
        }
    }

    /// What others call them.
    pub(crate) fn name(self) -> String {
        let key = self.key();
        key[..1].to_uppercase() + &key[1..]
    }

    /// What the configuration calls them.
    pub(crate) fn key(self) -> &'static str {
        self.who.name()
    }

    /// The account as the configuration writes it.
    pub(crate) fn account(self) -> String {
        format!("{}:{}", self.scene.channel, self.scene.platform.account(self.who))
    }

    /// The person's section of the configuration; more keys may follow.
    pub(crate) fn section(self) -> String {
        let (key, name, account) = (self.key(), self.name(), self.account());
        format!("[people.{key}]\nname = \"{name}\"\naccounts = [\"{account}\"]\n")
    }

    /// The messages of askd that stand there, oldest first, without the marks that keep right-to-left text in its place.
    pub(crate) fn sees(self) -> Vec<SeenMessage> {
        let seen = self.scene.platform.seen(self.place).into_iter();
        seen.map(|seen| SeenMessage {
            text: bare(&seen.text),
            ..seen
        })
        .collect()
    }

    /// Waits until a message of askd that holds `text` stands there; the newest one.
    pub(crate) fn reads(self, text: &str) -> SeenMessage {
        self.until(text, |seen| seen.text.contains(text))
    }

    /// Waits until a question stands there that has no buttons any more.
    pub(crate) fn reads_the_end_of(self, question: &str) -> SeenMessage {
        self.until(&format!("the end of {question}"), |seen| {
            seen.text.contains(question) && seen.buttons.is_empty()
        })
    }

    fn until(self, what: &str, fits: impl Fn(&SeenMessage) -> bool) -> SeenMessage {
        self.scene
            .until(what, || self.sees().into_iter().rev().find(&fits))
    }

    /// Says something.
    pub(crate) fn says(self, text: &str) -> Act<'a> {
        self.says_so(&Saying::text(text))
    }

    /// Replies to a message.
    pub(crate) fn replies(self, to: &SeenMessage, text: &str) -> Act<'a> {
        self.says_so(&Saying::text(text).reply_to(to))
    }

    fn says_so(self, what: &Saying) -> Act<'a> {
        self.acts(|| {
            self.scene.platform.say(self.who, self.place, what);
        })
    }

    /// Taps the button of this label, on the newest message that has one.
    pub(crate) fn taps(self, label: &str) -> Act<'a> {
        let buttons = self.sees().into_iter().rev().flat_map(|seen| seen.buttons);
        let button = buttons.into_iter().find(|button| bare(&button.label) == label);
        let button = button.unwrap_or_else(|| panic!("no button [{label}] in {:#?}", self.sees()));
        self.taps_button(&button)
    }

    /// Taps a button that may be gone: a slow telephone still shows it.
    pub(crate) fn taps_button(self, button: &SeenButton) -> Act<'a> {
        self.acts(|| self.scene.platform.press(self.who, button))
    }

    fn acts(self, act: impl FnOnce()) -> Act<'a> {
        let platform = &self.scene.platform;
        let before = Act {
            by: self,
            told: platform.told(self.who).len(),
            feedback: platform.feedback(),
            seen: self.sees(),
        };
        act();
        before
    }
}

impl<'a> Act<'a> {
    /// Waits until they are told something that holds `text`, in whatever way the platform tells it: alone or before
    /// all, in a new message, or in one that has changed. Returns all of it.
    pub(crate) fn is_told(&self, text: &str) -> String {
        self.is_answered();
        let Person { scene, who, .. } = self.by;
        scene.until(text, || {
            let told = scene.platform.told(who).split_off(self.told);
            let here = self
                .by
                .sees()
                .into_iter()
                .filter(|seen| !self.seen.contains(seen));
            let mut news = told
                .iter()
                .map(|told| bare(told))
                .chain(here.map(|seen| seen.text));
            news.find(|news| news.contains(text))
        })
    }

    /// Waits for feedback of any kind, which whatever people do gets: a button that waits no longer is some.
    fn is_answered(&self) {
        let platform = &self.by.scene.platform;
        let answered = || (platform.feedback() > self.feedback).then_some(());
        self.by.scene.until("feedback", answered);
    }

    /// Writes own words into what Other… opens: a form, where the platform has them, else a message that is to be replied
    /// to.
    pub(crate) fn and_fills_in(&self, text: &str) -> Act<'a> {
        let Person { scene, who, .. } = self.by;
        self.is_answered();
        if scene.platform.offers().contains(&Feature::Forms) {
            scene.until("a form", || scene.platform.form(who));
            return self.by.acts(|| scene.platform.fill(who, text));
        }
        let input = scene.until("a message to reply to", || {
            let mut seen = self.by.sees().into_iter();
            seen.find(|seen| self.seen.iter().all(|before| before.message != seen.message))
        });
        self.by.replies(&input, text)
    }
}
