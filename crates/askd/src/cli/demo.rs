//! `askd demo`: the whole way of a question, on one screen.
//!
//! Nothing in it is played: a daemon with the embedded store and the HTTP API starts on a free port, an agent asks over
//! HTTP, a plain-text channel shows the question as any platform without buttons would, and what is typed goes the way
//! of every reply. Only the folder it all lies in is thrown away at the end. Where stdin is no terminal its lines are
//! the replies: `echo 2 | askd demo`.

use std::{
    io::{self, BufRead as _, IsTerminal as _},
    sync::Arc,
    time::Duration,
};

use anyhow::Context as _;
use askd_core::{
    broker::Settings,
    id::{PersonName, TokenName},
    people::{Directory, Person},
    rights::{Principal, Role, Tokens},
    store::Change,
};
use askd_http::HttpOptions;
use askd_mcp::McpOptions;
use secrecy::ExposeSecret as _;
use serde_json::Value;
use tokio::sync::{broadcast, mpsc};

use super::{Context, ask};
use crate::{
    assemble::{self, Daemon, Parts},
    client::{Client, MOST_WAIT},
    clock::{OsChance, SystemClock},
    log,
    out::{self, Exit, Stop},
    signals::Signals,
    state::State,
    terminal::{Screen, Terminal},
    view::AskView,
};

/// What is asked; open for two minutes.
const BODY: &str = r#"{
    "questions": [{
      "id": "deploy_target", "header": "Target",
      "question": "The build is green. Where should it go?",
      "options": [
        { "label": "Staging (Recommended)", "description": "safe, resets nightly" },
        { "label": "Production", "description": "customers see it at once" }
      ]
    }],
    "timeoutSeconds": 120
  }"#;

/// How long the screen may take to show how it ended, before the rest is told.
const LAST_LOOK: Duration = Duration::from_secs(2);

/// Who asks, as the question says.
const AGENT: &str = "build-bot";

/// Who answers.
const YOU: &str = "you";

/// Plays the whole way once.
pub(super) async fn run(context: &Context) -> anyhow::Result<Exit> {
    log::start(log::Format::Text, &context.environment, "error")?;
    let mut signals = Signals::take_over()?;
    let folder = tempfile::tempdir().context("cannot make a folder for the demo")?;
    let state = State::at(folder.path());
    let secret = state.token("agent", &OsChance)?;
    let (keyboard, lines) = mpsc::unbounded_channel();
    let terminal = Arc::new(Terminal::new(
        "terminal",
        screen(context.json),
        lines,
        !io::stdin().is_terminal(),
    ));
    let store = assemble::open_store(state.database()).await?;
    let listener = assemble::bind(([127, 0, 0, 1], 0).into())?;
    let url = format!("http://{}", listener.local_addr()?);
    let mut tokens = Tokens::default();
    tokens.add(
        secret.expose_secret(),
        Principal {
            token: TokenName::new(AGENT),
            role: Role::Agent,
        },
    );
    let daemon = Daemon::start(
        Parts {
            store: store.clone(),
            clock: Arc::new(SystemClock),
            chance: Arc::new(OsChance),
            channels: vec![terminal.clone()],
            directory: directory(&terminal),
            tokens,
            settings: Settings::default(),
            http: HttpOptions {
                // Whoever has an askd of their own stays signed in there.
                cookie: "askd-demo",
                ..HttpOptions::default()
            },
            mcp: McpOptions::new(state.key("mcp", &OsChance)?),
            push: None,
        },
        listener,
    )
    .await?;

    let demo = Demo {
        client: Client::new(&url, secret)?,
        quiet: context.json,
    };
    let played = tokio::select! {
        played = demo.play(&url, &state, &daemon, &terminal, keyboard) => played,
        _ = signals.next() => Ok(Exit::Cancelled),
    };
    drop(demo);
    daemon.end().await;
    assemble::close_store(store).await;
    played
}

/// One person, `you`, who sits at the terminal.
fn directory(terminal: &Terminal) -> Directory {
    let you = Person {
        display: "you".to_owned(),
        language: None,
        time_zone: None,
        accounts: vec![terminal.you()],
    };
    let mut directory = Directory::empty();
    directory.people.insert(PersonName::new(YOU), you);
    directory.server.time_zone = jiff::tz::TimeZone::try_system().unwrap_or(jiff::tz::TimeZone::UTC);
    directory
}

/// With `--json` the result alone goes to stdout.
fn screen(json: bool) -> Screen {
    if json {
        Box::new(io::stderr())
    } else {
        Box::new(io::stdout())
    }
}

