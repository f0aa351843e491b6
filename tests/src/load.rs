//! A load generator: many agents that ask and wait, and answers that come in bursts.
//!
//! It speaks HTTP and nothing else, to a daemon wherever it runs, in three steps that a caller puts together: [`Load::ask`]
//! makes pending asks, [`Load::wait`] has agents wait for them, [`Waiting::answer`] answers some at once and notes when
//! each waiting agent has its result. Answers that come another way, such as taps on a platform, are noted by
//! [`Waiting::answered`]. Everything is counted, nothing is thrown away: what was refused or broke is in the figures by
//! what it was.
//!
//! Each waiting agent is a connection, so the process needs as many open files: [`open_files`].

use std::{
    collections::BTreeMap,
    fmt,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use reqwest::{Client, Method, Response};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::{Value, json};
use tokio::{task::JoinSet, time::sleep};

use crate::Stopwatch;

/// How long one wait is held. Unit: seconds. What the documentation tells agents.
const HOLD: u64 = 55;

/// Before a wait that was refused or broke is made again.
const AGAIN: Duration = Duration::from_millis(500);

/// Callers of one daemon. Clones share what was counted.
#[derive(Clone, Debug)]
pub struct Load {
    url: String,
    client: Client,
    agents: Arc<[String]>,
    errors: Arc<Mutex<BTreeMap<String, usize>>>,
    clock: Stopwatch,
}

/// A pending ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pending {
    /// Its id.
    pub id: String,
    /// Which one it is, from 0.
    pub number: usize,
    /// Which of the agents made it, from 0.
    pub agent: usize,
}

/// Agents that wait, one for each of these asks.
#[derive(Debug)]
pub struct Waiting {
    load: Load,
    asks: Vec<Pending>,
    times: Arc<Mutex<Vec<Times>>>,
    waiters: JoinSet<()>,
}

/// Since the load began.
#[derive(Clone, Copy, Debug, Default)]
struct Times {
    answered: Option<Duration>,
    woken: Option<Duration>,
}

/// How long something took, each time.
#[derive(Clone, Debug, Default)]
pub struct Latencies(Vec<Duration>);

impl Latencies {
    /// Of so many times.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The time within which this share of all was done, from 0 to 100; nothing of nothing.
    #[must_use]
    pub fn percentile(&self, share: usize) -> Duration {
        let mut sorted = self.0.clone();
        sorted.sort();
        let last = sorted.len().saturating_sub(1);
        let at = (sorted.len() * share / 100).min(last);
        sorted.get(at).copied().unwrap_or_default()
    }
}

impl fmt::Display for Latencies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (half, most) = (self.percentile(50), self.percentile(99));
        write!(f, "median {half:.0?}, p99 {most:.0?}, of {}", self.count())
    }
}

impl Load {
    /// Calls the daemon at `url` as agents with these secrets.
    ///
    /// # Panics
    /// If the machine has no TLS roots to load; it needs none.
    #[must_use]
    pub fn new(url: &str, agents: Vec<String>) -> Self {
        let client = Client::builder()
            .no_proxy()
            .timeout(Duration::from_secs(HOLD + 30))
            .build();
        Self {
            url: url.to_owned(),
            client: client.expect("it needs nothing"),
            agents: agents.into(),
            errors: Arc::default(),
            clock: Stopwatch::start(),
        }
    }

    /// Makes `count` asks, `at_once` of them under way at any time, one agent after the other in turn. Returns those that
    /// were taken over, in the order of their numbers, and how long each took.
    pub async fn ask(
        &self,
        count: usize,
        at_once: usize,
        body: fn(usize) -> Value,
    ) -> (Vec<Pending>, Latencies) {
        let next = Arc::new(AtomicUsize::new(0));
        let made = Arc::new(Mutex::new((Vec::new(), Latencies::default())));
        let mut askers = JoinSet::new();
        for _ in 0..at_once {
            let (load, next, made) = (self.clone(), Arc::clone(&next), Arc::clone(&made));
            askers.spawn(async move {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        return;
                    }
                    let agent = number % load.agents.len();
                    let begun = load.clock.elapsed();
                    let request = load.request(Method::POST, "/v1/asks", &load.agents[agent]);
                    let taken = load.json(request.json(&body(number))).await;
                    if let Some(id) = taken.as_ref().and_then(|taken| taken["id"].as_str()) {
                        let id = id.to_owned();
                        let mut made = lock(&made);
                        made.0.push(Pending { id, number, agent });
                        made.1.0.push(load.clock.elapsed().saturating_sub(begun));
                    }
                }
            });
        }
        while askers.join_next().await.is_some() {}
        let (mut pending, took) = std::mem::take(&mut *lock(&made));
        pending.sort_by_key(|pending| pending.number);
        (pending, took)
    }

    /// Has an agent wait for each of these asks, until it is over.
    #[must_use]
    pub fn wait(&self, asks: &[Pending]) -> Waiting {
        let times = Arc::new(Mutex::new(vec![Times::default(); asks.len()]));
        let mut waiters = JoinSet::new();
        for (number, ask) in asks.iter().cloned().enumerate() {
            let (load, times) = (self.clone(), Arc::clone(&times));
            waiters.spawn(async move {
                let path = format!("/v1/asks/{}?wait={HOLD}", ask.id);
                loop {
                    let request = load.request(Method::GET, &path, &load.agents[ask.agent]);
                    match load.json(request).await {
                        Some(now) if !now["result"].is_null() => break,
                        Some(_) => {}
                        None => sleep(AGAIN).await,
                    }
                }
                lock(&times)[number].woken = Some(load.clock.elapsed());
            });
        }
        Waiting {
            load: self.clone(),
            asks: asks.to_vec(),
            times,
            waiters,
        }
    }

    /// What was refused or broke so far, by what it was, with how often.
    #[must_use]
    pub fn errors(&self) -> BTreeMap<String, usize> {
        lock(&self.errors).clone()
    }

    fn request(&self, method: Method, path: &str, secret: &str) -> reqwest::RequestBuilder {
        let url = format!("{}{path}", self.url);
        self.client.request(method, url).bearer_auth(secret)
    }

    /// The body of an answer that is none of refusal; others are counted.
    async fn json(&self, request: reqwest::RequestBuilder) -> Option<Value> {
        let error = match request.send().await {
            Ok(response) if response.status().is_success() => match response.json().await {
                Ok(body) => return Some(body),
                Err(_) => "broken off".to_owned(),
            },
            Ok(response) => refusal(response).await,
            Err(error) if error.is_timeout() => "no answer in time".to_owned(),
            Err(_) => "not connected".to_owned(),
        };
        *lock(&self.errors).entry(error).or_default() += 1;
        None
    }
}

