//! Who is calling, and by which way things go.

use serde_json::{Value, json};

use crate::slack::{
    arguments::Arguments,
    methods::{Method, Token},
    refusal::Refusal,
    state::{DOMAIN, Key, Kind, State, TEAM},
};

#[expect(clippy::unnecessary_wraps, reason = "all methods have one form")]
pub(super) fn auth_test(state: &mut State, _: &Arguments) -> Result<Value, Refusal> {
    let app = &state.app;
    Ok(json!({
        "url": format!("https://{DOMAIN}.slack.com/"), "team": "Fake Workspace", "user": app.name, "team_id": TEAM,
        "user_id": app.user, "bot_id": app.bot, "is_enterprise_install": false,
    }))
}

#[expect(clippy::unnecessary_wraps, reason = "all methods have one form")]
pub(super) fn connections_open(state: &mut State, _: &Arguments) -> Result<Value, Refusal> {
    Ok(json!({"url": state.new_ticket()}))
}

pub(super) fn conversations_open(state: &mut State, arguments: &Arguments) -> Result<Value, Refusal> {
    let users = arguments.text("users");
    if users.is_empty() {
        return Err(Refusal::broken("users_list_not_supplied", Vec::new()));
    }
    if users.contains(',') {
        return Err(Refusal::not_modelled("conversations of several people"));
    }
    if users == state.app.user {
        return Err(Refusal::of("cannot_dm_bot"));
    }
    let account = state
        .accounts
        .get(&users)
        .ok_or_else(|| Refusal::of("user_not_found"))?;
    if account.deleted {
        return Err(Refusal::of("user_disabled"));
    }
    if account.bot.is_some() {
        return Err(Refusal::of("cannot_dm_bot"));
    }
    let is_open = state.direct_with(&users).is_some();
    let id = state.open_direct(&users);
    let channel = if arguments.flag("return_im") {
        state.conversation(&id).to_json()
    } else {
        json!({"id": id})
    };
    let mut answer = json!({"channel": channel});
    if is_open {
        answer["no_op"] = true.into();
        answer["already_open"] = true.into();
    }
    Ok(answer)
}

impl State {
    /// Whether this token may call this method with these arguments.
    pub(crate) fn authorize(
        &self,
        method: &Method,
        token: Option<&str>,
        arguments: &Arguments,
    ) -> Result<(), Refusal> {
        let Some(token) = token else {
            return Err(Refusal::broken("not_authed", Vec::new()));
        };
        let key = self.key(token).ok_or_else(|| Refusal::of("invalid_auth"))?;
        if let Some(error) = key.refused {
            return Err(Refusal::of(error));
        }
        let is_app = key.token == self.app.own_key.token;
        let needed = match method.token {
            Token::App(scope) if is_app => Some(scope.to_owned()),
            Token::Bot(scope) if !is_app => scope.map(str::to_owned),
            Token::ByConversation(end) if !is_app => {
                let conversation = self.conversations.get(&arguments.text("channel"));
                let begin = match conversation.map(|conversation| conversation.kind) {
                    Some(Kind::Direct) => "im",
                    Some(Kind::Private) => "groups",
                    Some(Kind::Public) | None => "channels",
                };
                Some(format!("{begin}:{end}"))
            }
            // The official clients call it with either.
            Token::Bot(None) if method.name == "auth.test" => None,
            _ => return Err(Refusal::broken("not_allowed_token_type", Vec::new())),
        };
        match needed.filter(|needed| !key.scopes.contains(needed)) {
            Some(needed) => Err(Refusal::missing_scope(
                &needed,
                self.scopes_of(token).unwrap_or_default(),
            )),
            None => Ok(()),
        }
    }

    fn key(&self, token: &str) -> Option<&Key> {
        let mut keys = [&self.app.bot_key, &self.app.own_key].into_iter();
        keys.find(|key| key.token == token)
    }

    /// The scopes of a token, as `x-oauth-scopes` has them.
    pub(crate) fn scopes_of(&self, token: &str) -> Option<String> {
        let scopes = self.key(token)?.scopes.iter().map(String::as_str);
        Some(scopes.collect::<Vec<_>>().join(","))
    }
}
