//! What the log, the figures and the answers to others never hold, whatever the platform's library would like to write, and
//! however the platform fails.

use std::time::Duration;

use askd_testkit::channel_suite::{Call, Fault};
use serde_json::json;

use crate::stage::{Stage, asks, stories};

stories! {
    a_noisy_run_leaves_no_word_and_no_secret_in_the_log_the_figures_or_what_others_are_told,
}

/// What agents and people write. Each stands for itself: none is part of what askd says by itself.
const WORDS: [&str; 9] = [
    "walrus-question",
    "walrus-head",
    "walrus-label",
    "walrus-description",
    "walrus-context",
    "walrus-title",
    "walrus-token",
    "walrus-own",
    "walrus-other",
];

fn a_noisy_run_leaves_no_word_and_no_secret_in_the_log_the_figures_or_what_others_are_told(stage: &Stage) {
    let (sara, platform) = (stage.sara(), &stage.scene.platform);
    stage.configure(&format!(
        "{}[people.nobody]\n[tokens.other]\nrole = \"agent\"\ntoken = \"walrus-token-of-another\"\n\
         [tokens.of-nobody]\nrole = \"person\"\nperson = \"nobody\"\ntoken = \"walrus-token-of-nobody\"\n\
         [[routes]]\nto = [\"sara\", \"{}\"]\nanswerers = [\"sara\"]\n",
        sara.section(),
        stage.scene.group()
    ));
    let secrets = platform.secrets();
    let body = json!({
        "questions": [{
            "id": "q", "header": "walrus-head", "question": "walrus-question?",
            "options": [
                { "label": "walrus-label 1", "description": "walrus-description" },
                { "label": "walrus-label 2" },
            ],
        }],
        "context": "walrus-context",
        "session": { "id": "s", "title": "walrus-title" },
    });
    let mut askd = stage.home.serve_with(&[("ASKD_LOG", "trace")], &[]);

    for fault in [
        Fault::Unclear { done: false },
        Fault::Throttled(Duration::from_secs(1)),
    ] {
        platform.fail_next(Call::Post, fault);
    }
    let ask = asks(&askd, &body);
    sara.reads("walrus-question");
    sara.taps("walrus-label 1").is_told("walrus-label 1");
    asks(&askd, &body);
    sara.taps("Other…")
        .and_fills_in("walrus-other")
        .is_told("walrus-other");
    asks(&askd, &body);
    stage
        .scene
        .stranger()
        .in_the_group()
        .taps("walrus-label 2")
        .is_told("may answer");
    sara.says("walrus-label 1, walrus-label 2").is_told("one");
    sara.says("walrus-own words").is_told("walrus-own");
    platform.fail_next(Call::Post, Fault::Rejected);
    askd.agent.ask(&body);
    askd.process.until_it_notes("delivery failed");
    let mut told = String::new();
    for secret in [
        "walrus-token-of-another",
        "walrus-token-of-nobody",
        "walrus-token-of-stranger",
    ] {
        let other = askd.called_by(secret);
        for path in [
            "/v1/asks",
            &format!("/v1/asks/{ask}"),
            "/v1/people",
            "/metrics",
            "/readyz",
        ] {
            told += &other.whole(path);
        }
    }
    for path in ["/metrics", "/readyz", "/v1/people", "/openapi.json"] {
        told += &askd.operator.whole(path);
    }
    assert!(
        told.contains("askd_deliveries_total"),
        "the figures are there: {told}"
    );
    platform.refuse_secrets();
    askd.agent.ask(&body);
    askd.process.until_it_notes("channel stopped");
    let left = askd.process.stop();

    let said = left.stdout + &left.stderr + &told;
    assert!(said.contains("DEBUG"), "it did log: {said}");
    for word in WORDS
        .into_iter()
        .chain(secrets.iter().map(|(_, secret)| secret.as_str()))
    {
        let line = said.lines().find(|line| line.contains(word));
        assert_eq!(line, None, "{word:?} was told");
    }
    let secrets = ["agent", "operator"].map(|token| stage.home.secret(token));
    assert!(
        secrets.iter().all(|secret| !said.contains(secret)),
        "a token was told"
    );
}
