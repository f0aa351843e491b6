//! `askd pair` and `askd unpair`: tying accounts to people, and cutting them off.

use askd_core::clock::Clock as _;
use clap::Args;
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::json;

use super::Context;
use crate::{
    client::{Caller, Reach},
    clock::SystemClock,
    out::{self, Exit, Stop, plain},
    view,
};

/// What `askd pair` takes.
#[derive(Args, Debug)]
pub(super) struct Pair {
    /// The person, by the name in [people.NAME]
    name: String,
    #[command(flatten)]
    reach: Reach,
}

/// What `askd unpair` takes.
#[derive(Args, Debug)]
pub(super) struct Unpair {
    /// The person, by the name in [people.NAME]
    name: String,
    /// The account, as `askd people` lists it; all of them, if left out
    account: Option<String>,
    #[command(flatten)]
    reach: Reach,
}

#[derive(Deserialize)]
struct OfferView {
    person: String,
    code: String,
    expires: Timestamp,
    links: Vec<LinkView>,
}

#[derive(Deserialize)]
struct LinkView {
    channel: String,
    url: String,
}

#[derive(Deserialize)]
struct UnpairedView {
    unpaired: Vec<String>,
}

/// Makes a code and prints what to do with it.
pub(super) async fn pair(arguments: Pair, context: &Context) -> anyhow::Result<Exit> {
    let client = context.client(&arguments.reach, Caller::Operator)?;
    let offer = client
        .post(&["v1", "people", &arguments.name, "pair"], None)
        .await
        .map_err(Stop::from)?;
    if context.json {
        out::json(&offer)?;
    } else {
        out::line(instructions(&view::read(&offer)?, SystemClock.now()))?;
    }
    Ok(Exit::Done)
}

fn instructions(offer: &OfferView, now: Timestamp) -> String {
    let minutes = (offer.expires.duration_since(now).as_secs().max(0) + 59) / 60;
    let first = format!(
        "{}\nWithin {minutes} minutes, {} sends this code to the bot in a direct conversation. It works once.",
        offer.code, offer.person
    );
    let links = offer.links.iter();
    let links = links.map(|link| format!("{}: {}", plain(&link.channel), plain(&link.url)));
    std::iter::once(first).chain(links).collect::<Vec<_>>().join("\n")
}

/// Cuts accounts off and prints which.
pub(super) async fn unpair(arguments: Unpair, context: &Context) -> anyhow::Result<Exit> {
    let client = context.client(&arguments.reach, Caller::Operator)?;
    let body = arguments.account.map(|account| json!({ "account": account }));
    let path = ["v1", "people", arguments.name.as_str(), "unpair"];
    let unpaired = client.post(&path, body.as_ref()).await.map_err(Stop::from)?;
    if context.json {
        out::json(&unpaired)?;
        return Ok(Exit::Done);
    }
    let view: UnpairedView = view::read(&unpaired)?;
    for account in &view.unpaired {
        out::line(plain(account))?;
    }
    if view.unpaired.is_empty() {
        out::note(format!("{} has no account", arguments.name));
    }
    Ok(Exit::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_code_stands_alone_on_the_first_line_and_links_below() {
        let offer = OfferView {
            person: "sara".to_owned(),
            code: "00ff".to_owned(),
            expires: "2026-12-01T09:40:00Z".parse().unwrap(),
            links: vec![LinkView {
                channel: "telegram".to_owned(),
                url: "https://t.example/bot?start=00ff".to_owned(),
            }],
        };

        let text = instructions(&offer, "2026-12-01T09:30:01Z".parse().unwrap());

        assert_eq!(
            text,
            "00ff\nWithin 10 minutes, sara sends this code to the bot in a direct conversation. It works once.\n\
             telegram: https://t.example/bot?start=00ff"
        );
    }
}
