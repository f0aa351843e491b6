//! `askd answer`: answering from a terminal, as a person or an operator.
//!
//! A text is read as a reply on a channel would be (numbers, labels, own words), `--set` gives exact values. Without an
//! id the only pending ask is meant; where several are pending they are listed and nothing is answered.

use std::io::{self, IsTerminal as _};

use anyhow::Context as _;
use askd_core::{
    ask::Questions,
    reply::{self, markers},
    words::Language,
};
use clap::Args;
use serde_json::{Map, Value, json};

use super::{
    Context,
    pick::{self, Among},
    show,
};
use crate::{
    client::{Caller, Client, Reach},
    clock::{OsChance, random_hex},
    out::{self, Exit, Stop, plain},
    view::{self, AskView, ReceiptView},
};

const EXAMPLES: &str = "\
Examples:
  askd answer 2                         the only pending ask, by number, label or own words
  askd answer 5f3a91c2 Production       the ask whose id begins or ends so
  askd answer 5f3a91c2 --set target=Production --set alerts=Ops --set alerts=Developers
  askd answer 5f3a91c2 --skip
  askd answer                           at a terminal: shows the question and reads answers to its end";

/// What `askd answer` takes.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, override_usage = "askd answer [OPTIONS] [ID] [TEXT]")]
pub(super) struct Arguments {
    /// The ask, by its id or at least four characters of its beginning or end (may be left out where only one is
    /// pending), and the answer (read from stdin if left out)
    #[arg(value_name = "ID] [TEXT", num_args = 0..=2)]
    words: Vec<String>,
    /// Decline the whole ask
    #[arg(long, conflicts_with = "set")]
    skip: bool,
    /// An exact value for a question; may be repeated
    #[arg(long, value_name = "QUESTION=VALUE", value_parser = pair)]
    set: Vec<(String, String)>,
    #[command(flatten)]
    reach: Reach,
}

/// Answers, and prints what became of it.
pub(super) async fn run(arguments: Arguments, context: &Context) -> anyhow::Result<Exit> {
    let client = context.client(&arguments.reach, Caller::Operator)?;
    let exact = arguments.skip || !arguments.set.is_empty();
    let (id, text) = match (exact, arguments.words.as_slice()) {
        (_, []) => (pick::only_pending(&client).await?, None),
        (true, [id]) => (pick::by_id(&client, id, Among::Pending).await?, None),
        (false, [one]) => match pick::as_id(&client, one).await? {
            Some(id) => (id, None),
            None => (pick::only_pending(&client).await?, Some(one.clone())),
        },
        (false, [id, text, ..]) => (
            pick::by_id(&client, id, Among::Pending).await?,
            Some(text.clone()),
        ),
        (true, _) => {
            return Err(Stop::new(Exit::Usage, "give a text, --set or --skip, not several of them").into());
        }
    };
    let receipt = match text {
        _ if arguments.skip => send(&client, &id, "skip", None).await?,
        _ if exact => {
            let body = json!({ "answers": values(&arguments.set) });
            send(&client, &id, "answers", Some(&body)).await?
        }
        Some(text) => say(&client, &id, &text).await?,
        None if io::stdin().is_terminal() => return talk(&client, &id, context.json).await,
        None => say(&client, &id, &all_of_stdin()?).await?,
    };
    print(&receipt, context.json)
}

async fn say(client: &Client, id: &str, text: &str) -> anyhow::Result<Value> {
    send(client, id, "reply", Some(&json!({ "text": text }))).await
}

async fn send(client: &Client, id: &str, route: &str, body: Option<&Value>) -> anyhow::Result<Value> {
    let key = random_hex::<16>(&OsChance);
    let path = ["v1", "asks", id, route];
    let sent = match client.post_once(&path, body, &key).await {
        // It may have been stored: the same key does it once.
        Err(error) if error.passes() => client.post_once(&path, body, &key).await,
        sent => sent,
    };
    Ok(sent.map_err(Stop::from)?)
}

/// At a terminal: shows what is asked, then reads lines until the ask is over. A hint keeps the question open, and so
/// does an answer to some of its questions. Only what became of the lines goes to stdout.
async fn talk(client: &Client, id: &str, as_json: bool) -> anyhow::Result<Exit> {
    let asked = client.get(&["v1", "asks", id], &[]).await.map_err(Stop::from)?;
    let ask = AskView::of(&asked)?;
    out::aside(show::question(&ask));
    out::aside(format!("\n{}", invitation(&ask.questions)));
    let mut last = None;
    loop {
        let mut line = String::new();
        let read = io::stdin().read_line(&mut line);
        if read.context("cannot read the answer")? == 0 {
            return last.ok_or_else(|| no_answer().into());
        }
        if line.trim().is_empty() {
            continue;
        }
        let receipt = say(client, id, line.trim()).await?;
        let exit = print(&receipt, as_json)?;
        if !stays_open(&view::read::<ReceiptView>(&receipt)?.receipt) {
            return Ok(exit);
        }
        last = Some(exit);
    }
}

