//! What happened on a platform as a golden file: without what differs from run to run.
//!
//! Times of day are cut out. And what askd does at one moment reaches a platform in any order, because answers to taps,
//! new messages and edits are separate calls on separate connections: between two acts of people it is put in one
//! order, answers to taps first, then new messages, then changed ones. A change after which a message reads as before is
//! not told, because nobody sees it: a prompt that was tapped shows its end with the answer to the tap, where the platform
//! can, and the edit that follows says the same.

use std::{collections::BTreeMap, fmt::Write as _};

use askd_testkit::channel_suite::world::bare;
use regex::{NoExpand, Regex};

/// What happened between two blank lines, and where.
#[derive(Clone, Debug)]
struct Scene {
    place: String,
    text: String,
}

/// The transcript in one order, without times and invisible marks.
pub(crate) fn readable(transcript: &str) -> String {
    let mut scenes = scenes(transcript);
    let mut told = BTreeMap::new();
    scenes.retain(|scene| {
        let changed = scene.text.split_once(" askd, changed\n");
        changed.is_none_or(|(number, shows)| {
            told.insert(number.to_owned(), shows.to_owned()).as_deref() != Some(shows)
        })
    });
    for run in scenes.chunk_by_mut(|a, b| kind(a).is_some() && kind(b).is_some()) {
        run.sort_by_key(|scene| (kind(scene), scene.place.clone()));
    }
    let mut text = String::new();
    let mut place = "";
    for scene in &scenes {
        if place != scene.place {
            write!(text, "== {} ==\n\n", scene.place).unwrap();
            place = &scene.place;
        }
        write!(text, "{}\n\n", scene.text).unwrap();
    }
    without_times(&renumbered(&text))
}

fn scenes(transcript: &str) -> Vec<Scene> {
    // Without the invisible marks that keep right-to-left text in its place; a golden file is read better so.
    let shown = bare(transcript);
    let mut place = String::new();
    let mut scenes = Vec::new();
    for part in shown.split("\n\n").map(|part| part.trim_matches('\n')) {
        match part.strip_prefix("== ").and_then(|part| part.strip_suffix(" ==")) {
            Some(named) => named.clone_into(&mut place),
            None if part.is_empty() => {}
            None => scenes.push(Scene {
                place: place.clone(),
                text: part.to_owned(),
            }),
        }
    }
    scenes
}

/// What askd did here, in the order it is told; `None` for what people did.
fn kind(scene: &Scene) -> Option<u8> {
    let first = scene.text.lines().next().unwrap_or_default();
    // What only one person sees: a toast, a form, a text for them alone.
    let alone = [
        " reads in passing: ",
        " reads and closes: ",
        "'s button stops waiting",
        " alone",
        "A form ",
    ];
    if alone.iter().any(|alone| first.contains(alone)) {
        return Some(0);
    }
    let (_, what) = first.split_once(' ')?;
    match what {
        "is deleted" => Some(3),
        _ if !(what == "askd" || what.starts_with("askd,") || what.starts_with("askd ")) => None,
        _ if what.contains(", changed") => Some(2),
        _ => Some(1),
    }
}

/// Messages numbered as they come in this order.
fn renumbered(text: &str) -> String {
    let number = Regex::new(r"#\d+").unwrap();
    let mut known: Vec<String> = Vec::new();
    let lines = text.lines().map(|line| {
        if line.starts_with("  ") {
            return line.to_owned();
        }
        let new = |found: &regex::Captures<'_>| {
            let at = known
                .iter()
                .position(|old| *old == found[0])
                .unwrap_or(known.len());
            if at == known.len() {
                known.push(found[0].to_owned());
            }
            format!("#{}", at + 1)
        };
        number.replace_all(line, new).into_owned()
    });
    lines.collect::<Vec<_>>().join("\n")
}

fn without_times(text: &str) -> String {
    let changes = [
        (r"Open until [^\n]*?\d\d:\d\d[^\n.]*\.", "Open until <time>."),
        (
            r"تا [^\n]*? می‌توانید پاسخ دهید\.",
            "تا <time> می‌توانید پاسخ دهید.",
        ),
        (r"\b[0-9a-f]{32}\b", "<code>"),
    ];
    changes.iter().fold(text.to_owned(), |text, (pattern, with)| {
        let pattern = Regex::new(pattern).unwrap();
        pattern.replace_all(&text, NoExpand(with)).into_owned()
    })
}

#[test]
fn what_happens_at_one_moment_is_told_in_one_order() {
    let one = "== A ==\n\n#1 askd (rings)\n  | q #1\n\nSara taps [x] below #1\n\n#1 askd, changed\n  | a\n\nSara reads in \
               passing: \"ok\"\n\n#7 askd\n  | b\n";
    let other = "== A ==\n\n#4 askd (rings)\n  | q #1\n\nSara taps [x] below #4\n\nSara reads in passing: \"ok\"\n\n#5 \
                 askd\n  | b\n\n#4 askd, changed\n  | a\n";

    assert_eq!(readable(one), readable(other));
    assert_eq!(
        readable(&format!("{one}\n#1 askd, changed\n  | a\n")),
        readable(one),
        "nobody sees it"
    );
    assert!(
        readable(one)
            .starts_with("== A ==\n\n#1 askd (rings)\n  | q #1\n\nSara taps [x] below #1\n\nSara reads"),
        "{}",
        readable(one)
    );
}
