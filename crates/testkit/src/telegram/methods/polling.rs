//! Fetching updates, and the webhook that makes it impossible.
//!
//! One poll at a time: a newer one ends the one that waits, and a webhook ends both. So two processes with one token
//! take turns in being refused, and neither learns from it which of them is meant to live.

use serde_json::{Value, json};

use crate::telegram::{
    World, arguments::Arguments, limits, refusal::Refusal, state::State, updates::Updates,
};

pub(crate) const OTHER_POLLER: &str =
    "terminated by other getUpdates request; make sure that only one bot instance is running";
const WEBHOOK_ACTIVE: &str =
    "can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first";

/// Waits for updates as long as asked.
pub(crate) async fn get_updates(world: &World, arguments: &Arguments) -> Result<Value, Refusal> {
    let mut changed = world.changes();
    let (mine, limit, until) = world.change(|state| {
        if state.updates.webhook.is_some() {
            return Err(Refusal::conflict(WEBHOOK_ACTIVE));
        }
        state.updates.allow(arguments.json("allowed_updates"));
        state.updates.confirm(arguments.integer("offset"));
        state.updates.newest_poll += 1;
        let limit = match arguments.integer("limit") {
            0 => limits::UPDATES,
            n => usize::try_from(n).unwrap_or(1).clamp(1, limits::UPDATES),
        };
        let until = Updates::wait_until(state.now, arguments.integer("timeout"));
        Ok((state.updates.newest_poll, limit, until))
    })?;
    let _polling = Polling::begin(world);
    loop {
        let found = world.quietly(|state| {
            if state.updates.newest_poll != mine {
                return Some(Err(Refusal::conflict(OTHER_POLLER)));
            }
            if state.updates.webhook.is_some() {
                return Some(Err(Refusal::conflict("terminated by setWebhook request")));
            }
            state.updates.expire(state.now);
            let batch = state.updates.hand_out(limit);
            (!batch.is_empty() || state.now >= until).then_some(Ok(Value::Array(batch)))
        });
        if let Some(found) = found {
            world.touch();
            return found;
        }
        // Both ends may be dropped at any time: the next round looks at everything again.
        tokio::select! {
            _ = changed.changed() => {}
            () = world.sleep_until(until) => {}
        }
    }
}

/// Counts a poll that waits, until it is answered or its caller is gone.
struct Polling<'a>(&'a World);

impl<'a> Polling<'a> {
    fn begin(world: &'a World) -> Self {
        world.change(|state| state.updates.polling += 1);
        Self(world)
    }
}

impl Drop for Polling<'_> {
    fn drop(&mut self) {
        self.0.change(|state| state.updates.polling -= 1);
    }
}

pub(super) fn set_webhook(state: &mut State, arguments: &Arguments) -> Result<Value, Refusal> {
    let url = arguments.text("url");
    if url.is_empty() {
        return delete_webhook(state, arguments);
    }
    if !url.starts_with("https://") {
        return Err(Refusal::broken(
            "bad webhook: HTTPS url must be provided for webhook",
        ));
    }
    if arguments.flag("drop_pending_updates") {
        state.updates.forget();
    }
    state.updates.allow(arguments.json("allowed_updates"));
    state.updates.webhook = Some(url.to_owned());
    Ok(Value::Bool(true))
}

#[expect(
    clippy::unnecessary_wraps,
    reason = "the methods of the table are of one shape"
)]
pub(super) fn delete_webhook(state: &mut State, arguments: &Arguments) -> Result<Value, Refusal> {
    if arguments.flag("drop_pending_updates") {
        state.updates.forget();
    }
    state.updates.webhook = None;
    Ok(Value::Bool(true))
}

#[expect(
    clippy::unnecessary_wraps,
    reason = "the methods of the table are of one shape"
)]
pub(super) fn get_webhook_info(state: &mut State, _: &Arguments) -> Result<Value, Refusal> {
    state.updates.expire(state.now);
    let url = state.updates.webhook.clone().unwrap_or_default();
    let mut webhook = json!({
        "url": url, "has_custom_certificate": false, "pending_update_count": state.updates.waiting(),
    });
    if !url.is_empty() {
        webhook["max_connections"] = 40.into();
    }
    if let Some(kinds) = state.updates.allowed() {
        webhook["allowed_updates"] = kinds;
    }
    Ok(webhook)
}
