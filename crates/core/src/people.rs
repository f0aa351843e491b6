//! Who can be asked, and through which accounts.
//!
//! A [`Directory`] is what the configuration says of people, routes and tokens; it is replaced whole on reload.
//! Accounts tied by pairing are in the store ([`Tie`]) and are laid over it here.

use std::collections::{BTreeMap, BTreeSet};

use jiff::{Timestamp, tz::TimeZone};
use serde::{Deserialize, Serialize};

use crate::{
    id::{Address, PersonName},
    present::Reader,
    route::Route,
    words::Language,
};

/// One person.
#[derive(Clone, Debug, PartialEq)]
pub struct Person {
    /// The name as others see it; the key in `[people]` is for the operator.
    pub display: String,
    /// Their language, if the configuration says.
    pub language: Option<Language>,
    /// Their time zone, if the configuration says.
    pub time_zone: Option<TimeZone>,
    /// Accounts from the configuration, as their channels write them.
    pub accounts: Vec<Address>,
}

/// What the configuration says of people and routes.
#[derive(Clone, Debug)]
pub struct Directory {
    /// By name.
    pub people: BTreeMap<PersonName, Person>,
    /// First match wins; none at all means that everybody is asked.
    pub routes: Vec<Route>,
    /// People who have a token of role `person`, and so can see an ask without any channel.
    pub with_token: BTreeSet<PersonName>,
    /// Language and time zone of who has none of their own.
    pub server: Reader,
}

/// An account that pairing tied to a person, or that an operator cut off.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tie {
    /// The account, as its channel writes it.
    pub account: Address,
    /// Whose it is.
    pub person: PersonName,
    /// When.
    pub at: Timestamp,
    /// Cut off: the account counts for nobody, not even where the configuration lists it (a lost phone), until it
    /// is paired again.
    pub revoked: bool,
}

impl Directory {
    /// Nobody, no routes, English, UTC.
    #[must_use]
    pub fn empty() -> Self {
        Self {
            people: BTreeMap::new(),
            routes: Vec::new(),
            with_token: BTreeSet::new(),
            server: Reader {
                language: Language::English,
                time_zone: TimeZone::UTC,
            },
        }
    }

    /// Whose account this is. A tie wins over the configuration; a person no longer configured owns nothing.
    #[must_use]
    pub fn owner(&self, account: &Address, ties: &[Tie]) -> Option<&PersonName> {
        if let Some(tie) = ties.iter().find(|tie| tie.account == *account) {
            let known = self.people.get_key_value(&tie.person)?;
            return (!tie.revoked).then_some(known.0);
        }
        self.people
            .iter()
            .find(|(_, person)| person.accounts.contains(account))
            .map(|(name, _)| name)
    }

    /// Every account of this person, those of the configuration first, each once.
    #[must_use]
    pub fn accounts(&self, person: &PersonName, ties: &[Tie]) -> Vec<Address> {
        let Some(configured) = self.people.get(person) else {
            return Vec::new();
        };
        let mut accounts: Vec<Address> = Vec::new();
        let paired = ties.iter().map(|tie| &tie.account);
        for account in configured.accounts.iter().chain(paired) {
            if !accounts.contains(account) && self.owner(account, ties) == Some(person) {
                accounts.push(account.clone());
            }
        }
        accounts
    }

    /// The name as others see it; the key itself for a person who has left the configuration.
    #[must_use]
    pub fn display<'a>(&'a self, person: &'a PersonName) -> &'a str {
        self.people
            .get(person)
            .map_or(person.as_str(), |p| p.display.as_str())
    }

    /// The person's language, else `otherwise` (the route's, or what the platform tells), else the server's.
    #[must_use]
    pub fn language(&self, person: Option<&PersonName>, otherwise: Option<Language>) -> Language {
        let own = person.and_then(|name| self.people.get(name)?.language);
        own.or(otherwise).unwrap_or(self.server.language)
    }

    /// Language and time zone, each the person's, else the other one given, else the server's.
    #[must_use]
    pub fn reader(
        &self,
        person: Option<&PersonName>,
        else_language: Option<Language>,
        else_zone: Option<TimeZone>,
    ) -> Reader {
        let own_zone = person.and_then(|name| self.people.get(name)?.time_zone.clone());
        Reader {
            language: self.language(person, else_language),
            time_zone: own_zone
                .or(else_zone)
                .unwrap_or_else(|| self.server.time_zone.clone()),
        }
    }
}
