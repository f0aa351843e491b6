//! A home directory with nothing in it, and askd in it.

use std::{
    fs,
    net::Ipv4Addr,
    path::{Path, PathBuf},
    process::Command,
    sync::{
        OnceLock,
        atomic::{AtomicU8, Ordering},
    },
};

use tempfile::TempDir;

use crate::{
    api::Api,
    program::program,
    running::{Left, Running},
};

/// A home directory. It knows nothing of the machine's environment.
pub struct Home {
    folder: TempDir,
    address: Ipv4Addr,
    /// Chosen at the first start and kept, as agents expect after a restart.
    port: OnceLock<u16>,
}

impl Default for Home {
    fn default() -> Self {
        Self::new()
    }
}

impl Home {
    /// An empty one.
    ///
    /// # Panics
    /// If the machine has no room for temporary files.
    #[must_use]
    pub fn new() -> Self {
        let folder = tempfile::tempdir().expect("there is room for temporary files");
        fs::create_dir(folder.path().join("tmp")).expect("it is ours");
        Self {
            folder,
            address: own_address(),
            port: OnceLock::new(),
        }
    }

    /// The loopback address that is its own.
    #[must_use]
    pub fn address(&self) -> Ipv4Addr {
        self.address
    }

    /// A path below it.
    #[must_use]
    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// askd's state directory.
    #[must_use]
    pub fn state(&self) -> PathBuf {
        self.path(".local/state/askd")
    }

    /// Writes a file.
    ///
    /// # Panics
    /// If that fails.
    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("it is below the home")).expect("it is ours");
        fs::write(&path, text).expect("it is ours");
        path
    }

    /// Writes the configuration that askd finds by itself.
    pub fn configure(&self, text: &str) -> PathBuf {
        self.write(".config/askd/config.toml", text)
    }

    /// A secret that askd made at its first start: of `agent` or `operator`.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub fn secret(&self, token: &str) -> String {
        let file = self.state().join(format!("{token}.token"));
        let secret = fs::read_to_string(file).expect("askd has started here before");
        secret.trim().to_owned()
    }

    /// askd with these arguments, not yet started.
    #[must_use]
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = self.foreign(program());
        command.args(arguments);
        command
    }

    /// Another program in this home, not yet started.
    #[must_use]
    pub fn foreign(&self, program: impl AsRef<Path>) -> Command {
        let mut command = Command::new(program.as_ref());
        command
            .current_dir(self.folder.path())
            .env_clear()
            .env("HOME", self.folder.path())
            .env("TMPDIR", self.path("tmp"));
        command
    }

    /// Starts askd with these arguments.
    #[must_use]
    pub fn start(&self, arguments: &[&str]) -> Running {
        Running::start(&mut self.command(arguments), "")
    }

    /// Runs askd with these arguments to its end.
    #[must_use]
    pub fn run(&self, arguments: &[&str]) -> Left {
        self.run_with_input(arguments, "")
    }

    /// Runs askd with these arguments and this text on its stdin to its end.
    #[must_use]
    pub fn run_with_input(&self, arguments: &[&str], input: &str) -> Left {
        Running::start(&mut self.command(arguments), input).end()
    }

    /// Runs askd with these arguments as somebody with this secret, to its end.
    #[must_use]
    pub fn run_as(&self, secret: &str, arguments: &[&str]) -> Left {
        Running::start(self.command(arguments).env("ASKD_TOKEN", secret), "").end()
    }

    /// Starts the daemon, where it listened before if it did; returns when it runs.
    #[must_use]
    pub fn serve(&self) -> Askd {
        self.serve_with(&[], &[])
    }

    /// The same with these variables and arguments.
    ///
    /// # Panics
    /// If it does not start.
    #[must_use]
    pub fn serve_with(&self, variables: &[(&str, &str)], arguments: &[&str]) -> Askd {
        let mut command = self.command(&[]);
        command.envs(variables.iter().copied());
        self.serve_by(command, arguments)
    }

    /// Starts the daemon so that a file that may not grow any more ends no process: it is an error of the write alone, as
    /// one of the disk would be (`setrlimit(2)`, `RLIMIT_FSIZE`).
    #[must_use]
    pub fn serve_with_files_that_may_fail(&self) -> Askd {
        let mut command = self.foreign("/bin/sh");
        command
            .args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\""])
            .arg(program());
        self.serve_by(command, &[])
    }

    fn serve_by(&self, mut command: Command, arguments: &[&str]) -> Askd {
        let listen = format!("{}:{}", self.address, self.port.get().unwrap_or(&0));
        command
            .args(["serve", "--json", "--listen", &listen])
            .args(arguments);
        let mut process = Running::start(&mut command, "");
        let line = process.next_line();
        let told: serde_json::Value =
            serde_json::from_str(&line).unwrap_or_else(|_| panic!("it did not start: {process}"));
        let url = told["url"]
            .as_str()
            .expect("it tells where it listens")
            .to_owned();
        let port = url.rsplit(':').next().and_then(|port| port.parse().ok());
        self.port.get_or_init(|| port.expect("it listens on a port"));
        let api = |token| Api::new(&url, &self.secret(token));
        Askd {
            agent: api("agent"),
            operator: api("operator"),
            url,
            process,
        }
    }
}

/// A daemon that runs. Killed when dropped.
pub struct Askd {
    /// An agent that calls it.
    pub agent: Api,
    /// An operator who calls it.
    pub operator: Api,
    /// Where it listens.
    pub url: String,
    /// The process.
    pub process: Running,
}

impl Askd {
    /// Somebody else who calls it.
    #[must_use]
    pub fn called_by(&self, secret: &str) -> Api {
        Api::new(&self.url, secret)
    }
}

/// A loopback address that no other story uses, where the system has more than one. So the port of a daemon that is
/// away for a moment stays free.
fn own_address() -> Ipv4Addr {
    static HOMES: AtomicU8 = AtomicU8::new(0);
    if !cfg!(target_os = "linux") {
        return Ipv4Addr::LOCALHOST;
    }
    let [.., high, low] = std::process::id().to_be_bytes();
    Ipv4Addr::new(
        127,
        high,
        low,
        HOMES.fetch_add(1, Ordering::Relaxed).saturating_add(2),
    )
}
