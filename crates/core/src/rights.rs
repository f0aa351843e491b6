//! Who may do what, for callers with a token (SPEC 5).
//!
//! One table, read by every entrance. People on channels have no token: what they may is decided by the ask's
//! answerers, in the broker.

use std::{collections::BTreeMap, fmt};

use sha2::{Digest as _, Sha256};

use crate::{
    ask::Ask,
    id::{PersonName, TokenName},
    people::Directory,
    stage::Responder,
};

/// A caller whose token was recognised.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Principal {
    /// The token's name; owns what it asks.
    pub token: TokenName,
    /// What it may do.
    pub role: Role,
}

/// The role of a token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// Asks, and reads, waits for and cancels its own asks and runs.
    Agent,
    /// Nothing, and is told why: only primary sessions ask.
    Subagent,
    /// Sees and answers the asks its routes allow.
    Person(PersonName),
    /// All of it.
    Operator,
}

impl Role {
    /// The word in the configuration and on the wire.
    #[must_use]
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Agent => "agent",
            Self::Subagent => "subagent",
            Self::Person(_) => "person",
            Self::Operator => "operator",
        }
    }
}

/// Every token that is known, by the hash of its secret. Replaced whole on reload.
#[derive(Clone, Default)]
pub struct Tokens(BTreeMap<[u8; 32], Principal>);

impl Tokens {
    /// Adds a token; `false`, and nothing is changed, if the secret is another token's already.
    pub fn add(&mut self, secret: &str, principal: Principal) -> bool {
        let hash: [u8; 32] = Sha256::digest(secret.as_bytes()).into();
        if self.0.contains_key(&hash) {
            return false;
        }
        self.0.insert(hash, principal);
        true
    }

    /// Whose secret this is. Compares hashes, so the time it takes says nothing about the secrets.
    #[must_use]
    pub fn recognise(&self, secret: &str) -> Option<&Principal> {
        let hash: [u8; 32] = Sha256::digest(secret.as_bytes()).into();
        self.0.get(&hash)
    }
}

impl Tokens {
    /// The names of all tokens that are operators'.
    pub fn operators(&self) -> impl Iterator<Item = TokenName> {
        let operators = self
            .0
            .values()
            .filter(|principal| principal.role == Role::Operator);
        operators.map(|principal| principal.token.clone())
    }

    /// Whether a token of this name is an operator's.
    #[must_use]
    pub fn has_operator(&self, name: &TokenName) -> bool {
        self.0
            .values()
            .any(|principal| principal.role == Role::Operator && principal.token == *name)
    }
}

impl fmt::Debug for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.0.values().map(|principal| principal.token.as_str()))
            .finish()
    }
}

/// A caller may not do this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Denied {
    /// A sub-agent called: its primary session should ask instead.
    #[error("sub-agents may not ask people; the primary session may")]
    Subagent,
    /// The role does not include this.
    #[error("agents ask and take back, people answer and skip, an operator may do both and the rest")]
    Role,
    /// The caller may do this, but not with this ask. Entrances answer as if the ask did not exist.
    #[error("not your ask")]
    NotYours,
}

impl Principal {
    /// Who signed in to the panel, as a caller. They may do what a token of their role may; the name of a person's is
    /// the person's own, an operator's that of the token whose holder let them in.
    #[must_use]
    pub fn signed_in(who: &Responder) -> Self {
        match who {
            Responder::Person(person) => Self {
                token: TokenName::new(person.as_str()),
                role: Role::Person(person.clone()),
            },
            Responder::Operator(token) => Self {
                token: token.clone(),
                role: Role::Operator,
            },
        }
    }

    /// As whom this caller answers, whatever the ask; no agent does.
    #[must_use]
    pub fn responder(&self) -> Option<Responder> {
        match &self.role {
            Role::Person(person) => Some(Responder::Person(person.clone())),
            Role::Operator => Some(Responder::Operator(self.token.clone())),
            Role::Agent | Role::Subagent => None,
        }
    }

    /// Whether this caller may ask people.
    ///
    /// # Errors
    /// [`Denied::Subagent`] or [`Denied::Role`]: a person's token cannot ask.
    pub fn may_ask(&self) -> Result<(), Denied> {
        match self.role {
            Role::Agent | Role::Operator => Ok(()),
            Role::Subagent => Err(Denied::Subagent),
            Role::Person(_) => Err(Denied::Role),
        }
    }

    /// Whether this caller may see the ask.
    ///
    /// # Errors
    /// [`Denied::NotYours`] if it is another's; [`Denied::Subagent`] always for sub-agents.
    pub fn may_read(&self, ask: &Ask) -> Result<(), Denied> {
        let mine = match &self.role {
            Role::Agent => ask.owner == self.token,
            Role::Subagent => return Err(Denied::Subagent),
            Role::Person(person) => ask.answerers.contains(person),
            Role::Operator => true,
        };
        if mine { Ok(()) } else { Err(Denied::NotYours) }
    }

    /// Whether this caller may cancel the ask: its agent, or an operator.
    ///
    /// # Errors
    /// [`Denied::Role`] for people, who skip instead.
    pub fn may_cancel(&self, ask: &Ask) -> Result<(), Denied> {
        self.may_read(ask)?;
        match self.role {
            Role::Agent | Role::Operator => Ok(()),
            Role::Subagent | Role::Person(_) => Err(Denied::Role),
        }
    }

    /// As whom this caller may answer the ask, with the name others see. No agent may.
    ///
    /// # Errors
    /// [`Denied::Role`] for agents; [`Denied::NotYours`] where the route does not name the person, or the person has
    /// left the configuration.
    pub fn may_answer(&self, ask: &Ask, directory: &Directory) -> Result<(Responder, String), Denied> {
        match &self.role {
            Role::Agent => Err(Denied::Role),
            Role::Subagent => Err(Denied::Subagent),
            Role::Person(person) => {
                self.may_read(ask)?;
                let known = directory.people.get(person).ok_or(Denied::NotYours)?;
                Ok((Responder::Person(person.clone()), known.display.clone()))
            }
            Role::Operator => Ok((Responder::Operator(self.token.clone()), self.token.to_string())),
        }
    }

    /// Whether this caller may pair, list and cut off people's accounts.
    ///
    /// # Errors
    /// [`Denied::Role`] unless it is an operator.
    pub fn may_operate(&self) -> Result<(), Denied> {
        match self.role {
            Role::Operator => Ok(()),
            Role::Subagent => Err(Denied::Subagent),
            Role::Agent | Role::Person(_) => Err(Denied::Role),
        }
    }
}
