//! Presses, commands and forms, and what the bot makes of them.
//!
//! An interaction is answered within three seconds and once; what is refused was no answer. For a quarter of an hour
//! it can then be followed up. Whoever pressed sees what came of it, or that nothing did. Source: Discord docs,
//! "Receiving and Responding to Interactions".

use jiff::Timestamp;
use serde_json::{Value, json};

use super::{
    events::Event,
    limits,
    message::MessageAt,
    modal::Modal,
    refusal::Refusal,
    state::{Shown, State, Told},
};

/// What somebody did for the bot to answer.
#[derive(Clone, Debug)]
pub(crate) struct Interaction {
    pub(crate) id: u64,
    pub(crate) token: String,
    pub(crate) by: u64,
    pub(crate) channel: u64,
    pub(crate) asked: Asked,
    pub(crate) when: Timestamp,
    pub(crate) answer: Answer,
    /// The message that the answer made, or that it changes.
    pub(crate) original: Option<MessageAt>,
    pub(crate) follow_ups: Vec<MessageAt>,
    /// How often it was handed out.
    pub(crate) handed_out: usize,
    /// Answers that came too late or twice.
    pub(crate) in_vain: usize,
    /// Whether the bot tried to answer.
    pub(crate) tried: bool,
    /// Whether something was shown after an answer that only puts it off.
    pub(crate) shown: bool,
    /// Whether whoever did it was told that nothing came.
    pub(crate) given_up: bool,
}

/// What was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// A button was pressed.
    Button { on: MessageAt, custom_id: String },
    /// A slash command was used, with what was typed for its option.
    Command {
        id: u64,
        name: String,
        option: Option<(String, String)>,
    },
    /// A form was sent in.
    Form {
        modal: Modal,
        texts: Vec<String>,
        /// The interaction that opened it.
        from: u64,
        /// The message whose button did.
        on: Option<MessageAt>,
    },
}

/// How it was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    None,
    /// Type 4.
    Message,
    /// Type 5: a message is on its way.
    Loading,
    /// Type 6: the message will change.
    LaterUpdate,
    /// Type 7: the message was changed.
    Update,
    /// Type 9.
    Form,
}

/// A form before somebody.
#[derive(Clone, Debug)]
pub(crate) struct OpenForm {
    pub(crate) modal: Modal,
    /// The interaction that opened it.
    pub(crate) from: u64,
}

/// What somebody reads whose interaction nobody answered.
pub(crate) const FAILED: &str = "This interaction failed";
pub(crate) const NO_RESPONSE: &str = "The application did not respond";
pub(crate) const WENT_WRONG: &str = "Something went wrong. Try again.";

impl Interaction {
    /// The message below which the button stood.
    pub(crate) fn on(&self) -> Option<MessageAt> {
        match &self.asked {
            Asked::Button { on, .. } => Some(*on),
            Asked::Form { on, .. } => *on,
            Asked::Command { .. } => None,
        }
    }

    pub(crate) fn is_late(&self, now: Timestamp) -> bool {
        self.when + limits::ANSWER_WITHIN < now
    }

    /// What the one who did it reads once nobody has answered in time.
    pub(crate) fn failure(&self, now: Timestamp) -> Option<&'static str> {
        if self.answer != Answer::None || !self.is_late(now) {
            return None;
        }
        Some(match self.asked {
            Asked::Button { .. } => FAILED,
            Asked::Command { .. } => NO_RESPONSE,
            Asked::Form { .. } => WENT_WRONG,
        })
    }

    /// How many pieces of feedback came of it. Where the bot tries in vain, nobody can do more.
    pub(crate) fn feedback(&self) -> usize {
        let shown = match self.answer {
            Answer::None => false,
            Answer::Message | Answer::Update | Answer::Form => true,
            Answer::Loading | Answer::LaterUpdate => self.shown,
        };
        (usize::from(shown) + self.in_vain).min(self.handed_out.max(1))
    }
}

impl State {
    /// Somebody does something that the bot has to answer. Gives its id.
    pub(crate) fn interact(&mut self, by: u64, channel: u64, asked: Asked) -> u64 {
        let id = self.ids.next(self.now);
        let interaction = Interaction {
            id,
            token: format!("aW50ZXJhY3Rpb24{id:x}"),
            by,
            channel,
            asked,
            when: self.now,
            answer: Answer::None,
            original: None,
            follow_ups: Vec::new(),
            handed_out: 0,
            in_vain: 0,
            tried: false,
            shown: false,
            given_up: false,
        };
        let event = Event {
            meant: true,
            interaction: Some(id),
            ..Event::new("INTERACTION_CREATE", 0, self.interaction_json(&interaction))
        };
        self.interactions.insert(id, interaction);
        self.dispatch(&event);
        id
    }

    /// Tells those who waited for an answer in vain.
    pub(crate) fn give_up_waiting(&mut self) {
        let now = self.now;
        let late = self
            .interactions
            .values()
            .filter(|i| !i.given_up && i.failure(now).is_some());
        let late: Vec<u64> = late.map(|interaction| interaction.id).collect();
        for id in late {
            let interaction = self.interactions.get_mut(&id).expect("it was just found");
            interaction.given_up = true;
            let Some(notice) = interaction.failure(now) else {
                continue;
            };
            let (to, channel) = (interaction.by, interaction.channel);
            let when = interaction.when + limits::ANSWER_WITHIN;
            let what = Shown::Notice(notice);
            self.told.push(Told { to, when, what });
            self.tell_notice(to, channel, notice);
        }
    }

