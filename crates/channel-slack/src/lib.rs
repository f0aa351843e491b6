//! askd on Slack.
//!
//! One value of [`SlackChannel`] is one app in one workspace. It shows an ask as a section with buttons, hears presses
//! and typed replies over Socket Mode (no public address is needed), and answers both at once. How to set it up, and what
//! each error means: `docs/channels/slack.md`.
//!
//! | what the platform can do | here |
//! |---|---|
//! | buttons | the options in a row, then Other… and Skip |
//! | own words | Other… opens a form |
//! | private refusals | in a channel everything that answers one person is seen by them alone |
//! | edits | every prompt shows how it ended |
//! | instants | the deadline is shown in each reader's own time zone |
//! | deduplication of posts | none; a post whose answer was lost is looked for before it is sent again |
//!
//! Read in this order: [`config`](SlackConfig), `limits`, `place` (addresses), `channel`, [`render`] and [`read`] (both
//! pure), `listen` (the connection), `api` and `error` (calls and what their failures mean), `doctor`.
//!
//! # Quirks
//!
//! Where each is dealt with:
//!
//! * A socket that stands need not be heard: `listen::socket`. Slack replaces it about every hour: `listen::sockets`.
//! * An envelope must be acknowledged within 3 s, before its event is safe: `listen`. What was said and then lost is read
//!   again where something is open: `listen::again`. **What remains**: a press that was acknowledged by a process which
//!   died before it was stored, and one made while nobody listened, are lost; the button is still there. A text that was
//!   lost is read again only where an ask is open, and a change of it is not.
//! * A mention comes as two events, and any event may come again: `listen::seen`.
//! * A form must be opened within 3 s, and is closed by the acknowledgement of what was typed into it: `listen::feedback`.
//! * Markup cannot be switched off within a text, and parts of a message that are not said again stay: `render`.
//! * Texts come encoded, emoji by name; what looks like an edit may be a preview: `read`.
//! * What begins with `/` never arrives, so only the word `skip` declines.
//! * Failures come with status 200 and a word: `error`. Methods that read pass over JSON: `api`.
//! * A thread below a message of ours belongs to its channel; one begun by somebody else is a place of its own: `read`.

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
    channel::SlackChannel,
    config::{BadConfig, SlackConfig},
    doctor::SCOPES,
    known::{Me, Threads},
    place::{Place, Ts},
};
