//! Where stories are told: the real program at home, and platforms of our own with people on them.
//!
//! A story is one script of human actions (`stories/`), and runs on every platform. It says what people do and see
//! ([`Person`]), and never how: what the suite of all channels knows of a platform ([`askd_testkit::channel_suite`])
//! carries it out, and what a story needs beside that is [`Scenery`], one file for each platform. Whether own words go
//! into a form or into a reply, and whether a receipt is a toast, a text for one alone or a message, makes no difference
//! to a script; the golden files, one for each story and platform, show it.
//!
//! A further platform is a file here, and its name in `on_each_platform!`.

mod asks;
pub(crate) mod discord;
mod person;
mod readable;
mod scene;
mod scenery;
pub(crate) mod slack;
pub(crate) mod telegram;

use std::sync::Arc;

use askd_stories::Home;
use askd_testkit::clock::TestClock;
use tokio::runtime::Runtime;

pub(crate) use self::{
    asks::{
        Deliveries, answers, asks, asks_until, deliveries, deploy, deploy_and_tell, result, until_delivered,
        whom_to_tell,
    },
    person::Person,
    readable::readable,
    scene::{Scene, clock},
    scenery::{Outage, Scenery, Starting},
};

/// The platforms, each a module here. A further one is a name in this list.
macro_rules! on_each_platform {
    ($tell:ident $what:tt) => {
        $crate::stage::$tell! { [telegram discord slack] $what }
    };
}

/// Makes a test of each of these stories on each platform: `platform::story`.
macro_rules! stories {
    ($($story:ident),* $(,)?) => {
        $crate::stage::on_each_platform! { tell { $($story)* } }
    };
}

macro_rules! tell {
    ([$($platform:ident)*] $stories:tt) => {
        $($crate::stage::tell_on! { $platform $stories })*
    };
}

macro_rules! tell_on {
    ($platform:ident { $($story:ident)* }) => {
        mod $platform {
            $(#[test]
            fn $story() {
                let name = concat!(module_path!(), "::", stringify!($story));
                super::$story(&$crate::stage::Telling::new($crate::stage::$platform::start, name).into());
            })*
        }
    };
}

macro_rules! list {
    ([$($platform:ident)*] {}) => {
        [$((stringify!($platform), $platform::start as Start)),*]
    };
}
pub(crate) use {list, on_each_platform, stories, tell, tell_on};

/// How a platform is started, by this clock.
pub(crate) type Start = fn(TestClock) -> Starting;

/// All platforms by their kind, for a story that compares them.
pub(crate) fn platforms() -> impl Iterator<Item = (&'static str, Start)> {
    on_each_platform!(list {}).into_iter()
}

/// A story on a platform.
#[derive(Clone, Copy)]
pub(crate) struct Telling {
    start: Start,
    /// `…::theme::platform::story`, as the test is called.
    name: &'static str,
}

impl Telling {
    pub(crate) fn new(start: Start, name: &'static str) -> Self {
        Self { start, name }
    }

    /// Starts the platform by this clock.
    pub(crate) fn start(self, clock: TestClock) -> Starting {
        (self.start)(clock)
    }

    /// The platform's kind.
    pub(crate) fn platform(self) -> &'static str {
        let [_, platform, _] = self.parts();
        platform
    }

    /// Compares a text with the golden file of this story and platform.
    pub(crate) fn golden(self, text: &str) {
        let [theme, platform, story] = self.parts();
        golden(
            &format!("stories/snapshots/{platform}"),
            &format!("{theme}__{story}"),
            text,
        );
    }

    fn parts(self) -> [&'static str; 3] {
        let mut parts = self.name.rsplit("::");
        let mut next = || parts.next().expect("a story has its module's name");
        let (story, platform, theme) = (next(), next(), next());
        [theme, platform, story]
    }
}

/// Compares a text with the golden file of this name.
pub(crate) fn golden(folder: &str, name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(format!("{}/tests/{folder}", env!("CARGO_MANIFEST_DIR")));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// A home for askd, and a platform that it reaches by `api_url`.
pub(crate) struct Stage {
    pub(crate) home: Home,
    pub(crate) scene: Scene,
    telling: Telling,
}

impl From<Telling> for Stage {
    fn from(telling: Telling) -> Self {
        Self {
            home: Home::new(),
            scene: Scene::open(telling.start, &runtime()),
            telling,
        }
    }
}

impl Stage {
    /// Sara, alone with askd. She has an account.
    pub(crate) fn sara(&self) -> Person<'_> {
        self.scene.sara()
    }

    /// Omid, alone with askd.
    pub(crate) fn omid(&self) -> Person<'_> {
        self.scene.omid()
    }

    /// Configures the platform's channel, and what else is said.
    pub(crate) fn configure(&self, more: &str) {
        self.home.configure(&format!("{}{more}", self.scene.section()));
    }

    /// The end of the story: everything has come through, askd kept to the rules of the platform, and what people saw
    /// is what the golden file shows.
    pub(crate) fn golden(&self) {
        self.golden_of(&self.scene.transcript());
    }

    /// Compares another text with the golden file of this story.
    pub(crate) fn golden_of(&self, text: &str) {
        self.telling.golden(text);
    }
}

/// Serves platforms while stories block.
pub(crate) fn runtime() -> Arc<Runtime> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build();
    Arc::new(runtime.unwrap())
}
