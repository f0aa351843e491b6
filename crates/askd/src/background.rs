//! Starts the daemon in the background, once for all programs of this user that want it.
//!
//! A file lock lets one of them start it while the others wait for it. The daemon has a session of its own and none of
//! our descriptors, so that it neither ends with the terminal of whoever happened to be first nor keeps their pipes
//! open; its log goes to a file in the state directory. That there is one daemon only, it sees to itself: it holds
//! another lock as long as it lives.

use std::{
    fs::{self, File, OpenOptions},
    io,
    os::unix::fs::OpenOptionsExt as _,
    path::PathBuf,
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use askd_core::clock::Clock;
use jiff::SignedDuration;

use crate::{
    client::{Caller, Client, Reach},
    config::{Environment, reason},
    lock::{self, LockError},
    state::State,
};

/// The lock of whoever starts the daemon.
const LOCK: &str = "start.lock";

/// How long a daemon may take until it answers.
const STARTS: SignedDuration = SignedDuration::from_secs(20);

/// Pause between two looks whether it answers.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// A log that is longer is put aside before the daemon starts. Unit: bytes.
const LOG: u64 = 4 * 1024 * 1024;

/// Starts the daemon of a state directory.
pub(crate) struct Background {
    state: State,
    environment: Environment,
    clock: Arc<dyn Clock>,
    /// The daemon, if this process started it: one that ends is to be seen off.
    child: Mutex<Option<Child>>,
}

impl Background {
    /// For the daemon of this state directory.
    pub(crate) fn of(state: State, environment: Environment, clock: Arc<dyn Clock>) -> Self {
        Self {
            state,
            environment,
            clock,
            child: Mutex::new(None),
        }
    }

    /// Returns when a daemon answers, started if none did. The error is a sentence for whoever set the client up.
    pub(crate) async fn start(&self) -> Result<(), String> {
        self.state.create().map_err(|error| format!("{error:#}"))?;
        let last = self.clock.now() + STARTS;
        // Nobody else's start is waited for longer than our own may take.
        let lock = loop {
            match lock::hold(self.state.path(), LOCK) {
                Ok(lock) => break lock,
                Err(LockError::Held { .. }) if self.clock.now() < last => self.pause().await,
                Err(error) => return Err(format!("askd cannot be started: {error}")),
            }
        };
        if self.is_up().await {
            return Ok(());
        }
        tracing::info!("starting askd");
        self.spawn()
            .map_err(|error| format!("askd cannot be started: {}", reason(&error)))?;
        let started = self.comes_up(last).await;
        drop(lock);
        started
    }

    async fn comes_up(&self, last: jiff::Timestamp) -> Result<(), String> {
        let log = self.log_file();
        while !self.is_up().await {
            // It ends too where another one has just come up, which it then does not disturb.
            if self.saw_off() && !self.is_up().await {
                return Err(format!("askd does not start; {} says why", log.display()));
            }
            if self.clock.now() >= last {
                return Err(format!("askd does not answer; {} may say why", log.display()));
            }
            self.pause().await;
        }
        Ok(())
    }

    async fn pause(&self) {
        self.clock.sleep_until(self.clock.now() + LOOK_AGAIN).await;
    }

    async fn is_up(&self) -> bool {
        // Without the token, of which there may be none yet.
        let reach = Reach::default();
        let client = Client::find(&reach, Caller::Agent, &self.environment, Some(&self.state));
        match client {
            Ok(client) => client.is_up().await,
            Err(_) => false,
        }
    }

    fn spawn(&self) -> io::Result<()> {
        let program = program(std::env::current_exe()?);
        let log = self.log()?;
        // Whatever our own parent left open for us would stay open as long as the daemon lives.
        close_fds::set_fds_cloexec(3, &[]);
        let mut command = Command::new(program);
        command
            .args(["serve", "--own-session", "--state-dir"])
            .arg(self.state.path())
            // The folder of whoever was first may be removed.
            .current_dir(self.state.path())
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log);
        *self.child() = Some(command.spawn()?);
        Ok(())
    }

    /// Sees a daemon off that this process has started and that has ended; whether there was one.
    pub(crate) fn saw_off(&self) -> bool {
        let mut child = self.child();
        let ended = child
            .as_mut()
            .is_some_and(|child| matches!(child.try_wait(), Ok(Some(_))));
        if ended {
            *child = None;
        }
        ended
    }

    fn child(&self) -> MutexGuard<'_, Option<Child>> {
        self.child.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn log_file(&self) -> PathBuf {
        self.state.path().join("askd.log")
    }

    fn log(&self) -> io::Result<File> {
        let file = self.log_file();
        if fs::metadata(&file).is_ok_and(|found| found.len() > LOG) {
            fs::rename(&file, file.with_extension("log.1"))?;
        }
        OpenOptions::new()
            .append(true)
            .create(true)
            .mode(0o600)
            .open(file)
    }
}

/// The program of this process; of one that was replaced since (an upgrade), the one in its place.
fn program(running: PathBuf) -> PathBuf {
    // How Linux says so: readlink(2) of /proc/self/exe, proc(5).
    let replaced = running
        .to_str()
        .and_then(|path| path.strip_suffix(" (deleted)"))
        .map(PathBuf::from);
    replaced.unwrap_or(running)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_an_upgrade_the_new_program_is_started() {
        for (running, started) in [
            ("/usr/bin/askd", "/usr/bin/askd"),
            ("/usr/bin/askd (deleted)", "/usr/bin/askd"),
        ] {
            assert_eq!(program(running.into()), PathBuf::from(started));
        }
    }
}
