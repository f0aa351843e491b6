//! The command line.
//!
//! An ask is made with `--no-wait`, and waited for as a script does that asks again: by `askd ask` under the same key.

use std::{
    collections::BTreeMap,
    process::Stdio,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use askd_stories::Home;
use askd_testkit::entrance_suite::{Ability, Caller, Entrance, Refusal};
use async_trait::async_trait;
use serde_json::{Value, json};
use tokio::{io::AsyncWriteExt as _, process::Command, time::timeout};

use crate::served::{Served, refusal};

/// Calls by running the program.
pub(crate) struct CommandLine {
    server: Served,
    home: Home,
    /// What was asked under which key, by the id of the ask.
    asked: Mutex<BTreeMap<String, (Value, String)>>,
    keys: AtomicU32,
}

impl CommandLine {
    pub(crate) fn new(server: Served) -> Self {
        Self {
            server,
            home: Home::new(),
            asked: Mutex::default(),
            keys: AtomicU32::new(0),
        }
    }

    /// Runs `askd` to its end; what it prints as JSON.
    async fn run(&self, caller: Caller, arguments: &[&str], input: &str) -> Result<Value, Refusal> {
        let mut command = self.home.command(arguments);
        command
            .arg("--json")
            .env("ASKD_URL", &self.server.url)
            .env("ASKD_TOKEN", caller.secret())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = Command::from(command)
            .kill_on_drop(true)
            .spawn()
            .expect("the program starts");
        let mut stdin = child.stdin.take().expect("it was asked for");
        // It may end without reading: what it leaves is what counts.
        let _ = stdin.write_all(input.as_bytes()).await;
        drop(stdin);
        let output = child.wait_with_output().await.expect("it is our child");
        let printed: Value = serde_json::from_slice(&output.stdout).map_err(|error| {
            let noted = String::from_utf8_lossy(&output.stderr);
            Refusal::Other(format!("{arguments:?}: {error}: {noted}"))
        })?;
        if printed["type"].is_string() {
            return Err(refusal(&printed));
        }
        Ok(printed)
    }

    fn asked(&self, id: &str) -> Option<(Value, String)> {
        let asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.get(id).cloned()
    }
}

#[async_trait]
impl Entrance for CommandLine {
    fn abilities(&self) -> &'static [Ability] {
        use Ability::{Answer, Cancel, Keys, Read, Reply, Skip, Wait};
        &[Keys, Wait, Cancel, Read, Answer, Reply, Skip]
    }

    async fn ask(&self, caller: Caller, body: &Value, key: Option<&str>) -> Result<Value, Refusal> {
        let own = || format!("own-{}", self.keys.fetch_add(1, Ordering::Relaxed));
        let key = key.map_or_else(own, str::to_owned);
        let arguments = ["ask", "-", "--no-wait", "--key", &key];
        let printed = self.run(caller, &arguments, &body.to_string()).await?;
        // An ask that is over already is printed as its result.
        let id = printed["id"].as_str().or_else(|| printed["askId"].as_str());
        let id = id.expect("an ask or a result is printed");
        self.asked
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(id.to_owned(), (body.clone(), key));
        self.get(caller, id).await
    }

    async fn wait(&self, caller: Caller, id: &str, seconds: u8) -> Result<Value, Refusal> {
        let ask = self.get(caller, id).await?;
        let Some((body, key)) = self.asked(id) else {
            return Err(Refusal::Other("asked by somebody else".to_owned()));
        };
        let pending = json!({ "status": "pending", "askId": id });
        if seconds == 0 && ask["status"] == "pending" {
            return Ok(pending);
        }
        let (arguments, body) = (["ask", "-", "--key", &key], body.to_string());
        let over = self.run(caller, &arguments, &body);
        // Dropped in the middle, the program is killed, which takes nothing back.
        let longest = Duration::from_secs(u64::from(seconds).max(30));
        timeout(longest, over).await.unwrap_or(Ok(pending))
    }

    async fn cancel(&self, caller: Caller, id: &str) -> Result<Value, Refusal> {
        self.run(caller, &["cancel", id], "").await
    }

    async fn get(&self, caller: Caller, id: &str) -> Result<Value, Refusal> {
        self.run(caller, &["show", id], "").await
    }

    async fn list(&self, caller: Caller, status: Option<&str>) -> Result<Vec<Value>, Refusal> {
        let arguments = match status {
            Some(status) => vec!["list", "--status", status],
            None => vec!["list", "--all"],
        };
        let page = self.run(caller, &arguments, "").await?;
        Ok(page["asks"].as_array().cloned().unwrap_or_default())
    }

    async fn answer(&self, caller: Caller, id: &str, answers: &Value) -> Result<Value, Refusal> {
        let mut arguments = vec!["answer".to_owned(), id.to_owned()];
        for (question, values) in answers.as_object().into_iter().flatten() {
            for value in values.as_array().into_iter().flatten() {
                let value = value.as_str().expect("values are texts");
                arguments.extend(["--set".to_owned(), format!("{question}={value}")]);
            }
        }
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        self.run(caller, &arguments, "").await
    }

    async fn reply(&self, caller: Caller, id: &str, text: &str) -> Result<Value, Refusal> {
        self.run(caller, &["answer", id, text], "").await
    }

    async fn skip(&self, caller: Caller, id: &str) -> Result<Value, Refusal> {
        self.run(caller, &["answer", id, "--skip"], "").await
    }
}
