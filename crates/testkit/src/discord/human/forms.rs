//! Filling forms in.

use super::{person::Person, press::Press};
use crate::discord::{
    interactions::Asked,
    modal::{Input, Modal},
};

impl Person {
    /// The form that is open before this person.
    #[must_use]
    pub fn form(&self) -> Option<Modal> {
        self.world
            .look(|state| Some(state.forms.get(&self.id())?.modal.clone()))
    }

    /// Types into the first field of the form that is open, and sends it in.
    ///
    /// # Panics
    /// If none is open, or the client would not let it go: too short, too long, left empty.
    pub fn fills(&self, text: &str) -> Press {
        self.fills_all(&[text])
    }

    /// Types into the fields of the form that is open, from the top, and sends it in. The others stay as they were.
    ///
    /// # Panics
    /// As for [`Person::fills`].
    pub fn fills_all(&self, texts: &[&str]) -> Press {
        let id = self.world.change(|state| {
            let form = state.forms.remove(&self.id());
            let form =
                form.unwrap_or_else(|| panic!("no form is open before {}", state.account(self.id()).name));
            let texts: Vec<String> = filled(&form.modal, texts);
            let opened = &state.interactions[&form.from];
            let (channel, on) = (opened.channel, opened.on());
            state.tell_filled(self.id(), channel, &texts);
            let asked = Asked::Form {
                modal: form.modal,
                texts,
                from: form.from,
                on,
            };
            state.interact(self.id(), channel, asked)
        });
        Press::new(&self.world, id)
    }

    /// Closes the form that is open. Nobody is told.
    ///
    /// # Panics
    /// If none is open.
    pub fn closes_form(&self) {
        self.world.change(|state| {
            let form = state.forms.remove(&self.id()).expect("a form is open");
            let channel = state.interactions[&form.from].channel;
            let name = state.account(self.id()).name.clone();
            state.tell(channel, &format!("{name} closes the form"));
        });
    }
}

fn filled(modal: &Modal, texts: &[&str]) -> Vec<String> {
    let given = |n: usize, input: &Input| match texts.get(n) {
        Some(text) => (*text).to_owned(),
        None => input.value.clone().unwrap_or_default(),
    };
    let texts: Vec<String> = modal
        .inputs
        .iter()
        .enumerate()
        .map(|(n, input)| given(n, input))
        .collect();
    for (input, text) in modal.inputs.iter().zip(&texts) {
        let length = text.chars().count();
        let empty = text.trim().is_empty();
        assert!(
            !(input.required && empty),
            "the field \"{}\" has to be filled in",
            input.label
        );
        assert!(
            length <= input.max && (empty || length >= input.min),
            "the field \"{}\" takes from {} to {} characters, and not {length}",
            input.label,
            input.min,
            input.max
        );
    }
    texts
}
