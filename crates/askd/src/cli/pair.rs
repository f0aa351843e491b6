//! `askd pair` and `askd unpair`: tying accounts and browsers to people, and cutting them off.

use askd_core::clock::Clock as _;
use clap::Args;
use jiff::Timestamp;
use serde::Deserialize;
use serde_json::json;

use super::Context;
use crate::{
    client::{Caller, Client, Reach},
    clock::SystemClock,
    out::{self, Exit, Stop, plain},
    view,
};

/// What `askd pair` takes.
#[derive(Args, Debug)]
pub(super) struct Pair {
    /// The person, by the name in [people.NAME]; with --web and without a name, the operator
    #[arg(required_unless_present = "web")]
    name: Option<String>,
    /// Print a link that signs a browser in to the panel, in place of a code for the bot
    #[arg(long)]
    web: bool,
    #[command(flatten)]
    reach: Reach,
}

/// What `askd unpair` takes.
#[derive(Args, Debug)]
pub(super) struct Unpair {
    /// The person, by the name in [people.NAME]
    name: String,
    /// The account, as `askd people` lists it; all of them and every browser, if left out
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
struct CodeView {
    person: Option<String>,
    code: String,
    url: Option<String>,
    expires: Timestamp,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct UnpairedView {
    unpaired: Vec<String>,
    #[serde(default)]
    signed_out: usize,
}

/// Makes a code and prints what to do with it.
pub(super) async fn pair(arguments: Pair, context: &Context) -> anyhow::Result<Exit> {
    let client = context.client(&arguments.reach, Caller::Operator)?;
    let Some(name) = arguments.name.as_deref().filter(|_| !arguments.web) else {
        return sign_in(&client, arguments.name.as_deref(), context).await;
    };
    let offer = client
        .post(&["v1", "people", name, "pair"], None)
        .await
        .map_err(Stop::from)?;
    if context.json {
        out::json(&offer)?;
    } else {
        out::line(instructions(&view::read(&offer)?, SystemClock.now()))?;
    }
    Ok(Exit::Done)
}

/// Makes a link for the panel and prints it.
async fn sign_in(client: &Client, person: Option<&str>, context: &Context) -> anyhow::Result<Exit> {
    let body = json!({ "person": person });
    let offer = client
        .post(&["v1", "sign-in", "codes"], Some(&body))
        .await
        .map_err(Stop::from)?;
    if context.json {
        out::json(&offer)?;
    } else {
        let base = client.base().as_str().trim_end_matches('/');
        out::line(link(&view::read(&offer)?, base, SystemClock.now()))?;
    }
    Ok(Exit::Done)
}

fn link(offer: &CodeView, base: &str, now: Timestamp) -> String {
    let url = match &offer.url {
        Some(url) => plain(url),
        None => format!("{base}/sign-in#{}", plain(&offer.code)),
    };
    let minutes = minutes_left(offer.expires, now);
    let who = offer.person.as_deref().unwrap_or("the operator");
    format!(
        "{url}\nOpened within {minutes} minutes, this signs a browser in to the panel as {who}. It works once."
    )
}

/// A begun one counted.
fn minutes_left(expires: Timestamp, now: Timestamp) -> i64 {
    (expires.duration_since(now).as_secs().max(0) + 59) / 60
}

fn instructions(offer: &OfferView, now: Timestamp) -> String {
    let minutes = minutes_left(offer.expires, now);
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
    match view.signed_out {
        0 if view.unpaired.is_empty() => out::note(format!("{} has no account", arguments.name)),
        0 => {}
        1 => out::note("1 browser signed out of the panel"),
        many => out::note(format!("{many} browsers signed out of the panel")),
    }
    Ok(Exit::Done)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_the_one_askd_tells_or_leads_to_where_it_was_called() {
        let offer = |url: Option<&str>, person: Option<&str>| CodeView {
            person: person.map(str::to_owned),
            code: "00ff".to_owned(),
            url: url.map(str::to_owned),
            expires: "2026-12-01T09:40:00Z".parse().unwrap(),
        };
        let link = |offer| {
            super::link(
                &offer,
                "http://127.0.0.1:7373",
                "2026-12-01T09:30:01Z".parse().unwrap(),
            )
        };

        assert_eq!(
            link(offer(None, None)),
            "http://127.0.0.1:7373/sign-in#00ff\n\
             Opened within 10 minutes, this signs a browser in to the panel as the operator. It works once."
        );
        assert_eq!(
            link(offer(Some("https://askd.example.org/sign-in#00ff"), Some("sara"))),
            "https://askd.example.org/sign-in#00ff\n\
             Opened within 10 minutes, this signs a browser in to the panel as sara. It works once."
        );
    }

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
