//! Reading a configuration. An input is a file; before a line `==` stand variables, one `NAME=value` a line. `⟲piece⟲` is
//! repeated to see how the time grows.
//!
//! No input is read that names files of the machine.

use std::{path::Path, sync::Arc, time::Duration};

use askd_core::{
    channel::{BadAddress, Channel, ChannelError, Posted},
    id::{Address, ChannelName, MessageRef, PostKey},
    inbound::Inbox,
    present::{Capabilities, Message, Presentation},
};
use async_trait::async_trait;
use tokio_util::sync::CancellationToken;

use super::growth::Repeated;
use crate::config::{BadConfig, Environment, Kind, Origin, Sources, read_text};

/// Longest file that is read for its time, in characters; ours of ten people has some 2,000.
const LONG: usize = 64 * 1024;

const KINDS: &[Kind] = &[Kind {
    name: "paper",
    build: |name, section, folders| {
        folders.secret(section, "pen")?;
        Some(Arc::new(Paper(name.clone())))
    },
}];

/// Reads it; what is wrong must be told with key and place.
pub(crate) fn check(input: &[u8]) {
    let input = String::from_utf8_lossy(input);
    // A secret's file may be anywhere, and some files never end.
    if ["_file", "_FILE", "\\u", "\\x"]
        .iter()
        .any(|part| input.contains(part))
    {
        return;
    }
    let (variables, text) = input.split_once("\n==\n").unwrap_or(("", &input));
    let sources = Sources {
        environment: environment(variables),
        file: None,
        listen: None,
        kinds: KINDS,
    };
    if let Some(repeated) = Repeated::of(text) {
        repeated.is_read_in_linear_time(LONG, |text| {
            let _ = read_text(text, None, &sources);
        });
        return;
    }
    let file = Path::new("/nowhere/config.toml");
    let Err(bad) = read_text(text, Some(file), &sources) else {
        return;
    };
    says_where_and_what(&bad, text);
    let again = read_text(text, Some(file), &sources).expect_err("it was bad before");
    assert_eq!(again, bad, "the same file is wrong in the same way");
}

fn says_where_and_what(bad: &BadConfig, text: &str) {
    let lines = text.lines().count().max(1) + 1;
    assert!(!bad.faults.is_empty());
    assert!(bad.faults.iter().is_sorted_by(|a, b| a.origin <= b.origin));
    for fault in &bad.faults {
        assert!(!fault.reason.trim().is_empty(), "{fault:?}");
        assert!(
            !fault.key.is_empty() || fault.origin.is_some(),
            "neither key nor place: {fault:?}"
        );
        if let Some(Origin::Line(line)) = fault.origin {
            assert!((1..=lines).contains(&line), "{fault:?} of {lines} lines");
        }
    }
    for (line, fault) in bad.lines().zip(&bad.faults) {
        assert!(line.contains(&fault.key) && line.contains(&fault.reason));
        assert!(!line.contains('\n'), "one line for each fault: {line:?}");
    }
}

fn environment(variables: &str) -> Environment {
    let pairs = variables.lines().filter_map(|line| line.split_once('='));
    let ours = pairs.filter(|(name, _)| name.starts_with("ASKD_") && name.contains("__"));
    ours.map(|(name, value)| (name.to_owned(), value.into()))
        .collect()
}

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
