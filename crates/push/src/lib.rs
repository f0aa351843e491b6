//! Web push: wakes browsers in which somebody is signed in to the panel.
//!
//! A browser gives askd an address at the push service of its maker; a request to it wakes the browser, whose worker then
//! says that a question waits (RFC 8030). Every request is signed with askd's own key, so that nobody else can use the
//! address (VAPID, RFC 8292), and its content is encrypted for that browser alone (RFC 8291). There is nothing in it
//! all the same: the same two characters every time.
//!
//! * `config`: what an operator says: whom services may write to, and further services
//! * `services`: where askd pushes to at all, since the addresses come from browsers
//! * `vapid`: the key and its signatures
//! * `sender`: the request and what its answer means
//! * `limits`: every number, with unit and source
//!
//! Tests: `tests/`, against a push service of our own (`askd_testkit::push_service`).

mod config;
mod limits;
mod sender;
mod services;
mod vapid;

pub use self::{
    config::{BadConfig, Contact, PushConfig},
    sender::WebPush,
    services::Service,
};
