//! `askd people`: who can be asked, and through which accounts.

use clap::Args;
use serde::Deserialize;

use super::Context;
use crate::{
    client::{Caller, Reach},
    out::{self, Exit, Stop, plain},
    view,
};

/// What `askd people` takes.
#[derive(Args, Debug)]
pub(super) struct Arguments {
    #[command(flatten)]
    reach: Reach,
}

/// Everybody, as the daemon sends it.
#[derive(Debug, Deserialize)]
pub(super) struct PeopleView {
    pub(super) people: Vec<PersonView>,
}

/// One person.
#[derive(Debug, Deserialize)]
pub(super) struct PersonView {
    pub(super) name: String,
    display: String,
    pub(super) accounts: Vec<AccountView>,
}

/// One account of a person.
#[derive(Debug, Deserialize)]
pub(super) struct AccountView {
    pub(super) account: String,
    paired: bool,
    pub(super) revoked: bool,
}

/// Prints everybody.
pub(super) async fn run(arguments: Arguments, context: &Context) -> anyhow::Result<Exit> {
    let client = context.client(&arguments.reach, Caller::Operator)?;
    let people = client.get(&["v1", "people"], &[]).await.map_err(Stop::from)?;
    if context.json {
        out::json(&people)?;
        return Ok(Exit::Done);
    }
    let view: PeopleView = view::read(&people)?;
    if view.people.is_empty() {
        out::note("nobody is configured; add a [people.NAME] section");
        return Ok(Exit::Done);
    }
    let rows: Vec<Vec<String>> = view.people.iter().map(row).collect();
    out::line(out::table(&rows))?;
    Ok(Exit::Done)
}

fn row(person: &PersonView) -> Vec<String> {
    let display = if person.display == person.name {
        String::new()
    } else {
        plain(&person.display)
    };
    let accounts: Vec<String> = person.accounts.iter().map(account).collect();
    let accounts = match accounts.as_slice() {
        [] => format!("no account; askd pair {}", person.name),
        accounts => accounts.join(", "),
    };
    vec![person.name.clone(), display, accounts]
}

fn account(view: &AccountView) -> String {
    let how = match (view.revoked, view.paired) {
        (true, _) => " (cut off)",
        (false, true) => " (paired)",
        (false, false) => "",
    };
    plain(&view.account) + how
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_person_is_shown_with_accounts_and_who_has_none_with_what_to_do() {
        let view: PeopleView = view::read(&json!({ "people": [
            { "name": "omid", "display": "omid", "accounts": [] },
            { "name": "sara", "display": "Sara", "accounts": [
                { "account": "telegram:1", "paired": false, "revoked": false },
                { "account": "slack:U1", "paired": true, "revoked": false },
                { "account": "slack:U2", "paired": false, "revoked": true },
            ] },
        ] }))
        .unwrap();

        let rows: Vec<Vec<String>> = view.people.iter().map(row).collect();

        assert_eq!(rows[0], ["omid", "", "no account; askd pair omid"]);
        assert_eq!(
            rows[1],
            [
                "sara",
                "Sara",
                "telegram:1, slack:U1 (paired), slack:U2 (cut off)"
            ]
        );
    }
}
