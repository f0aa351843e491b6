//! Looking at accounts, conversations and what was said in them.

use serde_json::{Value, json};

use crate::slack::{
    arguments::Arguments,
    limits,
    message::{Message, Ts},
    refusal::Refusal,
    state::{Conversation, Kind, State},
};

pub(super) fn users_info(state: &mut State, arguments: &Arguments) -> Result<Value, Refusal> {
    let user = state.user_json(&arguments.text("user"), arguments.flag("include_locale"));
    Ok(json!({"user": user.ok_or_else(|| Refusal::of("user_not_found"))?}))
}

pub(super) fn bots_info(state: &mut State, arguments: &Arguments) -> Result<Value, Refusal> {
    let bot = state.bot_json(&arguments.text("bot"));
    Ok(json!({"bot": bot.ok_or_else(|| Refusal::of("bot_not_found"))?}))
}

pub(super) fn conversations_info(state: &mut State, arguments: &Arguments) -> Result<Value, Refusal> {
    let conversation = visible(state, arguments)?;
    let mut channel = conversation.to_json();
    if arguments.flag("include_num_members") {
        channel["num_members"] = (conversation.members.len() + usize::from(conversation.has_app)).into();
    }
    Ok(json!({"channel": channel}))
}

pub(super) fn history(state: &mut State, arguments: &Arguments) -> Result<Value, Refusal> {
    let conversation = readable(state, arguments)?;
    let span = Span::of(arguments)?;
    let messages = conversation.messages.values().rev();
    let wanted =
        messages.filter(|message| !message.deleted && message.thread.is_none() && span.holds(message));
    let mut answer = page(state, arguments, wanted.collect())?;
    answer["pin_count"] = 0.into();
    answer["channel_actions_ts"] = Value::Null;
    answer["channel_actions_count"] = 0.into();
    Ok(answer)
}

pub(super) fn replies(state: &mut State, arguments: &Arguments) -> Result<Value, Refusal> {
    let conversation = readable(state, arguments)?;
    let span = Span::of(arguments)?;
    let not_found = || Refusal::of("thread_not_found");
    let ts: Ts = arguments.text("ts").parse().map_err(|_| not_found())?;
    let named = conversation.messages.get(&ts).filter(|message| !message.deleted);
    let root = named
        .map(|message| message.thread.unwrap_or(ts))
        .ok_or_else(not_found)?;
    let parent = conversation
        .messages
        .get(&root)
        .filter(|message| !message.deleted);
    let replies = conversation.replies(root).filter(|message| span.holds(message));
    page(state, arguments, parent.into_iter().chain(replies).collect())
}

/// A conversation that the app may know of.
fn visible<'a>(state: &'a State, arguments: &Arguments) -> Result<&'a Conversation, Refusal> {
    let conversation = state.conversations.get(&arguments.text("channel"));
    let visible =
        conversation.filter(|conversation| conversation.has_app || conversation.kind == Kind::Public);
    visible.ok_or_else(|| Refusal::of("channel_not_found"))
}

/// A conversation of which the app may read what is said.
fn readable<'a>(state: &'a State, arguments: &Arguments) -> Result<&'a Conversation, Refusal> {
    let conversation = visible(state, arguments)?;
    if !conversation.has_app {
        return Err(Refusal::of("not_in_channel"));
    }
    Ok(conversation)
}

/// From when to when.
struct Span {
    oldest: i64,
    latest: i64,
}

impl Span {
    fn of(arguments: &Arguments) -> Result<Self, Refusal> {
        let outside = i64::from(!arguments.flag("inclusive"));
        let bound = |name: &str, otherwise: i64| {
            let text = arguments.text(name);
            match text.as_str() {
                "" | "now" => Ok(otherwise),
                text => {
                    micros(text).ok_or_else(|| Refusal::broken(&format!("invalid_ts_{name}"), Vec::new()))
                }
            }
        };
        Ok(Self {
            oldest: bound("oldest", 0)?.saturating_add(outside),
            latest: bound("latest", i64::MAX)?.saturating_sub(outside),
        })
    }

    fn holds(&self, message: &Message) -> bool {
        (self.oldest..=self.latest).contains(&message.at.ts.micros())
    }
}

/// Seconds, with or without a fraction, which may be shorter than that of a message.
fn micros(text: &str) -> Option<i64> {
    let (seconds, fraction) = text.split_once('.').unwrap_or((text, "0"));
    if fraction.len() > 6 || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let fraction: i64 = format!("{fraction:0<6}").parse().ok()?;
    Some(seconds.parse::<i64>().ok()?.checked_mul(1_000_000)? + fraction)
}

fn page(state: &State, arguments: &Arguments, messages: Vec<&Message>) -> Result<Value, Refusal> {
    let limit = match arguments.text("limit") {
        text if text.is_empty() => 100,
        text => text.parse::<usize>().unwrap_or(0),
    };
    if !(1..=limits::PAGE).contains(&limit) {
        return Err(Refusal::broken(
            "invalid_arguments",
            vec!["limit is out of range".to_owned()],
        ));
    }
    let begin = match arguments.text("cursor") {
        text if text.is_empty() => 0,
        text => {
            let number = text.strip_prefix("next:").and_then(|number| number.parse().ok());
            number.ok_or_else(|| Refusal::broken("invalid_cursor", Vec::new()))?
        }
    };
    let has_more = messages.len() > begin + limit;
    let shown = messages.into_iter().skip(begin).take(limit);
    let shown: Vec<Value> = shown.map(|message| state.message_json(message)).collect();
    let mut answer = json!({"messages": shown, "has_more": has_more});
    if has_more {
        answer["response_metadata"] = json!({"next_cursor": format!("next:{}", begin + limit)});
    }
    Ok(answer)
}
