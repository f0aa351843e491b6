//! Touch screens.

use serde_json::json;

use super::{Desk, PEOPLE, PHONE, ended, part};
use crate::{
    browser::askd,
    stage::{answers, deploy_and_tell, result},
};

#[test]
fn all_questions_are_cards_one_above_the_other_and_taps_answer_them() {
    let desk = Desk::of(Some("sara"), PHONE, PEOPLE);
    let ask = desk.asks(&deploy_and_tell());
    let card = |question: usize, option: usize| {
        let id = ["deploy_target", "alerts"][question];
        format!(
            "{}[data-question=\"{id}\"] {}[data-index=\"{option}\"]",
            part("question"),
            askd("option")
        )
    };

    for question in 0..2 {
        desk.page.sees(&card(question, 0));
    }
    desk.page.sees_no(&part("next"));
    desk.page.clicks(&card(0, 1));
    desk.page.clicks(&card(1, 0));
    desk.page.clicks(&card(1, 1));
    desk.page.sees(&format!("{}[aria-checked=\"true\"]", card(1, 1)));
    desk.page.clicks(&part("submit"));

    desk.page.reads(&ended(&ask, "answered"), "Sara");
    desk.page.sees_no(&askd("panel"));
    let result = result(&desk.askd, &ask);
    assert_eq!(
        answers(&result),
        &json!({ "deploy_target": ["Production"], "alerts": ["Ops", "Developers"] })
    );
    assert_eq!(result["settledBy"]["name"], "Sara");
}

#[test]
fn a_page_is_as_wide_as_its_screen_and_what_is_tapped_is_large_enough() {
    let desk = Desk::of(None, PHONE, PEOPLE);
    desk.asks(&deploy_and_tell());

    let small = desk.page.now(
        "return [...document.querySelectorAll('[data-askd=panel] button, [data-askd=panel] [data-askd=option]')]
            .filter((of) => of.checkVisibility())
            .map((of) => [of.dataset.askd, of.getBoundingClientRect()])
            .filter(([, box]) => box.width < 24 || box.height < 24)
            .map(([name, box]) => `${name} ${box.width}x${box.height}`)",
        &[],
    );

    // WCAG 2.2, 2.5.8: CSS pixels.
    assert_eq!(small, json!([]));
    let overflow = desk.page.now(
        "return document.documentElement.scrollWidth - document.documentElement.clientWidth",
        &[],
    );
    assert_eq!(overflow, json!(0), "it scrolls sideways");
}
