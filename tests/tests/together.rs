//! One ask on several platforms at once: a conversation with Sara on Telegram, a thread on Discord and a channel on Slack,
//! where Omid reads too.
//!
//! The golden files show the three of them one after the other. What happened at one moment on different platforms has no
//! order.

mod answering;
mod failing;

use std::fmt::Write as _;

use askd_stories::Home;
use askd_testkit::channel_suite::{Place, Saying, Who};

use crate::stage::{Person, Scene, discord, golden, runtime, slack, telegram};

/// A home for askd, and three platforms that it reaches.
struct Together {
    home: Home,
    telegram: Scene,
    discord: Scene,
    slack: Scene,
    /// On Discord, as the configuration writes it.
    thread: String,
}

impl Together {
    fn new() -> Self {
        let runtime = runtime();
        let discord = Scene::open(discord::start, &runtime);
        Self {
            home: Home::new(),
            telegram: Scene::open(telegram::start, &runtime),
            thread: thread(&discord),
            discord,
            slack: Scene::open(slack::start, &runtime),
        }
    }

    fn scenes(&self) -> [&Scene; 3] {
        [&self.telegram, &self.discord, &self.slack]
    }

    /// Both people have an account on each platform.
    fn configure(&self) {
        let mut text = String::new();
        for scene in self.scenes() {
            text += &scene.section();
        }
        let people: [fn(&Scene) -> Person<'_>; 2] = [Scene::sara, Scene::omid];
        for person in people {
            let (name, key) = (person(&self.telegram).name(), person(&self.telegram).key());
            let accounts = list(self.scenes().map(|scene| person(scene).account()));
            writeln!(text, "[people.{key}]\nname = \"{name}\"\naccounts = {accounts}").unwrap();
        }
        let to = list([self.sara().account(), self.thread.clone(), self.slack.group()]);
        writeln!(text, "[[routes]]\nto = {to}\nanswerers = [\"sara\", \"omid\"]").unwrap();
        self.home.configure(&text);
    }

    /// Sara alone with askd on Telegram.
    fn sara(&self) -> Person<'_> {
        self.telegram.sara()
    }

    /// Everywhere the ask is shown, somebody who reads it there. Whoever reads a channel reads its threads, too.
    fn readers(&self) -> [Person<'_>; 3] {
        [
            self.sara(),
            self.discord.omid().in_the_group(),
            self.slack.sara().in_the_group(),
        ]
    }

    /// Waits until a message that holds `text` stands in all three places.
    fn all_read(&self, text: &str) {
        for reader in self.readers() {
            reader.reads(text);
        }
    }

    /// The end of the story: compares all conversations with a golden file.
    fn golden(&self, name: &str) {
        let rule = "=".repeat(80);
        let mut text = String::new();
        for scene in self.scenes() {
            let (channel, transcript) = (scene.channel, scene.transcript());
            writeln!(text, "{rule}\n{channel}\n{rule}\n\n{}\n", transcript.trim_end()).unwrap();
        }
        golden("together/snapshots", name, &text);
    }
}

/// Omid begins a thread, which on Discord has the number of the message below which it stands.
fn thread(discord: &Scene) -> String {
    let (platform, channel) = (&discord.platform, discord.channel);
    let topic = platform.say(Who::Omid, Place::Group, &Saying::text("Tonight we deploy."));
    let first = Saying {
        thread: Some(topic.clone()),
        ..Saying::text("Questions go here.")
    };
    platform.say(Who::Omid, Place::Group, &first);
    let (_, thread) = topic.as_str().split_once('/').unwrap();
    format!("{channel}:{thread}")
}

/// As the configuration writes it.
fn list<const N: usize>(texts: [String; N]) -> String {
    format!("[{}]", texts.map(|text| format!("\"{text}\"")).join(", "))
}
