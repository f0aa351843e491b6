//! Whom a message pings.
//!
//! The servers look for mentions in the raw content, whatever the markup around them says, and then keep to what
//! `allowed_mentions` lets through. Source: Discord docs, "Message Resource", "Allowed Mentions Object".

use std::sync::LazyLock;

use regex::Regex;

use super::{
    Permission, fields,
    form::{Object, snowflake},
    limits,
    message::Pings,
    state::State,
};

static MENTION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"<@(!|&)?(\d{1,20})>|@(everyone|here)\b").expect("it is a regular expression")
});

/// Which mentions ping.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "switches of the API, as it has them"
)]
pub(crate) struct Allowed {
    all_users: bool,
    all_roles: bool,
    everyone: bool,
    users: Vec<u64>,
    roles: Vec<u64>,
    /// Whether a reply pings whom it replies to.
    pub(crate) replied_user: bool,
}

impl Allowed {
    /// What holds where nobody says anything.
    pub(crate) fn everything() -> Self {
        Self {
            all_users: true,
            all_roles: true,
            everyone: true,
            replied_user: true,
            ..Self::default()
        }
    }

    /// Reads `allowed_mentions`. None where it is missing.
    pub(crate) fn read(object: &Object<'_>) -> Option<Self> {
        let object = object.object("allowed_mentions")?;
        object.only(fields::ALLOWED_MENTIONS);
        let mut allowed = Self {
            replied_user: object.switch("replied_user").unwrap_or_default(),
            ..Self::default()
        };
        for (value, at) in object.array("parse", 0, 3).unwrap_or_default() {
            match value.as_str() {
                Some("users") => allowed.all_users = true,
                Some("roles") => allowed.all_roles = true,
                Some("everyone") => allowed.everyone = true,
                _ => at.wrong(
                    "BASE_TYPE_CHOICES",
                    "Value must be one of ('users', 'everyone', 'roles').",
                ),
            }
        }
        let ids = |name: &str, all: bool| {
            let items = object
                .array(name, 0, limits::ALLOWED_MENTIONS)
                .unwrap_or_default();
            if all && !items.is_empty() {
                let message = format!("parse:[\"{name}\"] and {name}: [ids...] are mutually exclusive.");
                object
                    .field("parse")
                    .wrong("MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE", message);
            }
            items.iter().filter_map(|(value, _)| snowflake(value)).collect()
        };
        allowed.users = ids("users", allowed.all_users);
        allowed.roles = ids("roles", allowed.all_roles);
        Some(allowed)
    }
}

impl State {
    /// Whom a message by `author` in `channel` pings.
    pub(crate) fn pings(&self, author: u64, channel: u64, content: &str, allowed: &Allowed) -> Pings {
        let mut pings = Pings::default();
        let channel = self.channel(channel);
        let may_ping_everyone = author == self.bot.id
            && !channel.is_direct()
            && self.bot_can(channel, Permission::MentionEveryone);
        for found in MENTION.captures_iter(content) {
            let id = found.get(2).and_then(|id| id.as_str().parse().ok());
            match (found.get(1).map(|kind| kind.as_str()), id) {
                (Some("&"), Some(id)) => {
                    let known = self.guilds.values().any(|guild| guild.bot_role == id);
                    let fits = allowed.all_roles || allowed.roles.contains(&id);
                    if known && fits && !pings.roles.contains(&id) {
                        pings.roles.push(id);
                    }
                }
                (_, Some(id)) => {
                    let fits = allowed.all_users || allowed.users.contains(&id);
                    if self.accounts.contains_key(&id) && fits && !pings.accounts.contains(&id) {
                        pings.accounts.push(id);
                    }
                }
                (_, None) => pings.everyone |= allowed.everyone && may_ping_everyone,
            }
        }
        pings
    }
}
