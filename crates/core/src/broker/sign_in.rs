//! Signing in to the panel.
//!
//! An operator makes a one-time code for a person, or for themselves; who hands it in is signed in, with the rights of
//! a token of that role. A sign-in ends by itself, when its browser signs out, when an operator unpairs the person, and
//! as soon as the configuration knows the person (or the operator's token) no more.

use std::{fmt, sync::Arc};

use jiff::Timestamp;
use tokio::sync::watch;

use crate::{
    broker::{Broker, PairError, pair},
    clock::whole_millis,
    id::{PersonName, hex},
    people::Directory,
    rights::{Denied, Principal, Tokens},
    stage::Responder,
    store::{CODE_LIFE, SignIn, SignInCode, StoreError},
    words::Language,
};

/// A one-time code, to be opened as a link by who it is for.
#[derive(Clone, PartialEq, Eq)]
pub struct SignInOffer {
    /// Who it signs in.
    pub who: Responder,
    /// 32 hex digits (128 bits). Shown once; only its hash is stored.
    pub code: String,
    /// When it is worth nothing any more.
    pub expires: Timestamp,
}

impl SignInOffer {
    /// The link that hands it in, for who reaches the panel at `base` (without a trailing slash). The code stands in the
    /// fragment, which browsers send to nobody: no log, proxy or link preview sees it or uses it up.
    #[must_use]
    pub fn link(&self, base: &str) -> String {
        format!("{base}/sign-in#{}", self.code)
    }
}

impl fmt::Debug for SignInOffer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without the code.
        f.debug_struct("SignInOffer")
            .field("who", &self.who)
            .field("expires", &self.expires)
            .finish_non_exhaustive()
    }
}

/// A browser that has just been signed in.
#[derive(Clone, PartialEq, Eq)]
pub struct SignedIn {
    /// What the browser keeps and sends: 64 hex digits (256 bits). Known to nobody else; only its hash is stored.
    pub secret: String,
    /// Who it is.
    pub principal: Principal,
    /// When it ends by itself.
    pub expires: Timestamp,
}

impl fmt::Debug for SignedIn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without the secret.
        f.debug_struct("SignedIn")
            .field("principal", &self.principal)
            .field("expires", &self.expires)
            .finish_non_exhaustive()
    }
}

/// What a person or an operator may know of themselves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Me {
    /// The name as others see it.
    pub name: String,
    /// Which person; `None` for an operator.
    pub person: Option<PersonName>,
    /// Their language, if the configuration says.
    pub language: Option<Language>,
    /// Their time zone (IANA name), if the configuration says.
    pub time_zone: Option<String>,
}

/// Tells that somebody may have lost their access: tokens or people were replaced, or a sign-in ended.
#[derive(Clone, Debug)]
pub struct Access {
    directory: watch::Receiver<Arc<Directory>>,
    tokens: watch::Receiver<Arc<Tokens>>,
    sign_outs: watch::Receiver<()>,
}

impl Access {
    /// Returns when access may have changed since the last call, or since this was made.
    pub async fn changed(&mut self) {
        let Self {
            directory,
            tokens,
            sign_outs,
        } = self;
        tokio::select! {
            () = next(directory) => {}
            () = next(tokens) => {}
            () = next(sign_outs) => {}
        }
    }
}

/// The next value; never, where nobody can send one any more.
async fn next<T>(receiver: &mut watch::Receiver<T>) {
    if receiver.changed().await.is_err() {
        std::future::pending::<()>().await;
    }
}

impl Broker {
    /// Makes a one-time code that signs `person` in to the panel; the operator who asks for it, where no person is named.
    ///
    /// # Errors
    /// See [`PairError`].
    pub async fn offer_sign_in(
        &self,
        who: &Principal,
        person: Option<&PersonName>,
    ) -> Result<SignInOffer, PairError> {
        who.may_operate()?;
        let who = match person {
            Some(person) => {
                self.known(person)?;
                Responder::Person(person.clone())
            }
            None => Responder::Operator(who.token.clone()),
        };
        let code = self.secret::<16>();
        let expires = whole_millis(self.clock.now()) + CODE_LIFE;
        self.store
            .put_sign_in_code(SignInCode {
                hash: pair::hash(&code),
                who: who.clone(),
                expires,
            })
            .await?;
        Ok(SignInOffer { who, code, expires })
    }

