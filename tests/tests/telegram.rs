//! What only Telegram has.

mod joining;
mod surviving;
