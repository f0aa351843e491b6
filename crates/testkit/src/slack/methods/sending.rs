//! New messages.

use serde_json::{Value, json};

use crate::slack::{
    arguments::Arguments,
    message::{Author, Draft, MessageAt, Ts},
    refusal::Refusal,
    state::{Kind, State},
};

pub(super) fn post_message(state: &mut State, arguments: &Arguments) -> Result<Value, Refusal> {
    let channel = state.destination(&arguments.text("channel"))?;
    let thread = thread(state, &channel, arguments)?;
    let content = state.content(arguments)?;
    let now = state.now;
    state.rates.count(&channel, now)?;
    state.check_markup("chat.postMessage", &content);
    let draft = Draft {
        thread,
        ..Draft::new(Author::App, content)
    };
    let at = state.post(&channel, draft);
    let message = state.message(&at).expect("it was just posted");
    Ok(json!({"channel": channel, "ts": at.ts.to_string(), "message": state.message_json(message)}))
}

pub(super) fn post_ephemeral(state: &mut State, arguments: &Arguments) -> Result<Value, Refusal> {
    let channel = arguments.text("channel");
    if !state.conversations.contains_key(&channel) {
        return Err(Refusal::of("channel_not_found"));
    }
    let channel = state.destination(&channel)?;
    let who = arguments.text("user");
    if !state.conversation(&channel).members.contains(&who) {
        return Err(Refusal::of("user_not_in_channel"));
    }
    let thread = thread(state, &channel, arguments)?;
    // Source: `chat.postEphemeral`, "thread_ts": shown only where there is a thread already.
    if thread.is_some_and(|root| state.conversation(&channel).replies(root).next().is_none()) {
        state.violation(
            "chat.postEphemeral",
            "nobody sees it: the thread has no reply yet",
        );
    }
    let content = state.content(arguments)?;
    state.check_markup("chat.postEphemeral", &content);
    let draft = Draft {
        thread,
        only: Some(who),
        ..Draft::new(Author::App, content)
    };
    let at = state.post(&channel, draft);
    Ok(json!({"message_ts": at.ts.to_string()}))
}

fn thread(state: &State, channel: &str, arguments: &Arguments) -> Result<Option<Ts>, Refusal> {
    match arguments.text("thread_ts") {
        text if text.is_empty() => Ok(None),
        text => state.thread_root(channel, &text).map(Some),
    }
}

impl State {
    /// The conversation that an app may write to under this name; an account stands for the one with it.
    pub(crate) fn destination(&mut self, name: &str) -> Result<String, Refusal> {
        if self.accounts.contains_key(name) {
            let account = self.account(name);
            if account.bot.is_some() {
                return Err(Refusal::of("cannot_dm_bot"));
            }
            if account.deleted {
                return Err(Refusal::of("channel_not_found"));
            }
            if !self.app.messages_tab {
                return Err(Refusal::of("messages_tab_disabled"));
            }
            return Ok(self.open_direct(name));
        }
        let conversation = self.conversations.get(name);
        let conversation = conversation.ok_or_else(|| Refusal::of("channel_not_found"))?;
        if !conversation.has_app {
            let hidden = conversation.kind == Kind::Private;
            return Err(Refusal::of(if hidden {
                "channel_not_found"
            } else {
                "not_in_channel"
            }));
        }
        if conversation.archived {
            return Err(Refusal::of("is_archived"));
        }
        if conversation.kind == Kind::Direct && !self.app.messages_tab {
            return Err(Refusal::of("messages_tab_disabled"));
        }
        Ok(name.to_owned())
    }

    /// The message a thread is to begin at or to go on from. A reply begins none; what Slack makes of one differs, so
    /// it is refused, with an error that is for something else.
    pub(crate) fn thread_root(&self, channel: &str, ts: &str) -> Result<Ts, Refusal> {
        let root: Option<Ts> = ts.parse().ok();
        let message = root.and_then(|ts| self.message(&MessageAt::new(channel, ts)));
        match message {
            None => Err(Refusal::of("thread_not_found")),
            Some(message) if message.thread.is_some() => Err(Refusal::broken(
                "cannot_reply_to_message",
                vec!["thread_ts is not of a thread's first message".to_owned()],
            )),
            Some(message) => Ok(message.at.ts),
        }
    }
}
