//! Agents that ask over MCP: the bridge over stdin and stdout, the daemon it starts, and restarts of that.

use std::{
    fs,
    io::{BufRead as _, BufReader, Write as _},
    process::{Child, ChildStdin, Command, Stdio},
    sync::mpsc,
    thread,
    time::Duration,
};

use askd_stories::{Api, Home, PATIENCE, Stopwatch, target};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};

/// A client with its bridge.
struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: mpsc::Receiver<String>,
}

impl Client {
    /// Starts `askd mcp` as a client of revision 2025-06-18 does, and says who it is.
    fn start(command: Command) -> Self {
        let mut client = Self::quiet(command);
        client.send(
            &json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": { "name": "claude-code", "version": "2.1" },
        } }),
        );
        assert_eq!(client.next()["result"]["serverInfo"]["name"], "askd");
        client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        client
    }

    fn quiet(mut command: Command) -> Self {
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        let (read, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in stdout.lines() {
                if read.send(line.unwrap_or_default()).is_err() {
                    return;
                }
            }
        });
        Self {
            stdin: child.stdin.take(),
            child,
            lines,
        }
    }

    fn send(&mut self, message: &Value) {
        let stdin = self.stdin.as_mut().unwrap();
        writeln!(stdin, "{message}").unwrap();
    }

    /// The next message: nothing else may come out of stdout.
    fn next(&self) -> Value {
        let line = self.lines.recv_timeout(PATIENCE).expect("a message comes");
        serde_json::from_str(&line).unwrap_or_else(|_| panic!("no message: {line}"))
    }

    /// Asks, and returns once people are being asked.
    fn asks(&mut self) {
        self.calls();
        self.is_waiting();
    }

    /// Calls the tool.
    fn calls(&mut self) {
        let params = json!({ "name": "ask_user", "arguments": target(), "_meta": { "progressToken": "p" } });
        self.send(&json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }));
    }

    /// Returns once people are being asked.
    fn is_waiting(&self) {
        let told = self.next();
        assert_eq!(told["method"], "notifications/progress", "{told}");
    }

    /// The result of the call, past all progress.
    fn result(&self) -> Value {
        loop {
            let mut message = self.next();
            if message["id"] == 1 {
                return message["result"].take();
            }
        }
    }

    /// Closes its end, and waits until the bridge has gone.
    fn goes(mut self) {
        self.stdin.take();
        while self.lines.recv_timeout(PATIENCE).is_ok() {}
        assert!(self.child.wait().unwrap().success());
    }

    /// Is killed without a word.
    fn dies(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

/// A daemon that a bridge has started. Ended with the story.
struct Started(Pid);

impl Started {
    fn of(home: &Home) -> Self {
        let pid = fs::read_to_string(home.state().join("askd.lock")).unwrap();
        Self(Pid::from_raw(pid.parse().unwrap()).unwrap())
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        let _ = kill_process(self.0, Signal::TERM);
    }
}

/// `askd mcp` in a home where any port will do.
fn bridge(home: &Home) -> Command {
    let mut command = home.command(&["mcp"]);
    command
        .env("ASKD_SERVER__LISTEN", "127.0.0.1:0")
        .stderr(Stdio::null());
    command
}

fn log(home: &Home) -> String {
    fs::read_to_string(home.state().join("askd.log")).unwrap()
}

fn operator(home: &Home) -> Api {
    let url = fs::read_to_string(home.state().join("url")).unwrap();
    Api::new(url.trim(), &home.secret("operator"))
}

fn only_ask(operator: &Api) -> Value {
    let listed = operator.get("/v1/asks").body;
    let asks = listed["asks"].as_array().unwrap();
    assert_eq!(asks.len(), 1, "{listed}");
    asks[0].clone()
}

#[test]
fn the_first_call_starts_a_daemon_that_outlives_the_client() {
    let home = Home::new();
    let mut client = Client::start(bridge(&home));
    client.send(&json!({ "jsonrpc": "2.0", "id": 7, "method": "tools/list" }));
    assert_eq!(client.next()["result"]["tools"].as_array().unwrap().len(), 2);
    assert!(!home.state().exists(), "so far nothing was needed from it");

    client.asks();

    let daemon = Started::of(&home);
    let operator = operator(&home);
    let ask = only_ask(&operator);
    assert_eq!(
        ask["agent"], "claude-code",
        "the shared token says nothing of who asks"
    );
    operator.reply(ask["id"].as_str().unwrap(), "2");
    assert_eq!(
        client.result()["structuredContent"]["answers"]["answers"]["deploy_target"],
        json!(["Production"])
    );
    client.goes();
    assert_eq!(operator.get("/healthz").status, 200);
    drop(daemon);
}

#[cfg(target_os = "linux")]
#[test]
fn the_daemon_has_a_session_of_its_own_and_nothing_of_whoever_started_it() {
    use rustix::io::{FdFlags, fcntl_setfd};

    let home = Home::new();
    let left_open = fs::File::create(home.path("left-open")).unwrap();
    fcntl_setfd(&left_open, FdFlags::empty()).unwrap();
    let mut client = Client::start(bridge(&home));
    let holds = |pid: u32| {
        let open = fs::read_dir(format!("/proc/{pid}/fd")).unwrap();
        open.filter_map(|entry| fs::read_link(entry.ok()?.path()).ok())
            .any(|target| target == home.path("left-open"))
    };
    assert!(holds(client.child.id()), "or this story tells nothing");

    client.asks();

    let daemon = Started::of(&home);
    let pid = daemon.0.as_raw_nonzero().get();
    assert!(!holds(pid.unsigned_abs()));
    assert_eq!(rustix::process::getsid(Some(daemon.0)).unwrap(), daemon.0);
    let folder = fs::read_link(format!("/proc/{pid}/cwd")).unwrap();
    assert_eq!(folder, home.state(), "no project's folder is held");
    client.dies();
}

#[test]
fn two_bridges_at_once_start_one_daemon() {
    let home = Home::new();
    let mut clients = [Client::start(bridge(&home)), Client::start(bridge(&home))];

    for client in &mut clients {
        client.calls();
    }
    for client in &clients {
        client.is_waiting();
    }

    let _daemon = Started::of(&home);
    let operator = operator(&home);
    let listed = operator.get("/v1/asks").body;
    let asks = listed["asks"].as_array().unwrap();
    assert_eq!(asks.len(), 2, "both ask the same daemon");
    for ask in asks {
        operator.reply(ask["id"].as_str().unwrap(), "1");
    }
    for client in &clients {
        assert_eq!(client.result()["structuredContent"]["status"], "answered");
    }
    assert_eq!(log(&home).matches("askd listens on").count(), 1, "{}", log(&home));
    assert!(!log(&home).contains("another askd"), "{}", log(&home));
}

#[test]
fn a_daemon_that_cannot_start_is_no_silence() {
    let home = Home::new();
    home.configure("[server]\nlistne = \"127.0.0.1:0\"\n");
    let mut client = Client::start(bridge(&home));
    client.calls();

    let result = client.result();

    assert_eq!(result["isError"], true);
    let text = result["content"][0]["text"].as_str().unwrap();
    assert!(
        text.contains("askd.log") && text.contains("best judgment"),
        "{text}"
    );
    assert!(log(&home).contains("listne"), "{}", log(&home));
}

#[test]
fn a_client_that_waits_does_not_notice_a_restart_nor_a_kill() {
    let home = Home::new();
    let mut askd = home.serve();
    let mut client = Client::start(home.command(&["mcp"]));
    client.asks();

    askd.process.stop();
    let mut askd = home.serve();
    assert_eq!(only_ask(&askd.operator)["status"], "pending");
    askd.process.kill();
    let askd = home.serve();
    let ask = only_ask(&askd.operator);
    askd.operator.reply(ask["id"].as_str().unwrap(), "2");

    assert_eq!(client.result()["structuredContent"]["status"], "answered");
    client.goes();
}

#[test]
fn over_http_a_stop_hands_the_call_to_the_next_askd() {
    let home = Home::new();
    let mut askd = home.serve();
    let mut events = askd.operator.events();
    let (url, secret) = (askd.url.clone(), home.secret("agent"));
    let waiting = thread::spawn(move || post(&url, &secret, &Value::Null));
    let ask = events.until("asked");

    let stopwatch = Stopwatch::start();
    drop(events);
    askd.process.stop();
    assert!(stopwatch.elapsed() < Duration::from_secs(5));
    let told = waiting.join().unwrap();
    assert_eq!(told["result"]["resultType"], "input_required", "{told}");

    let askd = home.serve();
    askd.operator.reply(ask["id"].as_str().unwrap(), "1");
    let result = post(&askd.url, &home.secret("agent"), &told["result"]["requestState"]);

    assert_eq!(
        result["result"]["structuredContent"]["status"], "answered",
        "{result}"
    );
    assert_eq!(only_ask(&askd.operator)["id"], ask["id"]);
}

#[test]
fn nothing_that_is_asked_or_answered_is_logged_on_either_side() {
    let home = Home::new();
    let mut askd = home.serve_with(&[("ASKD_LOG", "trace")], &[]);
    let mut command = home.command(&["mcp"]);
    let noted = home.path("noted");
    command
        .env("ASKD_LOG", "trace")
        .stderr(fs::File::create(&noted).unwrap());
    let mut client = Client::start(command);
    client.asks();
    let ask = only_ask(&askd.operator);
    askd.operator.reply(ask["id"].as_str().unwrap(), "the green one");
    assert_eq!(client.result()["structuredContent"]["status"], "answered");
    let mut refused = target();
    refused["questions"][0]["id"] = "Not Snake Case".into();
    let params = json!({ "name": "ask_user", "arguments": refused });
    client.send(&json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }));
    assert_eq!(client.result()["isError"], true);
    client.goes();

    let logs = [askd.process.stop().stderr, fs::read_to_string(noted).unwrap()];
    for log in logs {
        assert!(
            log.contains("TRACE") || log.contains("DEBUG"),
            "or this story tells nothing: {log}"
        );
        let secret = home.secret("agent");
        for word in ["Which one", "Staging", "green", "Not Snake Case", secret.as_str()] {
            assert!(!log.contains(word), "{word} in {log}");
        }
    }
}

