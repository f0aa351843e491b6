//! What can be typed.
//!
//! One file per command below `cli/`, each with its arguments and what it does with them. A command returns how it
//! ended ([`Exit`]) or an error that knows its exit code; text for people and JSON for programs are made in the
//! commands and written by `out`.
//!
//! Tests: here for what clap makes of arguments, `tests/` with the real program.

mod answer;
mod ask;
mod backup;
mod cancel;
mod check;
mod demo;
mod describe;
mod doctor;
mod forget;
mod healthcheck;
mod hook;
mod install;
mod list;
mod mcp;
mod pair;
mod people;
mod pick;
mod serve;
mod show;

use std::{ffi::OsString, future::Future, path::PathBuf, process::ExitCode};

use clap::{Args, Parser, Subcommand};

use crate::{
    client::{Caller, Client, Reach},
    config::Environment,
    out::{self, Exit, Stop},
    state::State,
};

const EXAMPLES: &str = "\
Examples:
  askd demo                                       see it work, in 20 seconds
  askd serve                                      start the daemon
  askd ask \"Where to?\" -o Staging -o Production   ask, wait, print the answer
  askd answer 2                                   answer the only pending ask

Exit codes:
  0 answered, or done        3 skipped by the person      75 no answer in time, or nobody reached
  1 error                    4 cancelled                  77 not allowed
  2 wrong usage             69 askd is not reachable      78 bad configuration";

/// Lets agents ask people, on the channels they read, and brings the answers back.
#[derive(Debug, Parser)]
#[command(name = "askd", version, after_help = EXAMPLES, max_term_width = 100, disable_help_subcommand = true)]
struct Cli {
    #[command(flatten)]
    common: Common,
    #[command(subcommand)]
    command: Command,
}

/// Flags that every command takes.
#[derive(Args, Clone, Debug)]
pub(crate) struct Common {
    /// Print JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Where the database and the generated tokens are [default: $ASKD_STATE_DIR, $STATE_DIRECTORY,
    /// $XDG_STATE_HOME/askd or ~/.local/state/askd]
    #[arg(long, global = true, value_name = "FOLDER", hide_short_help = true)]
    pub(crate) state_dir: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the daemon
    Serve(serve::Arguments),
    /// Show in 20 seconds what askd does, with nothing to set up and nothing kept
    Demo,
    /// Ask people, wait, and print the answer
    Ask(ask::Arguments),
    /// Answer a pending ask
    Answer(answer::Arguments),
    /// List asks
    List(list::Arguments),
    /// Show an ask with its deliveries and its answer
    Show(show::Arguments),
    /// Take an ask, or all asks of a run, back
    Cancel(cancel::Arguments),
    /// List the people of the configuration and their accounts
    People(people::Arguments),
    /// Make a one-time code that ties an account to a person
    Pair(pair::Pair),
    /// Cut off a person's accounts: a lost phone
    Unpair(pair::Unpair),
    /// Serve an agent's MCP client over stdin and stdout
    Mcp(mcp::Arguments),
    /// Check the configuration without starting anything
    Check(check::Arguments),
    /// Find out, live, whether everything works and who can be reached
    Doctor(doctor::Arguments),
    /// Find out whether a running askd works, by the exit code
    Healthcheck(healthcheck::Arguments),
    /// Copy the database, whether askd runs or not
    Backup(backup::Arguments),
    /// Delete history for good
    Forget(forget::Arguments),
    /// Answer an agent's own question tool from wherever people are
    Hook(hook::Arguments),
    /// Tell an agent's program how to reach askd
    Install(install::Arguments),
    /// Print what a shell needs to complete commands
    Completions(describe::Completions),
    /// Print the manual page
    Man(describe::Man),
}

/// What every command is given.
#[derive(Clone)]
pub(crate) struct Context {
    /// The variables.
    pub(crate) environment: Environment,
    /// Whether to print JSON.
    pub(crate) json: bool,
    /// `--state-dir`, else what the variables say.
    state: Option<State>,
}

impl Context {
    fn new(common: &Common, environment: Environment) -> Self {
        let named = common
            .state_dir
            .clone()
            .or_else(|| environment.path("ASKD_STATE_DIR"));
        let state = named.or_else(|| environment.state_directory()).map(State::at);
        Self {
            environment,
            json: common.json,
            state,
        }
    }

