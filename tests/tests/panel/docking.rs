//! Several asks at once, and one alone.

use serde_json::json;
use thirtyfour::Key;

use super::{Desk, chosen, ended, entry, is_meant, option, panel, part, ready};
use crate::{
    browser::askd,
    stage::{answers, deploy, result, whom_to_tell},
};

#[test]
fn a_new_ask_takes_neither_the_focus_nor_what_is_being_typed() {
    let desk = Desk::new();
    let first = desk.asks(&deploy());
    desk.page.types(&part("other"), "2, but");

    let second = desk.askd.agent.ask(&whom_to_tell()).id();
    desk.page.sees(&entry(&second));
    desk.page.is_at(&part("other"));
    desk.page.presses(" only after five");

    desk.page.sees(&panel(&first));
    desk.page.holds(&part("other"), "2, but only after five");
    desk.page.presses_with(Key::Control, Key::Enter);
    desk.page.sees(&ended(&first, "answered"));
    assert_eq!(
        answers(&result(&desk.askd, &first)),
        &json!({ "deploy_target": ["2, but only after five"] })
    );
    // Now it is the other's turn.
    desk.page.sees(&panel(&second));
}

#[test]
fn arrows_go_between_pending_asks_and_each_keeps_its_draft() {
    let desk = Desk::new();
    let first = desk.asks(&deploy());
    desk.page.clicks(&option(1));
    let second = desk.askd.agent.ask(&whom_to_tell()).id();

    desk.page.clicks(&askd("next-ask"));
    desk.page.sees(&panel(&second));
    desk.page.clicks(&option(0));
    desk.page.clicks(&askd("previous-ask"));

    desk.page.sees(&panel(&first));
    desk.page.sees(&chosen(1));
    desk.page.clicks(&part("submit"));
    desk.page.sees(&ended(&first, "answered"));
    desk.page.sees(&panel(&second));
    desk.page.sees(&chosen(0));
    desk.page.sees_no(&askd("next-ask"));
}

#[test]
fn an_address_opens_one_ask_alone() {
    let desk = Desk::new();
    let other = desk.asks(&whom_to_tell());
    let ask = desk.askd.agent.ask(&deploy()).id();

    desk.page.goes_to(&format!("/ask/{ask}"));
    ready(&desk.page);
    desk.page.reads(&panel(&ask), "Where should this go?");
    is_meant(&desk.page, &panel(&ask));
    desk.page.sees_no(&entry(&other));
    desk.page.clicks(&option(1));
    desk.page.clicks(&part("submit"));

    desk.page.reads(&ended(&ask, "answered"), "Production");
    desk.page.sees_no(&panel(&other));
    assert_eq!(result(&desk.askd, &ask)["settledBy"]["channel"], "panel");
}
