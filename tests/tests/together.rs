//! One ask on several platforms at once: a conversation with Sara on Telegram, and places on Discord and on Slack that
//! Omid reads too.
//!
//! The golden files show the three of them one after the other. What happened at one moment on different platforms has no
//! order.
//!
//! Until the fakes of Discord and Slack are there, two more bots on Telegram stand in their places.

mod answering;
mod failing;

use std::fmt::Write as _;

use askd_stories::Home;

use crate::stage::{Person, Scene, golden, runtime, telegram};

/// A home for askd, and three platforms that it reaches.
struct Together {
    home: Home,
    telegram: Scene,
    discord: Scene,
    slack: Scene,
}

impl Together {
    fn new() -> Self {
        let runtime = runtime();
        Self {
            home: Home::new(),
            telegram: Scene::open(telegram::start, &runtime),
            discord: Scene::open(telegram::start, &runtime).named("discord"),
            slack: Scene::open(telegram::start, &runtime).named("slack"),
        }
    }

    fn scenes(&self) -> [&Scene; 3] {
        [&self.telegram, &self.discord, &self.slack]
    }

    /// Both people have an account on each platform. An ask goes to Sara on Telegram, and to a place on each of the others.
    fn configure(&self) {
        let mut text = String::new();
        for scene in self.scenes() {
            text += &scene.section();
        }
        for (name, of) in [
            ("Sara", Scene::sara as fn(&Scene) -> Person<'_>),
            ("Omid", Scene::omid),
        ] {
            let accounts = self
                .scenes()
                .map(|scene| format!("\"{}\"", of(scene).account()))
                .join(", ");
            writeln!(
                text,
                "[people.{}]\nname = \"{name}\"\naccounts = [{accounts}]",
                name.to_lowercase()
            )
            .unwrap();
        }
        let to = [
            self.telegram.sara().account(),
            self.discord.group(),
            self.slack.group(),
        ];
        let to = to.map(|to| format!("\"{to}\"")).join(", ");
        writeln!(text, "[[routes]]\nto = [{to}]\nanswerers = [\"sara\", \"omid\"]").unwrap();
        self.home.configure(&text);
    }

    /// Sara alone with askd on Telegram.
    fn sara(&self) -> Person<'_> {
        self.telegram.sara()
    }

    /// Everywhere the ask is shown, somebody who reads it there.
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
        let mut text = String::new();
        for scene in self.scenes() {
            let rule = "=".repeat(80);
            writeln!(
                text,
                "{rule}\n{}\n{rule}\n\n{}\n",
                scene.channel,
                scene.transcript()
            )
            .unwrap();
        }
        golden("together/snapshots", name, &text);
    }
}