    /// The state directory.
    pub(crate) fn state(&self) -> anyhow::Result<&State> {
        let reason = "no state directory: set HOME or STATE_DIRECTORY, or give --state-dir";
        self.state
            .as_ref()
            .ok_or_else(|| Stop::new(Exit::BadConfig, reason).into())
    }

    /// A client of the running daemon.
    fn client(&self, reach: &Reach, caller: Caller) -> anyhow::Result<Client> {
        Client::find(reach, caller, &self.environment, self.state.as_ref())
    }
}

/// Runs what was typed; returns the exit code. Errors are a line on stderr; with `--json`, what the daemon refused is
/// its problem on stdout too.
pub(crate) fn run(arguments: impl Iterator<Item = OsString>, environment: Environment) -> ExitCode {
    let arguments: Vec<OsString> = arguments.collect();
    let cli = match Cli::try_parse_from(&arguments) {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version come this way too, with code 0; a closed stdout is no reason to complain.
            let _ = error.print();
            // To Claude Code a hook that ends with 2 has forbidden the call. One with 1 has failed, and is named.
            let is_hook = arguments.get(1).is_some_and(|command| command == "hook");
            let code = error.exit_code().min(if is_hook { 1 } else { 2 });
            return u8::try_from(code).map_or(ExitCode::FAILURE, ExitCode::from);
        }
    };
    let context = Context::new(&cli.common, environment);
    match dispatch(cli.command, &context) {
        Ok(exit) => exit.into(),
        Err(error) => {
            if let Some(problem) = Stop::problem(&error).filter(|_| context.json) {
                // Stdout may be closed; the line on stderr and the code stay.
                let _ = out::json(problem);
            }
            out::note(format!("{error:#}"));
            Exit::of(&error).into()
        }
    }
}

fn dispatch(command: Command, context: &Context) -> anyhow::Result<Exit> {
    match command {
        Command::Serve(arguments) => on_many_threads(serve::run(arguments, context)),
        Command::Demo => on_many_threads(demo::run(context)),
        Command::Check(arguments) => check::run(&arguments, context),
        Command::Doctor(arguments) => on_one_thread(doctor::run(arguments, context)),
        Command::Hook(arguments) => on_one_thread(hook::run(arguments, context)),
        Command::Install(arguments) => install::run(&arguments, context),
        Command::Healthcheck(arguments) => on_one_thread(healthcheck::run(arguments, context)),
        Command::Backup(arguments) => backup::run(arguments, context),
        Command::Forget(arguments) => on_one_thread(forget::run(arguments, context)),
        Command::Completions(arguments) => describe::completions(&arguments),
        Command::Man(arguments) => describe::man(&arguments),
        Command::Ask(arguments) => on_one_thread(ask::run(arguments, context)),
        Command::Answer(arguments) => on_one_thread(answer::run(arguments, context)),
        Command::List(arguments) => on_one_thread(list::run(arguments, context)),
        Command::Show(arguments) => on_one_thread(show::run(arguments, context)),
        Command::Cancel(arguments) => on_one_thread(cancel::run(arguments, context)),
        Command::Mcp(arguments) => on_one_thread(mcp::run(arguments, context)),
        Command::People(arguments) => on_one_thread(people::run(arguments, context)),
        Command::Pair(arguments) => on_one_thread(pair::pair(arguments, context)),
        Command::Unpair(arguments) => on_one_thread(pair::unpair(arguments, context)),
    }
}

fn on_many_threads<F: Future<Output = anyhow::Result<Exit>>>(command: F) -> anyhow::Result<Exit> {
    on(&mut tokio::runtime::Builder::new_multi_thread(), command)
}

fn on_one_thread<F: Future<Output = anyhow::Result<Exit>>>(command: F) -> anyhow::Result<Exit> {
    on(&mut tokio::runtime::Builder::new_current_thread(), command)
}

fn on<F>(builder: &mut tokio::runtime::Builder, command: F) -> anyhow::Result<Exit>
where
    F: Future<Output = anyhow::Result<Exit>>,
{
    let runtime = builder.enable_all().build()?;
    let result = runtime.block_on(command);
    // A thread that waits for a line of a terminal cannot be woken; whatever counts has ended before this.
    runtime.shutdown_background();
    result
}

#[cfg(test)]
mod tests;
