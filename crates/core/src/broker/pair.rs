//! Tying accounts to people, and cutting them off.

use jiff::Timestamp;
use sha2::{Digest as _, Sha256};

use crate::{
    broker::Broker,
    clock::whole_millis,
    id::{Address, ChannelName, PersonName, hex},
    people::Tie,
    rights::{Denied, Principal},
    store::{CODE_LIFE, CodeHash, PairingCode, StoreError},
};

/// A one-time code, to be sent to the bot by the person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairingOffer {
    /// Whose account it ties.
    pub person: PersonName,
    /// 32 hex digits (128 bits). Shown once; only its hash is stored.
    pub code: String,
    /// When it is worth nothing any more.
    pub expires: Timestamp,
    /// Links that hand it in with one tap, by channel.
    pub links: Vec<(ChannelName, String)>,
}

/// A person, for an operator to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonView {
    /// The name in the configuration.
    pub name: PersonName,
    /// The name as others see it.
    pub display: String,
    /// Their accounts, those cut off included.
    pub accounts: Vec<AccountView>,
}

/// One account of a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountView {
    /// The account.
    pub account: Address,
    /// Whether pairing tied it; else it is from the configuration.
    pub paired: bool,
    /// Whether it was cut off.
    pub revoked: bool,
}

/// What was cut off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unpaired {
    /// Accounts that count no more.
    pub accounts: Vec<Address>,
    /// How many browsers were signed out.
    pub signed_out: usize,
}

/// Why pairing was refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PairError {
    /// Only an operator pairs.
    #[error(transparent)]
    Denied(#[from] Denied),
    /// No such person in the configuration; `known` are those there are.
    #[error("no such person in the configuration")]
    NoPerson {
        /// Who is configured.
        known: Vec<PersonName>,
    },
    /// The person has no such account.
    #[error("this person has no such account")]
    NoAccount,
    /// The store did not answer; the same call may be tried again.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Broker {
    /// Makes a one-time code that ties the account it is sent from to `person`.
    ///
    /// # Errors
    /// See [`PairError`].
    pub async fn pair(&self, who: &Principal, person: &PersonName) -> Result<PairingOffer, PairError> {
        who.may_operate()?;
        self.known(person)?;
        let mut secret = [0; 16];
        self.chance.fill(&mut secret);
        let code = hex(&secret);
        let expires = whole_millis(self.clock.now()) + CODE_LIFE;
        self.store
            .put_code(PairingCode {
                hash: hash(&code),
                person: person.clone(),
                expires,
            })
            .await?;
        let links = self.channels.values();
        let links = links
            .filter_map(|c| Some((c.name().clone(), c.pairing_link(&code)?)))
            .collect();
        Ok(PairingOffer {
            person: person.clone(),
            code,
            expires,
            links,
        })
    }

    /// Cuts accounts off: the one named, or all of this person's, with every browser they signed in with. What they have
    /// answered stays.
    ///
    /// # Errors
    /// See [`PairError`].
    pub async fn unpair(
        &self,
        who: &Principal,
        person: &PersonName,
        account: Option<&Address>,
    ) -> Result<Unpaired, PairError> {
        who.may_operate()?;
        self.known(person)?;
        // First, and whole: should the rest fail, less is open than was asked for, and the call is made again.
        let signed_out = match account {
            None => self.sign_out_all(person).await?,
            Some(_) => 0,
        };
        let ties = self.store.ties().await?;
        let mut accounts = self.directory().accounts(person, &ties);
        if let Some(wanted) = account {
            accounts.retain(|account| account == wanted);
            if accounts.is_empty() {
                return Err(PairError::NoAccount);
            }
        }
        let at = whole_millis(self.clock.now());
        for account in &accounts {
            let (account, person) = (account.clone(), person.clone());
            self.store
                .tie(Tie {
                    account,
                    person,
                    at,
                    revoked: true,
                })
                .await?;
        }
        Ok(Unpaired { accounts, signed_out })
    }

    /// Everybody in the configuration, with their accounts.
    ///
    /// # Errors
    /// [`PairError::Denied`] unless the caller is an operator; [`PairError::Store`].
    pub async fn people(&self, who: &Principal) -> Result<Vec<PersonView>, PairError> {
        who.may_operate()?;
        let ties = self.store.ties().await?;
        let directory = self.directory();
        let people = directory.people.iter().map(|(name, person)| {
            let tie_of = |account: &Address| ties.iter().find(|tie| tie.account == *account);
            let configured = person.accounts.iter().filter(|account| tie_of(account).is_none());
            let configured = configured.map(|account| AccountView {
                account: account.clone(),
                paired: false,
                revoked: false,
            });
            let paired = ties
                .iter()
                .filter(|tie| tie.person == *name)
                .map(|tie| AccountView {
                    account: tie.account.clone(),
                    paired: !tie.revoked,
                    revoked: tie.revoked,
                });
            PersonView {
                name: name.clone(),
                display: person.display.clone(),
                accounts: configured.chain(paired).collect(),
            }
        });
        Ok(people.collect())
    }

    pub(super) fn known(&self, person: &PersonName) -> Result<(), PairError> {
        let directory = self.directory();
        if directory.people.contains_key(person) {
            return Ok(());
        }
        Err(PairError::NoPerson {
            known: directory.people.keys().cloned().collect(),
        })
    }
}

/// How a code is stored.
pub(super) fn hash(code: &str) -> CodeHash {
    CodeHash(Sha256::digest(code.as_bytes()).into())
}
