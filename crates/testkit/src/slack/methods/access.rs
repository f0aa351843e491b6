//! Who is calling, and by which way things go.

use serde_json::{Value, json};

use crate::slack::{
    arguments::Arguments,
    methods::{Method, Token},
    refusal::Refusal,
    state::{DOMAIN, Kind, State, TEAM},
};

pub(super) fn auth_test(state: &mut State, _: &Arguments) -> Result<Value, Refusal> {
    let app = &state.app;
    Ok(json!({
        "url": format!("https://{DOMAIN}.slack.com/"), "team": "Fake Workspace", "user": app.name, "team_id": TEAM,
        "user_id": app.user, "bot_id": app.bot, "is_enterprise_install": false,
    }))
}

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
        state.conversation_json(state.conversation(&id))
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
        let app = &self.app;
        let Some(token) = token else {
            return Err(Refusal::broken("not_authed", Vec::new()));
        };
        let (is_app, refused) = if token == app.bot_token {
            (false, app.refused)
        } else if token == app.app_token {
            (true, app.app_refused)
        } else {
            return Err(Refusal::of("invalid_auth"));
        };
        if let Some(error) = refused {
            return Err(Refusal::of(error));
        }
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
        let scopes = if is_app { &app.app_scopes } else { &app.scopes };
        match needed.filter(|needed| !scopes.contains(needed)) {
            Some(needed) => Err(Refusal::missing_scope(&needed, self.scopes_of(token))),
            None => Ok(()),
        }
    }

    /// The scopes of a token, as `x-oauth-scopes` has them.
    pub(crate) fn scopes_of(&self, token: &str) -> String {
        let scopes = if token == self.app.app_token {
            &self.app.app_scopes
        } else {
            &self.app.scopes
        };
        scopes.iter().map(String::as_str).collect::<Vec<_>>().join(",")
    }
}
