//! `askd ask`: one question from a script, or any ask from JSON, and its answer on stdout.
//!
//! The daemon keeps the ask; this waits for it. A restart of the daemon in between goes unnoticed, because the ask is
//! sent under an idempotency key and waited for by its id. Being told to stop (Ctrl-C, SIGTERM, SIGHUP) takes the ask
//! back; being killed does not.

mod countdown;
pub(super) mod wait;

use std::{fs, io, path::PathBuf, sync::Arc};

use anyhow::Context as _;
use clap::Args;
use serde_json::{Map, Value, json};

use self::wait::Waiter;
use super::Context;
use crate::{
    client::{Caller, Reach},
    clock::{OsChance, SystemClock, random_hex},
    config::reason,
    out::{self, Exit, Stop, plain},
    signals::Signals,
    view::AskView,
};

const EXAMPLES: &str = "\
Examples:
  askd ask \"Where should this go?\" -o \"Staging (Recommended)::Safe; resets nightly\" -o Production
  askd ask \"Who should hear about it?\" -o Ops -o Developers --multi --timeout 300
  askd ask --file ask.json --json
  target=$(askd ask \"Where to?\" -o Staging -o Production) || exit

The answer alone goes to stdout: a label per line, or own words. Of several questions each line is
ID: LABEL.";

/// What `askd ask` takes.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The question, in one sentence; - reads a whole ask as JSON from stdin
    #[arg(required_unless_present = "file")]
    question: Option<String>,
    /// An option, two to four times; what it means may follow after two colons
    #[arg(short, long = "option", value_name = "LABEL[::DESCRIPTION]")]
    options: Vec<String>,
    /// Several options may be chosen
    #[arg(long)]
    multi: bool,
    /// A short label above the question, at most 12 characters
    #[arg(long, default_value = "Question")]
    header: String,
    /// The answer's key in the result
    #[arg(long, default_value = "answer")]
    id: String,
    /// Read the ask as JSON from a file; - for stdin
    #[arg(long, value_name = "FILE", conflicts_with_all = ["question", "options", "multi"])]
    file: Option<PathBuf>,
    /// How long people have, in seconds: 30 to 3600 [default: 900]
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<u32>,
    /// Background for whoever answers, in short Markdown
    #[arg(long, value_name = "TEXT")]
    context: Option<String>,
    /// The agent's session; routes can match it
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// The session's title, for whoever answers
    #[arg(long, value_name = "TEXT", requires = "session")]
    title: Option<String>,
    /// The agent's run, whose asks can be cancelled together
    #[arg(long, value_name = "ID")]
    run: Option<String>,
    /// Asked again under the same key, the first ask is waited for instead of asking twice
    #[arg(long, value_name = "KEY", value_parser = key)]
    key: Option<String>,
    /// Print the id and do not wait
    #[arg(long)]
    no_wait: bool,
    #[command(flatten)]
    reach: Reach,
}

/// Asks, waits, prints.
pub(super) async fn run(arguments: Arguments, context: &Context) -> anyhow::Result<Exit> {
    let client = context.client(&arguments.reach, Caller::Agent)?;
    let body = body(&arguments, || io::read_to_string(io::stdin()))?;
    let key = arguments
        .key
        .clone()
        .unwrap_or_else(|| random_hex::<16>(&OsChance));
    let mut waiter = Waiter::new(client, Signals::take_over()?, Arc::new(SystemClock));

    let Some(asked) = waiter.ask(&body, &key).await? else {
        out::note("nothing was asked");
        return Ok(Exit::Cancelled);
    };
    let ask = AskView::of(&asked)?;
    // An ask that was asked before may be over by now: what is wrong with how it waits does not matter any more.
    for warning in ask.warnings.iter().filter(|_| ask.is_pending()) {
        out::note(format!("warning: {}", plain(&warning.message)));
    }
    if arguments.no_wait && ask.is_pending() {
        if context.json {
            out::json(&asked)?;
        } else {
            out::line(&ask.id)?;
        }
        return Ok(Exit::Done);
    }
    let asked = waiter.wait(asked).await?;
    print(&asked, context.json)
}

