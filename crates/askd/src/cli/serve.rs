//! `askd serve`: the daemon, from its start to its end.
//!
//! Whatever cannot work is found before anything starts, in the order of what is cheapest to mend: configuration,
//! state directory, port, database. Each failure is a line on stderr and an exit code.

use std::{
    io::{self, IsTerminal as _},
    num::NonZeroU32,
    path::PathBuf,
    sync::Arc,
};

use askd_core::{
    broker::Settings,
    id::TokenName,
    push::PushSender,
    rights::{Principal, Role, Tokens},
};
use askd_http::HttpOptions;
use askd_mcp::{Holds, McpOptions};
use askd_push::{PushConfig, WebPush};
use clap::Args;
use jiff::SignedDuration;
use reqwest::Url;
use secrecy::{ExposeSecret as _, SecretString};
use serde_json::json;
use tokio::sync::watch;

use super::{Context, check};
use crate::{
    assemble::{self, Daemon, Parts},
    channels,
    clock::{OsChance, SystemClock},
    config::{self, BadConfig, Config, GENERATED, Sources},
    files, log,
    out::{self, Exit},
    signals::{Asked, Signals},
    state::State,
};

const EXAMPLES: &str = "\
Without a configuration file askd listens on 127.0.0.1:7373, keeps its database and two generated
tokens in the state directory, and asks are answered in the panel, on the command line or by HTTP.
A file is looked for in $ASKD_CONFIG, $XDG_CONFIG_HOME/askd/config.toml and /etc/askd/config.toml;
any key can be set by a variable too, as in ASKD_SERVER__LISTEN=127.0.0.1:8080.

ASKD_LOG says what is logged on stderr: info, debug, askd_http=debug, off.

SIGHUP reloads people, routes and tokens. SIGTERM stops within five seconds; pending asks go on at
the next start.";

/// What `askd serve` takes.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The configuration file
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Where to listen
    #[arg(long, value_name = "ADDRESS:PORT")]
    listen: Option<String>,
    /// Leave the session of whoever started this: for a daemon that starts in the background
    #[arg(long, hide = true)]
    own_session: bool,
    /// How the log on stderr is written
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t)]
    log_format: log::Format,
}

/// Runs the daemon until it is told to stop.
pub(super) async fn run(arguments: Arguments, context: &Context) -> anyhow::Result<Exit> {
    if arguments.own_session {
        // It fails for the leader of a group alone, which has nobody to leave.
        let _ = rustix::process::setsid();
    }
    log::start(arguments.log_format, &context.environment, "info")?;
    let mut signals = Signals::take_over()?;
    let sources = Sources {
        environment: context.environment.clone(),
        file: arguments.config,
        listen: arguments.listen,
        kinds: channels::BUILT_IN,
    };
    let config = match config::read(&sources) {
        Ok(config) => config,
        Err(bad) => return check::refused(&bad, context),
    };
    let state = context.state()?;
    state.create()?;
    let _lock = state.lock()?;
    let generated = Generated::make(state)?;
    for (path, what) in state.open_to_others() {
        tracing::warn!(path = %path.display(), what, "state open to others");
    }
    let tokens = match generated.with(&config) {
        Ok(tokens) => tokens,
        Err(bad) => return check::refused(&bad, context),
    };
    let listener = assemble::bind(config.server.listen)?;
    let url = local_url(listener.local_addr()?);
    let store = assemble::open_store(database(state, &config)).await?;
    state.write_url(&url)?;
    let start = Start {
        url: url.clone(),
        state: state.path().display().to_string(),
        config: config.file.clone(),
        channels: config
            .channels
            .iter()
            .map(|channel| channel.name().to_string())
            .collect(),
    };
    let panel = config.server.public_url.clone().unwrap_or(url);

    let http = HttpOptions {
        max_connections: connections(&config, files::raise_limit()),
        ..http_options(&config)
    };
    let push = match &config.push {
        Some(push) => Some(web_push(push, state)?),
        None => None,
    };
    let fixed = Fixed::of(&config);
    let holds = watch::Sender::new(Arc::new(holds(&config)));
    let mcp = McpOptions::new(state.key("mcp", &OsChance)?)
        .with_holds(holds.subscribe())
        // All programs of this machine share it, so it says nothing of who asks.
        .with_unnamed([TokenName::new("agent")]);
    let daemon = Daemon::start(
        Parts {
            store: store.clone(),
            clock: Arc::new(SystemClock),
            chance: Arc::new(OsChance),
            settings: settings(&config),
            http,
            mcp,
            push,
            channels: config.channels,
            directory: config.directory,
            tokens,
        },
        listener,
    )
    .await?;
    if context.json {
        out::line(start.json()?)?;
    } else if io::stdout().is_terminal() {
        // Only whoever sits there reads it: elsewhere it would stay in a log.
        let link = operators_link(&daemon, &panel).await?;
        out::line(start.at_terminal(&link))?;
    } else {
        out::line(start.line())?;
    }

    while signals.next().await == Asked::Reload {
        reload(&sources, &generated, &fixed, &daemon, &holds);
    }
    tracing::info!("stopping");
    daemon.end().await;
    assemble::close_store(store).await;
    tracing::info!("stopped");
    Ok(Exit::Done)
}

