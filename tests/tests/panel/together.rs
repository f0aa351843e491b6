//! One ask on Telegram and in the panel at once.

use askd_stories::Home;

use super::{DESKTOP, Desk, ended, option, part};
use crate::{
    browser::askd,
    stage::{Scene, deploy, result, runtime, telegram, until_delivered},
};

/// Sara on Telegram, and the operator's panel.
fn told() -> (Scene, Desk) {
    let scene = Scene::open(telegram::start, &runtime());
    let home = Home::new();
    home.configure(&format!("{}{}", scene.section(), scene.sara().section()));
    let desk = Desk::at(home, None, DESKTOP);
    (scene, desk)
}

#[test]
fn an_answer_on_telegram_closes_the_panel_and_the_summary_says_who_and_where() {
    let (scene, desk) = told();
    let ask = desk.asks(&deploy());
    scene.sara().reads("Where should this go?");
    until_delivered(&desk.askd, &ask, |deliveries| deliveries.all_are("shown"));
    desk.page.clicks(&option(0));

    scene.sara().taps("Production");

    let summary = desk.page.reads(&ended(&ask, "answered"), "Production");
    assert!(
        summary.contains("Sara") && summary.contains("Telegram"),
        "{summary}"
    );
    desk.page.sees_no(&askd("panel"));
}

#[test]
fn an_answer_in_the_panel_takes_the_buttons_from_telegram() {
    let (scene, desk) = told();
    let ask = desk.asks(&deploy());
    let prompt = scene.sara().reads("Where should this go?");
    until_delivered(&desk.askd, &ask, |deliveries| deliveries.all_are("shown"));

    desk.page.clicks(&option(1));
    desk.page.clicks(&part("submit"));

    desk.page.sees(&ended(&ask, "answered"));
    let settled = scene.sara().reads_the_end_of("Where should this go?");
    assert_eq!(
        settled.message, prompt.message,
        "it is the same message that has changed"
    );
    assert!(settled.text.contains("Production"), "{}", settled.text);
    scene.sara().taps_button(&prompt.buttons[0]).is_told("Production");
    assert_eq!(result(&desk.askd, &ask)["settledBy"]["channel"], "panel");
}

#[test]
fn who_submits_a_moment_too_late_is_told_who_was_faster() {
    let (scene, desk) = told();
    let ask = desk.asks(&deploy());
    let prompt = scene.sara().reads("Where should this go?");
    until_delivered(&desk.askd, &ask, |deliveries| deliveries.all_are("shown"));
    // A page that has slept does not know yet.
    desk.page.now(
        "window.fetch = ((fetch) => (...call) => String(call[0]?.url ?? call[0]).includes('/answers')
            ? new Promise((go) => { window.goOn = go; }).then(() => fetch(...call))
            : fetch(...call))(window.fetch)",
        &[],
    );
    desk.page.clicks(&option(0));
    desk.page.clicks(&part("submit"));
    desk.page
        .until("a call that waits", "() => Boolean(window.goOn)", &[]);

    scene.sara().taps_button(&prompt.buttons[1]);
    result(&desk.askd, &ask);
    desk.page.now("window.goOn()", &[]);

    let receipt = desk.page.reads(&askd("receipt"), "Sara");
    assert!(receipt.contains("Production"), "{receipt}");
    desk.page.reads(&ended(&ask, "answered"), "Production");
}
