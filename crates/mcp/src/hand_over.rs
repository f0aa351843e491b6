//! What a stopping askd gives to a client, for the next askd to go on with (`requestState`, from 2026-07-28 on).
//!
//! Signed and not secret: it names an ask, which only its own agent may read anyway. It is bound to the token, so that
//! one agent cannot go on with another's call, and it is good for a while only. The time is on our clock and not on
//! the codec's, which has one of its own.

use askd_core::{
    clock::Clock,
    id::{AskId, TokenName},
};
use rmcp::model::{RequestStateCodec, SealOptions};
use serde::{Deserialize, Serialize};

use crate::limits;

/// Seals and opens.
#[derive(Debug)]
pub(crate) struct HandOver(RequestStateCodec);

#[derive(Debug, Deserialize, Serialize)]
struct State {
    ask: AskId,
    /// Until when. Unit: milliseconds since 1970.
    until: i64,
}

/// Why a call cannot be gone on with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotHandedOver {
    /// Not ours, not whole, or another's.
    Unknown,
    /// Ours, and too old. The ask may be open all the same.
    Expired(AskId),
}

impl HandOver {
    pub(crate) fn new(key: [u8; 32]) -> Self {
        Self(RequestStateCodec::try_new(key).expect("32 bytes are what the codec asks for"))
    }

    /// For this token, about this ask, from now on.
    pub(crate) fn seal(&self, token: &TokenName, ask: AskId, clock: &dyn Clock) -> String {
        let until = (clock.now() + limits::HAND_OVER).as_millisecond();
        let options = SealOptions::new().associated_data(token.as_str().as_bytes());
        self.0
            .seal_json_with(&State { ask, until }, &options)
            .expect("an id and a number are always JSON")
    }

    /// The ask that this token was handed.
    pub(crate) fn open(
        &self,
        token: &TokenName,
        sealed: &str,
        clock: &dyn Clock,
    ) -> Result<AskId, NotHandedOver> {
        let opened = self.0.open_json_with(sealed, token.as_str().as_bytes());
        // Which of the ways in which it is not ours, nobody but a forger would want to know.
        let State { ask, until } = opened.map_err(|_| NotHandedOver::Unknown)?;
        if clock.now().as_millisecond() < until {
            Ok(ask)
        } else {
            Err(NotHandedOver::Expired(ask))
        }
    }
}