/// How to answer these questions, in the markers they are shown with.
fn invitation(questions: &Questions) -> String {
    let Some(question) = questions.only() else {
        let example = reply::example(questions, Language::English);
        return format!("Your answers, like this: {example} (own words are fine too), or skip:");
    };
    let how = match (markers(question).are_numbers(), question.multi_select) {
        (true, false) => "a number, a label",
        (false, false) => "a letter, a label",
        (true, true) => "numbers, labels",
        (false, true) => "letters, labels",
    };
    format!("Your answer ({how}, own words, or skip):")
}

fn stays_open(receipt: &str) -> bool {
    matches!(receipt, "hint" | "kept")
}

fn print(receipt: &Value, as_json: bool) -> anyhow::Result<Exit> {
    let view: ReceiptView = view::read(receipt)?;
    if as_json {
        out::json(receipt)?;
    } else {
        out::line(plain(&view.text))?;
    }
    Ok(exit(&view.receipt))
}

fn exit(receipt: &str) -> Exit {
    match receipt {
        "settled" | "kept" => Exit::Done,
        "not_yours" => Exit::NotAllowed,
        _ => Exit::Error,
    }
}

/// The answer from a pipe or a file: all of it.
fn all_of_stdin() -> anyhow::Result<String> {
    let text = io::read_to_string(io::stdin()).context("cannot read the answer from stdin")?;
    let text = text.trim();
    if text.is_empty() {
        return Err(no_answer().into());
    }
    Ok(text.to_owned())
}

fn no_answer() -> Stop {
    Stop::new(Exit::Usage, "no answer was given")
}

/// `{question id: [values]}`, repeated keys together.
fn values(set: &[(String, String)]) -> Map<String, Value> {
    let mut values = Map::new();
    for (id, value) in set {
        let list = values.entry(id.clone()).or_insert_with(|| json!([]));
        if let Value::Array(list) = list {
            list.push(json!(value));
        }
    }
    values
}

fn pair(text: &str) -> Result<(String, String), &'static str> {
    match text.split_once('=') {
        Some((id, value)) if !id.is_empty() && !value.is_empty() => Ok((id.to_owned(), value.to_owned())),
        _ => Err("must be QUESTION=VALUE"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_values_of_one_question_go_together() {
        let set = [("a=b", "a"), ("x=1=2", "x"), ("a=c", "a")].map(|(text, _)| pair(text).unwrap());

        assert_eq!(
            Value::Object(values(&set)),
            json!({ "a": ["b", "c"], "x": ["1=2"] })
        );
        assert!(pair("no sign").is_err());
        assert!(pair("=value").is_err());
    }

    #[test]
    fn the_invitation_names_the_markers_that_are_shown() {
        let question = |id: &str, labels: [&str; 2], multi: bool| {
            json!({ "id": id, "header": "H", "question": "Q?", "multiSelect": multi,
                    "options": [{ "label": labels[0] }, { "label": labels[1] }] })
        };
        let of = |questions: &[Value]| invitation(&serde_json::from_value(json!(questions)).unwrap());
        let plain = question("a", ["Yes", "No"], false);
        let lettered = question("b", ["3 replicas", "1 replica"], true);

        assert_eq!(
            of(std::slice::from_ref(&plain)),
            "Your answer (a number, a label, own words, or skip):"
        );
        assert_eq!(
            of(std::slice::from_ref(&lettered)),
            "Your answer (letters, labels, own words, or skip):"
        );
        assert_eq!(
            of(&[plain, lettered]),
            "Your answers, like this: 1: 2; 2: A, B (own words are fine too), or skip:"
        );
    }

    #[test]
    fn a_hint_and_a_part_keep_the_question_open_at_the_terminal() {
        for (receipt, open) in [
            ("hint", true),
            ("kept", true),
            ("settled", false),
            ("too_late", false),
            ("not_yours", false),
        ] {
            assert_eq!(stays_open(receipt), open, "{receipt}");
        }
    }

    #[test]
    fn every_receipt_has_its_exit_code() {
        for (receipt, code) in [
            ("settled", Exit::Done),
            ("kept", Exit::Done),
            ("hint", Exit::Error),
            ("too_late", Exit::Error),
            ("not_yours", Exit::NotAllowed),
        ] {
            assert_eq!(exit(receipt), code, "{receipt}");
        }
    }
}
