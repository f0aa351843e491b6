//! What a run came to.

use std::{collections::BTreeMap, fmt, fs, path::Path, time::Duration};

use super::aim::Aim;

#[derive(Debug, Default)]
pub(super) struct Report {
    kills: BTreeMap<Aim, usize>,
    /// Kills that hit the writer in a system call that writes or syncs.
    hit: usize,
    /// Kills that left part of a transaction in the log.
    torn: usize,
    /// Requests that were under way at the kills.
    in_flight: usize,
    restarts: Vec<Duration>,
    pub(super) asks: usize,
    /// Ends, by what they are and where they came from.
    pub(super) ends: BTreeMap<String, usize>,
    /// Receipts of an end over HTTP, and statements of an end on platforms.
    pub(super) receipts: usize,
    pub(super) said: BTreeMap<&'static str, usize>,
    /// Prompts that stand there more than once, and the ones that askd cannot know of, by platform.
    pub(super) twice: BTreeMap<&'static str, usize>,
    pub(super) adopted: BTreeMap<&'static str, usize>,
    pub(super) repeated: usize,
    /// Presses on Discord that failed before people's eyes.
    pub(super) unanswered: usize,
    pub(super) faults: Vec<String>,
}

impl Report {
    pub(super) fn killed(&mut self, aim: Aim, hit: bool, in_flight: usize) {
        *self.kills.entry(aim).or_default() += 1;
        self.hit += usize::from(hit);
        self.in_flight += in_flight;
    }

    pub(super) fn restarted(&mut self, took: Duration) {
        self.restarts.push(took);
    }

    /// Looks at what a kill left of the write-ahead log.
    pub(super) fn torn(&mut self, log: &Path) {
        let log = fs::read(log).unwrap_or_default();
        self.torn += usize::from(is_torn(&log));
    }

    pub(super) fn add(&mut self, other: Self) {
        for (aim, count) in other.kills {
            *self.kills.entry(aim).or_default() += count;
        }
        self.hit += other.hit;
        self.torn += other.torn;
        self.in_flight += other.in_flight;
        self.restarts.extend(other.restarts);
        self.asks += other.asks;
        for (end, count) in other.ends {
            *self.ends.entry(end).or_default() += count;
        }
        self.receipts += other.receipts;
        for (mine, others) in [
            (&mut self.said, other.said),
            (&mut self.twice, other.twice),
            (&mut self.adopted, other.adopted),
        ] {
            for (platform, count) in others {
                *mine.entry(platform).or_default() += count;
            }
        }
        self.repeated += other.repeated;
        self.unanswered += other.unanswered;
        self.faults.extend(other.faults);
    }

    /// Fails if anything was lost, or if so little happened that nothing was shown.
    pub(super) fn demand(&self, kills: u64) {
        assert!(
            self.faults.is_empty(),
            "{} faults:\n{}",
            self.faults.len(),
            self.faults.join("\n")
        );
        let kills = usize::try_from(kills).unwrap();
        assert_eq!(self.kills.values().sum::<usize>(), kills);
        assert!(self.asks > kills, "fewer than one ask a kill");
        assert!(
            self.in_flight > kills,
            "hardly anything was under way when it was killed"
        );
        for from in ["telegram", "discord", "slack", "http"] {
            let answered = self.ends.keys().any(|end| end.contains(from));
            assert!(answered, "nobody answered by {from}: {:?}", self.ends);
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut restarts = self.restarts.clone();
        restarts.sort();
        let median = restarts.get(restarts.len() / 2).copied().unwrap_or_default();
        let longest = restarts.last().copied().unwrap_or_default();
        writeln!(f, "kills                      {:?}", self.kills)?;
        writeln!(f, "  in a write or sync       {}", self.hit)?;
        writeln!(f, "  leaving a torn log       {}", self.torn)?;
        writeln!(f, "  requests under way       {}", self.in_flight)?;
        writeln!(f, "calls made again           {}", self.repeated)?;
        writeln!(f, "asks                       {}", self.asks)?;
        for (end, count) in &self.ends {
            writeln!(f, "  {end:<24} {count}")?;
        }
        writeln!(f, "receipts of ends, HTTP     {}", self.receipts)?;
        writeln!(f, "ends told on platforms     {:?}", self.said)?;
        writeln!(f, "presses cut off, Discord   {}", self.unanswered)?;
        writeln!(f, "shown twice                {:?}", self.twice)?;
        writeln!(f, "adopted by a tap           {:?}", self.adopted)?;
        writeln!(f, "restart, median / longest  {median:.0?} / {longest:.0?}")?;
        write!(f, "lost, changed, left alive  {}", self.faults.len())
    }
}

/// Whether frames of the present log stand behind its last commit. The format: <https://sqlite.org/fileformat2.html#walformat>.
fn is_torn(log: &[u8]) -> bool {
    const HEADER: usize = 32;
    const FRAME_HEADER: usize = 24;
    let Some(header) = log.get(..HEADER) else {
        return !log.is_empty();
    };
    let number = |bytes: &[u8], at: usize| {
        bytes
            .get(at..at + 4)
            .map_or(0, |four| u32::from_be_bytes(four.try_into().unwrap()))
    };
    let page = usize::try_from(number(header, 8)).unwrap();
    let mut torn = false;
    for frame in log[HEADER..].chunks(FRAME_HEADER + page) {
        if frame.get(8..16) != header.get(16..24) {
            break;
        }
        // Of a commit, this is the size of the database.
        torn = number(frame, 4) == 0 || frame.len() < FRAME_HEADER + page;
    }
    torn
}
