//! What happened on a fake platform, in the order it happened, for people to read.
//!
//! Messages are numbered as they come, and no time stands in it, so that a golden file changes only when something
//! else than the clock has changed.

use std::{collections::BTreeMap, fmt::Write};

/// What happened so far; `At` names a message.
#[derive(Clone, Debug)]
pub(crate) struct Scenes<At> {
    scenes: Vec<Scene>,
    numbers: BTreeMap<At, usize>,
}

#[derive(Clone, Debug)]
struct Scene {
    place: String,
    lines: String,
}

impl<At> Default for Scenes<At> {
    fn default() -> Self {
        Self {
            scenes: Vec::new(),
            numbers: BTreeMap::new(),
        }
    }
}

impl<At: Ord> Scenes<At> {
    /// Something happens in a place. Each line ends with a newline.
    pub(crate) fn tell(&mut self, place: String, lines: String) {
        self.scenes.push(Scene { place, lines });
    }

    /// The number of a message; the next one, if it has none yet.
    pub(crate) fn number(&mut self, at: At) -> usize {
        let next = self.numbers.len() + 1;
        *self.numbers.entry(at).or_insert(next)
    }

    /// The whole of it, with a heading wherever the place is another one.
    pub(crate) fn render(&self) -> String {
        let mut text = String::new();
        let mut place = None;
        for scene in &self.scenes {
            if place != Some(&scene.place) {
                let _ = write!(
                    text,
                    "{}== {} ==\n\n",
                    if place.is_some() { "\n" } else { "" },
                    scene.place
                );
                place = Some(&scene.place);
            }
            text.push_str(&scene.lines);
            text.push('\n');
        }
        text
    }
}

/// A text as it stands in a message.
pub(crate) fn quote(into: &mut String, text: &str) {
    for line in text.split('\n') {
        let _ = writeln!(into, "{}", format!("  | {line}").trim_end());
    }
}
