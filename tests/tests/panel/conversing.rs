//! The composer: what is typed there is a reply as on any channel.

use serde_json::json;
use thirtyfour::Key;

use super::{Desk, chosen, ended, option, part};
use crate::{
    browser::askd,
    stage::{answers, deploy, deploy_and_tell, result},
};

#[test]
fn folded_the_panel_is_a_bar_and_what_is_typed_below_it_is_read_as_a_reply() {
    let desk = Desk::new();
    let ask = desk.asks(&deploy());
    desk.page.sees_no(&askd("composer-text"));

    desk.page.presses_key(Key::Escape);
    desk.page.sees(&askd("bar"));
    desk.page.sees_no(&askd("option"));
    desk.page.types(&askd("composer-text"), "7");
    desk.page.presses_key(Key::Enter);
    desk.page.reads(&askd("receipt"), "There is no option");
    // What was not understood stays, to be mended.
    desk.page.holds(&askd("composer-text"), "7");
    desk.page.is_at(&askd("composer-text"));
    desk.page.presses_key(Key::Backspace);
    desk.page.types(&askd("composer-text"), "two weeks from now");
    desk.page.clicks(&askd("composer-send"));

    desk.page.reads(&askd("receipt"), "two weeks from now");
    desk.page.reads(&ended(&ask, "answered"), "two weeks from now");
    desk.page.sees_no(&askd("bar"));
    let result = result(&desk.askd, &ask);
    assert_eq!(
        answers(&result),
        &json!({ "deploy_target": ["two weeks from now"] })
    );
    assert_eq!(result["settledBy"]["how"], "reply");
}

#[test]
fn what_was_kept_of_a_reply_is_there_when_the_panel_is_unfolded() {
    let desk = Desk::new();
    let ask = desk.asks(&deploy_and_tell());

    desk.page.clicks(&part("collapse"));
    desk.page.types(&askd("composer-text"), "1: production");
    desk.page.clicks(&askd("composer-send"));
    desk.page.reads(&askd("receipt"), "Still open");
    desk.page.clicks(&askd("expand"));

    desk.page.reads(&part("question"), "Who should hear about it?");
    desk.page.clicks(&option(1));
    desk.page.sees(&chosen(1));
    desk.page.clicks(&part("submit"));
    desk.page.sees(&ended(&ask, "answered"));
    assert_eq!(
        answers(&result(&desk.askd, &ask)),
        &json!({ "deploy_target": ["Production"], "alerts": ["Developers"] })
    );
}

#[test]
fn with_nothing_pending_the_composer_is_disabled_and_says_why() {
    let desk = Desk::new();

    desk.page.sees(&format!("{}:disabled", askd("composer-text")));
    let why = desk.page.sees(&askd("composer-why"));

    assert!(!why.is_empty());
    let ask = desk.asks(&deploy());
    desk.page.clicks(&part("collapse"));
    desk.page.sees(&format!("{}:enabled", askd("composer-text")));
    desk.askd.operator.reply(&ask, "2");
    desk.page.sees(&format!("{}:disabled", askd("composer-text")));
}
