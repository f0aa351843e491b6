//! Answers with a keyboard and a mouse.

use serde_json::{Value, json};
use thirtyfour::Key;

use super::{Desk, chosen, ended, is_meant, not_chosen, option, panel, part};
use crate::{
    browser::askd,
    stage::{answers, deploy, deploy_and_tell, result, whom_to_tell},
};

/// What the agent got from somebody at the panel.
fn answered(desk: &Desk, ask: &str) -> Value {
    let result = result(&desk.askd, ask);
    assert_eq!(result["settledBy"]["channel"], "panel", "{result}");
    answers(&result).clone()
}

#[test]
fn a_number_key_chooses_and_enter_submits() {
    let desk = Desk::new();
    let ask = desk.asks(&deploy());

    desk.page.presses("1");
    desk.page.sees(&chosen(0));
    desk.page.presses("2");
    desk.page.sees(&chosen(1));
    desk.page.sees(&not_chosen(0));
    desk.page.presses_key(Key::Enter);

    desk.page.reads(&ended(&ask, "answered"), "Production");
    desk.page.sees_no(&askd("panel"));
    assert_eq!(answered(&desk, &ask), json!({ "deploy_target": ["Production"] }));
}

#[test]
fn number_keys_toggle_where_several_may_be_chosen() {
    let desk = Desk::new();
    let ask = desk.asks(&whom_to_tell());

    desk.page.presses("12");
    desk.page.sees(&chosen(0));
    desk.page.sees(&chosen(1));
    desk.page.presses("1");
    desk.page.sees(&not_chosen(0));
    desk.page.presses_key(Key::Enter);

    desk.page.sees(&ended(&ask, "answered"));
    assert_eq!(answered(&desk, &ask), json!({ "alerts": ["Developers"] }));
}

#[test]
fn arrows_move_between_the_options() {
    let desk = Desk::new();
    desk.asks(&deploy());

    desk.page.clicks(&option(0));
    desk.page.is_at(&option(0));
    desk.page.presses_key(Key::Down);
    desk.page.is_at(&option(1));
    desk.page.presses_key(Key::Up);
    desk.page.is_at(&option(0));
}

#[test]
fn clicks_choose_and_submit() {
    let desk = Desk::new();
    let ask = desk.asks(&deploy());

    desk.page.clicks(&option(1));
    desk.page.sees(&chosen(1));
    desk.page.clicks(&part("submit"));

    desk.page.reads(&ended(&ask, "answered"), "Production");
    assert_eq!(answered(&desk, &ask), json!({ "deploy_target": ["Production"] }));
}

#[test]
fn own_words_are_sent_as_they_are_and_a_number_there_is_no_option() {
    let desk = Desk::new();
    let ask = desk.asks(&deploy());

    desk.page.types(&part("other"), "2, but only after five");
    desk.page.presses_with(Key::Control, Key::Enter);

    desk.page
        .reads(&ended(&ask, "answered"), "2, but only after five");
    assert_eq!(
        answered(&desk, &ask),
        json!({ "deploy_target": ["2, but only after five"] })
    );
    assert_eq!(result(&desk.askd, &ask)["freeText"], json!(["deploy_target"]));
}

#[test]
fn enter_that_ends_a_composition_sends_nothing() {
    let desk = Desk::new();
    let ask = desk.asks(&deploy());
    desk.page.types(&part("other"), "sutējingu");

    // As an input method does when a word is accepted; a driver's keys go past it.
    desk.page.now(
        "for (const ctrlKey of [false, true]) for (const [isComposing, keyCode] of [[true, 13], [false, 229]])
            document.activeElement.dispatchEvent(new KeyboardEvent('keydown',
                { key: 'Enter', isComposing, keyCode, ctrlKey, bubbles: true, cancelable: true }))",
        &[],
    );
    // Whatever that had sent would come before this.
    desk.page.presses("!");
    desk.page.presses_with(Key::Control, Key::Enter);

    desk.page.sees(&ended(&ask, "answered"));
    assert_eq!(answered(&desk, &ask), json!({ "deploy_target": ["sutējingu!"] }));
}

#[test]
fn several_questions_come_one_at_a_time_and_back_keeps_what_was_chosen() {
    let desk = Desk::new();
    let ask = desk.asks(&deploy_and_tell());

    desk.page.reads(&part("question"), "Where should this go?");
    desk.page.presses("2");
    desk.page.sees(&chosen(1));
    desk.page.clicks(&part("next"));
    desk.page.reads(&part("question"), "Who should hear about it?");
    desk.page.types(&part("other"), "the neighbours");
    desk.page.clicks(&option(0));
    desk.page.clicks(&part("back"));

    desk.page.reads(&part("question"), "Where should this go?");
    desk.page.sees(&chosen(1));
    desk.page.presses_key(Key::Enter);
    desk.page.reads(&part("question"), "Who should hear about it?");
    desk.page.sees(&chosen(0));
    desk.page.holds(&part("other"), "the neighbours");
    desk.page.clicks(&part("submit"));

    let summary = desk.page.sees(&ended(&ask, "answered"));
    for said in ["Production", "Ops", "the neighbours"] {
        assert!(summary.contains(said), "{summary}");
    }
    assert_eq!(
        answered(&desk, &ask),
        json!({ "deploy_target": ["Production"], "alerts": ["Ops", "the neighbours"] })
    );
}

#[test]
fn a_reload_keeps_what_was_chosen_and_typed() {
    let desk = Desk::new();
    let ask = desk.asks(&deploy_and_tell());
    desk.page.clicks(&option(1));
    desk.page.clicks(&part("next"));
    desk.page.types(&part("other"), "the neighbours");

    desk.page.reloads();

    desk.page.sees(&panel(&ask));
    is_meant(&desk.page, &panel(&ask));
    desk.page.holds(&part("other"), "the neighbours");
    desk.page.clicks(&part("back"));
    desk.page.sees(&chosen(1));
}

#[test]
fn a_double_click_on_skip_declines_nothing() {
    let desk = Desk::new();
    let ask = desk.asks(&deploy());

    desk.page.now(
        "document.querySelector(arguments[0]).click();
        setTimeout(() => document.querySelector(arguments[1])?.click(), 50)",
        &[part("skip").into(), part("skip-confirm").into()],
    );
    desk.page.sees(&part("skip-confirm"));
    is_meant(&desk.page, &part("skip-confirm"));
    desk.page.clicks(&part("skip-keep"));

    desk.page.sees(&part("skip"));
    assert_eq!(desk.askd.agent.read(&ask)["status"], "pending");
}

#[test]
fn skip_declines_the_whole_ask() {
    let desk = Desk::new();
    let ask = desk.asks(&deploy_and_tell());
    desk.page.clicks(&option(0));

    desk.page.clicks(&part("skip"));
    desk.page.sees(&part("skip-confirm"));
    is_meant(&desk.page, &part("skip-confirm"));
    desk.page.clicks(&part("skip-confirm"));

    desk.page.sees(&ended(&ask, "skipped"));
    desk.page.sees_no(&askd("panel"));
    let result = result(&desk.askd, &ask);
    assert_eq!(
        (&result["status"], &result["reason"]),
        (&json!("no_answer"), &json!("skipped"))
    );
}
