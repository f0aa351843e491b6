//! What happened, in the order it happened, for people to read.
//!
//! `Transcript::render` makes a text of it in which a designer sees every message as it was read, every button, what was
//! tapped and what was said in answer. Messages are numbered as they come, and no time stands in it, so that a golden
//! file changes only when something else than the clock has changed.

use std::{collections::BTreeMap, fmt::Write};

use super::{
    entities::{Entity, Formatted, Kind},
    markup::{Button, Does, Markup},
    message::{Author, Body, Message, MessageAt, Service},
    state::{Answer, ChatKind, State},
};
use crate::scenes::{Scenes, quote};

/// What happened so far.
pub(crate) type Transcript = Scenes<MessageAt>;

impl State {
    /// Something that is no message.
    pub(crate) fn tell(&mut self, chat: i64, topic: Option<i64>, line: &str) {
        let place = self.place(chat, topic);
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
        self.tell_at(at, &format!("#{number} is deleted"));
    }

    /// Somebody tapped.
    pub(crate) fn tell_tapped(&mut self, by: i64, at: MessageAt, label: &str) {
        let (name, number) = (self.account(by).name.clone(), self.transcript.number(at));
        self.tell_at(at, &format!("{name} taps [{label}] below #{number}"));
    }

    pub(crate) fn tell_answered(&mut self, id: &str) {
        let Some(tap) = self.taps.get(id).cloned() else {
            return;
        };
        let name = self.account(tap.by).name.clone();
        let line = match &tap.answer {
            Some(Answer { text: None, .. }) | None => format!("{name}'s button stops waiting"),
            Some(Answer {
                text: Some(text),
                alert: true,
            }) => format!("{name} reads and closes: \"{text}\""),
            Some(Answer {
                text: Some(text),
                alert: false,
            }) => format!("{name} reads in passing: \"{text}\""),
        };
        self.tell_at(tap.on, &line);
    }

    fn tell_at(&mut self, at: MessageAt, line: &str) {
        let topic = self.topic_of(at);
        self.tell(at.chat, topic, line);
    }

    fn tell_message(&mut self, at: MessageAt, how: &str) {
        let Some(message) = self.message(at).cloned() else {
            return;
        };
        let number = self.transcript.number(at);
        let mut line = format!("#{number} {}", self.author_name(message.author));
        if let Some(replied) = message.reply_to {
            let replied = self.transcript.number(MessageAt { id: replied, ..at });
            let _ = write!(line, ", replying to #{replied}");
        }
        if message.forwarded.is_some() {
            line.push_str(", forwarding");
        }
        line.push_str(how);
        if message.author == Author::Bot && message.edited.is_none() && !message.silent {
            line.push_str(" (rings)");
        }
        line.push('\n');
        self.body_lines(&mut line, &message);
        let topic = self.topic_of(at);
        let place = self.place(at.chat, topic);
        self.transcript.tell(place, line);
    }

    fn body_lines(&self, into: &mut String, message: &Message) {
        match &message.body {
            Body::Text(words) => quote(into, &styled(words)),
            Body::Photo(caption) => quote(into, format!("(a photo) {}", styled(caption)).trim_end()),
            Body::Service(service) => quote(into, &self.service_line(service)),
        }
        match &message.markup {
            Markup::None | Markup::Keyboard => {}
            Markup::Buttons(rows) => {
                for row in rows {
                    let row: Vec<String> = row.iter().map(face).collect();
                    let _ = writeln!(into, "  {}", row.join(" "));
                }
            }
            Markup::ForceReply { placeholder, .. } => {
                let placeholder = placeholder.as_deref().unwrap_or_default();
                let _ = writeln!(into, "  (a reply opens: {placeholder}___)");
            }
        }
    }

    fn service_line(&self, service: &Service) -> String {
        let name = |id: &i64| match self.accounts.get(id) {
            Some(account) => account.name.clone(),
            None => self.bot.name.clone(),
        };
        match service {
            Service::GroupCreated | Service::SupergroupCreated => "(the group begins)".to_owned(),
            Service::ChannelCreated => "(the channel begins)".to_owned(),
            Service::Joined(accounts) => {
                let names: Vec<String> = accounts.iter().map(name).collect();
                format!("({} joined)", names.join(", "))
            }
            Service::Left(account) => format!("({} left)", name(account)),
            Service::TopicCreated(topic) => format!("(the topic {topic} begins)"),
            Service::Renamed(title) => format!("(the group is now called {title})"),
            Service::MigratedTo(_) => "(the group has moved)".to_owned(),
            Service::MigratedFrom(_) => "(the group has moved here)".to_owned(),
        }
    }

    pub(crate) fn author_name(&self, author: Author) -> String {
        match author {
            Author::Bot => self.bot.name.clone(),
            Author::Account(id) => self.account(id).name.clone(),
            Author::Anonymous(_) => "an anonymous administrator".to_owned(),
            Author::ForChannel { channel, .. } => self.chat(channel).title.clone(),
            Author::Channel => "the channel".to_owned(),
        }
    }

    fn topic_of(&self, at: MessageAt) -> Option<i64> {
        let message = self.chats.get(&at.chat)?.messages.get(&at.id)?;
        message
            .thread
            .filter(|thread| thread.is_topic)
            .map(|thread| thread.root)
    }

    fn place(&self, chat: i64, topic: Option<i64>) -> String {
        let chat = self.chat(chat);
        let title = match chat.kind {
            ChatKind::Private => format!("{}, alone with {}", chat.title, self.bot.name),
            ChatKind::Channel => format!("{}, a channel", chat.title),
            _ => chat.title.clone(),
        };
        match topic.and_then(|topic| chat.topics.get(&topic)) {
            Some(topic) => format!("{title} / {}", topic.name),
            None => title,
        }
    }
}

fn face(button: &Button) -> String {
    match &button.does {
        Does::CallBack(_) => format!("[{}]", button.label),
        Does::Open(url) => format!("[{} -> {url}]", button.label),
        Does::Copy(_) => format!("[{} (copies)]", button.label),
    }
}

/// The text with its styles written out, the way people write them.
fn styled(words: &Formatted) -> String {
    let mut begins: BTreeMap<usize, String> = BTreeMap::new();
    let mut ends: BTreeMap<usize, String> = BTreeMap::new();
    for entity in &words.entities {
        let Some((open, close)) = marks(entity) else {
            continue;
        };
        begins.entry(entity.offset).or_default().push_str(&open);
        let end = ends.entry(entity.end()).or_default();
        // What opened last closes first.
        *end = format!("{close}{end}");
    }
    let mut text = String::new();
    let mut at = 0;
    for c in words.text.chars() {
        text.push_str(ends.get(&at).map_or("", String::as_str));
        text.push_str(begins.get(&at).map_or("", String::as_str));
        text.push(c);
        at += c.len_utf16();
    }
    text.push_str(ends.get(&at).map_or("", String::as_str));
    text
}

fn marks(entity: &Entity) -> Option<(String, String)> {
    if let Kind::TextLink { url } = &entity.kind {
        return Some(("[".to_owned(), format!("]({url})")));
    }
    let mark = match entity.name() {
        "bold" => "*",
        "italic" => "_",
        "strikethrough" => "~",
        "underline" => "__",
        "code" => "`",
        "pre" => "```",
        "spoiler" => "||",
        _ => return None,
    };
    Some((mark.to_owned(), mark.to_owned()))
}
