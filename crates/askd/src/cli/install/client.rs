//! The clients: where each keeps its settings, and what has to stand there.
//!
//! Everything here is a fact about another program. `CHECKED` names the version of the real one that was seen to take
//! it (`cargo xtask clients` does that again); the others are written from their documentation, and said to be so.
//!
//! Time-outs: an ask lives for at most 3600 seconds (SPEC 1), so a client that counts is told 3700. One that hears
//! progress, or has no limit, is told nothing. For one that has a limit and no setting for it, `askd mcp` returns
//! before that, and the agent goes on with `ask_user_wait`.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use serde_json::{Value, json};

use super::change::{Change, Field};
use crate::config::Environment;

/// What askd is called in a client's settings.
const NAME: &str = "askd";

/// The variable that a client takes the token from. It is never written into a file.
const TOKEN: &str = "ASKD_TOKEN";

/// Longer than any ask. Unit: seconds.
const LONGER_THAN_ANY_ASK: u32 = 3700;

/// Shorter than any client's limit: 60 at least, where one is known. Unit: seconds.
const SHORTER_THAN_ANY_LIMIT: u32 = 50;

/// A program whose agents can ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Client {
    ClaudeCode,
    Codex,
    #[value(name = "opencode")]
    OpenCode,
    Gemini,
    #[value(name = "vscode")]
    VsCode,
    Cursor,
    ClaudeDesktop,
    Windsurf,
    Zed,
    Cline,
    Goose,
}

/// How a client reaches askd.
#[derive(Clone, Debug)]
pub(super) enum Transport {
    /// It starts this program.
    Stdio(String),
    /// It calls this address.
    Http(String),
}

/// How a file of settings is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// JSON, with comments where its client takes them.
    Json,
    Toml,
    /// Shown, and not written: nothing edits YAML and keeps its comments.
    Yaml,
}

/// A file of settings and what it should say.
#[derive(Clone, Debug)]
pub(super) struct Recipe {
    pub(super) path: PathBuf,
    pub(super) format: Format,
    pub(super) changes: Vec<Change>,
}

/// Where things are on this machine.
pub(super) struct Places<'e> {
    environment: &'e Environment,
    home: PathBuf,
    /// The project: where the command was run.
    here: PathBuf,
}

/// Why a client cannot be told what was asked for.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum NotOffered {
    #[error("{0} has no settings of a project")]
    Project(&'static str),
    #[error(
        "{0} is not known to take a token from a variable, and none is written into a file; leave out --http"
    )]
    Http(&'static str),
}

impl<'e> Places<'e> {
    /// `None` where nobody says where home is.
    pub(super) fn new(environment: &'e Environment, here: PathBuf) -> Option<Self> {
        let home = environment.path("HOME")?;
        Some(Self {
            environment,
            home,
            here,
        })
    }

    fn config(&self) -> PathBuf {
        let named = self.environment.path("XDG_CONFIG_HOME");
        named
            .filter(|path| path.is_absolute())
            .unwrap_or_else(|| self.home.join(".config"))
    }

    /// Where programs with windows keep theirs.
    fn application(&self, path: &str) -> PathBuf {
        if cfg!(target_os = "macos") {
            self.home.join("Library/Application Support").join(path)
        } else {
            self.config().join(path)
        }
    }

    /// A folder that a variable can name.
    fn named(&self, variable: &str, usual: &str) -> PathBuf {
        let named = self.environment.path(variable);
        named.unwrap_or_else(|| self.home.join(usual))
    }
}

