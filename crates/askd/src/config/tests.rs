#[path = "../../../../fuzz/checks/config.rs"]
mod check;
#[path = "../../../../fuzz/checks/growth.rs"]
mod growth;
mod layers;
mod push;
mod seeds;

use std::{fs, time::Duration};

use askd_core::{
    channel::{BadAddress, ChannelError, Posted},
    id::{Address, MessageRef, PersonName, PostKey},
    inbound::Inbox,
    present::{Capabilities, Message, Presentation},
    rights::Role,
    route::Target,
};
use async_trait::async_trait;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use super::*;

/// A channel whose addresses are numbers.
#[derive(Debug)]
struct Paper(ChannelName);

#[async_trait]
impl Channel for Paper {
    fn name(&self) -> &ChannelName {
        &self.0
    }

    fn parse_address(&self, local: &str) -> Result<Address, BadAddress> {
        match local.parse::<u32>() {
            Ok(_) => Ok(Address::new(self.0.clone(), local)),
            Err(_) => Err(BadAddress("an address on paper is a number".to_owned())),
        }
    }

    fn capabilities(&self, _: &Address) -> Capabilities {
        Capabilities::plain_text()
    }

    async fn post(&self, _: &Address, _: &Presentation, _: &PostKey) -> Result<Posted, ChannelError> {
        Err(ChannelError::Unsupported("post"))
    }

    async fn edit(&self, _: &MessageRef, _: &Message) -> Result<(), ChannelError> {
        Err(ChannelError::Unsupported("edit"))
    }

    fn deaf_after(&self) -> Duration {
        Duration::from_mins(1)
    }

    async fn listen(&self, _: &dyn Inbox, _: CancellationToken) -> Result<(), ChannelError> {
        Err(ChannelError::Unsupported("listen"))
    }
}

const KINDS: &[Kind] = &[Kind {
    name: "paper",
    build: |name, section, folders| {
        folders.secret(section, "pen")?;
        Some(Arc::new(Paper(name.clone())))
    },
}];

/// A folder with a configuration in it.
struct Desk {
    folder: TempDir,
}

impl Desk {
    fn with(config: &str) -> Self {
        let desk = Self {
            folder: tempfile::tempdir().unwrap(),
        };
        desk.put("config.toml", config);
        desk
    }

    fn put(&self, name: &str, text: &str) {
        fs::write(self.folder.path().join(name), text).unwrap();
    }

    fn sources(&self, variables: &[(&str, &str)]) -> Sources {
        Sources {
            environment: Environment::of(variables),
            file: Some(self.folder.path().join("config.toml")),
            listen: None,
            kinds: KINDS,
        }
    }

    fn read(&self, variables: &[(&str, &str)]) -> Result<Config, BadConfig> {
        read(&self.sources(variables))
    }

    /// Every fault without the folder before it.
    fn faults(&self, variables: &[(&str, &str)]) -> Vec<String> {
        let folder = format!("{}/", self.folder.path().display());
        let bad = self.read(variables).expect_err("a bad configuration");
        bad.lines().map(|line| line.replace(&folder, "")).collect()
    }
}

fn good(config: &str) -> Config {
    Desk::with(config).read(&[]).unwrap()
}

fn faults(config: &str) -> Vec<String> {
    Desk::with(config).faults(&[])
}

const WHOLE: &str = r#"
[server]
listen = "127.0.0.1:8080"
public_url = "https://askd.example.org/"
language = "fa"
time_zone = "Europe/Berlin"
[store]
url = "sqlite:///var/lib/askd/askd.db"
[limits]
max_pending = 9
[channels.desk]
kind = "paper"
pen = "ink"
[people.sara]
name = "Sara"
language = "en"
time_zone = "Asia/Tehran"
accounts = ["desk:1", "desk:2"]
[people.omid]
[[routes]]
agent = "build-bot"
session = "web-*"
to = ["sara", "desk:99"]
answerers = ["sara", "omid"]
[[routes]]
to = ["omid"]
[tokens.build-bot]
role = "agent"
token = "agents-secret"
[tokens.of-sara]
role = "person"
person = "sara"
token = "saras-secret"
"#;