#[test]
fn how_long_calls_are_held_can_be_changed_while_askd_runs() {
    let home = Home::new();
    home.configure("[mcp]\nhold_seconds = 3600\n");
    let mut askd = home.serve();
    home.configure("[mcp]\nhold_seconds = 1\n");

    askd.process.signal(Signal::HUP);
    askd.process.until_it_notes("configuration reloaded");

    let told = post(&askd.url, &home.secret("agent"), &Value::Null);
    assert_eq!(told["result"]["structuredContent"]["status"], "pending", "{told}");
}

/// Calls `ask_user` in revision 2026-07-28, with what askd handed over if it did; the last message of the answer.
fn post(url: &str, secret: &str, state: &Value) -> Value {
    let mut params = json!({ "name": "ask_user", "arguments": target(), "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    } });
    if state.is_string() {
        params["requestState"] = state.clone();
    }
    let message = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params });
    let client = reqwest::Client::builder()
        .no_proxy()
        .timeout(PATIENCE)
        .build()
        .unwrap();
    let request = client
        .post(format!("{url}/mcp"))
        .bearer_auth(secret)
        .header("Accept", "application/json, text/event-stream")
        .header("MCP-Protocol-Version", "2026-07-28")
        .header("Mcp-Method", "tools/call")
        .header("Mcp-Name", "ask_user")
        .json(&message);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let text = runtime
        .block_on(async { request.send().await?.text().await })
        .unwrap();
    let last = text.lines().rfind(|line| line.contains("\"id\":1")).unwrap();
    serde_json::from_str(last.strip_prefix("data: ").unwrap_or(last)).unwrap()
}

