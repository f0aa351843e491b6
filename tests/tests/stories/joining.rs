//! Pairing: from an account that nobody knows to an answer.

use serde_json::json;

use crate::stage::{Stage, answers, asks, deploy, result, stories};

stories! {
    who_is_not_paired_is_told_how_and_a_code_works_once,
}

fn who_is_not_paired_is_told_how_and_a_code_works_once(stage: &Stage) {
    let (sara, omid) = (stage.sara(), stage.omid());
    stage.configure("[people.sara]\nname = \"Sara\"\n");
    let askd = stage.home.serve();
    stage.scene.rests();
    let offer = stage.home.run(&["pair", "sara", "--json"]).json();
    let code = offer["code"].as_str().unwrap();

    sara.says("hello").is_told("pairing code");
    sara.says(code).is_told("Hello Sara");
    omid.says(code).is_told("This code does not work");

    let people = stage.home.run(&["people"]).stdout;
    assert!(
        people.contains(&format!("{} (paired)", sara.account())),
        "{people}"
    );
    assert!(!people.contains(&omid.account()), "{people}");
    let ask = asks(&askd, &deploy());
    sara.reads("Where should this go?");
    sara.taps("Production").is_told("Production");
    assert_eq!(
        answers(&result(&askd, &ask)),
        &json!({ "deploy_target": ["Production"] })
    );
    sara.reads(&stage.scene.here());
    stage.golden();
}
