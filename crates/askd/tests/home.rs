//! A home directory with nothing in it, and the program run in it.

use std::{
    fs,
    io::{BufRead as _, BufReader, Write as _},
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::{Child, ChildStderr, ChildStdout, Command, ExitStatus, Stdio},
};

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

/// A home directory.
pub(crate) struct Home(TempDir);

/// What a command left behind.
#[derive(Debug)]
pub(crate) struct Left {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Home {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn state(&self) -> PathBuf {
        self.path(".local/state/askd")
    }

    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    /// The configuration that is found without being named.
    pub(crate) fn configure(&self, text: &str) -> PathBuf {
        self.write(".config/askd/config.toml", text)
    }

    /// The program with these arguments and an environment of its own.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_askd"));
        fs::create_dir_all(self.path("tmp")).unwrap();
        command
            .args(arguments)
            .env_clear()
            .env("HOME", self.0.path())
            .env("TMPDIR", self.path("tmp"));
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs it to its end.
    pub(crate) fn run(&self, arguments: &[&str]) -> Left {
        left(&mut self.command(arguments))
    }

    /// Runs it to its end with this text on stdin.
    pub(crate) fn run_with_input(&self, arguments: &[&str], input: &str) -> Left {
        let mut child = self.command(arguments).stdin(Stdio::piped()).spawn().unwrap();
        // It may have ended without reading: what it left is what counts.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        Left::of(child.wait_with_output().unwrap())
    }

    /// Starts the daemon on a free port; returns when it runs.
    pub(crate) fn serve(&self) -> Running {
        self.serve_with(&["--listen", "127.0.0.1:0"])
    }

    pub(crate) fn serve_with(&self, arguments: &[&str]) -> Running {
        let all: Vec<&str> = ["serve", "--json"].iter().chain(arguments).copied().collect();
        let mut running = Running::start(&mut self.command(&all));
        running.first_line = running.next_stdout();
        assert!(
            !running.first_line.is_empty(),
            "it did not start: {:?}",
            running.end()
        );
        running
    }

    /// Starts a command that goes on by itself.
    pub(crate) fn start(&self, arguments: &[&str]) -> Running {
        Running::start(&mut self.command(arguments))
    }
}

/// Runs a command to its end.
pub(crate) fn left(command: &mut Command) -> Left {
    Left::of(command.output().unwrap())
}

impl Left {
    fn of(output: std::process::Output) -> Self {
        Self {
            code: code(output.status),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Its stdout as JSON.
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

fn code(status: ExitStatus) -> i32 {
    status.code().unwrap_or(-1)
}

/// A command that goes on by itself. Killed when dropped.
pub(crate) struct Running {
    child: Child,
    stdout: BufReader<ChildStdout>,
    stderr: BufReader<ChildStderr>,
    pub(crate) first_line: String,
}

impl Running {
    pub(crate) fn start(command: &mut Command) -> Self {
        let mut child = command.spawn().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let stderr = BufReader::new(child.stderr.take().unwrap());
        Self {
            child,
            stdout,
            stderr,
            first_line: String::new(),
        }
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// What the daemon said when it ran.
    pub(crate) fn announcement(&self) -> serde_json::Value {
        serde_json::from_str(&self.first_line).unwrap()
    }

    /// The next line of stdout; empty at its end.
    pub(crate) fn next_stdout(&mut self) -> String {
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap();
        line
    }

    /// Reads stderr up to a line that holds `text`; fails if it ends before.
    pub(crate) fn until_stderr_says(&mut self, text: &str) -> String {
        let mut all = String::new();
        loop {
            let mut line = String::new();
            let read = self.stderr.read_line(&mut line).unwrap();
            all += &line;
            if line.contains(text) {
                return line;
            }
            assert!(read > 0, "stderr ended without {text:?}: {all}");
        }
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Waits for its end.
    pub(crate) fn end(&mut self) -> Left {
        use std::io::Read as _;
        let (mut stdout, mut stderr) = (String::new(), String::new());
        self.stdout.read_to_string(&mut stdout).unwrap();
        self.stderr.read_to_string(&mut stderr).unwrap();
        let code = code(self.child.wait().unwrap());
        Left { code, stdout, stderr }
    }

    /// Stops it as systemd would, and waits for its end.
    pub(crate) fn stop(&mut self) -> Left {
        self.signal(Signal::TERM);
        self.end()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}