    /// What the bot broke so far: what is noted, and what was received and never answered, not even too late.
    pub(crate) fn all_violations(&self) -> Vec<String> {
        let received = self
            .interactions
            .values()
            .filter(|interaction| interaction.handed_out > 0);
        let ignored = received.filter(|interaction| interaction.given_up && !interaction.tried);
        let ignored = ignored.map(|_| "an interaction was received and never answered".to_owned());
        self.violations.iter().cloned().chain(ignored).collect()
    }

    /// The bot tries to answer, whatever becomes of that.
    pub(crate) fn tries(&mut self, interaction: &str) {
        let id = interaction.parse().ok();
        if let Some(interaction) = id.and_then(|id: u64| self.interactions.get_mut(&id)) {
            interaction.tried = true;
        }
    }

    /// The interaction of this token, for its follow-ups.
    pub(crate) fn followed_up(&self, application: u64, token: &str) -> Result<u64, Refusal> {
        if application != self.bot.id {
            return Err(Refusal::unknown_webhook());
        }
        let mut all = self.interactions.values();
        let found = all.find(|interaction| interaction.token == token);
        let interaction = found.ok_or_else(Refusal::invalid_webhook_token)?;
        if interaction.when + limits::FOLLOW_UP_WITHIN < self.now {
            return Err(Refusal::invalid_webhook_token());
        }
        if interaction.answer == Answer::None {
            return Err(Refusal::unknown_webhook());
        }
        Ok(interaction.id)
    }

    /// Something that an interaction only put off has been shown.
    pub(crate) fn shows(&mut self, interaction: u64) {
        if let Some(interaction) = self.interactions.get_mut(&interaction) {
            interaction.shown = true;
        }
    }

    /// Interactions that said that a message will change have kept their word.
    pub(crate) fn shows_by_change(&mut self, at: MessageAt) {
        let waiting: Vec<u64> = self
            .interactions
            .values()
            .filter(|i| i.answer == Answer::LaterUpdate && !i.shown && i.on() == Some(at))
            .map(|interaction| interaction.id)
            .collect();
        for id in waiting {
            self.shows(id);
            let by = self.interactions[&id].by;
            self.show_alone(by, at);
        }
    }

    /// As the bot is told of it.
    fn interaction_json(&self, interaction: &Interaction) -> Value {
        let channel = self.channel(interaction.channel);
        let (kind, data) = asked_json(&interaction.asked);
        let guild = channel.guild();
        let owner = guild.map_or_else(|| "0".to_owned(), |id| id.to_string());
        let mut value = json!({
            "id": interaction.id.to_string(),
            "application_id": self.bot.id.to_string(),
            "type": kind,
            "data": data,
            "channel": self.partial_channel_json(channel),
            "channel_id": interaction.channel.to_string(),
            "token": interaction.token,
            "version": 1,
            "app_permissions": self.told_permissions(channel),
            "locale": self.account(interaction.by).locale,
            "entitlements": [],
            "entitlement_sku_ids": [],
            "authorizing_integration_owners": {"0": owner},
            "context": i32::from(guild.is_none()),
            "attachment_size_limit": 10_485_760,
        });
        match guild {
            Some(guild) => {
                value["guild_id"] = guild.to_string().into();
                value["guild_locale"] = "en-US".into();
                value["guild"] = json!({"id": guild.to_string(), "locale": "en-US", "features": []});
                let member = self.member_json(guild, interaction.by);
                let mut member = member.unwrap_or_else(|| json!({}));
                member["permissions"] = super::permissions::OF_EVERYBODY.to_string().into();
                value["member"] = member;
            }
            None => value["user"] = self.user_json(interaction.by),
        }
        if let Some(message) = interaction.on().and_then(|on| self.raw_message(on)) {
            value["message"] = self.message_json(message, true);
        }
        value
    }

    /// A message as it was, deleted or not.
    pub(crate) fn raw_message(&self, at: MessageAt) -> Option<&super::message::Message> {
        self.channels.get(&at.channel)?.messages.get(&at.id)
    }

    /// What the bot may do in a channel, as interactions tell it.
    fn told_permissions(&self, channel: &super::state::Channel) -> String {
        let may = if channel.is_direct() {
            super::permissions::OF_EVERYBODY
        } else {
            self.bot_may(channel)
        };
        may.to_string()
    }
}

fn asked_json(asked: &Asked) -> (u8, Value) {
    match asked {
        Asked::Command { id, name, option } => {
            let mut data = json!({"id": id.to_string(), "name": name, "type": 1});
            if let Some((name, value)) = option {
                data["options"] = json!([{"name": name, "type": 3, "value": value}]);
            }
            (2, data)
        }
        Asked::Button { custom_id, .. } => {
            let data = json!({"custom_id": custom_id, "component_type": 2, "id": 2});
            (3, data)
        }
        Asked::Form { modal, texts, .. } => {
            let data = json!({"custom_id": modal.custom_id, "components": modal.filled(texts)});
            (5, data)
        }
    }
}
