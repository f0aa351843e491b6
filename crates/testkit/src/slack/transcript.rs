//! What happened, in the order it happened, for people to read.
//!
//! A designer sees every message as it was read, every button and form, what was pressed and what was said in answer.

use std::fmt::Write;

use super::{
    message::{Author, Message, MessageAt, Ts},
    mrkdwn,
    render::{self, Button},
    state::{Kind, State},
    views::View,
};
use crate::scenes::quote;

impl State {
    /// Something that is no message.
    pub(crate) fn tell(&mut self, channel: &str, thread: Option<Ts>, line: &str) {
        let place = self.place(channel, thread);
        self.transcript.tell(place, format!("{line}\n"));
    }

    pub(crate) fn tell_deleted(&mut self, at: &MessageAt) {
        let number = self.transcript.number(at.clone());
        self.tell_at(at, &format!("#{number} is deleted"));
    }

    /// Somebody pressed a button.
    pub(crate) fn tell_pressed(&mut self, who: &str, at: &MessageAt, label: &str) {
        let (name, number) = (self.account(who).name.clone(), self.transcript.number(at.clone()));
        self.tell_at(at, &format!("{name} presses [{label}] below #{number}"));
    }

    /// A form opens before somebody, or changes.
    pub(crate) fn tell_view(&mut self, who: &str, view: &View, how: &str) {
        let name = self.account(who).name.clone();
        let label = |part: &str| view.shape[part]["text"].as_str().map(mrkdwn::decoded);
        let title = label("title").unwrap_or_default();
        let mut lines = format!("A form {how} before {name}: {title}\n");
        let blocks = view.shape["blocks"].as_array().cloned().unwrap_or_default();
        let shown = self.shown_blocks(&blocks, who);
        if !shown.paragraphs.is_empty() {
            quote(&mut lines, &shown.marked());
        }
        for input in &shown.inputs {
            let optional = if input.optional { " (optional)" } else { "" };
            let placeholder = input.placeholder.as_deref().unwrap_or_default();
            let _ = writeln!(lines, "  {}{optional}: {placeholder}___", input.label);
            if let Some(hint) = &input.hint {
                let _ = writeln!(lines, "  {hint}");
            }
        }
        let close = label("close").unwrap_or_else(|| "Cancel".to_owned());
        let submit = label("submit")
            .map(|submit| format!(" [{submit}]"))
            .unwrap_or_default();
        let _ = writeln!(lines, "  [{close}]{submit}");
        let place = self.place(&view.channel, None);
        self.transcript.tell(place, lines);
    }

    /// Somebody sends a form in.
    pub(crate) fn tell_sent(&mut self, who: &str, typed: &[String]) {
        let Some(view) = self.view_before(who).cloned() else {
            return;
        };
        let name = self.account(who).name.clone();
        let mut lines = format!("{name} sends the form\n");
        for text in typed {
            quote(&mut lines, text);
        }
        let place = self.place(&view.channel, None);
        self.transcript.tell(place, lines);
    }

    fn tell_at(&mut self, at: &MessageAt, line: &str) {
        let thread = self.message_ever(at).and_then(|message| message.thread);
        self.tell(&at.channel, thread, line);
    }

    pub(crate) fn tell_message(&mut self, message: &Message, how: &str) {
        let buttons = self.shown(message, "").buttons;
        self.buttons.extend(buttons.into_iter().flatten());
        let at = &message.at;
        let number = self.transcript.number(at.clone());
        let mut lines = format!("#{number} {}", self.author_name(&message.author));
        if let Some(who) = &message.only {
            let _ = write!(lines, ", for {} alone", self.name_of(who).unwrap_or_default());
        }
        if message.content.shared.is_some() {
            lines.push_str(", sharing");
        }
        lines.push_str(how);
        if message.rang && message.edited.is_none() {
            lines.push_str(" (rings)");
        }
        lines.push('\n');
        self.body_lines(&mut lines, message);
        let place = self.place(&at.channel, message.thread);
        self.transcript.tell(place, lines);
    }

    fn body_lines(&self, into: &mut String, message: &Message) {
        let shown = self.shown(message, "");
        let mut text = shown.marked();
        if message.content.file.is_some() {
            text.insert_str(0, if text.is_empty() { "(a file)" } else { "(a file) " });
        }
        if let Some(shared) = &message.content.shared {
            let of = self.name_of(&shared.author).unwrap_or_default();
            let words = render::pictured(&mrkdwn::decoded(&shared.text));
            let _ = write!(
                text,
                "{}({of} said) {words}",
                if text.is_empty() { "" } else { "\n" }
            );
        }
        quote(into, &text);
        for row in &shown.buttons {
            let row: Vec<String> = row.iter().map(face).collect();
            let _ = writeln!(into, "  {}", row.join(" "));
        }
    }

    pub(crate) fn author_name(&self, author: &Author) -> String {
        self.name_of(self.author_id(author)).unwrap_or_default()
    }

    fn place(&mut self, channel: &str, thread: Option<Ts>) -> String {
        let conversation = self.conversation(channel);
        let title = match conversation.kind {
            Kind::Direct => {
                let person = conversation.person().and_then(|person| self.name_of(person));
                format!("{}, alone with {}", person.unwrap_or_default(), self.app.name)
            }
            Kind::Public => format!("#{}", conversation.name),
            Kind::Private => format!("#{}, private", conversation.name),
        };
        match thread {
            Some(root) => {
                let number = self.transcript.number(MessageAt::new(channel, root));
                format!("{title} / the thread of #{number}")
            }
            None => title,
        }
    }
}

fn face(button: &Button) -> String {
    match &button.url {
        Some(url) => format!("[{} -> {url}]", button.label),
        None => format!("[{}]", button.label),
    }
}