#[test]
fn a_whole_configuration_is_understood() {
    let config = good(WHOLE);

    assert_eq!(config.server.listen.to_string(), "127.0.0.1:8080");
    assert_eq!(
        config.server.public_url.as_deref(),
        Some("https://askd.example.org")
    );
    assert_eq!(config.store.as_deref(), Some(Path::new("/var/lib/askd/askd.db")));
    assert_eq!(config.limits.max_pending, 9);
    assert_eq!(config.limits.retention_days, 30);
    let directory = &config.directory;
    let sara = &directory.people[&PersonName::new("sara")];
    assert_eq!(sara.display, "Sara");
    assert_eq!(sara.accounts.len(), 2);
    assert_eq!(directory.people[&PersonName::new("omid")].display, "omid");
    assert_eq!(directory.server.language.tag(), "fa");
    let route = &directory.routes[0];
    assert!(route.session.as_ref().unwrap().is_match("web-7"));
    assert_eq!(
        route.to[1],
        Target::Place(Address::new(ChannelName::new("desk"), "99"))
    );
    assert_eq!(
        directory.with_token.iter().collect::<Vec<_>>(),
        [&PersonName::new("sara")]
    );
    assert_eq!(config.tokens[0].role, Role::Agent);
}

#[test]
fn nothing_at_all_is_a_good_configuration() {
    let config = good("");

    assert_eq!(config.server.listen.to_string(), "127.0.0.1:7373");
    assert_eq!(config.store, None);
    assert!(config.directory.people.is_empty() && config.tokens.is_empty() && config.channels.is_empty());
}

#[test]
fn all_faults_are_told_at_once_each_with_key_line_and_reason() {
    let config = r#"
[server]
lisen = "127.0.0.1:1"
listen = "0.0.0.0:7373"
language = "tlh"
time_zone = "Mars/Base"
public_url = "askd"
[store]
url = "postgres://db"
[limits]
max_pending = 0
[channels.post]
kind = "pigeon"
[channels.desk]
kind = "paper"
[people.sara]
accounts = ["desk:x", "sms:1", "nonsense"]
[people.omid]
accounts = 5
[[routes]]
session = "a[b"
to = ["nobody", "desk:1"]
[[routes]]
agent = "build-bot"
[tokens.a]
role = "boss"
token = "x"
[tokens.b]
role = "person"
token_file = "missing.token"
[people.reza]
acounts = []
"#;

    let expected = [
        "config.toml:3: server.lisen: no such key; known here: language, listen, public_url, time_zone, trusted_proxy",
        "config.toml:4: server.listen: would be reachable from other machines without encryption; put a TLS proxy in \
         front and name it in trusted_proxy, or listen on 127.0.0.1",
        "config.toml:5: server.language: askd does not speak \"tlh\"; it speaks en, fa",
        "config.toml:6: server.time_zone: there is no time zone \"Mars/Base\"; write one like Europe/Berlin",
        "config.toml:7: server.public_url: must be a web address such as https://askd.example.org, without query",
        "config.toml:9: store.url: must be sqlite:// and an absolute path, as in sqlite:///var/lib/askd/askd.db",
        "config.toml:11: limits.max_pending: must be a whole number from 1 to 10000",
        "config.toml:13: channels.post.kind: there is no kind of channel \"pigeon\"; built in: paper",
        "config.toml:14: channels.desk.pen: is needed, or pen_file",
        "config.toml:17: people.sara.accounts: there is no [channels.sms]; there are: desk, post",
        "config.toml:17: people.sara.accounts: \"nonsense\" is no address: write CHANNEL:ADDRESS",
        "config.toml:19: people.omid.accounts: must be a text in quotes, not a number",
        "config.toml:21: routes[0].session: unclosed character class; missing ']'",
        "config.toml:22: routes[0].to: \"nobody\" is nobody in [people]; there are: omid, reza, sara",
        "config.toml:22: routes[0].to: desk:1 is a place that several people may read: name who may answer in answerers",
        "config.toml:23: routes[1].to: is needed: who is asked",
        "config.toml:26: tokens.a.role: there is no role \"boss\"; write agent, subagent, person or operator",
        "config.toml:28: tokens.b.person: is needed for a token of role person: whose it is",
        "config.toml:30: tokens.b.token_file: cannot read missing.token: there is no such file",
        "config.toml:32: people.reza.acounts: no such key; known here: accounts, language, name, time_zone",
    ];
    assert_eq!(faults(config), expected);
}

#[test]
fn an_address_is_judged_by_its_channel() {
    let config = "[channels.desk]\nkind = \"paper\"\npen = \"ink\"\n[people.sara]\naccounts = [\n\"desk:1\",\n\"desk:x\"]";

    assert_eq!(
        faults(config),
        ["config.toml:7: people.sara.accounts: \"desk:x\": an address on paper is a number"]
    );
}

#[test]
fn syntax_errors_have_lines_and_quote_nothing() {
    let found = faults(
        "[server]\nlisten = \"127.0.0.1:1\"\n[tokens.a]\ntoken = hush-hush\nrole = \"agent\"\nrole = \"agent\"\n",
    );

    assert!(
        found.iter().any(|line| line.starts_with("config.toml:4: ")),
        "{found:?}"
    );
    assert!(
        found.iter().any(|line| line.starts_with("config.toml:6: ")),
        "both at once: {found:?}"
    );
    assert!(found.iter().all(|line| !line.contains("hush-hush")), "{found:?}");
}

