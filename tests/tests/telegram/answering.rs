//! Answers: a tap, own words, a number, several questions, and two people at once.

use serde_json::json;

use super::bench::{Bench, answers, asks, deploy, deploy_and_tell, result};

#[test]
fn a_tap() {
    let bench = Bench::new();
    let (sara, section) = bench.person("Sara");
    bench.configure(&section);
    let askd = bench.home.serve();
    let ask = asks(&askd, &deploy());
    bench.reads(&sara, &sara.direct(), "Where should this go?");

    let tap = sara.taps(&sara.direct(), "Production");

    let told = bench.told(&tap);
    assert!(told.text.unwrap_or_default().contains("Production"));
    let result = result(&askd, &ask);
    assert_eq!(answers(&result), &json!({ "deploy_target": ["Production"] }));
    assert_eq!(
        result["settledBy"],
        json!({ "name": "Sara", "channel": "telegram", "how": "tap" })
    );
    let settled = bench.reads(&sara, &sara.direct(), "on Telegram");
    assert!(settled.buttons.is_empty() && settled.rang && settled.edited);
    insta::assert_snapshot!(bench.transcript());
}

#[test]
fn other_opens_an_input_and_the_options_stay() {
    let bench = Bench::new();
    let (sara, section) = bench.person("Sara");
    bench.configure(&section);
    let askd = bench.home.serve();
    let ask = asks(&askd, &deploy());
    bench.reads(&sara, &sara.direct(), "Where should this go?");

    bench.told(&sara.taps(&sara.direct(), "Other…"));
    let prompt = bench.until("an input", || sara.prompt(&sara.direct()));
    assert!(
        bench
            .reads(&sara, &sara.direct(), "Where should this go?")
            .buttons
            .len()
            > 2
    );
    sara.replies(prompt.to, "2, but only after five");

    let result = result(&askd, &ask);
    assert_eq!(
        answers(&result),
        &json!({ "deploy_target": ["2, but only after five"] }),
        "a number there is no option"
    );
    assert_eq!(result["freeText"], json!(["deploy_target"]));
    bench.reads(&sara, &sara.direct(), "on Telegram");
    bench.reads(&sara, &sara.direct(), "Thank you");
    insta::assert_snapshot!(bench.transcript());
}

#[test]
fn a_slip_and_a_number_in_persian_digits() {
    let bench = Bench::new();
    let (sara, section) = bench.person("Sara");
    bench.configure(&format!(
        "{section}language = \"fa\"\ntime_zone = \"Asia/Tehran\"\n"
    ));
    let askd = bench.home.serve();
    let ask = asks(&askd, &deploy());
    bench.reads(&sara, &sara.direct(), "Where should this go?");

    sara.says(&sara.direct(), "۷");
    bench.reads(&sara, &sara.direct(), "وجود ندارد");
    sara.says(&sara.direct(), "۲");

    let result = result(&askd, &ask);
    assert_eq!(answers(&result), &json!({ "deploy_target": ["Production"] }));
    bench.reads(&sara, &sara.direct(), "سپاس");
    bench.until("the outcome", || {
        sara.sees(&sara.direct())
            .into_iter()
            .find(|seen| seen.by_bot && seen.edited)
    });
    insta::assert_snapshot!(bench.transcript());
}

#[test]
fn several_questions_are_answered_in_two_messages() {
    let bench = Bench::new();
    let (sara, section) = bench.person("Sara");
    bench.configure(&section);
    let askd = bench.home.serve();
    let ask = asks(&askd, &deploy_and_tell());
    bench.reads(&sara, &sara.direct(), "Who should hear about it?");

    sara.says(&sara.direct(), "1: production");
    bench.reads(&sara, &sara.direct(), "Still open");
    sara.says(&sara.direct(), "ops, the neighbours");

    let result = result(&askd, &ask);
    assert_eq!(
        answers(&result),
        &json!({ "deploy_target": ["Production"], "alerts": ["Ops", "the neighbours"] })
    );
    bench.reads(&sara, &sara.direct(), "Thank you");
    bench.reads(&sara, &sara.direct(), "on Telegram");
    insta::assert_snapshot!(bench.transcript());
}

#[test]
fn of_two_people_one_is_first_and_the_other_is_told() {
    let bench = Bench::new();
    let ((sara, of_sara), (omid, of_omid)) = (bench.person("Sara"), bench.person("Omid"));
    bench.configure(&(of_sara + &of_omid));
    let askd = bench.home.serve();
    let ask = asks(&askd, &deploy());
    bench.reads(&sara, &sara.direct(), "Where should this go?");
    let prompt = bench.reads(&omid, &omid.direct(), "Where should this go?");
    // Omid's telephone is slow: it still shows the buttons when the question is over.
    let late = prompt.buttons[0][0].clone();

    bench.told(&sara.taps(&sara.direct(), "Production"));
    bench.reads(&sara, &sara.direct(), "on Telegram");
    bench.reads(&omid, &omid.direct(), "on Telegram");
    let told = bench.told(&omid.taps_data(prompt.at, &late.data, &late.label));

    assert!(
        told.text.as_deref().unwrap_or_default().contains("Sara"),
        "{told:?}"
    );
    assert_eq!(result(&askd, &ask)["settledBy"]["name"], "Sara");
    insta::assert_snapshot!(bench.transcript());
}
