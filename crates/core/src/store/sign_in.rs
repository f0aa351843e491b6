//! Who is signed in to the panel, as it is stored.
//!
//! A one-time code becomes a sign-in, and the sign-in lasts as long as its browser keeps the secret. Both secrets have
//! 128 random bits, are stored by their hash alone, and are looked up by it, so that the time a look-up takes says
//! nothing about them.

use jiff::{SignedDuration, Timestamp};

use super::{CodeHash, is_fresh};
use crate::stage::Responder;

/// A one-time code for signing in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignInCode {
    /// SHA-256 of the code.
    pub hash: CodeHash,
    /// Who it signs in.
    pub who: Responder,
    /// When it is worth nothing any more.
    pub expires: Timestamp,
}

impl SignInCode {
    /// The sign-in that this code is good for at `now`, to be stored in its place under `secret`, the hash of what the
    /// browser keeps. `None` for one that is too old, or too young
    /// ([`is_fresh`]).
    #[must_use]
    pub fn redeem(&self, secret: CodeHash, now: Timestamp) -> Option<SignIn> {
        is_fresh(self.expires, now).then(|| SignIn {
            secret,
            who: self.who.clone(),
            expires: now.saturating_add(SignIn::LIFE).unwrap_or(Timestamp::MAX),
        })
    }
}

/// A browser that is signed in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignIn {
    /// SHA-256 of the secret in the browser's cookie.
    pub secret: CodeHash,
    /// Who it is.
    pub who: Responder,
    /// When it ends by itself.
    pub expires: Timestamp,
}

impl SignIn {
    /// How long a sign-in lasts, used or not.
    pub const LIFE: SignedDuration = SignedDuration::from_hours(24 * 30);

    /// Whether it still counts at `now`.
    #[must_use]
    pub fn lasts(&self, now: Timestamp) -> bool {
        now < self.expires
    }
}