#[test]
fn two_people_cannot_share_an_account() {
    let desk = "[channels.desk]\nkind = \"paper\"\npen = \"ink\"\n";
    let config = format!("{desk}[people.a]\naccounts = [\"desk:1\"]\n[people.b]\naccounts = [\"desk:1\"]\n");

    assert_eq!(
        faults(&config),
        ["config.toml:7: people.b.accounts: desk:1 is an account of a already"]
    );
}

#[test]
fn each_token_has_a_secret_of_its_own_that_fits_a_header() {
    let token =
        |name: &str, secret: &str| format!("[tokens.{name}]\nrole = \"agent\"\ntoken = \"{secret}\"\n");
    let config = token("a", "same") + &token("b", "same") + &token("c", "two words");

    assert_eq!(
        faults(&config),
        [
            "config.toml:6: tokens.b.token: is the secret of tokens.a too; each token needs its own",
            "config.toml:9: tokens.c.token: a secret is one word of letters, digits and ASCII signs, without blanks",
        ]
    );
}

#[test]
fn a_name_of_a_generated_token_keeps_its_role() {
    let config = "[tokens.agent]\nrole = \"operator\"\ntoken = \"x\"\n[tokens.operator]\nrole = \"operator\"\ntoken = \"y\"";

    assert_eq!(
        faults(config),
        [
            "config.toml:1: tokens.agent: askd makes a token of this name itself, of role agent; choose another name"
        ]
    );
}

#[test]
fn calls_over_mcp_are_held_as_long_as_the_operator_says() {
    let config =
        good("[mcp]\nhold_seconds = 50\n[tokens.a]\nrole = \"agent\"\ntoken = \"x\"\nhold_seconds = 3600");
    assert_eq!(
        (config.hold_seconds, config.tokens[0].hold_seconds),
        (Some(50), Some(3600))
    );
    assert_eq!(good("").hold_seconds, None);

    for wrong in ["0", "3601", "\"soon\""] {
        assert_eq!(
            faults(&format!("[mcp]\nhold_seconds = {wrong}\n")).len(),
            1,
            "{wrong}"
        );
    }
}

#[test]
fn beyond_this_machine_askd_listens_only_behind_a_proxy() {
    let listen = |address: &str| format!("[server]\nlisten = \"{address}\"\n");

    for address in ["127.0.0.1:1", "127.8.8.8:1", "[::1]:1"] {
        good(&listen(address));
    }
    for address in ["0.0.0.0:1", "[::]:1", "10.0.0.1:1"] {
        assert_eq!(faults(&listen(address)).len(), 1, "{address}");
        good(&(listen(address) + "trusted_proxy = \"10.0.0.2\""));
    }
}

#[test]
fn a_configuration_does_not_print_its_secrets() {
    let printed = format!("{:?}", good(WHOLE));

    assert!(printed.contains("build-bot"));
    for secret in ["agents-secret", "saras-secret"] {
        assert!(!printed.contains(secret), "{secret}");
    }
}

#[test]
fn a_file_that_cannot_be_read_is_a_fault_and_not_an_empty_one() {
    let desk = Desk::with("");
    let mut sources = desk.sources(&[]);
    sources.file = Some(desk.folder.path().join("other.toml"));

    let error = read(&sources).unwrap_err();

    assert!(
        error
            .to_string()
            .ends_with("other.toml: cannot be read: there is no such file"),
        "{error}"
    );
    fs::write(desk.folder.path().join("config.toml"), b"[server]\n\xff").unwrap();
    assert_eq!(desk.faults(&[]), ["config.toml: line 2 is not UTF-8"]);
}

#[test]
fn only_a_change_of_a_channel_changes_the_hash_of_channels() {
    let hash = |config: &str| good(config).channels_hash;

    assert_eq!(hash(WHOLE), hash(&format!("# moved by a line\n{WHOLE}")));
    assert_eq!(hash(WHOLE), hash(&WHOLE.replace("Sara", "Sarah")));
    assert_ne!(hash(WHOLE), hash(&WHOLE.replace("ink", "lead")));
}

#[test]
fn without_any_kind_built_in_a_channel_is_refused_and_the_reason_says_so() {
    let desk = Desk::with("[channels.telegram]\nkind = \"telegram\"\ntoken = \"x\"\n");
    let mut sources = desk.sources(&[]);
    sources.kinds = &[];

    let error = read(&sources).unwrap_err();

    assert!(
        error
            .to_string()
            .ends_with("there is no kind of channel \"telegram\"; none is built into this askd"),
        "{error}"
    );
    assert_eq!(
        error.faults.len(),
        1,
        "what else is in the section, nobody can judge"
    );
}
