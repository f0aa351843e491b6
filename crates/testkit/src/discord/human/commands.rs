//! Using slash commands.

use super::{person::Person, place::Place, press::Press};
use crate::discord::{Command, interactions::Asked};

/// A slash command in the menu, as somebody reads it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MenuEntry {
    /// What is typed, without the slash.
    pub name: String,
    /// What stands beside it, in the language of the client where there is one.
    pub description: String,
}

impl Person {
    /// Uses a slash command, with what is typed for its option.
    ///
    /// # Panics
    /// If there is no such command here.
    pub fn uses(&self, at: &Place, name: &str, option: Option<&str>) -> Press {
        let id = self.world.change(|state| {
            let direct = state.channel(at.channel).is_direct();
            let mut here = state.commands.iter().filter(|command| command.direct || !direct);
            let command = here.find(|command| command.name == name);
            let command = command
                .unwrap_or_else(|| panic!("there is no /{name} here"))
                .clone();
            let wanted = command.option.as_ref();
            assert!(
                option.is_some() || wanted.is_none_or(|option| !option.required),
                "/{name} needs its option"
            );
            let option = option.map(|text| {
                let wanted = wanted.unwrap_or_else(|| panic!("/{name} takes no option"));
                let length = text.chars().count();
                assert!(
                    (wanted.min..=wanted.max).contains(&length),
                    "/{name} takes from {} to {} characters, and not {length}",
                    wanted.min,
                    wanted.max
                );
                (wanted.name.clone(), text.to_owned())
            });
            let typed = option.as_ref().map(|(_, text)| format!(" {text}"));
            let line = format!(
                "{} uses /{name}{}",
                state.account(self.id()).name,
                typed.unwrap_or_default()
            );
            state.tell(at.channel, &line);
            let asked = Asked::Command {
                id: command.id,
                name: name.to_owned(),
                option,
            };
            state.interact(self.id(), at.channel, asked)
        });
        Press::new(&self.world, id)
    }

    /// Whether what is typed becomes a slash command, as clients make one of it: its name, and what its option takes.
    #[must_use]
    pub fn types_command(&self, at: &Place, text: &str) -> Option<(String, Option<String>)> {
        let typed = text.strip_prefix('/')?;
        let (name, rest) = typed.split_once(' ').unwrap_or((typed, ""));
        self.world.look(|state| {
            let direct = state.channel(at.channel).is_direct();
            let mut here = state.commands.iter().filter(|command| command.direct || !direct);
            let command = here.find(|command| command.name == name)?;
            let rest = Some(rest.trim().to_owned()).filter(|rest| !rest.is_empty());
            match (&command.option, rest) {
                (_, None) => Some((name.to_owned(), None)),
                (Some(option), Some(rest)) if rest.chars().count() <= option.max => {
                    Some((name.to_owned(), Some(rest)))
                }
                _ => None,
            }
        })
    }

    /// The commands that the menu offers at a place.
    pub fn menu(&self, at: &Place) -> Vec<MenuEntry> {
        self.world.look(|state| {
            let direct = state.channel(at.channel).is_direct();
            let locale = &state.account(self.id()).locale;
            let here = state.commands.iter().filter(|command| command.direct || !direct);
            let entry = |command: &Command| MenuEntry {
                name: command.name.clone(),
                description: command
                    .descriptions
                    .get(locale)
                    .unwrap_or(&command.description)
                    .clone(),
            };
            here.map(entry).collect()
        })
    }
}