/// Prints how an ask ended, and returns the exit code that says so.
pub(super) fn print(asked: &Value, as_json: bool) -> anyhow::Result<Exit> {
    let ask = AskView::of(asked)?;
    let result = ask
        .result
        .as_ref()
        .context("askd sent an ask that is over without its result")?;
    if as_json {
        out::json(&asked["result"])?;
    } else if let Some(answers) = &result.answers {
        for question in &ask.questions {
            for value in answers.answers.get(question.id.as_str()).into_iter().flatten() {
                match ask.questions.only() {
                    Some(_) => out::value(value)?,
                    None => out::value(&format!("{}: {value}", question.id))?,
                }
            }
        }
    } else {
        let message = result
            .message
            .as_deref()
            .map(plain)
            .filter(|text| !text.is_empty());
        out::note(message.unwrap_or_else(|| format!("no answer: {}", ask.status)));
        for failed in ask
            .deliveries
            .iter()
            .filter(|delivery| delivery.state == "failed")
        {
            let reason = failed.reason.as_deref().unwrap_or("failed");
            out::note(format!("{}: {}", plain(&failed.address), plain(reason)));
        }
    }
    Ok(exit(&ask.status))
}

fn exit(status: &str) -> Exit {
    match status {
        "answered" => Exit::Done,
        "skipped" => Exit::Skipped,
        "cancelled" => Exit::Cancelled,
        _ => Exit::NoAnswer,
    }
}

/// The ask as JSON. What is wrong with it, the daemon says: its rules are not repeated here.
fn body(arguments: &Arguments, stdin: impl FnOnce() -> io::Result<String>) -> anyhow::Result<Value> {
    let usage = |text: String| anyhow::Error::from(Stop::new(Exit::Usage, text));
    let from_stdin = |path: Option<&str>| path == Some("-");
    let file = arguments.file.as_deref();
    let mut body = if from_stdin(arguments.question.as_deref()) || from_stdin(file.and_then(|f| f.to_str())) {
        parse(&stdin().context("cannot read the ask from stdin")?, "stdin")?
    } else if let Some(file) = file {
        let name = file.display().to_string();
        let text = fs::read_to_string(file)
            .map_err(|error| usage(format!("cannot read {name}: {}", reason(&error))))?;
        parse(&text, &name)?
    } else {
        if arguments.options.len() < 2 {
            return Err(usage("give at least two options: -o Yes -o No".to_owned()));
        }
        let options: Vec<Value> = arguments.options.iter().map(|option| choice(option)).collect();
        let mut body = Map::new();
        body.insert(
            "questions".to_owned(),
            json!([{
                "id": arguments.id,
                "header": arguments.header,
                "question": arguments.question,
                "options": options,
                "multiSelect": arguments.multi,
            }]),
        );
        body
    };
    if let Some(seconds) = arguments.timeout {
        body.insert("timeoutSeconds".to_owned(), json!(seconds));
    }
    if let Some(context) = &arguments.context {
        body.insert("context".to_owned(), json!(context));
    }
    if let Some(session) = &arguments.session {
        let mut value = json!({ "id": session });
        if let Some(title) = &arguments.title {
            value["title"] = json!(title);
        }
        body.insert("session".to_owned(), value);
    }
    if let Some(run) = &arguments.run {
        body.insert("run".to_owned(), json!(run));
    }
    Ok(Value::Object(body))
}

fn parse(text: &str, name: &str) -> anyhow::Result<Map<String, Value>> {
    match serde_json::from_str(text) {
        Ok(Value::Object(body)) => Ok(body),
        Ok(_) => Err(Stop::new(Exit::Usage, format!("{name}: an ask is a JSON object")).into()),
        Err(error) => Err(Stop::new(Exit::Usage, format!("{name}: not JSON: {error}")).into()),
    }
}

/// An idempotency key travels in an HTTP header. Longest key: what the API takes.
fn key(text: &str) -> Result<String, &'static str> {
    let fits = (1..=255).contains(&text.len()) && text.bytes().all(|b| b == b' ' || b.is_ascii_graphic());
    if fits {
        Ok(text.to_owned())
    } else {
        Err("must have 1 to 255 ASCII characters")
    }
}

/// `Label::Description`.
fn choice(option: &str) -> Value {
    match option.split_once("::") {
        Some((label, description)) if !description.trim().is_empty() => {
            json!({ "label": label.trim(), "description": description.trim() })
        }
        Some((label, _)) => json!({ "label": label.trim() }),
        None => json!({ "label": option.trim() }),
    }
}

#[cfg(test)]
mod tests;
