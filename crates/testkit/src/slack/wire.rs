//! What the servers know, as the JSON of the Web API.
//!
//! `cargo xtask contracts` compares what comes out with Slack's description of it, field by field, as far as that
//! goes: it is of 2021.

use jiff::tz::TimeZone;
use serde_json::{Value, json};

use super::{
    emoji,
    message::{Author, Message, MessageAt},
    mrkdwn,
    state::{Account, Conversation, DOMAIN, Kind, State, TEAM},
};

impl State {
    /// A message, as `conversations.history` has it.
    pub(crate) fn message_json(&self, message: &Message) -> Value {
        let content = &message.content;
        let mut json = json!({
            "type": "message", "text": emoji::named(&content.text), "ts": message.at.ts.to_string(), "team": TEAM,
        });
        match &message.author {
            Author::App => {
                json["user"] = self.app.user.as_str().into();
                json["bot_id"] = self.app.bot.as_str().into();
                json["app_id"] = self.app.id.as_str().into();
                json["bot_profile"] = self.bot_profile(&self.app.bot, &self.app.name, &self.app.id);
            }
            Author::Account(id) => {
                let account = self.account(id);
                json["user"] = id.as_str().into();
                if let Some(bot) = &account.bot {
                    json["bot_id"] = bot.as_str().into();
                    json["app_id"] = "A0ANOTHER0".into();
                    json["bot_profile"] = self.bot_profile(bot, &account.name, "A0ANOTHER0");
                }
            }
        }
        if let Some(id) = &content.client_id {
            json["client_msg_id"] = id.as_str().into();
        }
        if !content.blocks.is_empty() {
            json["blocks"] = content.blocks.iter().map(returned).collect();
        }
        if let Some(edited) = &message.edited {
            json["edited"] = json!({"user": edited.by, "ts": edited.ts.to_string()});
        }
        if let Some(name) = &content.file {
            json["files"] = json!([self.file_json(name, message)]);
            json["upload"] = false.into();
        }
        if let Some(shared) = &content.shared {
            json["attachments"] = json!([{
                "id": 1, "is_msg_unfurl": true, "is_share": true, "author_id": shared.author,
                "author_name": self.name_of(&shared.author), "channel_id": shared.at.channel,
                "channel_team": TEAM, "ts": shared.at.ts.to_string(), "text": shared.text,
                "fallback": shared.text, "mrkdwn_in": ["text"], "from_url": permalink(&shared.at),
            }]);
        }
        if let Some(url) = &content.preview {
            json["attachments"] = json!([{
                "id": 1, "from_url": url, "original_url": url, "title": "A page", "title_link": url,
                "text": "What somebody else wrote on it.", "fallback": "A page", "service_name": "example.org",
            }]);
        }
        self.threaded(&mut json, message);
        json
    }

    /// What a message says of its thread.
    fn threaded(&self, json: &mut Value, message: &Message) {
        let conversation = self.conversation(&message.at.channel);
        if let Some(root) = message.thread {
            json["thread_ts"] = root.to_string().into();
            let parent = conversation.messages.get(&root);
            json["parent_user_id"] = parent.map(|parent| self.author_id(&parent.author)).into();
            return;
        }
        let replies: Vec<&Message> = conversation.replies(message.at.ts).collect();
        let Some(latest) = replies.last() else {
            return;
        };
        let mut users: Vec<&str> = replies
            .iter()
            .map(|reply| self.author_id(&reply.author))
            .collect();
        users.sort_unstable();
        users.dedup();
        json["thread_ts"] = message.at.ts.to_string().into();
        json["reply_count"] = replies.len().into();
        json["reply_users_count"] = users.len().into();
        json["reply_users"] = json!(users);
        json["latest_reply"] = latest.at.ts.to_string().into();
        json["subscribed"] = false.into();
    }

    pub(crate) fn author_id<'a>(&'a self, author: &'a Author) -> &'a str {
        match author {
            Author::App => &self.app.user,
            Author::Account(id) => id,
        }
    }

    fn bot_profile(&self, id: &str, name: &str, app: &str) -> Value {
        json!({
            "id": id, "app_id": app, "name": name, "deleted": false, "updated": self.now.as_second(),
            "team_id": TEAM, "icons": icons(),
        })
    }

    /// The answer of `bots.info`.
    pub(crate) fn bot_json(&self, id: &str) -> Option<Value> {
        let app =
            (id == self.app.bot).then(|| (self.app.user.clone(), self.app.name.clone(), self.app.id.clone()));
        let account = self
            .accounts
            .values()
            .find(|account| account.bot.as_deref() == Some(id));
        let other =
            account.map(|account| (account.id.clone(), account.name.clone(), "A0ANOTHER0".to_owned()));
        let (user, name, app) = app.or(other)?;
        let mut json = self.bot_profile(id, &name, &app);
        json["user_id"] = user.into();
        if let Value::Object(fields) = &mut json {
            fields.remove("team_id");
        }
        Some(json)
    }

    /// A picture that nobody can fetch.
    fn file_json(&self, name: &str, message: &Message) -> Value {
        let id = format!("F{:010}", message.at.ts.micros() % 10_000_000_000);
        let page = format!("https://{DOMAIN}.slack.com/files/{id}/{name}");
        json!({
            "id": id, "created": message.at.ts.micros() / 1_000_000, "timestamp": message.at.ts.micros() / 1_000_000,
            "name": name, "title": name, "mimetype": "image/png", "filetype": "png", "pretty_type": "PNG",
            "user": self.author_id(&message.author), "editable": false, "size": 1101, "mode": "hosted",
            "is_external": false, "external_type": "", "is_public": false, "public_url_shared": false,
            "display_as_bot": false, "username": "", "url_private": page, "permalink": page,
        })
    }

