//! A program that runs: what it says while it does, signals to it, and what it leaves behind.

use std::{
    fmt,
    io::{self, BufRead as _, BufReader, Read, Write as _},
    process::{Child, Command, ExitStatus, Stdio},
    sync::{Arc, Condvar, Mutex, PoisonError},
    thread,
};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use crate::PATIENCE;

/// A program that runs. Killed when dropped.
pub struct Running {
    command: String,
    child: Child,
    stdout: Stream,
    stderr: Stream,
}

/// What a program left behind.
#[derive(Debug)]
pub struct Left {
    /// Its exit code; -1 where a signal ended it.
    pub code: i32,
    /// All of its stdout.
    pub stdout: String,
    /// All of its stderr.
    pub stderr: String,
}

impl Left {
    /// Its stdout as JSON.
    ///
    /// # Panics
    /// If it is none.
    #[must_use]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}

impl Running {
    /// Starts a command with this text on its stdin.
    ///
    /// # Panics
    /// If it cannot be started.
    #[must_use]
    pub fn start(command: &mut Command, input: &str) -> Self {
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command
            .spawn()
            .unwrap_or_else(|error| panic!("{command:?} does not start: {error}"));
        let mut stdin = child.stdin.take().expect("it was asked for");
        // It may end without reading: what it leaves is what counts.
        let _ = stdin.write_all(input.as_bytes());
        Self {
            command: format!("{command:?}"),
            stdout: Stream::of(child.stdout.take().expect("it was asked for")),
            stderr: Stream::of(child.stderr.take().expect("it was asked for")),
            child,
        }
    }

    /// The number of its process.
    #[must_use]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// The next line of its stdout; empty if there is none any more.
    ///
    /// # Panics
    /// If none comes in time.
    pub fn next_line(&mut self) -> String {
        match self.stdout.next_line_with("") {
            Ok(line) => line.unwrap_or_default(),
            Err(TooLate) => panic!("no line came: {self}"),
        }
    }

    /// Waits for the next line of its stderr that holds `text`, and returns it.
    ///
    /// # Panics
    /// If it does not come in time, or stderr ends before.
    pub fn until_it_notes(&mut self, text: &str) -> String {
        match self.stderr.next_line_with(text) {
            Ok(Some(line)) => line,
            Ok(None) => panic!("it ended without {text:?}: {self}"),
            Err(TooLate) => panic!("{text:?} did not come: {self}"),
        }
    }

    /// What it wrote to stderr so far.
    #[must_use]
    pub fn noted(&self) -> String {
        self.stderr.text()
    }

    /// Sends it a signal.
    ///
    /// # Panics
    /// If it has ended and was waited for.
    pub fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).expect("it has not been waited for");
    }

    /// From now on no file of its may become larger than this many bytes; as large as it likes, if `None`.
    ///
    /// # Panics
    /// If it has ended and was waited for.
    #[cfg(target_os = "linux")]
    pub fn limit_files(&self, bytes: Option<u64>) {
        use rustix::process::{Resource, Rlimit, prlimit};
        let limit = Rlimit {
            current: bytes,
            maximum: None,
        };
        prlimit(Some(Pid::from_child(&self.child)), Resource::Fsize, limit)
            .expect("it has not been waited for");
    }

    /// Sends what Ctrl-C sends, to it and all it has started; it must have been started as a group of its own.
    ///
    /// # Panics
    /// If it has ended and was waited for.
    pub fn interrupt_group(&self) {
        kill_process_group(Pid::from_child(&self.child), Signal::INT).expect("it has not been waited for");
    }

    /// Waits for its end.
    ///
    /// # Panics
    /// If it does not come in time.
    pub fn end(&mut self) -> Left {
        let both_closed = self.stdout.until_over().is_ok() && self.stderr.until_over().is_ok();
        assert!(both_closed, "it did not end: {self}");
        // With both closed it is about to end if it has not.
        let status = self.child.wait().expect("it is our child");
        Left {
            code: code(status),
            stdout: self.stdout.text(),
            stderr: self.stderr.text(),
        }
    }

    /// Ends it as systemd does, and waits for its end.
    ///
    /// # Panics
    /// If it does not end in time.
    pub fn stop(&mut self) -> Left {
        self.signal(Signal::TERM);
        self.end()
    }

    /// Ends it as `kill -9` does.
    ///
    /// # Panics
    /// If it does not end in time.
    pub fn kill(&mut self) -> Left {
        self.signal(Signal::KILL);
        self.end()
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Everything it said, for the message of a story that fails.
impl fmt::Display for Running {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (stdout, stderr) = (self.stdout.text(), self.stderr.text());
        write!(f, "{}\n--- stdout\n{stdout}\n--- stderr\n{stderr}", self.command)
    }
}

fn code(status: ExitStatus) -> i32 {
    status.code().unwrap_or(-1)
}

/// What waiting ended without.
struct TooLate;

/// One of its outputs. A thread reads it, so that a full pipe never stops the program.
struct Stream {
    heard: Arc<Heard>,
    /// How many bytes have been told.
    told: usize,
}

#[derive(Default)]
struct Heard {
    so_far: Mutex<SoFar>,
    more: Condvar,
}

#[derive(Default)]
struct SoFar {
    text: String,
    over: bool,
}

impl Stream {
    fn of(pipe: impl Read + Send + 'static) -> Self {
        let heard = Arc::new(Heard::default());
        let by_thread = Arc::clone(&heard);
        thread::spawn(move || {
            let mut pipe = BufReader::new(pipe);
            loop {
                let mut line = Vec::new();
                let read = pipe.read_until(b'\n', &mut line);
                let over = is_over(&read);
                let mut so_far = by_thread.so_far.lock().unwrap_or_else(PoisonError::into_inner);
                so_far.text += &String::from_utf8_lossy(&line);
                so_far.over = over;
                drop(so_far);
                by_thread.more.notify_all();
                if over {
                    return;
                }
            }
        });
        Self { heard, told: 0 }
    }

    /// The next whole line, or what stands after the last one, that holds `text`; `None` if it ended without.
    fn next_line_with(&mut self, text: &str) -> Result<Option<String>, TooLate> {
        let mut told = self.told;
        let mut found = None;
        let waited = self.heard.wait(|so_far| {
            while let Some(line) = next_line(&so_far.text[told..], so_far.over) {
                told += line.len();
                if line.contains(text) {
                    found = Some(line.to_owned());
                    return true;
                }
            }
            so_far.over
        });
        self.told = told;
        waited.map(|()| found)
    }

    fn until_over(&self) -> Result<(), TooLate> {
        self.heard.wait(|so_far| so_far.over)
    }

    fn text(&self) -> String {
        let so_far = self.heard.so_far.lock().unwrap_or_else(PoisonError::into_inner);
        so_far.text.clone()
    }
}

impl Heard {
    fn wait(&self, mut enough: impl FnMut(&SoFar) -> bool) -> Result<(), TooLate> {
        let so_far = self.so_far.lock().unwrap_or_else(PoisonError::into_inner);
        let (_so_far, waited) = self
            .more
            .wait_timeout_while(so_far, PATIENCE, |so_far| !enough(so_far))
            .unwrap_or_else(PoisonError::into_inner);
        if waited.timed_out() { Err(TooLate) } else { Ok(()) }
    }
}

fn is_over(read: &io::Result<usize>) -> bool {
    matches!(read, Ok(0) | Err(_))
}

fn next_line(text: &str, over: bool) -> Option<&str> {
    match text.find('\n') {
        Some(end) => Some(&text[..=end]),
        None if over && !text.is_empty() => Some(text),
        None => None,
    }
}
