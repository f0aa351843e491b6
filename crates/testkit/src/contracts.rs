//! Whether the fakes keep to what the platforms document, in the machine-readable form in which others keep it.
//!
//! A fake that has its own idea of a platform proves nothing. So each is run through a scene in which it says
//! everything it can say, and that is compared with the documentation: are there such methods, parameters and fields,
//! are they of that type, is required what has to be, and do the limits agree. One module per platform; `cargo xtask
//! contracts DIR` runs them all. The documents are not part of this repository, so this is a command and no test.

pub mod discord;
pub mod slack;
pub mod telegram;

use std::fmt;

use serde_json::Value;

/// A document, by the name it has in the folder, and what checks a fake against it.
#[derive(Clone, Copy, Debug)]
pub struct Contract {
    /// The platform, as its folder in this crate is called.
    pub platform: &'static str,
    /// The file in the folder.
    pub file: &'static str,
}

/// All of them. A platform joins by a line here and an arm in [`Contract::check`].
pub const CONTRACTS: [Contract; 3] = [
    Contract {
        platform: "discord",
        file: "discord-openapi.json",
    },
    Contract {
        platform: "slack",
        file: "slack-web-api-openapi-v2.json",
    },
    Contract {
        platform: "telegram",
        file: "telegram-bot-api.json",
    },
];

impl Contract {
    /// Runs the fake and compares it with the document.
    pub async fn check(&self, document: &Value) -> Report {
        match self.platform {
            "discord" => discord::check(document).await,
            "slack" => slack::check(document).await,
            "telegram" => telegram::check(document).await,
            other => unreachable!("{other} is not in the list"),
        }
    }
}

/// What a check looked at, and what it found.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The document, with its version.
    pub title: String,
    rows: Vec<Row>,
}

#[derive(Clone, Debug)]
struct Row {
    subject: String,
    checked: String,
    faults: Vec<String>,
}

impl Report {
    /// Notes that something was looked at, and what is wrong with it.
    pub fn note(&mut self, subject: impl Into<String>, checked: impl Into<String>, faults: Vec<String>) {
        self.rows.push(Row {
            subject: subject.into(),
            checked: checked.into(),
            faults,
        });
    }

    /// Everything that is wrong.
    pub fn faults(&self) -> impl Iterator<Item = String> {
        let of_row = |row: &Row| {
            let subject = row.subject.clone();
            let faults = row.faults.clone().into_iter();
            faults.map(move |fault| format!("{subject}: {fault}"))
        };
        self.rows.iter().flat_map(of_row)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = |of: fn(&Row) -> &str| self.rows.iter().map(|row| of(row).chars().count()).max();
        let subjects = width(|row| &row.subject).unwrap_or(0);
        let checked = width(|row| &row.checked).unwrap_or(0);
        writeln!(f, "{}", self.title)?;
        for row in &self.rows {
            let verdict = match row.faults.len() {
                0 => "ok".to_owned(),
                n => format!("{n} WRONG"),
            };
            writeln!(
                f,
                "  {:<subjects$}  {:<checked$}  {verdict}",
                row.subject, row.checked
            )?;
        }
        self.faults().try_for_each(|fault| writeln!(f, "wrong: {fault}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_a_table_with_the_faults_below() {
        let mut report = Report {
            title: "telegram 1.0".to_owned(),
            ..Report::default()
        };
        report.note("getMe", "0 of 0 parameters", vec![]);
        report.note(
            "sendMessage",
            "2 of 17 parameters",
            vec!["`txt` is unknown".to_owned()],
        );

        assert_eq!(
            report.to_string(),
            "telegram 1.0\n  getMe        0 of 0 parameters   ok\n  sendMessage  2 of 17 parameters  1 WRONG\nwrong: \
             sendMessage: `txt` is unknown\n"
        );
    }
}
