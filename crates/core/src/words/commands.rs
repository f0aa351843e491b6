//! The commands that channels register with their platforms, and what platforms say beside them.
//!
//! What a command does is the inbox's business; here is only what it is called and how it is described.

use super::{Language, say};

/// Their names, without the slash, in the order in which they are listed.
pub const COMMANDS: [&str; 4] = ["help", "pending", "skip", "start"];

/// Every command with its description, at most 100 characters (Discord's limit, the smallest).
#[must_use]
pub fn commands(language: Language) -> [(&'static str, String); 4] {
    let described = ["command-help", "command-pending", "command-skip", "command-start"];
    std::array::from_fn(|n| (COMMANDS[n], say(language, described[n], &[])))
}

/// What may be put behind `/start`, for platforms whose commands have fields; at most 100 characters.
#[must_use]
pub fn start_code(language: Language) -> String {
    say(language, "command-start-code", &[])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_described_in_every_language_and_fits_the_smallest_platform() {
        for language in Language::ALL {
            let code = ("the code", start_code(language));
            for (name, description) in commands(language).into_iter().chain([code]) {
                assert!(
                    (1..=100).contains(&description.chars().count()) && !description.contains("command-"),
                    "{name} in {}: {description}",
                    language.tag()
                );
            }
        }
    }
}
