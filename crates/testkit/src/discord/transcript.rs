//! What happened, in the order it happened, for people to read.
//!
//! A designer sees every message as it was read, every button, what was pressed, what opened, and what was said in
//! answer.

use std::fmt::Write;

use super::{
    components::{Button, Does},
    interactions::Interaction,
    message::{Kind, Message, MessageAt, flags},
    modal::Modal,
    state::{Channel, ChannelKind, State},
};
use crate::scenes::{Scenes, quote};

/// What happened so far.
pub(crate) type Transcript = Scenes<MessageAt>;

impl State {
    /// Something that is no message.
    pub(crate) fn tell(&mut self, channel: u64, line: &str) {
        let place = self.place(channel);
        self.transcript.tell(place, format!("{line}\n"));
    }

    pub(crate) fn tell_posted(&mut self, at: MessageAt) {
        self.tell_message(at, "");
    }

    pub(crate) fn tell_changed(&mut self, at: MessageAt) {
        self.tell_message(at, ", changed");
    }

    pub(crate) fn tell_deleted(&mut self, at: MessageAt) {
        let number = self.transcript.number(at);
        self.tell(at.channel, &format!("#{number} is deleted"));
    }

    pub(crate) fn tell_pressed(&mut self, by: u64, at: MessageAt, label: &str) {
        let (name, number) = (self.account(by).name.clone(), self.transcript.number(at));
        self.tell(at.channel, &format!("{name} presses [{label}] below #{number}"));
    }

    pub(crate) fn tell_form(&mut self, interaction: &Interaction, modal: &Modal) {
        let name = &self.account(interaction.by).name;
        let mut line = format!("A form opens before {name}: \"{}\"\n", modal.title);
        for input in &modal.inputs {
            let placeholder = input.placeholder.as_deref().unwrap_or_default();
            let value = input.value.as_deref().unwrap_or_default();
            let _ = writeln!(line, "  {}: {value}{placeholder}___", input.label);
        }
        let place = self.place(interaction.channel);
        self.transcript.tell(place, line);
    }

    pub(crate) fn tell_filled(&mut self, by: u64, channel: u64, texts: &[String]) {
        let mut line = format!("{} sends the form in\n", self.account(by).name);
        for text in texts {
            quote(&mut line, text);
        }
        let place = self.place(channel);
        self.transcript.tell(place, line);
    }

    pub(crate) fn tell_notice(&mut self, to: u64, channel: u64, notice: &str) {
        let name = self.account(to).name.clone();
        self.tell(channel, &format!("{name} alone reads: \"{notice}\""));
    }

    fn tell_message(&mut self, at: MessageAt, how: &str) {
        let Some(message) = self.message(at).cloned() else {
            return;
        };
        let draft = &message.draft;
        let number = self.transcript.number(at);
        let mut line = format!("#{number} {}", self.account(draft.author).name);
        if let Some(replied) = draft.replies_to() {
            let replied = self.transcript.number(replied);
            let _ = write!(line, ", replying to #{replied}");
        }
        if draft.forwarded.is_some() {
            line.push_str(", forwarding");
        }
        if let Some(to) = draft.only_for {
            let _ = write!(line, ", to {} alone", self.account(to).name);
        }
        line.push_str(how);
        let silent = draft.has(flags::SUPPRESS_NOTIFICATIONS) || draft.only_for.is_some();
        if draft.author == self.bot.id && how.is_empty() && !silent {
            line.push_str(" (rings)");
        }
        line.push('\n');
        self.body_lines(&mut line, &message);
        let place = self.place(at.channel);
        self.transcript.tell(place, line);
    }

    fn body_lines(&self, into: &mut String, message: &Message) {
        let draft = &message.draft;
        let mut text = match draft.kind {
            Kind::Pinned => "(pins a message)".to_owned(),
            Kind::Joined => "(joins)".to_owned(),
            Kind::ThreadMade => format!("(begins the thread {})", draft.content),
            Kind::ThreadStarter => "(begins the thread)".to_owned(),
            Kind::Default | Kind::Reply | Kind::Command => self.written(&draft.content),
        };
        if let Some(snapshot) = &draft.forwarded {
            text = self.written(&snapshot.content);
        }
        for file in &draft.files {
            let what = if file.kind.starts_with("image/") {
                "a photo"
            } else {
                "a file"
            };
            text = format!("({what}) {text}");
        }
        if draft.has(flags::LOADING) {
            "(thinks)".clone_into(&mut text);
        }
        quote(into, text.trim_end());
        for row in &draft.rows {
            let row: Vec<String> = row.iter().map(face).collect();
            let _ = writeln!(into, "  {}", row.join(" "));
        }
    }

    fn place(&self, channel: u64) -> String {
        let channel = self.channel(channel);
        match &channel.kind {
            ChannelKind::Direct(with) => {
                let (name, bot) = (&self.account(*with).name, &self.account(self.bot.id).name);
                format!("{name}, alone with {bot}")
            }
            ChannelKind::Text { name, .. } => format!("#{name}"),
            ChannelKind::Thread(thread) => {
                let parent = self.channels.get(&thread.parent);
                let parent = parent.map_or_else(String::new, |parent| self.channel_name(parent));
                format!("#{parent} / {}", thread.name)
            }
        }
    }

    /// What a channel is called.
    pub(crate) fn channel_name(&self, channel: &Channel) -> String {
        match &channel.kind {
            ChannelKind::Direct(with) => self.account(*with).name.clone(),
            ChannelKind::Text { name, .. } => name.clone(),
            ChannelKind::Thread(thread) => thread.name.clone(),
        }
    }
}

fn face(button: &Button) -> String {
    match &button.does {
        Does::Ask(_) => format!("[{}]", button.label),
        Does::Open(url) => format!("[{} -> {url}]", button.label),
    }
}