    /// Somebody, as clicks and forms name them.
    pub(crate) fn acting_user(&self, who: &str) -> Value {
        let account = self.account(who);
        json!({"id": who, "username": handle(&account.name), "name": handle(&account.name), "team_id": TEAM})
    }

    /// The answer of `users.info`.
    pub(crate) fn user_json(&self, id: &str, with_locale: bool) -> Option<Value> {
        let app = Account {
            id: self.app.user.clone(),
            name: self.app.name.clone(),
            locale: "en-US".to_owned(),
            zone: TimeZone::UTC,
            bot: Some(self.app.bot.clone()),
            deleted: false,
        };
        let account = if id == app.id {
            &app
        } else {
            self.accounts.get(id)?
        };
        let offset = account.zone.to_offset(self.now).seconds();
        let zone = account
            .zone
            .iana_name()
            .filter(|name| *name != "UTC")
            .unwrap_or("Etc/UTC");
        let name = &account.name;
        let mut profile = json!({
            "title": "", "phone": "", "skype": "", "real_name": name, "real_name_normalized": name,
            "display_name": name, "display_name_normalized": name, "fields": null, "status_text": "",
            "status_emoji": "", "status_expiration": 0, "avatar_hash": "g0000000000a",
            "first_name": name, "last_name": "", "team": TEAM,
        });
        if let Some(bot) = &account.bot {
            profile["bot_id"] = bot.as_str().into();
            profile["api_app_id"] = if id == app.id {
                self.app.id.as_str()
            } else {
                "A0ANOTHER0"
            }
            .into();
            profile["always_active"] = true.into();
        }
        let mut user = json!({
            "id": id, "team_id": TEAM, "name": handle(name), "deleted": account.deleted, "color": "9f69e7",
            "real_name": name, "tz": zone, "tz_label": zone, "tz_offset": offset, "profile": profile,
            "is_admin": false, "is_owner": false, "is_primary_owner": false, "is_restricted": false,
            "is_ultra_restricted": false, "is_bot": account.bot.is_some(), "is_app_user": false,
            "updated": self.now.as_second(),
        });
        if with_locale {
            user["locale"] = account.locale.as_str().into();
        }
        Some(user)
    }
}

impl Conversation {
    /// A conversation, as `conversations.info` has it.
    pub(crate) fn to_json(&self) -> Value {
        let created = self.created.as_second();
        if let Some(person) = self.person() {
            return json!({
                "id": self.id, "created": created, "is_archived": false, "is_im": true,
                "is_org_shared": false, "user": person, "is_open": true, "priority": 0,
            });
        }
        let private = self.kind == Kind::Private;
        let creator = self.members.iter().next().cloned().unwrap_or_default();
        let nothing = json!({"value": "", "creator": "", "last_set": 0});
        json!({
            "id": self.id, "name": self.name, "name_normalized": self.name,
            "is_channel": !private, "is_group": private, "is_im": false, "is_mpim": false, "is_private": private,
            "created": created, "creator": creator, "is_archived": self.archived, "is_general": false,
            "unlinked": 0, "is_shared": false, "is_ext_shared": false, "is_org_shared": false,
            "pending_shared": [], "is_pending_ext_shared": false, "is_member": self.has_app,
            "topic": nothing, "purpose": nothing, "previous_names": [],
        })
    }
}

fn permalink(at: &MessageAt) -> String {
    let number = at.ts.to_string().replace('.', "");
    format!("https://{DOMAIN}.slack.com/archives/{}/p{number}", at.channel)
}

pub(crate) fn team() -> Value {
    json!({"id": TEAM, "domain": DOMAIN})
}

/// What somebody is mentioned by.
pub(crate) fn handle(name: &str) -> String {
    name.to_lowercase().replace(' ', ".")
}

fn icons() -> Value {
    let icon = |size: u32| format!("https://a.slack-edge.com/bot_{size}.png");
    json!({"image_36": icon(36), "image_48": icon(48), "image_72": icon(72)})
}

/// A block, as it comes back: plain texts with entities and names of emoji.
pub(crate) fn returned(block: &Value) -> Value {
    match block {
        Value::Object(fields) => {
            let mut fields: serde_json::Map<String, Value> = fields
                .iter()
                .map(|(name, value)| (name.clone(), returned(value)))
                .collect();
            let kind = fields
                .get("type")
                .and_then(Value::as_str)
                .unwrap_or_default()
                .to_owned();
            let text = fields.get("text").and_then(Value::as_str).map(str::to_owned);
            match (kind.as_str(), text) {
                ("plain_text", Some(text)) => {
                    fields.insert("text".to_owned(), emoji::named(&mrkdwn::kept(&text)).into());
                    fields.entry("emoji").or_insert(true.into());
                }
                ("mrkdwn", Some(text)) => {
                    fields.insert("text".to_owned(), emoji::named(&text).into());
                    fields.entry("verbatim").or_insert(false.into());
                }
                _ => {}
            }
            Value::Object(fields)
        }
        Value::Array(items) => items.iter().map(returned).collect(),
        other => other.clone(),
    }
}
