//! Whether the bot may do something in a chat.
//!
//! Follows `Client::check_chat_access` of telegram-bot-api, and for people what its server answers: one whom the bot
//! has never met does not exist for it (400), one whom it has met and who never pressed START cannot be written to
//! (403).

use crate::telegram::{
    arguments::Arguments,
    message::MessageAt,
    refusal::Refusal,
    state::{Chat, ChatKind, Standing, State, WithBot},
};

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    Read,
    Edit,
    Write,
}

impl State {
    /// The chat named by the parameter `chat_id`, if it may be used so.
    pub(crate) fn reach(&self, arguments: &Arguments, access: Access) -> Result<i64, Refusal> {
        let not_found = || Refusal::bad("chat not found");
        let named = arguments.text("chat_id");
        if named.is_empty() {
            return Err(Refusal::broken("chat_id is empty"));
        }
        let chat = match named.strip_prefix('@') {
            Some(_) => return Err(not_found()),
            None => self
                .chats
                .get(&arguments.integer("chat_id"))
                .ok_or_else(not_found)?,
        };
        match chat.kind {
            ChatKind::Private => self.reach_person(chat, access)?,
            ChatKind::Group => reach_group(chat, access)?,
            ChatKind::Supergroup { .. } => reach_standing(chat.bot, "supergroup", Access::Write)?,
            ChatKind::Channel => {
                reach_standing(chat.bot, "channel", Access::Write)?;
                if access != Access::Read && !chat.bot.is_administrator() {
                    return Err(Refusal::bad("need administrator rights in the channel chat"));
                }
            }
        }
        Ok(chat.id)
    }

    fn reach_person(&self, chat: &Chat, access: Access) -> Result<(), Refusal> {
        let account = self.account(chat.id);
        if !self.has_met(account.id) {
            return Err(Refusal::bad("chat not found"));
        }
        if access != Access::Read && account.deleted {
            return Err(Refusal::forbidden("user is deactivated"));
        }
        if access == Access::Write {
            match account.standing {
                WithBot::Started => {}
                WithBot::Blocked => return Err(Refusal::forbidden("bot was blocked by the user")),
                WithBot::Stranger => {
                    return Err(Refusal::forbidden("bot can't initiate conversation with a user"));
                }
            }
        }
        Ok(())
    }

    /// The message named by `chat_id` and `message_id`, for a call that speaks of it as `what`.
    pub(crate) fn reach_message(
        &self,
        arguments: &Arguments,
        access: Access,
        what: &str,
    ) -> Result<MessageAt, Refusal> {
        let at = MessageAt {
            chat: self.reach(arguments, access)?,
            id: arguments.integer("message_id"),
        };
        match self.message(at) {
            Some(_) => Ok(at),
            None => Err(Refusal::bad(format!("{what} not found"))),
        }
    }
}

fn reach_group(chat: &Chat, access: Access) -> Result<(), Refusal> {
    if let Some(to) = chat.migrated_to {
        return match access {
            Access::Write => Err(Refusal::migrated(to)),
            // A guess: the group is closed, and its messages with it.
            Access::Edit => Err(Refusal::bad("message can't be edited")),
            Access::Read => Ok(()),
        };
    }
    reach_standing(chat.bot, "group", access)
}

fn reach_standing(bot: Standing, kind: &str, access: Access) -> Result<(), Refusal> {
    match bot {
        _ if access == Access::Read => Ok(()),
        Standing::Kicked => Err(Refusal::forbidden(&format!(
            "bot was kicked from the {kind} chat"
        ))),
        Standing::Left => Err(Refusal::forbidden(&format!(
            "bot is not a member of the {kind} chat"
        ))),
        _ => Ok(()),
    }
}
