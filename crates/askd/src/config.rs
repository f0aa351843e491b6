//! What the operator says: file, environment and flags, read whole or not at all.
//!
//! [`read`] either returns a [`Config`] in which every name resolves, every address parses and every secret is there,
//! or [`BadConfig`] with *all* that is wrong, so that nobody mends a file one fault at a time. It opens no socket and
//! starts nothing, which is why `askd check` is this function and nothing more.
//!
//! Keys are read by hand from a tree that knows lines (`tree`, `section`) and not by serde, which stops at its first
//! fault and cannot tell where a value of an earlier layer stood (`docs/adr/0002`).
//!
//! * `environment`: the variables, read once; where files lie
//! * `tree`, `section`: layers over each other, and reading them key by key
//! * `secrets`: by value, by file, by variable
//! * `server`, `push`, `directory`, `tokens`: what the sections mean, and whether they fit each other
//!
//! Tests: `config/tests.rs`, and `tests/checking.rs` with the real program.

mod directory;
mod environment;
mod fault;
mod push;
mod secrets;
mod section;
mod server;
mod tokens;
mod tree;

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use askd_core::{channel::Channel, id::ChannelName, people::Directory};

pub(crate) use self::{
    environment::Environment,
    fault::{BadConfig, Origin},
    push::Push,
    secrets::{SecretFolders, is_token, reason},
    section::Section,
    server::{Limits, Server},
    tokens::{GENERATED, Token},
};
use self::{fault::Faults, tree::Table};