fn database(state: &State, config: &Config) -> PathBuf {
    config.store.clone().unwrap_or_else(|| state.database())
}

fn settings(config: &Config) -> Settings {
    Settings {
        max_pending: usize::try_from(config.limits.max_pending).unwrap_or(usize::MAX),
        public_url: config.server.public_url.clone(),
        retention_days: config.limits.retention_days,
    }
}

/// What browsers are woken with. The key is made once and kept: another one would make every subscription worthless.
fn web_push(config: &config::Push, state: &State) -> anyhow::Result<Arc<dyn PushSender>> {
    let config = PushConfig {
        key: state.key("push", &OsChance)?,
        contact: config.contact.clone(),
        services: config.services.clone(),
    };
    let sender = WebPush::new(config, Arc::new(SystemClock)).map_err(|error| match error {
        askd_push::BadConfig::Key => anyhow::anyhow!(
            "{} holds no key; remove it, and the next start of askd makes a new one",
            state.path().join("push.key").display()
        ),
        other => other.into(),
    })?;
    Ok(Arc::new(sender))
}

/// How long calls over MCP are held.
fn holds(config: &Config) -> Holds {
    let seconds = |seconds| SignedDuration::from_secs(i64::from(seconds));
    let by_token = config.tokens.iter();
    Holds {
        default: config.hold_seconds.map(seconds),
        by_token: by_token
            .filter_map(|token| Some((token.name.clone(), seconds(token.hold_seconds?))))
            .collect(),
    }
}

fn http_options(config: &Config) -> HttpOptions {
    let public = config
        .server
        .public_url
        .as_deref()
        .and_then(|url| Url::parse(url).ok());
    let host = public.as_ref().and_then(|url| {
        let host = url.host_str()?;
        Some(
            url.port()
                .map_or_else(|| host.to_owned(), |port| format!("{host}:{port}")),
        )
    });
    HttpOptions {
        body_limit: usize::try_from(config.limits.max_body_bytes).unwrap_or(usize::MAX),
        allowed_hosts: host.into_iter().collect(),
        trusted_proxies: config.server.trusted_proxies.clone(),
        requests_per_second: NonZeroU32::new(config.limits.requests_per_second).unwrap_or(NonZeroU32::MIN),
        max_held: usize::try_from(config.limits.max_held).unwrap_or(usize::MAX),
        ..HttpOptions::default()
    }
}

/// Open files that are not for connections to us: the database, and connections to platforms.
const OTHER_FILES: usize = 256;

/// Most connections: as configured, or fewer where the process may not have as many open files. Some are always left.
fn connections(config: &Config, files: usize) -> usize {
    let wanted = usize::try_from(config.limits.max_connections).unwrap_or(usize::MAX);
    let possible = files.saturating_sub(OTHER_FILES).max(files / 2);
    if possible < wanted {
        tracing::warn!(
            wanted,
            possible,
            remedy = "let askd have more open files: LimitNOFILE= of systemd, or ulimit -n",
            "fewer connections than configured"
        );
    }
    wanted.min(possible)
}

/// How this machine reaches what listens on `address`.
fn local_url(address: std::net::SocketAddr) -> String {
    use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip => ip,
    };
    format!("http://{}", std::net::SocketAddr::new(ip, address.port()))
}

/// The tokens that askd makes itself.
struct Generated(Vec<(TokenName, Role, SecretString)>);

impl Generated {
    fn make(state: &State) -> anyhow::Result<Self> {
        let made = GENERATED.into_iter().map(|(name, role)| {
            let secret = state.token(name, &OsChance)?;
            Ok((TokenName::new(name), role, secret))
        });
        made.collect::<anyhow::Result<_>>().map(Self)
    }