/// `503 overloaded, retry after 1`.
async fn refusal(response: Response) -> String {
    let status = response.status().as_u16();
    let after = response.headers().get("retry-after").cloned();
    let after = after.and_then(|seconds| Some(format!(", retry after {}", seconds.to_str().ok()?)));
    let body: Value = response.json().await.unwrap_or_default();
    let kind = body["type"].as_str().unwrap_or_default();
    let kind = kind.rsplit(':').next().unwrap_or_default();
    format!("{status} {kind}{}", after.unwrap_or_default())
}

impl Waiting {
    /// Answers these asks, by their place among those waited for, all at once, as somebody with this secret; returns how
    /// many answers counted.
    pub async fn answer(&self, numbers: impl IntoIterator<Item = usize>, secret: &str) -> usize {
        let mut answers = JoinSet::new();
        for number in numbers {
            let (load, times) = (self.load.clone(), Arc::clone(&self.times));
            let path = format!("/v1/asks/{}/reply", self.asks[number].id);
            let request = load.request(Method::POST, &path, secret);
            let request = request.json(&json!({ "text": "1" }));
            answers.spawn(async move {
                lock(&times)[number].answered = Some(load.clock.elapsed());
                let receipt = load.json(request).await;
                receipt.is_some_and(|receipt| receipt["receipt"] == "settled")
            });
        }
        let mut counted = 0;
        while let Some(settled) = answers.join_next().await {
            counted += usize::from(settled.unwrap_or(false));
        }
        counted
    }

    /// This ask is being answered another way, at this moment.
    pub fn answered(&self, number: usize) {
        lock(&self.times)[number].answered = Some(self.load.clock.elapsed());
    }

    /// How many agents still wait.
    #[must_use]
    pub fn left(&self) -> usize {
        lock(&self.times)
            .iter()
            .filter(|times| times.woken.is_none())
            .count()
    }

    /// How long it took from an answer until the agent that waited had it, of those that have.
    #[must_use]
    pub fn wakes(&self) -> Latencies {
        let times = lock(&self.times);
        let took = times
            .iter()
            .filter_map(|times| Some(times.woken?.saturating_sub(times.answered?)));
        Latencies(took.collect())
    }

    /// Ends all waits.
    pub async fn stop(mut self) {
        self.waiters.shutdown().await;
    }
}

/// Raises the number of files that this process may have open as far as the system lets it; returns it.
#[must_use]
pub fn open_files() -> u64 {
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit {
        current: limit.maximum,
        maximum: limit.maximum,
    };
    // Where that is refused the old one holds, and the caller sees it.
    let _ = setrlimit(Resource::Nofile, raised);
    getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX)
}

/// How much memory a process has in use, where the kernel tells. Unit: bytes.
#[must_use]
pub fn memory(process: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}

/// The value of a figure in what `/metrics` says, summed over its labels; a whole number.
#[must_use]
pub fn figure(metrics: &str, name: &str) -> u64 {
    let samples = metrics.lines().filter_map(|line| {
        let rest = line.strip_prefix(name)?;
        rest.starts_with(['{', ' ']).then_some(())?;
        let value = rest.rsplit_once(' ')?.1;
        value.split('.').next()?.parse::<u64>().ok()
    });
    samples.sum()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_hundred_times_the_99th_percentile_is_the_longest_but_one_at_most() {
        let latencies = Latencies((1..=100).map(Duration::from_millis).collect());

        assert_eq!(latencies.percentile(50), Duration::from_millis(51));
        assert_eq!(latencies.percentile(99), Duration::from_millis(100));
        assert_eq!(Latencies::default().percentile(99), Duration::ZERO);
    }

    #[test]
    fn a_figure_is_the_sum_over_its_labels_and_of_no_other_name() {
        let metrics =
            "askd_streams 3\naskd_streams_more 5\nrequests_total{a=\"b c\"} 2\nrequests_total{a=\"d\"} 4\n";

        assert_eq!(figure(metrics, "askd_streams"), 3);
        assert_eq!(figure(metrics, "requests_total"), 6);
    }
}
