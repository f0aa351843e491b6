//! Listening to the gateway without a socket: for the check against the API's description.

use std::sync::Arc;

use serde_json::{Value, json};

use super::{FakeDiscord, World, events::intents, sessions::Out};

/// A client that hears everything.
pub(crate) struct Tap {
    world: Arc<World>,
    socket: u64,
    heard: Vec<(String, Value)>,
}

impl Tap {
    pub(crate) fn open(fake: &FakeDiscord) -> Self {
        let world = Arc::clone(&fake.world);
        let wanted =
            intents::GUILDS | intents::GUILD_MESSAGES | intents::DIRECT_MESSAGES | intents::MESSAGE_CONTENT;
        let socket = world.change(|state| {
            let socket = state.socket_opened("/", false);
            let data = json!({"token": state.bot.token, "intents": wanted, "properties": {}});
            state.socket_heard(socket, &json!({"op": 2, "d": data}).to_string());
            socket
        });
        Self {
            world,
            socket,
            heard: Vec::new(),
        }
    }

    /// Every event so far.
    pub(crate) fn heard(&mut self) -> Vec<(String, Value)> {
        while let Some(out) = self.world.change(|state| state.next_out(self.socket)) {
            if let Out::Send(frame) = out
                && let Some(name) = frame["t"].as_str()
            {
                self.heard.push((name.to_owned(), frame["d"].clone()));
            }
        }
        self.heard.clone()
    }

    /// The last event of this name.
    pub(crate) fn last(&mut self, name: &str) -> Option<Value> {
        let heard = self.heard();
        let found = heard.into_iter().rev().find(|(heard, _)| heard == name);
        found.map(|(_, data)| data)
    }
}
