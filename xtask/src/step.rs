//! Steps of a task: commands that run one after the other, each with its seconds.
//!
//! The first step that fails ends the task, because what follows would only repeat the fault; the table printed
//! afterwards shows how far it came.

use std::{
    ffi::OsString,
    fmt::Write,
    path::Path,
    process::{Child, Command, ExitStatus},
    time::{Duration, Instant},
};

use anyhow::Context;

/// A command ended with something else than success.
#[derive(Debug, thiserror::Error)]
#[error("`{command}` failed with code {code}")]
pub(crate) struct Broke {
    /// What was run, for a person to run again.
    pub(crate) command: String,
    /// Its exit code, which becomes ours; 1 where a signal ended it.
    pub(crate) code: u8,
}

/// The steps of a task so far.
#[derive(Debug, Default)]
pub(crate) struct Steps {
    done: Vec<Step>,
}

#[derive(Debug)]
struct Step {
    name: &'static str,
    took: Duration,
    passed: bool,
}

impl Steps {
    /// Runs `work` as the step `name` and keeps how long it took, also where it fails.
    pub(crate) fn run<T>(
        &mut self,
        name: &'static str,
        work: impl FnOnce() -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        eprintln!("== {name}");
        let begin = present();
        let outcome = work();
        self.done.push(Step {
            name,
            took: present().duration_since(begin),
            passed: outcome.is_ok(),
        });
        outcome
    }

    /// One line for each step that ran, with its seconds.
    pub(crate) fn table(&self) -> String {
        let mut table = String::new();
        for Step { name, took, passed } in &self.done {
            let mark = if *passed { "" } else { "  FAILED" };
            writeln!(table, "{name:<8}{:>8.1} s{mark}", took.as_secs_f64()).expect("a String takes all text");
        }
        table
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "a person waits for these seconds; no decision hangs on them"
)]
fn present() -> Instant {
    Instant::now()
}

/// `cargo` in the workspace, as if a person had started it in a shell.
///
/// `cargo run` tells its child which package it runs, and build scripts that watch those variables (that of `ring`
/// does) would run again, and all that depends on them, whenever someone changes between `cargo xtask` and `cargo`.
pub(crate) fn cargo(root: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command.current_dir(root).args(arguments);
    for (name, _) in std::env::vars_os() {
        if name
            .to_str()
            .is_some_and(|name| name.starts_with("CARGO_PKG_") || name.starts_with("CARGO_MANIFEST_"))
        {
            command.env_remove(name);
        }
    }
    command
}

/// Where programs are looked for, with this folder first.
pub(crate) fn path_with(first: &Path) -> anyhow::Result<OsString> {
    let found = std::env::vars_os().find(|(name, _)| name == "PATH");
    let rest = found.map(|(_, path)| path).unwrap_or_default();
    let folders = std::iter::once(first.to_path_buf()).chain(std::env::split_paths(&rest));
    std::env::join_paths(folders).with_context(|| format!("{} cannot stand in PATH", first.display()))
}

/// Runs `command` to its end; its output goes where ours goes.
pub(crate) fn finish(command: &mut Command) -> anyhow::Result<()> {
    let status = command
        .status()
        .with_context(|| format!("cannot start `{}`", line(command)))?;
    succeeded(command, status)
}

/// Runs `command` to its end, but no longer than `limit`; then it is ended and has failed.
pub(crate) fn finish_within(command: &mut Command, limit: Duration) -> anyhow::Result<()> {
    let mut child = command
        .spawn()
        .with_context(|| format!("cannot start `{}`", line(command)))?;
    let status = wait_within(&mut child, limit)?
        .with_context(|| format!("`{}` took longer than {} s", line(command), limit.as_secs()))?;
    succeeded(command, status)
}

/// How it ended; `None` if it had to be ended.
pub(crate) fn wait_within(child: &mut Child, limit: Duration) -> anyhow::Result<Option<ExitStatus>> {
    const LOOK_EVERY: Duration = Duration::from_millis(100);
    let begin = present();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if present().duration_since(begin) > limit {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(LOOK_EVERY);
    }
}

/// Turns a bad `status` of `command` into an error that keeps its code.
pub(crate) fn succeeded(command: &Command, status: ExitStatus) -> anyhow::Result<()> {
    if status.success() {
        return Ok(());
    }
    let code = status
        .code()
        .and_then(|code| u8::try_from(code).ok())
        .unwrap_or(1);
    Err(Broke {
        command: line(command),
        code,
    }
    .into())
}

fn line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exit_code_of_a_failed_command_is_kept() {
        let error = finish(Command::new("sh").args(["-c", "exit 101"])).expect_err("it failed");

        let broke = error
            .downcast_ref::<Broke>()
            .expect("a command that ran and failed");
        assert_eq!(broke.code, 101);
        assert_eq!(broke.command, "sh -c exit 101");
    }

    #[test]
    fn a_command_that_a_signal_ended_has_failed() {
        let error = finish(Command::new("sh").args(["-c", "kill -9 $$"])).expect_err("it was killed");

        assert_eq!(error.downcast_ref::<Broke>().map(|broke| broke.code), Some(1));
    }

    #[test]
    fn a_command_that_takes_too_long_is_ended_and_has_failed() {
        let error = finish_within(Command::new("sh").args(["-c", "exec sleep 60"]), Duration::ZERO)
            .expect_err("it was ended");

        assert_eq!(error.to_string(), "`sh -c exec sleep 60` took longer than 0 s");
        finish_within(&mut Command::new("true"), Duration::from_mins(1)).expect("it ends by itself");
    }

    #[test]
    fn the_table_has_a_line_for_each_step_that_ran_and_marks_the_one_that_failed() {
        let mut steps = Steps::default();

        steps.run("fmt", || Ok(())).expect("it passes");
        steps
            .run("test", || anyhow::bail!("no"))
            .map(|(): ()| ())
            .expect_err("it fails");

        let table = steps.table();
        let lines: Vec<&str> = table.lines().collect();
        assert!(
            lines[0].starts_with("fmt ") && lines[0].ends_with(" s"),
            "{table}"
        );
        assert!(
            lines[1].starts_with("test ") && lines[1].ends_with(" s  FAILED"),
            "{table}"
        );
    }

    #[test]
    fn cargo_is_not_told_which_package_runs_it() {
        let command = cargo(Path::new("."), &["--version"]);

        let removed: Vec<_> = command
            .get_envs()
            .filter(|(_, value)| value.is_none())
            .map(|(name, _)| name)
            .collect();
        assert!(
            removed.contains(&std::ffi::OsStr::new("CARGO_MANIFEST_DIR")),
            "{removed:?}"
        );
        assert!(
            removed.contains(&std::ffi::OsStr::new("CARGO_PKG_NAME")),
            "{removed:?}"
        );
    }
}