/// A kind of channel that is built in, by the word in `kind = "…"`.
#[derive(Clone, Copy)]
pub(crate) struct Kind {
    /// The word.
    pub(crate) name: &'static str,
    /// Reads the rest of the channel's section and builds the channel, without any I/O but reading files of
    /// secrets. `None` where it has noted a fault.
    pub(crate) build: fn(&ChannelName, &Section<'_>, &SecretFolders) -> Option<Arc<dyn Channel>>,
}

/// Where a configuration comes from; kept, so that it can be read again.
#[derive(Clone)]
pub(crate) struct Sources {
    /// The variables.
    pub(crate) environment: Environment,
    /// `--config FILE`.
    pub(crate) file: Option<PathBuf>,
    /// `--listen ADDRESS`.
    pub(crate) listen: Option<String>,
    /// What `kind` may say.
    pub(crate) kinds: &'static [Kind],
}

/// A configuration in which everything fits.
#[derive(Debug)]
pub(crate) struct Config {
    /// The file, if there is one.
    pub(crate) file: Option<PathBuf>,
    /// `[server]`.
    pub(crate) server: Server,
    /// `[store]`: the database file; in the state directory, if absent.
    pub(crate) store: Option<PathBuf>,
    /// `[limits]` and `[history]`.
    pub(crate) limits: Limits,
    /// `[mcp]`: how long calls over MCP are held. Unit: seconds.
    pub(crate) hold_seconds: Option<u32>,
    /// `[push]`; `None` where web push is not switched on.
    pub(crate) push: Option<Push>,
    /// `[channels]`, by name.
    pub(crate) channels: Vec<Arc<dyn Channel>>,
    /// SHA-256 of `[channels]`, to tell whether it changed.
    pub(crate) channels_hash: [u8; 32],
    /// `[people]` and `[[routes]]`.
    pub(crate) directory: Directory,
    /// `[tokens]`; those that askd makes itself are not among them.
    pub(crate) tokens: Vec<Token>,
}

impl Config {
    /// One fault that shows only beside what is not in the configuration.
    pub(crate) fn fault(&self, key: impl Into<String>, reason: impl Into<String>) -> BadConfig {
        BadConfig::of(self.file.as_deref(), key, reason)
    }
}

/// The channels of a configuration. `None` for one with a fault of its own: its addresses cannot be judged.
type Channels = BTreeMap<ChannelName, Option<Arc<dyn Channel>>>;

/// Reads the configuration.
///
/// # Errors
/// [`BadConfig`] with everything that is wrong.
pub(crate) fn read(sources: &Sources) -> Result<Config, BadConfig> {
    let (file, text) = find(sources)?;
    read_text(&text, file.as_deref(), sources)
}

/// Reads the configuration whose file says `text`.
///
/// # Errors
/// [`BadConfig`] with everything that is wrong.
pub(crate) fn read_text(text: &str, file: Option<&Path>, sources: &Sources) -> Result<Config, BadConfig> {
    let faults = Faults::default();
    let mut tree = tree::parse(text, &faults);
    tree::lay_environment_over(&mut tree, &sources.environment, &faults);
    if let Some(listen) = &sources.listen {
        let path = ["server".to_owned(), "listen".to_owned()];
        tree::lay_over(&mut tree, &path, listen, &Origin::Flag("--listen"), &faults);
    }
    let config = understand(&tree, file, sources, &faults);
    faults.verdict(file)?;
    Ok(config)
}

/// Reads every section, noting faults; the result is of use only where there are none.
fn understand(tree: &Table, file: Option<&Path>, sources: &Sources, faults: &Faults) -> Config {
    let folders = SecretFolders::new(&sources.environment, file);
    let root = Section::root(tree, faults);
    let (server, reader) = server::server(&root);
    let store = server::store(&root);
    let limits = server::limits(&root);
    let hold_seconds = server::mcp(&root);
    let push = push::read(&root, server.public_url.as_deref());
    let channels = channels(&root, sources.kinds, &folders);
    let mut directory = directory::read(&root, &channels, reader);
    let tokens = tokens::read(&root, &folders, &directory.people);
    directory.with_token = tokens::people_with_token(&tokens);
    root.finish();
    Config {
        file: file.map(Path::to_path_buf),
        server,
        store,
        limits,
        hold_seconds,
        push,
        channels: channels.into_values().flatten().collect(),
        channels_hash: tree::hash(tree.get("channels")),
        directory,
        tokens,
    }
}

fn channels(root: &Section<'_>, kinds: &[Kind], folders: &SecretFolders) -> Channels {
    let sections = root.named("channels").into_iter();
    sections
        .map(|(name, section)| {
            let channel_name = ChannelName::new(name);
            (
                channel_name.clone(),
                channel(&channel_name, section, kinds, folders),
            )
        })
        .collect()
}

fn channel(
    name: &ChannelName,
    section: Section<'_>,
    kinds: &[Kind],
    folders: &SecretFolders,
) -> Option<Arc<dyn Channel>> {
    /// Where callers with a token answer from, and where browsers are woken, in the place of a channel's name.
    const RESERVED: [&str; 5] = ["http", "cli", "mcp", "panel", "push"];
    if !directory::is_name(name.as_str()) {
        section.fault("a channel's name holds no colon, comma, slash or blank");
    } else if RESERVED.contains(&name.as_str()) {
        section.fault("askd itself uses this name; choose another one");
    }
    let built_in = match kinds {
        [] => "none is built into this askd".to_owned(),
        kinds => {
            let names: Vec<&str> = kinds.iter().map(|kind| kind.name).collect();
            format!("built in: {}", names.join(", "))
        }
    };
    let Some(kind) = section.text("kind") else {
        if !section.has("kind") {
            section.lacks("kind", format!("is needed; {built_in}"));
        }
        return None;
    };
    let Some(found) = kinds.iter().find(|known| known.name == kind.value) else {
        // What else stands in the section, only the missing kind would know.
        section.refuse(
            &kind,
            format!("there is no kind of channel {:?}; {built_in}", kind.value),
        );
        return None;
    };
    let channel = (found.build)(name, &section, folders);
    section.finish();
    channel
}

/// The file and its text: the one that was named, else the first there is, else none and an empty text.
fn find(sources: &Sources) -> Result<(Option<PathBuf>, String), BadConfig> {
    let named = sources
        .file
        .clone()
        .or_else(|| sources.environment.path("ASKD_CONFIG"));
    let file = named.or_else(|| {
        let usual = sources.environment.config_files();
        usual.into_iter().find(|file| file.exists())
    });
    let Some(file) = file else {
        return Ok((None, String::new()));
    };
    let bytes = fs::read(&file)
        .map_err(|error| BadConfig::of(Some(&file), "", format!("cannot be read: {}", reason(&error))))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = before.split(|&byte| byte == b'\n').count();
        BadConfig::of(Some(&file), "", format!("line {line} is not UTF-8"))
    })?;
    Ok((Some(file), text))
}

#[cfg(test)]
mod tests;
