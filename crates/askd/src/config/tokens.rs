//! Tokens: who may call, and as what.

use std::collections::{BTreeMap, BTreeSet};

use askd_core::{
    id::{PersonName, TokenName},
    people::Person,
    rights::Role,
};
use secrecy::{ExposeSecret as _, SecretString};

use super::{directory, secrets::SecretFolders, section::Section, server};

/// One `[tokens.NAME]`.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    /// The name; owns what it asks.
    pub(crate) name: TokenName,
    /// What it may do.
    pub(crate) role: Role,
    /// What the caller sends.
    pub(crate) secret: SecretString,
    /// How long its calls over MCP are held. Unit: seconds.
    pub(crate) hold_seconds: Option<u32>,
}

/// Tokens that askd makes itself in the state directory, with their roles. A configured token may share such a name
/// only with the same role, so that the name keeps one meaning.
pub(crate) const GENERATED: [(&str, Role); 2] = [("agent", Role::Agent), ("operator", Role::Operator)];

/// Reads `[tokens]`.
pub(super) fn read(
    root: &Section<'_>,
    folders: &SecretFolders,
    people: &BTreeMap<PersonName, Person>,
) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    for (name, section) in root.named("tokens") {
        let role = role(&section, people);
        let secret = folders.secret(&section, "token");
        let hold_seconds = server::hold(&section);
        if let (Some(role), Some((_, reserved))) = (&role, GENERATED.iter().find(|(known, _)| *known == name))
            && role != reserved
        {
            let word = reserved.as_str();
            section.fault(format!(
                "askd makes a token of this name itself, of role {word}; choose another name"
            ));
        }
        if let Some(secret) = &secret
            && let Some(other) = tokens
                .iter()
                .find(|t| t.secret.expose_secret() == secret.value.expose_secret())
        {
            section.refuse(
                secret,
                format!(
                    "is the secret of tokens.{} too; each token needs its own",
                    other.name
                ),
            );
        }
        section.finish();
        if let (Some(role), Some(secret)) = (role, secret) {
            tokens.push(Token {
                name: TokenName::new(name),
                role,
                secret: secret.value,
                hold_seconds,
            });
        }
    }
    tokens
}

/// People who can see an ask without any channel, because they have a token.
pub(super) fn people_with_token(tokens: &[Token]) -> BTreeSet<PersonName> {
    let person = |token: &Token| match &token.role {
        Role::Person(person) => Some(person.clone()),
        Role::Agent | Role::Subagent | Role::Operator => None,
    };
    tokens.iter().filter_map(person).collect()
}

fn role(section: &Section<'_>, people: &BTreeMap<PersonName, Person>) -> Option<Role> {
    const ROLES: &str = "agent, subagent, person or operator";
    let person = section.text("person");
    let Some(role) = section.text("role") else {
        if !section.has("role") {
            section.lacks("role", format!("is needed: {ROLES}"));
        }
        return None;
    };
    if let Some(person) = person.as_ref().filter(|_| role.value != "person") {
        section.refuse(person, "only a token of role person belongs to a person");
    }
    match role.value.as_str() {
        "agent" => Some(Role::Agent),
        "subagent" => Some(Role::Subagent),
        "operator" => Some(Role::Operator),
        "person" => {
            let Some(person) = person else {
                if !section.has("person") {
                    section.lacks("person", "is needed for a token of role person: whose it is");
                }
                return None;
            };
            let name = PersonName::new(person.value.as_str());
            if !people.contains_key(&name) {
                section.refuse(&person, directory::unknown_person(&person.value, people.keys()));
                return None;
            }
            Some(Role::Person(name))
        }
        other => {
            section.refuse(&role, format!("there is no role {other:?}; write {ROLES}"));
            None
        }
    }
}
