//! Stories of the panel, told in a real browser.
//!
//! Apart from the other stories, for two reasons: each wants the whole machine for a second, and what drives the browser
//! brings sums of texts of its own (`String + …`), after which the compiler no longer understands the usual ones.

#![expect(clippy::unwrap_used, reason = "what cannot be unwrapped fails the story")]

mod browser;
#[expect(dead_code, reason = "shared with the other stories, which use the rest")]
mod inside;
mod panel;
#[expect(
    dead_code,
    unused_imports,
    unused_macros,
    reason = "shared with the other stories, which use the rest"
)]
mod stage;
