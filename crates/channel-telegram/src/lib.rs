//! askd on Telegram.
//!
//! One value of [`TelegramChannel`] is one bot. It shows an ask as a message with full-width buttons, hears taps and
//! typed replies by long polling (no public address is needed), and answers both at once. How to set it up, and what
//! each error means: `docs/channels/telegram.md`.
//!
//! | what the platform can do | here |
//! |---|---|
//! | buttons | one a row for each option, then Other… and Skip |
//! | own words | Other… opens an input by `ForceReply`; the options stay usable |
//! | private refusals | on taps, as a notice; typed texts get a short silent reply |
//! | edits | every prompt shows how it ended |
//! | deduplication of posts | none: an answer that was lost may mean a second message |
//!
//! Read in this order: [`config`](TelegramConfig), `limits`, `place` (addresses), `channel`, [`render`] and [`read`]
//! (both pure), `listen` (the connection), `api` and `error` (calls and what their failures mean), `doctor`.
//!
//! # Quirks
//!
//! Where each is dealt with:
//!
//! * Messages are numbered per chat, ids exceed 32 bits, General has no number: `place`.
//! * A basic group gets a new id when it becomes a supergroup: `known`.
//! * A message cannot hold buttons and open an input, and one that opened an input cannot be edited: `listen::feedback`.
//! * A 409 means that somebody else receives with the same token: `listen`.
//! * Failures are told apart by prose: `error`. The token is in every URL: `api`.
//! * Every message in a topic seems to reply to its first; anonymous admins come as a bot: `read`.

mod api;
mod channel;
mod config;
mod doctor;
mod error;
mod known;
mod limits;
mod listen;
mod place;
pub mod read;
pub mod render;

pub use self::{
    channel::TelegramChannel,
    config::{BadConfig, TelegramConfig},
    known::{Me, Moved},
    place::Place,
};
