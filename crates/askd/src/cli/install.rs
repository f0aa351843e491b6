//! `askd install CLIENT`: what a client's settings must say so that its agents can ask, printed or merged.
//!
//! Nothing is written without `--write`. A file that cannot be read for what it is stays as it is, and where a client
//! has two, neither is touched unless both can be. What is written can be seen (`--write` names every file and where
//! its old text is) and undone (`--remove`).
//!
//! In reading order: `client` (whose settings say what), `change` (what is to be said), `json` and `toml` (saying it
//! beside what is there), `file`.
//!
//! Tests: beside each of them as tables; the stories run the program; `cargo xtask clients` the clients themselves.

mod change;
mod client;
mod file;
mod json;
mod toml;

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use askd_core::clock::Clock as _;
use clap::Args;
use serde_json::{Value, json};

use self::{
    change::Unfit,
    client::{Client, Format, Places, Recipe, Transport},
    file::{Settings, Written},
};
use super::{Context, hook};
use crate::{
    clock::SystemClock,
    out::{self, Exit, Stop},
};

const EXAMPLES: &str = "\
Examples:
  askd install claude-code             show what belongs into the settings of Claude Code
  askd install claude-code --write     write it there, keeping a copy of what was there
  askd install codex --project --write for this folder alone
  askd install gemini --remove --write take it out again";

/// What `askd install` takes.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag, and any of them goes with any other"
)]
pub(super) struct Arguments {
    /// The program whose agents should be able to ask
    client: Client,
    /// Merge it into the settings, instead of showing it; the old file is kept beside
    #[arg(long)]
    write: bool,
    /// For the project in this folder, instead of for everything you do
    #[arg(long)]
    project: bool,
    /// Take it out again
    #[arg(long)]
    remove: bool,
    /// Let the client call the running askd over HTTP, with the token from the variable ASKD_TOKEN, instead of
    /// starting `askd mcp`
    #[arg(long)]
    http: bool,
    /// Where askd is reached, with --http [default: $ASKD_URL, else where the askd of this state directory listens]
    #[arg(long, value_name = "URL", requires = "http")]
    server: Option<String>,
    /// How the client starts askd [default: askd for a project, else the path of this program]
    #[arg(long, value_name = "PROGRAM")]
    command: Option<String>,
    /// Leave Claude Code's own question tool alone, and take the hook out again if it is there
    #[arg(long)]
    no_hook: bool,
    /// How long people have to answer Claude Code's own question tool, in seconds: 30 to 3600
    #[arg(long, value_name = "SECONDS", default_value_t = hook::TIMEOUT, value_parser = clap::value_parser!(u32).range(30..=3600))]
    timeout: u32,
}

/// A file and what it says afterwards.
struct Planned {
    recipe: Recipe,
    settings: Settings,
    text: String,
}

/// Shows or writes it.
pub(super) fn run(arguments: &Arguments, context: &Context) -> anyhow::Result<Exit> {
    let usage = |text: String| anyhow::Error::from(Stop::new(Exit::Usage, text));
    let places = Places::new(&context.environment, env::current_dir()?);
    let places = places.ok_or_else(|| usage("no home directory: set HOME".to_owned()))?;
    let transport = transport(arguments, context);
    let mut recipes = arguments
        .client
        .recipes(&transport, arguments.project, &places)
        .map_err(|error| usage(error.to_string()))?;
    if arguments.client == Client::ClaudeCode {
        let hooked = (!arguments.no_hook).then(|| hook(arguments, context));
        recipes.push(client::claude_code(arguments.project, &places, hooked));
    }
    let notes = arguments.client.notes(&transport);
    if !arguments.write && !arguments.remove {
        show(arguments, &recipes, &notes, context)?;
        return Ok(Exit::Done);
    }
    let planned = recipes.into_iter().map(|recipe| plan(recipe, arguments.remove));
    let planned: Vec<Planned> = planned.collect::<anyhow::Result<_>>()?;
    if arguments.write {
        write(arguments, &planned, &notes, context)?;
    } else {
        show_removal(&planned, context)?;
    }
    Ok(Exit::Done)
}

fn transport(arguments: &Arguments, context: &Context) -> Transport {
    if !arguments.http {
        return Transport::Stdio(program(arguments, context));
    }
    let named = arguments.server.clone();
    let named = named.or_else(|| context.environment.text("ASKD_URL").map(str::to_owned));
    let found = named.or_else(|| context.state().ok()?.url());
    let base = found.unwrap_or_else(|| "http://127.0.0.1:7373".to_owned());
    Transport::Http(format!("{}/mcp", base.trim_end_matches('/')))
}

/// How the client starts askd. In a project the file is for others too, whose askd lies elsewhere.
fn program(arguments: &Arguments, context: &Context) -> String {
    if let Some(command) = &arguments.command {
        return command.clone();
    }
    if arguments.project {
        return "askd".to_owned();
    }
    let this = env::current_exe().ok();
    let found = this.map(|this| on_the_path(&this, context).unwrap_or(this));
    found.map_or_else(|| "askd".to_owned(), |path| path.display().to_string())
}

