//! The routes of the API that this fake knows, and how one is called.
//!
//! The table is the one place that says which routes, parameters and fields there are: the server goes by it, and
//! `cargo xtask contracts` holds it against the API's description, whose names for the routes these are. A field that is
//! not in it is refused, whatever Discord would do, because a test must not pass on an effect that nobody has modelled.

mod channels;
mod commands;
mod follow_ups;
mod interactions;
mod looking;
mod messages;
mod table;
mod writing;

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde_json::Value;

pub use self::table::ROUTES;
use super::{form::Fields, rates::Allowance, refusal::Refusal, state::State};

/// A route of the API.
#[derive(Clone, Copy, Debug)]
pub struct Route {
    /// The name of the operation in the API's description.
    pub name: &'static str,
    /// In capitals.
    pub method: &'static str,
    /// With its parameters in braces.
    pub path: &'static str,
    /// Parameters of the query.
    pub query: &'static [&'static str],
    /// Fields of the body.
    pub body: &'static [&'static str],
    /// Whether the token is asked for; where it is not, the path holds one.
    pub authorized: bool,
    pub(crate) allowed: Allowance,
    pub(crate) run: Run,
}

pub(crate) type Run = fn(&mut State, &Request) -> Result<Reply, Refusal>;

/// What is asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Request {
    pub(crate) route: &'static str,
    parameters: BTreeMap<&'static str, String>,
    query: BTreeMap<String, String>,
    /// Null where there is none.
    pub(crate) body: Value,
}

/// A success.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Reply {
    /// 200.
    Told(Value),
    /// 201.
    Made(Value),
    /// 204.
    Done,
}

/// A call that reached the platform.
#[derive(Clone, Debug)]
pub struct Call {
    /// The route, as the API's description names it; empty where there is none.
    pub route: &'static str,
    /// In capitals.
    pub method: String,
    /// Below `/api/v10`.
    pub path: String,
    /// Parameters of the query.
    pub query: BTreeMap<String, String>,
    /// Null where there is none.
    pub body: Value,
    /// When, by the fake's clock.
    pub when: Timestamp,
    /// What came of it; none while it is under way, and where a fault made it end otherwise.
    pub outcome: Option<Result<Value, Refusal>>,
}

impl Call {
    /// Whether a message that it makes replies to one.
    #[must_use]
    pub fn replies(&self) -> bool {
        !self.body["message_reference"].is_null()
    }
}

impl Request {
    /// An id in the path.
    pub(crate) fn id(&self, name: &str) -> Result<u64, Refusal> {
        let text = self.parameters.get(name).map_or("", String::as_str);
        text.parse().map_err(|_| {
            let message = format!("Value \"{text}\" is not snowflake.");
            let reason = serde_json::json!({"code": "NUMBER_TYPE_COERCE", "message": message});
            Refusal::form(serde_json::json!({name: {"_errors": [reason]}}))
        })
    }

    pub(crate) fn parameter(&self, name: &str) -> &str {
        self.parameters.get(name).map_or("", String::as_str)
    }

    pub(crate) fn query(&self, name: &str) -> Option<&str> {
        self.query.get(name).map(String::as_str)
    }

    /// The body, which has to be an object.
    pub(crate) fn fields(&self) -> Result<&Fields, Refusal> {
        self.body.as_object().ok_or_else(Refusal::invalid_json)
    }
}

/// What a method and a path lead to.
pub(crate) enum Found {
    Route(&'static Route, BTreeMap<&'static str, String>),
    /// There is such a path, and not with this method.
    OtherMethod,
    Nothing,
}

/// The route of a path below `/api/v10`.
pub(crate) fn find(method: &str, path: &str) -> Found {
    let mut other = false;
    for route in &ROUTES {
        let Some(parameters) = fits(route.path, path) else {
            continue;
        };
        if route.method == method {
            return Found::Route(route, parameters);
        }
        other = true;
    }
    if other { Found::OtherMethod } else { Found::Nothing }
}

fn fits(template: &'static str, path: &str) -> Option<BTreeMap<&'static str, String>> {
    let (mut wanted, mut found) = (template.split('/'), path.split('/'));
    let mut parameters = BTreeMap::new();
    loop {
        let (wanted, found) = match (wanted.next(), found.next()) {
            (None, None) => return Some(parameters),
            (Some(wanted), Some(found)) => (wanted, found),
            _ => return None,
        };
        match wanted.strip_prefix('{').and_then(|name| name.strip_suffix('}')) {
            Some(name) if !found.is_empty() => {
                parameters.insert(name, found.to_owned());
            }
            None if wanted == found => {}
            _ => return None,
        }
    }
}

impl Route {
    /// What is asked for, if it consists of what the table knows.
    pub(crate) fn request(
        &'static self,
        parameters: BTreeMap<&'static str, String>,
        query: BTreeMap<String, String>,
        body: Value,
    ) -> Result<Request, Refusal> {
        let unknown = query.keys().find(|name| !self.query.contains(&name.as_str()));
        if let Some(name) = unknown {
            return Err(Refusal::not_modelled(&format!("`{name}` of {}", self.name)));
        }
        if let Value::Object(fields) = &body {
            let unknown = fields.keys().find(|name| !self.body.contains(&name.as_str()));
            if let Some(name) = unknown {
                return Err(Refusal::not_modelled(&format!("`{name}` of {}", self.name)));
            }
        }
        Ok(Request {
            route: self.name,
            parameters,
            query,
            body,
        })
    }

    /// The bucket of a call: its route, and what it is about. Source: Discord docs, "Rate Limits", "Top-level resources".
    pub(crate) fn bucket(&self, parameters: &BTreeMap<&'static str, String>) -> String {
        let major = [
            "channel_id",
            "guild_id",
            "webhook_id",
            "webhook_token",
            "interaction_token",
        ];
        let about = major.iter().filter_map(|name| parameters.get(name));
        let about: Vec<&str> = about.map(String::as_str).collect();
        format!("{} {}", self.name, about.join("/"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_leads_to_the_most_literal_route() {
        let name = |method: &str, path: &str| match find(method, path) {
            Found::Route(route, _) => route.name,
            Found::OtherMethod => "other method",
            Found::Nothing => "nothing",
        };

        assert_eq!(name("GET", "/users/@me"), "get_my_user");
        assert_eq!(name("GET", "/users/1"), "get_user");
        assert_eq!(
            name("PATCH", "/webhooks/1/t/messages/@original"),
            "update_original_webhook_message"
        );
        assert_eq!(
            name("PATCH", "/webhooks/1/t/messages/2"),
            "update_webhook_message"
        );
        assert_eq!(name("PUT", "/users/@me"), "other method");
        assert_eq!(name("GET", "/users//"), "nothing");
        assert_eq!(name("GET", "/nobody"), "nothing");
    }
}
