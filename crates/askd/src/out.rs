//! What a command leaves behind: text for people or JSON for programs on stdout, one line on stderr where it
//! failed, and an exit code that a script can branch on.

use std::{
    fmt::Display,
    io::{self, IsTerminal as _, Write as _},
    process::ExitCode,
};

use serde::Serialize;
use serde_json::Value;

/// The exit codes (SPEC 6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    /// It was answered, or done.
    Done = 0,
    /// Anything else that went wrong.
    Error = 1,
    /// The command line, or the ask itself, is wrong.
    Usage = 2,
    /// The person declined.
    Skipped = 3,
    /// The ask was taken back.
    Cancelled = 4,
    /// The daemon is not there.
    Unreachable = 69,
    /// No answer in time, or nobody was shown the ask.
    NoAnswer = 75,
    /// The token is missing, unknown or of the wrong role.
    NotAllowed = 77,
    /// The configuration is bad.
    BadConfig = 78,
}

impl Exit {
    /// The code of an error: that of the [`Stop`] in its chain, else 1.
    pub(crate) fn of(error: &anyhow::Error) -> Self {
        error.downcast_ref::<Stop>().map_or(Self::Error, |stop| stop.exit)
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// An error with an exit code of its own.
#[derive(Debug, thiserror::Error)]
#[error("{text}")]
pub(crate) struct Stop {
    exit: Exit,
    text: String,
    /// The same for programs, where the daemon said it.
    problem: Option<Value>,
}

impl Stop {
    /// Ends the program with this code and this text.
    pub(crate) fn new(exit: Exit, text: impl Into<String>) -> Self {
        Self {
            exit,
            text: text.into(),
            problem: None,
        }
    }

    /// With what the daemon said, for `--json`.
    pub(crate) fn with_problem(self, problem: Value) -> Self {
        Self {
            problem: Some(problem),
            ..self
        }
    }

    /// What the daemon said, where it is why this error ends the program.
    pub(crate) fn problem(error: &anyhow::Error) -> Option<&Value> {
        error.downcast_ref::<Self>()?.problem.as_ref()
    }
}

/// Writes a line to stdout. A reader that has gone away (`askd list | head -1`) is no error.
pub(crate) fn line(text: impl Display) -> io::Result<()> {
    match writeln!(io::stdout().lock(), "{text}") {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Writes a value to stdout as indented JSON.
pub(crate) fn json(value: &impl Serialize) -> anyhow::Result<()> {
    line(serde_json::to_string_pretty(value)?)?;
    Ok(())
}

/// Writes what a person answered to stdout: as it is where a program reads it, without control characters where a
/// terminal would obey them.
pub(crate) fn value(text: &str) -> io::Result<()> {
    if io::stdout().is_terminal() {
        return line(plain(text));
    }
    line(text)
}

/// Writes text to stderr as it is: what is said to whoever sits at the terminal, beside the output.
pub(crate) fn aside(text: impl Display) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Writes a line to stderr, for people; where that is closed, nobody misses it.
pub(crate) fn note(text: impl Display) {
    let _ = writeln!(io::stderr().lock(), "askd: {text}");
}

/// `text` without control characters, so that what agents and people wrote cannot steer the terminal.
pub(crate) fn plain(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() || *c == '\n').collect()
}

/// `text` on one line of at most `most` characters.
pub(crate) fn short(text: &str, most: usize) -> String {
    let line: Vec<&str> = text.split_whitespace().collect();
    let line = plain(&line.join(" "));
    if line.chars().count() <= most {
        return line;
    }
    let cut: String = line.chars().take(most.saturating_sub(1)).collect();
    format!("{}…", cut.trim_end())
}

/// Columns, each as wide as its widest cell, two blanks between.
pub(crate) fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter()
            .filter_map(|row| row.get(column))
            .map(|cell| cell.chars().count())
            .max()
    };
    let widths: Vec<usize> = (0..columns).map(|column| width(column).unwrap_or(0)).collect();
    let lines = rows.iter().map(|row| {
        let cells = row
            .iter()
            .zip(&widths)
            .map(|(cell, &width)| format!("{cell:width$}"));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    });
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exit_code_survives_context_that_is_added_to_its_error() {
        let error = anyhow::Error::from(Stop::new(Exit::Unreachable, "gone")).context("while asking");

        assert_eq!(Exit::of(&error), Exit::Unreachable);
        assert_eq!(Exit::of(&anyhow::anyhow!("other")), Exit::Error);
    }

    #[test]
    fn what_others_wrote_cannot_steer_the_terminal() {
        assert_eq!(plain("a\u{1b}[31mred\u{7}\nb"), "a[31mred\nb");
        assert_eq!(short("  two\n lines ", 20), "two lines");
        assert_eq!(short("a rather long text", 9), "a rather…");
    }

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = [
            vec!["a".to_owned(), "b".to_owned()],
            vec!["long".to_owned(), "c".to_owned()],
        ];

        assert_eq!(table(&rows), "a     b\nlong  c");
    }
}
