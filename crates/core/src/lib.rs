//! The product, without any I/O.
//!
//! An agent asks; a person answers. This crate holds everything between the two that is not a platform, a
//! database or a socket: what an ask is and when it is valid, how a typed reply is read, what is shown where,
//! who may do what, and the two loops that move it all, [`broker`] and [`dispatch`].
//!
//! Read the modules in this order; each builds on those before it:
//!
//! 1. [`id`], [`clock`]: names of things, time and chance, all passed in.
//! 2. [`ask`], [`answer`], [`stage`]: what is asked, what comes back, and the one life an ask has.
//! 3. [`words`], [`reply`], [`present`]: what people type and what they see. Pure and synchronous.
//! 4. [`people`], [`route`], [`rights`]: who is asked and who may do what.
//! 5. [`channel`], [`push`], [`inbound`], [`store`]: the seams, as traits with their contracts.
//! 6. [`broker`], [`dispatch`]: the only code that moves an ask through its life, and the loop that shows it.
//!
//! The first half is pure; `broker` and `dispatch` own nothing but `Arc<dyn Store>`, `Arc<dyn Clock>`,
//! `Arc<dyn Chance>` and the channels by name.

pub mod answer;
pub mod ask;
pub mod broker;
pub mod channel;
pub mod clock;
pub mod dispatch;
pub mod id;
pub mod inbound;
pub mod people;
pub mod present;
pub mod push;
pub mod reply;
pub mod result;
pub mod rights;
pub mod route;
pub mod stage;
pub mod store;
pub mod words;
