//! The suite as a table for people: which case runs over which channel, and where not, why.
//!
//! It is made from the cases and from the lists that the suite itself goes by, so it says what is run and nothing else.
//! `cargo xtask generate` writes it to [`FILE`]; `tests/table.rs` compares the two.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs, io,
    path::{Path, PathBuf},
};

use super::{Case, cases};
use crate::suite::read_ignores;

/// Where the table stands, from the root of the workspace.
pub const FILE: &str = "docs/channels/conformance.md";

/// The platforms that exist only in tests, from the one that can do least.
const ONLY_HERE: [&str; 3] = ["plain", "buttons", "full"];

const BEFORE: &str = "\
# What every channel is held to

One suite runs over all channels. Its cases are sentences about what people do and see; each channel is run with its
real code, against a fake of its platform that speaks the real wire format. `plain`, `buttons` and `full` exist only in
tests: a channel of plain texts, which is the floor, one with buttons, and one that can do everything.

✓ is a case that runs. A number is one that cannot, because the platform has no such thing, with the reason below. These
are the lists that the suite itself goes by: a case that cannot run and is not listed fails, and so does one that is listed
and could run.

Made by `cargo xtask generate` from the cases and the lists.
";

/// A channel and the cases that cannot run over it.
#[derive(Clone, Debug)]
pub struct Column {
    /// The channel, or the platform that exists only in tests.
    pub name: String,
    /// Its list, as the suite reads it.
    pub ignores: String,
}

/// The columns of the workspace at `root`: the platforms of the tests, then every channel that runs the suite.
pub fn columns(root: &Path) -> io::Result<Vec<Column>> {
    let lists = root.join("crates/testkit/tests/ignores");
    let only_here = ONLY_HERE.map(|name| (name.to_owned(), lists.join(format!("{name}.txt"))));
    let columns = only_here.into_iter().chain(channels(root)?);
    columns
        .map(|(name, list)| {
            let ignores = fs::read_to_string(list)?;
            Ok(Column { name, ignores })
        })
        .collect()
}

/// The channels that run the suite, with their lists, in the order of the alphabet.
fn channels(root: &Path) -> io::Result<BTreeMap<String, PathBuf>> {
    let mut channels = BTreeMap::new();
    for entry in fs::read_dir(root.join("crates"))? {
        let folder = entry?.path();
        let name = folder.file_name().and_then(|name| name.to_str());
        let Some(name) = name.and_then(|name| name.strip_prefix("channel-")) else {
            continue;
        };
        if folder.join("tests/conformance.rs").exists() {
            channels.insert(name.to_owned(), folder.join("tests/conformance/ignores.txt"));
        }
    }
    Ok(channels)
}

/// The table, as Markdown.
///
/// # Panics
/// If a list has a line without a reason; the suite fails on it too.
#[must_use]
pub fn render(columns: &[Column]) -> String {
    let lists: Vec<BTreeMap<&str, &str>> = columns
        .iter()
        .map(|column| read_ignores(&column.ignores).unwrap_or_else(|line| panic!("no reason in {line:?}")))
        .collect();
    let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    let mut reasons = Vec::new();
    let mut text = format!("{BEFORE}\n{}", sums(&names, &lists));
    for (theme, cases) in cases::themes() {
        let _ = write!(text, "\n## {theme}\n\n{}", head("case", &names));
        for case in &cases {
            text += &row(case, &lists, &mut reasons);
        }
    }
    text += "\n## Why a case cannot run\n\n";
    for (number, reason) in (1..).zip(&reasons) {
        let _ = writeln!(text, "{number}. {reason}");
    }
    text
}

/// How many cases run over each channel, and how many cannot.
fn sums(names: &[&str], lists: &[BTreeMap<&str, &str>]) -> String {
    let all = cases::all().len();
    let cells = |of: fn(usize, usize) -> usize| -> Vec<String> {
        let counts = lists.iter().map(|list| of(all, list.len()));
        counts.map(|count| count.to_string()).collect()
    };
    let (run, cannot) = (cells(|all, ignored| all - ignored), cells(|_, ignored| ignored));
    format!(
        "{}| run | {} |\n| cannot run | {} |\n",
        head("cases", names),
        run.join(" | "),
        cannot.join(" | ")
    )
}

fn head(first: &str, names: &[&str]) -> String {
    format!(
        "| {first} | {} |\n|---|{}\n",
        names.join(" | "),
        "---|".repeat(names.len())
    )
}

fn row<'a>(case: &Case, lists: &[BTreeMap<&str, &'a str>], reasons: &mut Vec<&'a str>) -> String {
    let cells = lists.iter().map(|list| match list.get(case.name) {
        None => "✓".to_owned(),
        Some(reason) => number(reason, reasons).to_string(),
    });
    let cells: Vec<String> = cells.collect();
    format!("| {} | {} |\n", case.name.replace('_', " "), cells.join(" | "))
}

/// The number of a reason, from 1; a new one comes last.
fn number<'a>(reason: &'a str, reasons: &mut Vec<&'a str>) -> usize {
    let known = reasons.iter().position(|known| *known == reason);
    let at = known.unwrap_or_else(|| {
        reasons.push(reason);
        reasons.len() - 1
    });
    at + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(name: &str, ignores: &str) -> Column {
        Column {
            name: name.to_owned(),
            ignores: ignores.to_owned(),
        }
    }

    #[test]
    fn a_case_runs_or_has_the_number_of_its_reason() {
        let case = cases::all()[0].name;
        let other = cases::all()[1].name;
        let list = format!("{case}: no paper\n{other}: no paper\n");

        let table = render(&[
            column("pigeon", &list),
            column("drum", &format!("{case}: no letters")),
        ]);

        let row = |name: &str, cells: &str| format!("\n| {} | {cells} |\n", name.replace('_', " "));
        assert!(table.contains(&row(case, "1 | 2")), "{table}");
        assert!(table.contains(&row(other, "1 | ✓")), "{table}");
        assert!(table.ends_with("\n1. no paper\n2. no letters\n"), "{table}");
        let all = cases::all().len();
        assert!(
            table.contains(&format!(
                "| run | {} | {} |\n| cannot run | 2 | 1 |",
                all - 2,
                all - 1
            )),
            "{table}"
        );
    }

    #[test]
    fn every_case_has_a_row() {
        let table = render(&[column("pigeon", "")]);

        assert_eq!(table.matches("| ✓ |").count(), cases::all().len());
    }
}