impl Client {
    /// As its makers write it.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::ClaudeCode => "Claude Code",
            Self::Codex => "Codex",
            Self::OpenCode => "opencode",
            Self::Gemini => "Gemini CLI",
            Self::VsCode => "VS Code",
            Self::Cursor => "Cursor",
            Self::ClaudeDesktop => "Claude Desktop",
            Self::Windsurf => "Windsurf",
            Self::Zed => "Zed",
            Self::Cline => "Cline",
            Self::Goose => "Goose",
        }
    }

    /// The version of the program itself that read these settings and listed askd; `None` where nobody has tried.
    pub(super) fn checked(self) -> Option<&'static str> {
        match self {
            Self::ClaudeCode => Some("2.1.332"),
            Self::Codex => Some("0.171.0"),
            Self::OpenCode => Some("1.18.33"),
            Self::Gemini => Some("0.61.0"),
            _ => None,
        }
    }

    /// The files, for the whole user or for the project.
    pub(super) fn recipes(
        self,
        transport: &Transport,
        project: bool,
        places: &Places<'_>,
    ) -> Result<Vec<Recipe>, NotOffered> {
        let (path, format) = self.settings(project, places)?;
        let fields = self.fields(transport).ok_or(NotOffered::Http(self.title()))?;
        let entry = Change::Entry {
            path: vec![self.section(), NAME],
            fields,
        };
        let entry = Recipe {
            path,
            format,
            changes: vec![entry],
        };
        Ok(vec![entry])
    }

    /// Where its servers are listed. Sources: the MCP page of each client's documentation.
    fn settings(self, project: bool, places: &Places<'_>) -> Result<(PathBuf, Format), NotOffered> {
        let Places { home, here, .. } = places;
        let path = match (self, project) {
            (Self::ClaudeCode, true) => here.join(".mcp.json"),
            (Self::ClaudeCode, false) => match places.environment.path("CLAUDE_CONFIG_DIR") {
                Some(folder) => folder.join(".claude.json"),
                None => home.join(".claude.json"),
            },
            (Self::Codex, true) => here.join(".codex/config.toml"),
            (Self::Codex, false) => places.named("CODEX_HOME", ".codex").join("config.toml"),
            (Self::OpenCode, true) => either(here, "opencode"),
            (Self::OpenCode, false) => either(&places.config().join("opencode"), "opencode"),
            (Self::Gemini, true) => here.join(".gemini/settings.json"),
            (Self::Gemini, false) => home.join(".gemini/settings.json"),
            (Self::VsCode, true) => here.join(".vscode/mcp.json"),
            (Self::VsCode, false) => places.application("Code/User/mcp.json"),
            (Self::Cursor, true) => here.join(".cursor/mcp.json"),
            (Self::Cursor, false) => home.join(".cursor/mcp.json"),
            (Self::ClaudeDesktop, false) => places.application("Claude/claude_desktop_config.json"),
            (Self::Windsurf, false) => home.join(".codeium/windsurf/mcp_config.json"),
            (Self::Zed, true) => here.join(".zed/settings.json"),
            (Self::Zed, false) => places.config().join("zed/settings.json"),
            (Self::Cline, false) => places.named(
                "CLINE_MCP_SETTINGS_PATH",
                ".cline/data/settings/cline_mcp_settings.json",
            ),
            (Self::Goose, false) => places.config().join("goose/config.yaml"),
            (Self::ClaudeDesktop | Self::Windsurf | Self::Cline | Self::Goose, true) => {
                return Err(NotOffered::Project(self.title()));
            }
        };
        let format = match self {
            Self::Codex => Format::Toml,
            Self::Goose => Format::Yaml,
            _ => Format::Json,
        };
        Ok((path, format))
    }

    /// The table of servers in its settings.
    fn section(self) -> &'static str {
        match self {
            Self::Codex => "mcp_servers",
            Self::OpenCode => "mcp",
            Self::VsCode => "servers",
            Self::Zed => "context_servers",
            Self::Goose => "extensions",
            _ => "mcpServers",
        }
    }

    /// The entry. `None` where a token would have to stand in the file.
    fn fields(self, transport: &Transport) -> Option<Vec<Field>> {
        let mut fields = match transport {
            Transport::Stdio(command) => self.started_by(command),
            Transport::Http(url) => self.called_at(url)?,
        };
        fields.extend(self.patience());
        Some(fields)
    }

    fn started_by(self, command: &str) -> Vec<Field> {
        let typed = |kind: &str| Field::ours("type", kind);
        let args = match self {
            Self::VsCode | Self::Cursor | Self::ClaudeDesktop | Self::Windsurf | Self::Zed => {
                json!(["mcp", "--hold-seconds", SHORTER_THAN_ANY_LIMIT.to_string()])
            }
            _ => json!(["mcp"]),
        };
        let command_and_args = [Field::ours("command", command), Field::ours("args", args)];
        match self {
            Self::OpenCode => vec![typed("local"), Field::ours("command", json!([command, "mcp"]))],
            Self::Goose => vec![
                Field::unless_said("enabled", true),
                typed("stdio"),
                Field::ours("name", NAME),
                Field::unless_said("description", "Asks people"),
                Field::ours("cmd", command),
                Field::ours("args", json!(["mcp"])),
            ],
            Self::ClaudeCode | Self::VsCode => {
                std::iter::once(typed("stdio")).chain(command_and_args).collect()
            }
            _ => command_and_args.into(),
        }
    }

    /// With the token from a variable, in each client's own way of saying so.
    fn called_at(self, url: &str) -> Option<Vec<Field>> {
        let header = |variable: String| json!({ "Authorization": format!("Bearer {variable}") });
        let with = |kind: Option<&str>, name: &'static str, variable: String| {
            let kind = kind.map(|kind| Field::ours("type", kind));
            let rest = [Field::ours(name, url), Field::ours("headers", header(variable))];
            Some(kind.into_iter().chain(rest).collect())
        };
        match self {
            Self::ClaudeCode => with(Some("http"), "url", format!("${{{TOKEN}}}")),
            Self::Codex => Some(vec![
                Field::ours("url", url),
                Field::ours("bearer_token_env_var", TOKEN),
            ]),
            Self::OpenCode => with(Some("remote"), "url", format!("{{env:{TOKEN}}}")).map(|mut fields| {
                // Otherwise it tries to sign in first.
                fields.push(Field::ours("oauth", false));
                fields
            }),
            Self::Gemini => with(Some("http"), "url", format!("${TOKEN}")),
            Self::Cursor => with(None, "url", format!("${{env:{TOKEN}}}")),
            Self::Windsurf => with(None, "serverUrl", format!("${{env:{TOKEN}}}")),
            Self::VsCode | Self::ClaudeDesktop | Self::Zed | Self::Cline | Self::Goose => None,
        }
    }

    /// What makes it wait for people: its time-out, and no question in the terminal before the one on the phone.
    fn patience(self) -> Vec<Field> {
        let seconds = LONGER_THAN_ANY_ASK;
        match self {
            Self::Codex => vec![
                Field::at_least("tool_timeout_sec", seconds),
                Field::unless_said("default_tools_approval_mode", "approve"),
            ],
            // Milliseconds.
            Self::Gemini => vec![
                Field::at_least("timeout", seconds * 1000),
                Field::unless_said("trust", true),
            ],
            // Its longest, and the longest an ask lives.
            Self::Cline => vec![
                Field::at_least("timeout", 3600),
                Field::unless_said("disabled", false),
            ],
            Self::Goose => vec![Field::at_least("timeout", seconds)],
            _ => Vec::new(),
        }
    }

    /// What whoever installs it should know.
    pub(super) fn notes(self, transport: &Transport) -> Vec<String> {
        let mut notes = Vec::new();
        if self.checked().is_none() {
            notes.push(format!(
                "unverified: written from the documentation of {}, and never tried with it",
                self.title()
            ));
        }
        if let Transport::Http(_) = transport {
            notes.push(format!(
                "{} needs the token in the variable {TOKEN}",
                self.title()
            ));
        }
        match self {
            Self::Cursor | Self::Windsurf if matches!(transport, Transport::Http(_)) => notes.push(format!(
                "{} has no setting for how long a tool may take: put hold_seconds = {SHORTER_THAN_ANY_LIMIT} under [mcp] \
                 in askd's configuration",
                self.title()
            )),
            Self::Gemini => notes.push(
                "without a terminal (gemini -p) Gemini CLI hides every tool that is called ask_user".to_owned(),
            ),
            Self::Cline => notes.push(
                "this is the file of its command line; in an editor: MCP Servers, Configure, Configure MCP Servers"
                    .to_owned(),
            ),
            _ => {}
        }
        notes
    }
}

