//! askd on Discord.
