//! What askd promises, proven by breaking it: it is killed, its disk forgets what was not synced, and it gets more work
//! than it can do.
//!
//! Apart from the other stories, because each of these wants the whole machine. They run in the plain tests, small;
//! `cargo xtask chaos` and `cargo xtask load` run them at length, and say so by variables ([`setting`]).

#![expect(clippy::unwrap_used, reason = "what cannot be unwrapped fails the story")]

mod killing;
mod loading;
#[expect(
    dead_code,
    unused_imports,
    unused_macros,
    reason = "shared with the other stories, which use the rest"
)]
mod stage;
mod syncing;

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Holds the machine for one story. One that failed while it held it has failed already.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A number that `cargo xtask` sets by a variable; else that of the plain tests.
///
/// # Panics
/// If the variable holds no number.
#[expect(clippy::disallowed_methods, reason = "`cargo xtask` says it by a variable")]
fn setting(variable: &str, plain: u64) -> u64 {
    std::env::var(variable).map_or(plain, |text| {
        text.parse()
            .unwrap_or_else(|_| panic!("{variable} is no number: {text:?}"))
    })
}