#[test]
fn web_pages_of_others_are_kept_away_from_mcp_too() {
    let home = Home::new();
    let askd = home.serve();
    let client = reqwest::Client::builder()
        .no_proxy()
        .timeout(PATIENCE)
        .build()
        .unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    let status = |name: &str, value: &str| {
        let request = client
            .post(format!("{}/mcp", askd.url))
            .bearer_auth(home.secret("agent"))
            .header("Accept", "application/json, text/event-stream")
            .header(name, value)
            .json(&json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }));
        runtime
            .block_on(async { request.send().await })
            .unwrap()
            .status()
            .as_u16()
    };

    assert_eq!(status("Origin", "https://evil.example"), 403);
    assert_eq!(status("Host", "evil.example"), 403);
    assert_eq!(status("Origin", &askd.url), 200);
}

#[test]
fn a_client_that_goes_takes_its_ask_back_and_one_that_is_killed_does_not() {
    let home = Home::new();
    let askd = home.serve();
    let mut killed = Client::start(home.command(&["mcp"]));
    killed.asks();
    let kept = only_ask(&askd.operator)["id"].clone();
    let mut gone = Client::start(home.command(&["mcp"]));
    gone.asks();
    let mut events = askd.operator.events();

    killed.dies();
    let stopwatch = Stopwatch::start();
    gone.goes();
    let listed = askd.operator.get("/v1/asks?status=pending").body;
    assert_eq!(
        listed["asks"].as_array().unwrap().len(),
        2,
        "somebody may still attach"
    );

    // It takes its fifteen seconds, which are the daemon's and not to be moved from here.
    let ended = events.until("ended");

    assert!(
        stopwatch.elapsed() >= Duration::from_secs(14),
        "{:?}",
        stopwatch.elapsed()
    );
    assert_eq!(ended["status"], "cancelled");
    assert_ne!(ended["id"], kept);
    assert_eq!(askd.operator.read(kept.as_str().unwrap())["status"], "pending");
}