    /// Signs in who hands `code` in. `None` for a code that is not known, was used, or is too old, and for somebody who
    /// has left the configuration.
    ///
    /// How often a caller may try is the entrance's business, which knows where they call from.
    ///
    /// # Errors
    /// What the store says; the code may be handed in again.
    pub async fn sign_in(&self, code: &str) -> Result<Option<SignedIn>, StoreError> {
        let secret = self.secret::<32>();
        let now = whole_millis(self.clock.now());
        let signed_in = self
            .store
            .sign_in(&pair::hash(code), &pair::hash(&secret), now)
            .await?;
        Ok(signed_in.and_then(|sign_in| {
            Some(SignedIn {
                secret,
                principal: self.principal(&sign_in)?,
                expires: sign_in.expires,
            })
        }))
    }

    /// Whose browser keeps this secret, if the sign-in lasts.
    ///
    /// # Errors
    /// What the store says.
    pub async fn signed_in(&self, secret: &str) -> Result<Option<Principal>, StoreError> {
        let found = self
            .store
            .signed_in(&pair::hash(secret), self.clock.now())
            .await?;
        Ok(found.and_then(|sign_in| self.principal(&sign_in)))
    }

    /// Ends the sign-in of the browser that keeps this secret.
    ///
    /// # Errors
    /// What the store says; the same may be tried again.
    pub async fn sign_out(&self, secret: &str) -> Result<(), StoreError> {
        if self.store.sign_out(&pair::hash(secret)).await? {
            self.sign_outs.send_replace(());
        }
        Ok(())
    }

    /// Ends every sign-in of a person. Returns how many.
    pub(super) async fn sign_out_all(&self, person: &PersonName) -> Result<usize, StoreError> {
        let ended = self
            .store
            .sign_out_all(&Responder::Person(person.clone()))
            .await?;
        self.sign_outs.send_replace(());
        Ok(ended)
    }

    /// Who this caller is.
    ///
    /// # Errors
    /// [`Denied::Role`] for agents, who are no one to be shown anything.
    pub fn me(&self, who: &Principal) -> Result<Me, Denied> {
        let directory = self.directory();
        Ok(match who.responder().ok_or(Denied::Role)? {
            Responder::Person(person) => {
                let configured = directory.people.get(&person);
                let zone = configured.and_then(|person| person.time_zone.as_ref());
                Me {
                    name: directory.display(&person).to_owned(),
                    language: configured.and_then(|person| person.language),
                    time_zone: zone.and_then(|zone| zone.iana_name().map(str::to_owned)),
                    person: Some(person),
                }
            }
            Responder::Operator(token) => Me {
                name: token.to_string(),
                person: None,
                language: None,
                time_zone: None,
            },
        })
    }

    /// For who keeps a connection open: tells when to look again whether its caller still may.
    #[must_use]
    pub fn access(&self) -> Access {
        let mut access = Access {
            directory: self.directory.clone(),
            tokens: self.tokens.clone(),
            sign_outs: self.sign_outs.subscribe(),
        };
        // The broker's own receivers look at values and never mark them as seen.
        access.directory.mark_unchanged();
        access.tokens.mark_unchanged();
        access
    }

    /// Who signed in, if the configuration still knows them.
    fn principal(&self, sign_in: &SignIn) -> Option<Principal> {
        let known = match &sign_in.who {
            Responder::Person(person) => self.directory().people.contains_key(person),
            Responder::Operator(token) => self.tokens().has_operator(token),
        };
        known.then(|| Principal::signed_in(&sign_in.who))
    }

    /// `BYTES` random bytes as hex digits.
    fn secret<const BYTES: usize>(&self) -> String {
        let mut secret = [0; BYTES];
        self.chance.fill(&mut secret);
        hex(&secret)
    }
}
