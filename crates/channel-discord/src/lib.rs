//! askd on Discord.
//!
//! One value of [`DiscordChannel`] is one application's bot. It shows an ask as a message with buttons, hears presses,
//! forms, commands and typed replies over the gateway (no public address is needed), and answers each at once. How to set
//! it up, and what each error means: `docs/channels/discord.md`.
//!
//! | what the platform can do | here |
//! |---|---|
//! | buttons | one a row for each option, then Other… and Skip |
//! | own words | Other… opens a modal |
//! | private refusals | on presses, forms and commands; typed texts get a short silent reply |
//! | edits | every prompt shows how it ended; the one that was pressed at once |
//! | deduplication of posts | by `nonce`, for a few minutes |
//! | countdowns | rendered for each reader |
//!
//! Read in this order: [`config`](DiscordConfig), `limits`, `place` (addresses), `known` (channels and threads),
//! `channel`, [`render`] and [`read`] (both pure), `listen` (the connection), `api` and `error` (calls and what their
//! failures mean), `doctor`.
//!
//! # Quirks
//!
//! Where each is dealt with:
//!
//! * An interaction is answered once and within 3 s, a modal only by that answer; refused, it stays open:
//!   `listen::feedback`.
//! * What is not named in an edit stays, buttons too; every text is Markdown and mentions whom it names: `render`.
//! * Texts in a server are empty without a privileged intent; a connection that asks for it without having it is closed:
//!   `listen::link`, [`read`].
//! * Events come twice or not at all: `listen::seen`, `listen::missed`.
//! * A direct conversation has to be opened and can still refuse: `channel`.
//! * Limits are told by answers, which need not be Discord's own: `api`.
//! * A thread below a message has the message's number; people mention our role in our place: `known`.
//! * The gateway's address comes from a call, and is never guessed: `listen::link`, `config`.

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
    channel::DiscordChannel,
    config::{BadConfig, DiscordConfig},
    known::{Kind, Me, Places},
    place::Place,
};
