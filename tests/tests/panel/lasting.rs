//! Restarts, sleep, and what counts as delivered.

use serde_json::{Value, json};

use super::{DESKTOP, Desk, PEOPLE, chosen, ended, entry, option, panel, part, ready};
use crate::{
    browser::askd,
    stage::{answers, deliveries, deploy, result, until_delivered, whom_to_tell},
};

#[test]
fn after_a_kill_and_a_start_the_page_goes_on_with_the_same_sign_in() {
    let mut desk = Desk::of(Some("sara"), DESKTOP, PEOPLE);
    let ask = desk.asks(&deploy());
    desk.page.clicks(&option(1));

    desk.askd.process.kill();
    desk.page.sees("body:not([data-ready])");
    desk.askd = desk.home.serve();
    ready(&desk.page);

    // Live again without being loaded again, and nothing of the draft is lost.
    let second = desk.askd.agent.ask(&whom_to_tell()).id();
    desk.page.sees(&entry(&second));
    desk.page.sees(&panel(&ask));
    desk.page.sees(&chosen(1));
    desk.page.clicks(&part("submit"));
    desk.page.reads(&ended(&ask, "answered"), "Sara");
    let result = result(&desk.askd, &ask);
    assert_eq!(answers(&result), &json!({ "deploy_target": ["Production"] }));
    assert_eq!(result["settledBy"]["name"], "Sara");
}

#[test]
fn what_ended_while_askd_was_away_is_shown_as_it_ended() {
    let mut desk = Desk::new();
    let ask = desk.asks(&deploy());

    desk.askd.process.kill();
    desk.page.sees("body:not([data-ready])");
    desk.askd = desk.home.serve();
    // Before or after the page is back, it comes to the same.
    desk.askd.operator.reply(&ask, "2");

    desk.page.reads(&ended(&ask, "answered"), "Production");
    desk.page.sees_no(&askd("panel"));
}

#[test]
fn only_a_page_that_is_seen_counts_as_delivered() {
    let desk = Desk::of(Some("sara"), DESKTOP, PEOPLE);
    desk.page
        .must("hiding it", async |browser| browser.minimize_window().await);
    assert_eq!(desk.page.now("return document.visibilityState", &[]), "hidden");

    let ask = desk.askd.agent.ask(&deploy()).id();
    desk.page.until(
        "the ask in the hidden page",
        "(css) => Boolean(document.querySelector(css))",
        &[json!(entry(&ask))],
    );
    // The page has it, and what it sends it has sent: this is answered after it.
    desk.page
        .now("return fetch('/v1/me').then((answer) => answer.status)", &[]);
    assert!(shown(&desk, &ask).is_empty(), "nobody has seen it");

    desk.page
        .must("showing it", async |browser| browser.maximize_window().await);
    until_delivered(&desk.askd, &ask, |_| !shown(&desk, &ask).is_empty());
    assert_eq!(shown(&desk, &ask)[0]["address"], "panel:sara");
    assert!(deliveries(&desk.askd, &ask).all_are("shown"));
}

/// The deliveries in panels.
fn shown(desk: &Desk, ask: &str) -> Vec<Value> {
    let mut all = desk.askd.agent.read(ask)["deliveries"]
        .as_array()
        .unwrap()
        .clone();
    all.retain(|delivery| delivery["channel"] == "panel");
    all
}