/// What Claude Code's own settings should say beside its list of servers: that askd's tools need no permission, and the
/// hook before its question tool, where one is wanted; where none is, that there is none.
pub(super) fn claude_code(project: bool, places: &Places<'_>, hook: Option<(String, u32)>) -> Recipe {
    let folder = if project {
        places.here.join(".claude")
    } else {
        places.named("CLAUDE_CONFIG_DIR", ".claude")
    };
    let allowed = Change::Listed {
        path: vec!["permissions", "allow"],
        text: format!("mcp__{NAME}"),
    };
    let hook = match hook {
        Some((command, timeout)) => Change::Hook { command, timeout },
        None => Change::NoHook,
    };
    Recipe {
        path: folder.join("settings.json"),
        format: Format::Json,
        changes: vec![allowed, hook],
    }
}

/// Of two names for one file the one that is there; with comments, where neither is.
fn either(folder: &Path, name: &str) -> PathBuf {
    let [commented, plain] = ["jsonc", "json"].map(|extension| folder.join(format!("{name}.{extension}")));
    if plain.exists() && !commented.exists() {
        plain
    } else {
        commented
    }
}

/// The entry as YAML, in which JSON is a way to write a value.
pub(super) fn yaml(changes: &[Change]) -> String {
    let mut text = String::new();
    for change in changes {
        let Change::Entry { path, fields } = change else {
            continue;
        };
        let line = |depth: usize, name: &str, value: &str| format!("{}{name}:{value}\n", "  ".repeat(depth));
        for (depth, name) in path.iter().enumerate() {
            text += &line(depth, name, "");
        }
        for field in fields {
            let value = match &field.value {
                Value::String(word) if word.bytes().all(|byte| byte.is_ascii_lowercase()) => word.clone(),
                other => other.to_string(),
            };
            text += &line(path.len(), field.name, &format!(" {value}"));
        }
    }
    text
}

#[cfg(test)]
mod tests;
