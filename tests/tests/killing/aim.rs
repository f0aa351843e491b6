//! When a kill strikes.

use std::{fs, path::PathBuf, thread, time::Duration};

use askd_core::clock::Chance as _;
use askd_stories::{Askd, Stopwatch};
use askd_testkit::chance::SeededChance;

use super::world::Load;

/// What a kill is meant to hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Aim {
    /// Whatever happens within a second.
    Anything,
    /// Up to 20 ms after a request went out.
    Request,
    /// The writer's thread, in a system call that writes or syncs.
    Write,
    /// As [`Aim::Anything`], and once more while it starts.
    Starting,
}

/// How long a write is waited for.
const LONGEST: Duration = Duration::from_secs(3);

/// Linux' numbers of `pwrite64`, `fsync` and `fdatasync`.
#[cfg(target_arch = "x86_64")]
const WRITES: [&str; 3] = ["18", "74", "75"];
#[cfg(target_arch = "aarch64")]
const WRITES: [&str; 3] = ["68", "82", "83"];
/// Elsewhere no kill is aimed so well; see [`Aim::wait`].
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const WRITES: [&str; 0] = [];

impl Aim {
    pub(super) fn any(chance: &SeededChance) -> Self {
        match chance.up_to(8) {
            0..=1 => Self::Anything,
            2..=3 => Self::Request,
            4 => Self::Starting,
            _ => Self::Write,
        }
    }

    /// Waits until it is time to kill. Returns whether the writer was writing or syncing, as far as the kernel tells
    /// (`/proc/PID/task/TID/syscall`); where it tells nothing, the kill strikes within 20 ms after a request.
    pub(super) fn wait(self, askd: &Askd, load: &Load, chance: &SeededChance) -> bool {
        let pause = |most: u64| thread::sleep(Duration::from_micros(chance.up_to(most * 1000)));
        match self {
            Self::Anything | Self::Starting => pause(1000),
            Self::Request => {
                pause(300);
                load.until_sent();
                pause(20);
            }
            Self::Write => {
                pause(300);
                load.until_sent();
                let Some(writer) = writer(askd.process.id()) else {
                    pause(20);
                    return false;
                };
                let waited = Stopwatch::start();
                while waited.elapsed() < LONGEST {
                    if is_writing(&writer) {
                        return true;
                    }
                }
            }
        }
        false
    }
}

fn is_writing(writer: &PathBuf) -> bool {
    let call = fs::read_to_string(writer).unwrap_or_default();
    let number = call.split(' ').next().unwrap_or_default();
    WRITES.contains(&number)
}

/// Where the kernel tells what the writer's thread does.
fn writer(process: u32) -> Option<PathBuf> {
    let threads = fs::read_dir(format!("/proc/{process}/task")).ok()?;
    let writer = threads.flatten().map(|thread| thread.path()).find(|thread| {
        fs::read_to_string(thread.join("comm")).is_ok_and(|name| name.trim() == "store-writer")
    })?;
    let told = writer.join("syscall");
    fs::read_to_string(&told).is_ok().then_some(told)
}
