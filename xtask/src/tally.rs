//! The sum of what the test runner said at the end of each test binary.
//!
//! `cargo test` runs many binaries and never says how it went in all. Each of them, and each suite built on
//! `libtest-mimic`, ends with a line of one form, `test result: ok. 5 passed; 0 failed; 1 ignored; ...`; those lines
//! are collected here and added up.

use std::fmt;

/// Closing lines and their sum.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    closing: Vec<String>,
    /// Tests that passed.
    pub(crate) passed: u64,
    failed: u64,
    skipped: u64,
}

impl Tally {
    /// Takes `line` if it is a closing line; `false` leaves it to the caller.
    pub(crate) fn take(&mut self, line: &str) -> bool {
        let Some(result) = line.strip_prefix("test result: ") else {
            return false;
        };
        self.passed += count(result, "passed");
        self.failed += count(result, "failed");
        self.skipped += count(result, "ignored");
        self.closing.push(line.trim_end().to_owned());
        true
    }
}

/// The number before `what`; 0 where the runner does not name it.
fn count(result: &str, what: &str) -> u64 {
    let words: Vec<&str> = result
        .split([' ', ';', '.'])
        .filter(|word| !word.is_empty())
        .collect();
    words
        .windows(2)
        .find(|pair| pair[1] == what)
        .and_then(|pair| pair[0].parse().ok())
        .unwrap_or(0)
}

/// The closing lines, then the sum alone on the last line.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.closing {
            writeln!(f, "{line}")?;
        }
        write!(
            f,
            "{} passed, {} failed, {} skipped",
            self.passed, self.failed, self.skipped
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_stands_alone_after_the_closing_lines() {
        let mut tally = Tally::default();

        for line in [
            "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.12s",
            "test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 7 filtered out; finished in 0.00s\n",
        ] {
            assert!(tally.take(line), "{line}");
        }

        assert_eq!(
            tally.to_string(),
            "test result: ok. 12 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.12s\n\
             test result: FAILED. 3 passed; 2 failed; 0 ignored; 0 measured; 7 filtered out; finished in 0.00s\n\
             15 passed, 2 failed, 1 skipped"
        );
    }

    #[test]
    fn other_lines_are_left_alone() {
        let mut tally = Tally::default();

        for line in [
            "running 3 tests",
            "test result_is_kept ... ok",
            "5 passed; 1 failed",
            "",
        ] {
            assert!(!tally.take(line), "{line}");
        }

        assert_eq!(tally.to_string(), "0 passed, 0 failed, 0 skipped");
    }
}