/// The same program by the path that stays when it is updated: package managers change where a link points.
fn on_the_path(this: &Path, context: &Context) -> Option<PathBuf> {
    let path = context.environment.path("PATH")?;
    let mut candidates = env::split_paths(&path).map(|folder| folder.join("askd"));
    candidates.find(|candidate| {
        candidate.is_absolute() && fs::canonicalize(candidate).is_ok_and(|found| found == *this)
    })
}

/// The hook's command, and when Claude Code may give it up: later than the hook itself does.
fn hook(arguments: &Arguments, context: &Context) -> (String, u32) {
    let mut command = vec![
        shell_word(&program(arguments, context)),
        "hook claude-code".to_owned(),
    ];
    if arguments.timeout != hook::TIMEOUT {
        command.push(format!("--timeout {}", arguments.timeout));
    }
    let margin = u32::try_from(hook::MARGIN.as_secs()).unwrap_or(u32::MAX);
    (
        command.join(" "),
        arguments.timeout.saturating_add(margin.saturating_mul(2)),
    )
}

/// As a shell takes it for one word.
fn shell_word(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+~@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

fn plan(recipe: Recipe, remove: bool) -> anyhow::Result<Planned> {
    let settings = Settings::read(&recipe.path)?;
    let text = match (recipe.format, remove) {
        (Format::Json, false) => json::with(settings.text(), &recipe.changes),
        (Format::Json, true) => json::without(settings.text(), &recipe.changes),
        (Format::Toml, false) => toml::with(settings.text(), &recipe.changes),
        (Format::Toml, true) => toml::without(settings.text(), &recipe.changes),
        (Format::Yaml, _) => {
            let path = recipe.path.display();
            let text = format!(
                "{path} is YAML, which askd does not edit; leave out --write to see what belongs there"
            );
            return Err(Stop::new(Exit::Usage, text).into());
        }
    };
    let text = text.map_err(|unfit| left_alone(&settings, &unfit))?;
    Ok(Planned {
        recipe,
        settings,
        text,
    })
}

fn left_alone(settings: &Settings, unfit: &Unfit) -> anyhow::Error {
    let text = format!("{} is left as it is: {unfit}", settings.path().display());
    Stop::new(Exit::BadConfig, text).into()
}

fn write(
    arguments: &Arguments,
    planned: &[Planned],
    notes: &[String],
    context: &Context,
) -> anyhow::Result<()> {
    let mut told = Vec::new();
    for planned in planned {
        let path = planned.settings.path().display();
        let written = planned.settings.write(&planned.text, SystemClock.now())?;
        if !context.json {
            out::line(match &written {
                Written::Unchanged => format!("{path}: nothing to change"),
                Written::Created => format!("{path}: made"),
                Written::Changed { backup } => {
                    format!("{path}: changed; as it was before: {}", backup.display())
                }
            })?;
        }
        let (status, backup) = match &written {
            Written::Unchanged => ("unchanged", None),
            Written::Created => ("created", None),
            Written::Changed { backup } => ("changed", Some(backup.display().to_string())),
        };
        told.push(json!({ "path": planned.recipe.path, "status": status, "backup": backup }));
    }
    if context.json {
        return out::json(&report(arguments, &told, notes));
    }
    if !arguments.remove {
        notes.iter().for_each(out::note);
        out::note(format!(
            "restart {} to have it read them",
            arguments.client.title()
        ));
    }
    Ok(())
}

fn show(
    arguments: &Arguments,
    recipes: &[Recipe],
    notes: &[String],
    context: &Context,
) -> anyhow::Result<()> {
    let shown = recipes.iter().map(|recipe| {
        let text = match recipe.format {
            Format::Json => json::with("", &recipe.changes),
            Format::Toml => toml::with("", &recipe.changes),
            Format::Yaml => Ok(client::yaml(&recipe.changes)),
        };
        text.map(|text| (recipe.path.as_path(), text))
    });
    let shown: Vec<(&Path, String)> = shown.collect::<Result<_, _>>()?;
    if context.json {
        let told = shown
            .iter()
            .map(|(path, text)| json!({ "path": path, "status": "shown", "text": text }));
        return out::json(&report(arguments, &told.collect::<Vec<_>>(), notes));
    }
    for (path, text) in &shown {
        out::line(format!("# {}\n{text}", path.display()))?;
    }
    notes.iter().for_each(out::note);
    out::note("nothing was written; --write merges it into what is there");
    Ok(())
}

fn show_removal(planned: &[Planned], context: &Context) -> anyhow::Result<()> {
    let changed = planned
        .iter()
        .filter(|planned| planned.text != planned.settings.text());
    let paths: Vec<&Path> = changed.map(|planned| planned.settings.path()).collect();
    if context.json {
        return out::json(
            &json!({ "files": paths.iter().map(|path| json!({ "path": path, "status": "shown" })).collect::<Vec<_>>() }),
        );
    }
    for path in &paths {
        out::line(format!("{} says something of askd", path.display()))?;
    }
    out::note(if paths.is_empty() {
        "there is nothing to take out"
    } else {
        "nothing was written; --write takes it out"
    });
    Ok(())
}

fn report(arguments: &Arguments, files: &[Value], notes: &[String]) -> Value {
    json!({
        "client": arguments.client.title(),
        "checkedWith": arguments.client.checked(),
        "files": files,
        "notes": notes,
    })
}

#[cfg(test)]
mod tests;
