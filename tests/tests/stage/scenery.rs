//! What a story needs of a platform beside what the suite of all channels knows of it.

use std::{collections::BTreeMap, future::Future, pin::Pin, sync::Arc};

use askd_testkit::channel_suite::Platform;

/// A platform that is being started.
pub(crate) type Starting = Pin<Box<dyn Future<Output = Arc<dyn Scenery>>>>;

/// A platform as the real program meets it: by its configuration, over a socket.
pub(crate) trait Scenery: Platform {
    /// Its `kind` in the configuration, which is also the name of its channel, its guide and its golden files.
    fn kind(&self) -> &'static str;

    /// What people call it: "on Telegram".
    fn name(&self) -> &'static str;

    /// What `api_url` has to say.
    fn api_url(&self) -> String;

    /// The keys of its secrets and what they are now.
    fn secrets(&self) -> Vec<(&'static str, String)>;

    /// The platform refuses the secrets from now on.
    fn refuse_secrets(&self);

    /// An account to which nothing can be shown, as the configuration writes it.
    fn out_of_reach(&self) -> String;

    /// Breaks the connection over which askd receives.
    fn break_connection(&self);

    /// From now on no call is answered as it should be, and nothing is received.
    fn go_down(&self, how: Outage);

    /// All is well again.
    fn come_back(&self);

    /// How often each method was called, without what is called whether or not anybody asks.
    fn counts(&self) -> BTreeMap<String, usize>;

    /// Whether askd listens, and everything that people did has been taken over.
    fn rests(&self) -> bool;

    /// What happened, as people saw it.
    fn transcript(&self) -> String;
}

/// How a platform is down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outage {
    /// Calls are taken and never answered.
    Hangs,
    /// Something before it answers, with a status of 500 and more.
    BadGateway,
}
