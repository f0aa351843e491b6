//! A real browser: Debian's Chromium without a window, driven over WebDriver.
//!
//! A story opens a [`Page`] and acts as a person does: it presses keys, clicks, taps, and waits for what the page shows.
//! Elements are found by the page's `data-askd` attributes, never by their looks or their words. Waiting is done inside
//! the page, by what changes in it, and has the deadline of all stories.
//!
//! At the end of a story, a page must have been quiet: no uncaught error, nothing that the Content Security Policy had
//! to stop, no request to anywhere but askd. A dialog fails whatever is done next.
//!
//! `cargo xtask test` installs the browser. Where it is missing, a story fails and says so.

mod driver;
mod http;
mod noticing;
mod page;
mod waiting;

pub(crate) use self::{
    driver::{Device, Looks},
    page::{Page, askd},
};
