//! What goes wrong, on order.

use super::{
    Call, FakeDiscord, Fault,
    events::{Event, intents},
    sessions::{Out, op, payload},
    state::State,
};

/// What goes wrong with calls.
impl FakeDiscord {
    /// The next call of `route` fails. Faults strike in the order they were ordered; `*` is any route.
    pub fn fail_next(&self, route: &str, fault: Fault) {
        self.fail(route, 1, fault);
    }

    /// The next calls of `route` fail, as many as said.
    pub fn fail(&self, route: &str, times: usize, fault: Fault) {
        if times > 0 {
            self.world
                .change(|state| state.faults.order(route, Some(times), fault));
        }
    }

    /// The next call that is `meant` fails.
    pub fn fail_meant(&self, meant: impl Fn(&Call) -> bool + Send + 'static, fault: Fault) {
        self.world
            .change(|state| state.faults.order_for(Box::new(meant), Some(1), fault));
    }

    /// All calls of `route` fail until [`FakeDiscord::mend`].
    pub fn fail_until_mended(&self, route: &str, fault: Fault) {
        self.world.change(|state| state.faults.order(route, None, fault));
    }

    /// Takes all faults of calls back. What hangs gets a broken connection.
    pub fn mend(&self) {
        self.world.change(|state| state.faults.mend());
    }

    /// Turns the rules on pace on or off.
    pub fn enforce_rates(&self, on: bool) {
        self.world.change(|state| state.rates.enforced = on);
    }

    /// Gives the bot another token; the old one is refused from now on, and sockets that used it are closed.
    pub fn revoke_token(&self, new: &str) {
        self.world.change(|state| {
            new.clone_into(&mut state.bot.token);
            state.close_all(4004, "Authentication failed.");
        });
    }

    /// Switches the intent for contents on or off. Sockets that have it are closed when it goes.
    pub fn set_message_content(&self, on: bool) {
        self.world.change(|state| {
            if on {
                state.bot.granted |= intents::MESSAGE_CONTENT;
            } else {
                state.bot.granted &= !intents::MESSAGE_CONTENT;
                state.close_all(4014, "Disallowed intent(s).");
            }
        });
    }

    /// Throws the bot out of the guild, or takes it in again. It is told.
    pub fn set_in_guild(&self, is_in: bool) {
        self.world.change(|state| {
            let (guild, now) = (state.guild_id(), state.now);
            state.guild_mut(guild).bot_since = is_in.then_some(now);
            let (name, data) = if is_in {
                ("GUILD_CREATE", state.guild_create_json(guild))
            } else {
                ("GUILD_DELETE", serde_json::json!({"id": guild.to_string()}))
            };
            let event = Event::new(name, intents::GUILDS, data);
            state.dispatch(&event);
        });
    }
}

/// What goes wrong with sockets.
impl FakeDiscord {
    /// Breaks every socket, without a word.
    pub fn drop_sockets(&self) {
        self.world.change(|state| state.sessions.send_all(&Out::Cut));
    }

    /// Leaves every socket half open: it looks alive, and nothing comes through. New ones work.
    pub fn freeze_sockets(&self) {
        self.world.change(|state| {
            for socket in state.sessions.sockets.values_mut() {
                socket.frozen = true;
            }
        });
    }

    /// Leaves heartbeats without an answer, or answers them again.
    pub fn withhold_acks(&self, on: bool) {
        self.world.change(|state| state.sessions.withholds_acks = on);
    }

    /// Orders every client to connect again, which a server does before it goes down.
    pub fn order_reconnect(&self) {
        let order = payload(op::RECONNECT, &serde_json::Value::Null);
        self.world
            .change(|state| state.sessions.send_all(&Out::Send(order)));
    }

    /// Tells every client that its session is invalid: to be resumed, or dead.
    pub fn invalidate_sessions(&self, resumable: bool) {
        self.world.change(|state| {
            if !resumable {
                state.end_all();
            }
            let order = payload(op::INVALID_SESSION, &resumable.into());
            state.sessions.send_all(&Out::Send(order));
        });
    }

    /// Closes every socket with a code.
    pub fn close_sockets(&self, code: u16) {
        self.world
            .change(|state| state.close_all(code, "ordered by the test"));
    }

    /// Ends every session, so that nobody can resume; whoever is connected is not told.
    pub fn forget_sessions(&self) {
        self.world.change(State::end_all);
    }

    /// Turns new sockets away, or lets them in again.
    pub fn refuse_sockets(&self, on: bool) {
        self.world.change(|state| state.sessions.closed = on);
    }

    /// Takes new sockets and tells them nothing, or behaves again. Those that were taken so stay so.
    pub fn mute_sockets(&self, on: bool) {
        self.world.change(|state| state.sessions.mute = on);
    }

    /// Names this as the gateway's address from now on.
    pub fn set_gateway(&self, address: &str) {
        self.world
            .change(|state| address.clone_into(&mut state.bot.gateway));
    }

    /// Says that what people press and fill in is sent to a web server, as the developer portal can be told.
    pub fn set_interactions_endpoint(&self, url: &str) {
        self.world
            .change(|state| state.bot.endpoint = Some(url.to_owned()));
    }

    /// How many sessions may still begin.
    pub fn set_sessions_left(&self, left: usize) {
        self.world.change(|state| state.sessions.left = left);
    }

    /// Tells the last thing that a person did for the bot to hear once more, with a number of its own.
    ///
    /// # Panics
    /// If there is no session, or nobody has done anything.
    pub fn redeliver_last(&self) {
        self.world.change(|state| {
            let session = state.sessions.newest_mut().expect("a session has begun");
            session.repeat_last().expect("somebody has done something");
        });
    }
}
