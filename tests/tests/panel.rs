//! The panel in a real browser: what people do on the page, and what becomes of it.
//!
//! The real program serves the page. Elements are found by the attributes that the page promises (`data-askd` and what
//! stands beside it), so that words, looks and the way it is built may change.

mod answering;
mod conversing;
mod docking;
mod expiring;
mod lasting;
mod reading;
mod signing_in;
mod together;
mod touching;
mod waking;

use askd_stories::{Askd, Home};
use regex::Regex;
use serde_json::Value;

use crate::browser::{Device, Looks, Page, askd};

const DESKTOP: Looks = Looks {
    device: Device::Desktop,
    language: "en",
};
const PHONE: Looks = Looks {
    device: Device::Phone,
    language: "en",
};
const PERSIAN: Looks = Looks {
    device: Device::Desktop,
    language: "fa",
};

/// Two people whom nothing reaches but the panel.
const PEOPLE: &str = "[people.sara]\nname = \"Sara\"\n[people.omid]\nname = \"Omid\"\n";

/// askd, and the panel before somebody who is signed in.
struct Desk {
    // Before the home, so that the page is looked at while askd still runs.
    page: Page,
    askd: Askd,
    home: Home,
}

impl Desk {
    /// The operator's, on a wide screen.
    fn new() -> Self {
        Self::of(None, DESKTOP, PEOPLE)
    }

    /// A person's, or the operator's, with this configuration.
    fn of(person: Option<&str>, looks: Looks, configuration: &str) -> Self {
        let home = Home::new();
        home.configure(configuration);
        Self::at(home, person, looks)
    }

    /// In a home that is configured.
    fn at(home: Home, person: Option<&str>, looks: Looks) -> Self {
        let askd = home.serve();
        let page = Page::new(looks, &askd.url);
        page.visits(&link(&home, person));
        ready(&page);
        Self { page, askd, home }
    }

    /// An agent asks; waits until the ask is docked.
    fn asks(&self, body: &Value) -> String {
        let id = self.askd.agent.ask(body).id();
        self.page.sees(&panel(&id));
        is_meant(&self.page, &panel(&id));
        id
    }
}

/// A link with which a person, or the operator, signs in once.
fn link(home: &Home, person: Option<&str>) -> String {
    let arguments: Vec<&str> = ["pair"].into_iter().chain(person).chain(["--web"]).collect();
    let left = home.run(&arguments);
    let link = Regex::new(r"https?://\S+/sign-in#[\w-]+").unwrap();
    let link = link.find(&left.stdout);
    link.unwrap_or_else(|| panic!("no link: {left:?}"))
        .as_str()
        .to_owned()
}

/// Waits until the page has everything and hears of what happens.
fn ready(page: &Page) {
    page.sees("body[data-ready]");
}

/// Waits until what has just appeared takes keys and clicks. What comes in its first moments may have been meant for what
/// was there before, so the page does not take it: 500 ms after an ask has docked by itself, and 400 ms before a skip can
/// be confirmed.
fn is_meant(page: &Page, css: &str) {
    page.until(
        &format!("the first moments of {css}"),
        "(css) => {
            const of = document.querySelector(css);
            of.appeared ??= performance.now();
            return performance.now() - of.appeared > 550;
        }",
        &[css.into()],
    );
}

/// The panel of this ask.
fn panel(ask: &str) -> String {
    format!("{}[data-ask=\"{ask}\"]", askd("panel"))
}

/// The ask in the timeline.
fn entry(ask: &str) -> String {
    format!("{}[data-ask=\"{ask}\"]", askd("entry"))
}

/// The ask in the timeline once it has ended like this.
fn ended(ask: &str, status: &str) -> String {
    format!("{}[data-status=\"{status}\"]", entry(ask))
}

/// A part of the panel.
fn part(name: &str) -> String {
    format!("{} {}", askd("panel"), askd(name))
}

/// An option of the question that is shown, counted from 0.
fn option(index: usize) -> String {
    format!("{}[data-index=\"{index}\"]", part("option"))
}

/// The same when it is chosen.
fn chosen(index: usize) -> String {
    format!("{}[aria-checked=\"true\"]", option(index))
}

/// The same when it is not.
fn not_chosen(index: usize) -> String {
    format!("{}[aria-checked=\"false\"]", option(index))
}
