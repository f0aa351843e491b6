//! What does not work, and what is said of it: strangers, a dead token, and what doctor finds.

use askd_stories::Left;
use regex::{NoExpand, Regex};
use serde_json::{Value, json};

use crate::stage::{Stage, answers, asks, deploy, result, stories};

stories! {
    a_strangers_tap_changes_nothing,
    a_secret_that_is_refused_stops_the_channel_with_one_line_and_nothing_else,
    doctor_finds_who_can_be_reached_and_the_daemon_goes_on,
    doctor_says_of_a_dead_secret_what_to_do,
}

fn a_strangers_tap_changes_nothing(stage: &Stage) {
    let sara = stage.sara();
    stage.configure(&format!("{}{}", sara.section(), route_to_the_group(stage)));
    let askd = stage.home.serve();
    let ask = asks(&askd, &deploy());
    sara.in_the_group().reads("Where should this go?");

    stage
        .scene
        .stranger()
        .in_the_group()
        .taps("Production")
        .is_told("may answer");
    let status = askd.agent.read(&ask)["status"].clone();
    sara.in_the_group()
        .taps("Staging (Recommended)")
        .is_told("Staging");

    assert_eq!(status, "pending");
    assert_eq!(
        answers(&result(&askd, &ask)),
        &json!({ "deploy_target": ["Staging (Recommended)"] })
    );
    sara.in_the_group().reads(&stage.scene.here());
    stage.golden();
}

fn a_secret_that_is_refused_stops_the_channel_with_one_line_and_nothing_else(stage: &Stage) {
    let platform = &stage.scene.platform;
    stage.configure(
        "[people.sara]\n\
         [tokens.of-sara]\nrole = \"person\"\nperson = \"sara\"\ntoken = \"secret-of-sara-herself\"\n",
    );
    let secrets = platform.secrets();
    platform.refuse_secrets();

    let mut askd = stage.home.serve();
    let said = askd.process.until_it_notes("channel stopped");

    assert!(said.contains("ERROR") && said.contains("askd doctor"), "{said}");
    let ready = askd.operator.get("/readyz");
    assert_eq!(ready.status, 503);
    let channel = &ready.body["checks"]["channels"][0];
    assert_eq!(
        (&channel["name"], &channel["state"]),
        (&json!(platform.kind()), &json!("down"))
    );
    // Who answers by HTTP is asked all the same.
    let ask = askd.agent.ask(&deploy()).id();
    let receipt = askd.called_by("secret-of-sara-herself").reply(&ask, "2");
    assert_eq!(receipt["receipt"], "settled", "{receipt}");
    let left = askd.process.stop();
    let errors = left.stderr.lines().filter(|line| line.contains("ERROR"));
    assert_eq!(errors.count(), 1, "{left:?}");
    for (key, secret) in secrets {
        assert!(!left.stderr.contains(&secret), "{key} in {left:?}");
    }
}

fn doctor_finds_who_can_be_reached_and_the_daemon_goes_on(stage: &Stage) {
    let (sara, platform) = (stage.sara(), &stage.scene.platform);
    let out_of_reach = format!("{}:{}", platform.kind(), platform.out_of_reach());
    stage.configure(&format!(
        "{}[people.omid]\naccounts = [\"{out_of_reach}\"]\n[people.nobody]\n\
         [[routes]]\nto = [\"sara\", \"{}\"]\nanswerers = [\"sara\"]\n",
        sara.section(),
        stage.scene.group()
    ));
    let askd = stage.home.serve();
    stage.scene.rests();

    let [json, text] = [&["doctor", "--json"][..], &["doctor"]].map(|arguments| stage.home.run(arguments));
    let ask = asks(&askd, &deploy());
    sara.reads("Where should this go?");
    sara.taps("Production").is_told("Production");

    assert_eq!((json.code, text.code), (1, 1), "{text:?}");
    assert_eq!(graded(&json, platform.kind(), "bad"), [out_of_reach.as_str()]);
    assert_eq!(graded(&json, "askd", "bad"), ["nobody"]);
    assert_eq!(result(&askd, &ask)["status"], "answered");
    stage.golden_of(&shown(stage, &askd.url, &out_of_reach, &text.stdout));
}

fn doctor_says_of_a_dead_secret_what_to_do(stage: &Stage) {
    stage.configure(&stage.sara().section());
    let secrets = stage.scene.platform.secrets();
    stage.scene.platform.refuse_secrets();

    let left = stage.home.run(&["doctor"]);

    assert_eq!(left.code, 1, "{left:?}");
    let (name, said) = (stage.scene.platform.name(), &left.stdout);
    assert!(
        said.contains("BAD") && said.contains(&format!("{name} refuses")),
        "{said}"
    );
    for (key, secret) in secrets {
        assert!(!format!("{left:?}").contains(&secret), "{key} in {left:?}");
    }
    stage.golden_of(&shown(stage, "", "", said));
}

fn route_to_the_group(stage: &Stage) -> String {
    format!(
        "[[routes]]\nto = [\"{}\"]\nanswerers = [\"sara\"]\n",
        stage.scene.group()
    )
}

/// What doctor says, without what differs from run to run.
fn shown(stage: &Stage, url: &str, out_of_reach: &str, text: &str) -> String {
    let scene = &stage.scene;
    let shown = [
        (scene.platform.api_url(), "<platform>"),
        (url.to_owned(), "<askd>"),
        (stage.home.path("").display().to_string(), "<home>/"),
        (scene.group(), "<the group>"),
        (scene.sara().account(), "<sara>"),
        (out_of_reach.to_owned(), "<out of reach>"),
    ];
    let shown = shown.iter().filter(|(found, _)| !found.is_empty());
    let shown = shown.fold(text.to_owned(), |text, (found, shown)| text.replace(found, shown));
    // The bot's own number, in a link; and columns, which are as wide as what was replaced.
    let changes = [(r"\b\d{15,}\b", "<number>"), (" {2,}", "  ")];
    changes.iter().fold(shown, |shown, (pattern, with)| {
        let pattern = Regex::new(pattern).unwrap();
        pattern.replace_all(&shown, NoExpand(with)).into_owned()
    })
}

fn graded(left: &Left, part: &str, grade: &str) -> Vec<String> {
    let told: Value = left.json();
    let findings = told["findings"].as_array().unwrap().iter();
    findings
        .filter(|finding| finding["part"] == part && finding["grade"] == grade)
        .map(|finding| finding["about"].as_str().unwrap().to_owned())
        .collect()
}
