//! Suites whose cases need what not every subject offers.
//!
//! What cannot run is reported as ignored, never as passed, and must stand in the subject's reviewed list with a
//! reason. A case that is missing there fails, and so does one that stands there and could run: nothing is left out
//! unseen.

use std::{collections::BTreeMap, future::Future};

use libtest_mimic::{Failed, Trial};
use tokio::runtime;

/// A case as the runner sees it.
pub(crate) struct Entry {
    /// Its sentence.
    pub(crate) name: &'static str,
    /// What it needs and the subject does not offer.
    pub(crate) missing: Vec<String>,
    /// Runs it; panics where it fails.
    pub(crate) run: Box<dyn FnOnce() + Send>,
}

/// What is to be done with a case.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Fate {
    Run,
    Ignore(String),
    Fail(String),
}

/// The trials of one subject. `ignores` has a line for each case that cannot run, `case: reason`; lines that begin
/// with `#` are remarks.
pub(crate) fn trials(subject: &str, ignores: &str, entries: Vec<Entry>) -> Vec<Trial> {
    let mut ignores = match read_ignores(ignores) {
        Ok(ignores) => ignores,
        Err(line) => {
            return vec![failing(
                subject,
                "ignores",
                format!("a line without a reason: {line}"),
            )];
        }
    };
    let mut trials = Vec::new();
    for entry in entries {
        let name = format!("{subject}::{}", entry.name);
        trials.push(match fate(&entry.missing, ignores.remove(entry.name)) {
            Fate::Run => Trial::test(name, move || {
                (entry.run)();
                Ok(())
            }),
            Fate::Ignore(why) => Trial::test(name, move || Err(Failed::from(why))).with_ignored_flag(true),
            Fate::Fail(why) => failing(subject, entry.name, why),
        });
    }
    let unknown = ignores.into_keys();
    trials
        .extend(unknown.map(|name| failing(subject, name, "is listed as ignored and is no case".to_owned())));
    trials
}

/// On one thread: what is ready runs in one order, so a case that fails, fails again.
pub(crate) fn block_on<T>(future: impl Future<Output = T>) -> T {
    let runtime = runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime starts").block_on(future)
}

fn fate(missing: &[String], listed: Option<&str>) -> Fate {
    match (missing, listed) {
        ([], None) => Fate::Run,
        ([], Some(_)) => Fate::Fail("is listed as ignored and can run".to_owned()),
        (_, Some(reason)) => Fate::Ignore(format!("cannot run: {reason}")),
        (missing, None) => Fate::Fail(format!(
            "needs {}: list it as ignored, with the reason",
            missing.join(", ")
        )),
    }
}

fn failing(subject: &str, name: &str, why: String) -> Trial {
    Trial::test(format!("{subject}::{name}"), move || Err(Failed::from(why)))
}

/// The cases of a list with their reasons; an error is a line without one.
pub(crate) fn read_ignores(list: &str) -> Result<BTreeMap<&str, &str>, &str> {
    let lines = list
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines
        .map(|line| {
            let (name, reason) = line.split_once(':').ok_or(line)?;
            let reason = reason.trim();
            if reason.is_empty() {
                Err(line)
            } else {
                Ok((name.trim(), reason))
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ignored_case_is_listed_with_a_reason() {
        let list = "# why\n\na_case: no buttons here\nanother:  no groups\n";

        let read = read_ignores(list).unwrap();

        let pairs: Vec<_> = read.into_iter().collect();
        assert_eq!(pairs, [("a_case", "no buttons here"), ("another", "no groups")]);
        assert_eq!(read_ignores("a_case:"), Err("a_case:"));
        assert_eq!(read_ignores("a_case"), Err("a_case"));
    }

    #[test]
    fn what_can_run_runs_and_what_cannot_is_listed() {
        let missing = ["Buttons".to_owned()];

        assert_eq!(fate(&[], None), Fate::Run);
        assert!(matches!(fate(&missing, Some("none here")), Fate::Ignore(_)));
        assert!(
            matches!(fate(&missing, None), Fate::Fail(_)),
            "an unlisted ignore fails"
        );
        assert!(
            matches!(fate(&[], Some("none here")), Fate::Fail(_)),
            "a listed case that can run fails"
        );
    }

    #[test]
    fn a_listed_name_that_is_no_case_fails() {
        let trials = trials("plain", "no_such_case: because", Vec::new());

        assert_eq!(trials.len(), 1);
        assert!(!trials[0].has_ignored_flag());
    }
}