struct Demo {
    client: Client,
    quiet: bool,
}

impl Demo {
    async fn play(
        &self,
        url: &str,
        state: &State,
        daemon: &Daemon,
        terminal: &Terminal,
        keyboard: mpsc::UnboundedSender<String>,
    ) -> anyhow::Result<Exit> {
        let body: Value = serde_json::from_str(BODY)?;
        self.tell(&format!(
            "1. An agent asks. By hand that is:\n\n{}\n",
            curl(url, state)
        ))?;
        let panel = self.panel(url, daemon).await?;
        self.tell(&format!(
            "2. You get it in the panel (the link works once):\n\n  {panel}\n\n   and as on any channel (buttons, where the \
             platform has them):\n"
        ))?;
        let mut changes = daemon.broker.changes();
        let asked = self
            .client
            .post(&["v1", "asks"], Some(&body))
            .await
            .map_err(Stop::from)?;
        let id = AskView::of(&asked)?.id;
        // Typing counts only once the question was shown and that was stored.
        self.until(&id, &mut changes, |ask| {
            !ask.is_pending() || is_in(ask, &["shown"])
        })
        .await?;
        if io::stdin().is_terminal() {
            self.tell("3. Answer: a number, a label, your own words, or skip. Then press Enter.\n")?;
        } else {
            self.tell("3. The answer comes from stdin:\n")?;
        }
        type_in(keyboard);

        let over = tokio::select! {
            over = self.until_over(&id) => over?,
            () = terminal.over() => {
                // Nothing more will be typed. An answer that was is returned in place of the cancelled ask.
                self.client.post(&["v1", "asks", &id, "cancel"], None).await.map_err(Stop::from)?
            }
        };
        let settled = self.until(&id, &mut changes, |ask| !is_in(ask, &["shown", "settling"]));
        // What does not come on the screen in time is no reason to keep the answer back.
        let _ = tokio::time::timeout(LAST_LOOK, settled).await;
        self.tell("4. The agent gets:\n")?;
        let exit = ask::print(&over, true)?;
        self.tell("\nThat was all. Now for real: askd serve, then askd ask --help")?;
        Ok(exit)
    }

    /// The link that signs the one who sits here in to the panel.
    async fn panel(&self, url: &str, daemon: &Daemon) -> anyhow::Result<String> {
        let operator = Principal {
            token: TokenName::new("demo"),
            role: Role::Operator,
        };
        let you = PersonName::new(YOU);
        let offer = daemon.broker.offer_sign_in(&operator, Some(&you)).await?;
        Ok(offer.link(url))
    }

    /// Waits as an agent does, in bounded holds.
    async fn until_over(&self, id: &str) -> anyhow::Result<Value> {
        loop {
            let asked = self.client.wait(id, MOST_WAIT).await.map_err(Stop::from)?;
            if !AskView::of(&asked)?.is_pending() {
                return Ok(asked);
            }
        }
    }

    /// Looks at the ask at every change until it is as wanted.
    async fn until(
        &self,
        id: &str,
        changes: &mut broadcast::Receiver<Change>,
        is_so: impl Fn(&AskView) -> bool,
    ) -> anyhow::Result<()> {
        loop {
            let asked = self.client.wait(id, 0).await.map_err(Stop::from)?;
            if is_so(&AskView::of(&asked)?) {
                return Ok(());
            }
            // An error means that some changes were missed: what is stored tells.
            let _ = changes.recv().await;
        }
    }

    fn tell(&self, text: &str) -> anyhow::Result<()> {
        if !self.quiet {
            out::line(text)?;
        }
        Ok(())
    }
}

/// Reads lines for ever, on a thread of its own: a read from a terminal cannot be cut short.
fn type_in(keyboard: mpsc::UnboundedSender<String>) {
    std::thread::spawn(move || {
        for line in io::stdin().lock().lines() {
            let Ok(line) = line else { return };
            if keyboard.send(line).is_err() {
                return;
            }
        }
    });
}

/// Whether a delivery of the ask is in one of these states.
fn is_in(ask: &AskView, states: &[&str]) -> bool {
    ask.deliveries
        .iter()
        .any(|delivery| states.contains(&delivery.state.as_str()))
}

fn curl(url: &str, state: &State) -> String {
    let token = state.token_file("agent");
    format!(
        "  curl '{url}/v1/asks?wait=55' -H 'Content-Type: application/json' \\\n  \
           -H \"Authorization: Bearer $(cat {})\" -d '{BODY}'",
        token.display()
    )
}