    /// Together with those of the configuration.
    fn with(&self, config: &Config) -> Result<Tokens, BadConfig> {
        let mut tokens = Tokens::default();
        for (name, role, secret) in &self.0 {
            let principal = Principal {
                token: name.clone(),
                role: role.clone(),
            };
            tokens.add(secret.expose_secret(), principal);
        }
        for token in &config.tokens {
            let principal = Principal {
                token: token.name.clone(),
                role: token.role.clone(),
            };
            if !tokens.add(token.secret.expose_secret(), principal) {
                let key = format!("tokens.{}", token.name);
                return Err(config.fault(
                    key,
                    "is the secret of a token that askd made itself; give it one of its own",
                ));
            }
        }
        Ok(tokens)
    }
}

/// What a reload cannot change.
#[derive(PartialEq, Eq)]
struct Fixed {
    server: config::Server,
    limits: config::Limits,
    store: Option<PathBuf>,
    push: Option<config::Push>,
    channels: [u8; 32],
}

impl Fixed {
    fn of(config: &Config) -> Self {
        Self {
            server: config.server.clone(),
            limits: config.limits.clone(),
            store: config.store.clone(),
            push: config.push.clone(),
            channels: config.channels_hash,
        }
    }
}

/// Reads people, routes and tokens anew. A bad configuration keeps the old one.
fn reload(
    sources: &Sources,
    generated: &Generated,
    fixed: &Fixed,
    daemon: &Daemon,
    holds_in_force: &watch::Sender<Arc<Holds>>,
) {
    let read = config::read(sources).and_then(|config| Ok((generated.with(&config)?, config)));
    let (tokens, config) = match read {
        Ok(read) => read,
        Err(bad) => {
            for fault in bad.lines() {
                tracing::error!(fault, "configuration refused, the old one stays");
            }
            return;
        }
    };
    if Fixed::of(&config) != *fixed {
        tracing::warn!("only people, routes and tokens were reloaded, the rest needs a restart");
    }
    let (people, routes) = (config.directory.people.len(), config.directory.routes.len());
    holds_in_force.send_replace(Arc::new(holds(&config)));
    daemon.replace(config.directory, tokens);
    // Said last: whoever reads it finds the new configuration in force.
    tracing::info!(
        people,
        routes,
        tokens = config.tokens.len(),
        "configuration reloaded"
    );
}

/// A link that signs the operator in to the panel.
async fn operators_link(daemon: &Daemon, panel: &str) -> anyhow::Result<String> {
    let operator = Principal {
        token: TokenName::new("operator"),
        role: Role::Operator,
    };
    let offer = daemon.broker.offer_sign_in(&operator, None).await?;
    Ok(offer.link(panel))
}

/// What is said once everything runs.
struct Start {
    url: String,
    state: String,
    config: Option<PathBuf>,
    channels: Vec<String>,
}

impl Start {
    fn json(&self) -> anyhow::Result<String> {
        Ok(serde_json::to_string(&json!({
            "url": self.url,
            "stateDirectory": self.state,
            "config": self.config,
            "channels": self.channels,
            "version": env!("CARGO_PKG_VERSION"),
        }))?)
    }

    fn line(&self) -> String {
        format!("{}, panel: askd pair --web", self.told())
    }

    fn at_terminal(&self, link: &str) -> String {
        format!(
            "{}\npanel: {link}\nThe link works once, within 10 minutes; askd pair --web prints another.",
            self.told()
        )
    }

    fn told(&self) -> String {
        format!(
            "askd listens on {}, state in {}; ask: askd ask \"Ready?\" -o Yes -o No, answer: askd answer",
            self.url, self.state
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_gets_the_link_on_a_line_of_its_own_and_nothing_else_does() {
        let start = Start {
            url: "http://127.0.0.1:7373".to_owned(),
            state: "/state".to_owned(),
            config: None,
            channels: Vec::new(),
        };

        let at_terminal = start.at_terminal("http://127.0.0.1:7373/sign-in#00ff");

        assert!(at_terminal.contains("\npanel: http://127.0.0.1:7373/sign-in#00ff\n"));
        assert!(start.line().contains("askd pair --web") && !start.line().contains('\n'));
        assert!(!start.json().unwrap().contains("sign-in"));
    }

    #[test]
    fn what_listens_everywhere_is_reached_on_this_machine() {
        for (listen, url) in [
            ("127.0.0.1:7373", "http://127.0.0.1:7373"),
            ("0.0.0.0:80", "http://127.0.0.1:80"),
            ("[::]:80", "http://[::1]:80"),
            ("10.0.0.1:80", "http://10.0.0.1:80"),
        ] {
            assert_eq!(local_url(listen.parse().unwrap()), url);
        }
    }
}
