//! What the log never holds, whatever the platform's library would like to write there.

use serde_json::json;

use crate::stage::{Stage, asks, stories};

stories! {
    a_noisy_run_leaves_no_word_of_anybody_and_no_secret_in_the_log,
}

/// What agents and people write. Each stands for itself: none is part of what askd says by itself.
const WORDS: [&str; 8] = [
    "walrus-question",
    "walrus-head",
    "walrus-label",
    "walrus-description",
    "walrus-context",
    "walrus-title",
    "walrus-own",
    "walrus-other",
];

fn a_noisy_run_leaves_no_word_of_anybody_and_no_secret_in_the_log(stage: &Stage) {
    let (sara, platform) = (stage.sara(), &stage.scene.platform);
    stage.configure(&format!(
        "{}[[routes]]\nto = [\"sara\", \"{}\"]\nanswerers = [\"sara\"]\n",
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

    asks(&askd, &body);
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
    platform.refuse_secrets();
    askd.agent.ask(&body);
    askd.process.until_it_notes("channel stopped");
    let left = askd.process.stop();

    let said = left.stdout + &left.stderr;
    assert!(said.contains("DEBUG"), "it did log: {said}");
    for word in WORDS
        .into_iter()
        .chain(secrets.iter().map(|(_, secret)| secret.as_str()))
    {
        let line = said.lines().find(|line| line.contains(word));
        assert_eq!(line, None, "{word:?} was logged");
    }
}