#[test]
fn a_sub_agent_sees_no_tool() {
    let home = Home::new();
    let mut command = home.command(&["mcp", "--role", "subagent"]);
    command.env("ASKD_URL", "http://127.0.0.1:1");
    let mut client = Client::start(command);

    client.send(&json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }));

    assert_eq!(client.result()["tools"], json!([]));
    client.goes();
}

#[test]
fn a_token_of_a_sub_agent_sees_no_tool_where_askd_runs() {
    let home = Home::new();
    home.configure("[people.sara]\n[tokens.helper]\nrole = \"subagent\"\ntoken = \"secret-of-a-helper\"\n");
    let _askd = home.serve();
    let mut command = home.command(&["mcp"]);
    command.env("ASKD_TOKEN", "secret-of-a-helper");
    let mut client = Client::start(command);

    // On a machine that is busy the list may not wait for askd, and has the tools.
    let hidden = (0..50).any(|_| {
        client.send(&json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list" }));
        client.result()["tools"] == json!([])
    });

    assert!(hidden);
    client.goes();
}

#[test]
fn with_an_address_nothing_is_started() {
    let home = Home::new();
    let mut command = home.command(&["mcp"]);
    command
        .env("ASKD_URL", "http://127.0.0.1:1")
        .env("ASKD_TOKEN", "x");
    let mut client = Client::start(command);
    client.calls();

    let told = client.next();

    assert!(
        told["params"]["message"].as_str().unwrap().contains("away"),
        "{told}"
    );
    assert!(!home.state().exists());
    client.goes();
}
