//! Answers: a tap, own words, a number, several questions, and two people at once.

use serde_json::json;

use crate::stage::{Stage, answers, asks, deploy, deploy_and_tell, result, stories, whom_to_tell};

stories! {
    a_tap,
    other_opens_an_input_and_the_options_stay,
    a_slip_and_a_number_in_persian_digits,
    several_questions_are_answered_in_two_messages,
    who_skips_declines,
    of_two_people_one_is_first_and_the_other_is_told,
    of_two_questions_a_reply_says_which_one_is_meant,
    what_the_agent_takes_back_is_closed_before_everybody,
}

fn a_tap(stage: &Stage) {
    let sara = stage.sara();
    stage.configure(&sara.section());
    let askd = stage.home.serve();
    let ask = asks(&askd, &deploy());
    let prompt = sara.reads("Where should this go?");

    sara.taps("Production").is_told("Production");

    let result = result(&askd, &ask);
    assert_eq!(answers(&result), &json!({ "deploy_target": ["Production"] }));
    let by = json!({ "name": "Sara", "channel": stage.scene.platform.kind(), "how": "tap" });
    assert_eq!(result["settledBy"], by);
    let settled = sara.reads(&stage.scene.here());
    assert_eq!(
        settled.message, prompt.message,
        "it is the same message that has changed"
    );
    assert!(prompt.rang && settled.buttons.is_empty());
    stage.golden();
}

fn other_opens_an_input_and_the_options_stay(stage: &Stage) {
    let sara = stage.sara();
    stage.configure(&sara.section());
    let askd = stage.home.serve();
    let ask = asks(&askd, &deploy());
    let prompt = sara.reads("Where should this go?");

    let act = sara.taps("Other…");
    let meanwhile = sara.reads("Where should this go?");
    act.and_fills_in("2, but only after five").is_told("after five");

    assert_eq!(meanwhile.buttons, prompt.buttons);
    let result = result(&askd, &ask);
    assert_eq!(
        answers(&result),
        &json!({ "deploy_target": ["2, but only after five"] }),
        "a number there is no option"
    );
    assert_eq!(result["freeText"], json!(["deploy_target"]));
    sara.reads(&stage.scene.here());
    stage.golden();
}

fn a_slip_and_a_number_in_persian_digits(stage: &Stage) {
    let sara = stage.sara();
    stage.configure(&format!(
        "{}language = \"fa\"\ntime_zone = \"Asia/Tehran\"\n",
        sara.section()
    ));
    let askd = stage.home.serve();
    let ask = asks(&askd, &deploy());
    sara.reads("Where should this go?");

    sara.says("۷").is_told("وجود ندارد");
    sara.says("۲").is_told("سپاس");

    assert_eq!(
        answers(&result(&askd, &ask)),
        &json!({ "deploy_target": ["Production"] })
    );
    sara.reads_the_end_of("Where should this go?");
    stage.golden();
}

fn several_questions_are_answered_in_two_messages(stage: &Stage) {
    let sara = stage.sara();
    stage.configure(&sara.section());
    let askd = stage.home.serve();
    let ask = asks(&askd, &deploy_and_tell());
    sara.reads("Who should hear about it?");

    sara.says("1: production").is_told("Still open");
    sara.says("ops, the neighbours").is_told("Thank you");

    assert_eq!(
        answers(&result(&askd, &ask)),
        &json!({ "deploy_target": ["Production"], "alerts": ["Ops", "the neighbours"] })
    );
    sara.reads(&stage.scene.here());
    stage.golden();
}

fn who_skips_declines(stage: &Stage) {
    let sara = stage.sara();
    stage.configure(&sara.section());
    let askd = stage.home.serve();
    let ask = asks(&askd, &deploy());
    sara.reads("Where should this go?");

    sara.taps("Skip").is_told("Skipped");

    let result = result(&askd, &ask);
    assert_eq!(
        (&result["status"], &result["reason"]),
        (&json!("no_answer"), &json!("skipped"))
    );
    sara.reads_the_end_of("Where should this go?");
    stage.golden();
}

fn of_two_people_one_is_first_and_the_other_is_told(stage: &Stage) {
    let (sara, omid) = (stage.sara(), stage.omid());
    stage.configure(&(sara.section() + &omid.section()));
    let askd = stage.home.serve();
    let ask = asks(&askd, &deploy());
    sara.reads("Where should this go?");
    let prompt = omid.reads("Where should this go?");

    sara.taps("Production").is_told("Production");
    sara.reads(&stage.scene.here());
    omid.reads(&stage.scene.here());
    // Omid's telephone is slow: it still shows the buttons when the question is over.
    omid.taps_button(&prompt.buttons[0]).is_told("Sara");

    assert_eq!(result(&askd, &ask)["settledBy"]["name"], "Sara");
    stage.golden();
}

fn of_two_questions_a_reply_says_which_one_is_meant(stage: &Stage) {
    let sara = stage.sara();
    stage.configure(&sara.section());
    let askd = stage.home.serve();
    let first = asks(&askd, &deploy());
    sara.reads("Where should this go?");
    sara.says("7").is_told("There is no option");
    let second = asks(&askd, &whom_to_tell());
    let about_alerts = sara.reads("Who should hear about it?");

    sara.says("1").is_told("Several questions are open here");
    sara.replies(&about_alerts, "all").is_told("Thank you");
    sara.reads_the_end_of("Who should hear about it?");
    sara.says("2").is_told("Thank you");

    assert_eq!(
        answers(&result(&askd, &second)),
        &json!({ "alerts": ["Ops", "Developers"] })
    );
    assert_eq!(
        answers(&result(&askd, &first)),
        &json!({ "deploy_target": ["Production"] })
    );
    sara.reads_the_end_of("Where should this go?");
    stage.golden();
}

fn what_the_agent_takes_back_is_closed_before_everybody(stage: &Stage) {
    let (sara, omid) = (stage.sara(), stage.omid());
    stage.configure(&(sara.section() + &omid.section()));
    let askd = stage.home.serve();
    let ask = asks(&askd, &deploy());
    sara.reads("Where should this go?");
    let prompt = omid.reads("Where should this go?");

    askd.agent.post_empty(&format!("/v1/asks/{ask}/cancel"));
    for person in [sara, omid] {
        let closed = person.reads("no answer is needed any more");
        assert!(closed.buttons.is_empty());
    }
    omid.taps_button(&prompt.buttons[0])
        .is_told("This question is no longer open");

    assert_eq!(result(&askd, &ask)["reason"], "cancelled");
    stage.golden();
}
