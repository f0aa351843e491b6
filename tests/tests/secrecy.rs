//! What the log never holds.

use askd_stories::Home;
use rustix::process::Signal;
use serde_json::json;

/// Every text of a noisy run that is nobody's business but the two who talk. Each stands for itself: none is part of
/// what askd says by itself.
const WORDS: [&str; 11] = [
    "walrus-question",
    "walrus-header",
    "walrus-label",
    "walrus-description",
    "walrus-context",
    "walrus-title",
    "walrus-reply",
    "walrus-value",
    "walrus-fault",
    "walrus-token",
    "walrus-stranger",
];

#[test]
fn a_noisy_run_leaves_no_question_no_answer_and_no_secret_in_the_log() {
    for format in ["text", "json"] {
        let home = Home::new();
        let config = "[people.sara]\n[tokens.of-sara]\nrole = \"person\"\nperson = \"sara\"\n\
                      token = \"walrus-token-of-sara\"\n";
        home.configure(config);
        let mut askd = home.serve_with(&[("ASKD_LOG", "trace")], &["--log-format", format]);
        let body = json!({
            "questions": [{
                "id": "q", "header": "walrus-header", "question": "walrus-question?",
                "options": [
                    { "label": "walrus-label 1", "description": "walrus-description" },
                    { "label": "walrus-label 2" },
                ],
            }],
            "context": "walrus-context",
            "session": { "id": "s", "title": "walrus-title" },
        });

        let sara = askd.called_by("walrus-token-of-sara");
        let ask = askd.agent.ask_once(&body, "walrus-key").id();
        assert_eq!(
            sara.reply(&ask, "walrus-label 1, walrus-label 2")["receipt"],
            "hint"
        );
        let answers = format!("/v1/asks/{ask}/answers");
        assert_eq!(
            sara.post(
                &answers,
                &json!({ "answers": { "walrus-value": ["walrus-value"] } })
            )
            .body["receipt"],
            "hint"
        );
        assert_eq!(sara.reply(&ask, "walrus-reply, as I said")["receipt"], "settled");
        assert_eq!(sara.reply(&ask, "walrus-reply again")["receipt"], "too_late");
        let bad = json!({ "questions": "walrus-fault", "walrus-fault": 1 });
        assert_eq!(askd.agent.ask(&bad).status, 422);
        assert_eq!(
            askd.called_by("walrus-stranger")
                .get("/v1/asks/walrus-fault")
                .status,
            401
        );
        assert_eq!(askd.agent.get("/v1/asks?walrus-fault=1").status, 400);
        let code = askd.operator.post_empty("/v1/people/sara/pair").body["code"].clone();
        let once_more = home.run(&[
            "ask",
            "walrus-question?",
            "-o",
            "walrus-label A",
            "-o",
            "B",
            "--no-wait",
        ]);
        assert_eq!(once_more.code, 0, "{once_more:?}");
        assert_eq!(home.run(&["answer", "walrus-reply"]).code, 0);
        for (broken, says) in [
            (
                "[tokens.of-sara]\ntoken = \"walrus-token-without-an-end\n",
                "invalid basic string",
            ),
            (
                "[tokens.of-sara]\nrole = \"agent\"\ntoken = [\"walrus-token-in-a-list\"]\n",
                "must be a text",
            ),
        ] {
            home.configure(broken);
            askd.process.signal(Signal::HUP);
            askd.process.until_it_notes(says);
        }
        let left = askd.process.stop();

        let said = format!("{}{}", left.stdout, left.stderr);
        assert!(
            said.contains("ask taken over") && said.contains("DEBUG"),
            "it did log: {said}"
        );
        let secrets = [
            home.secret("agent"),
            home.secret("operator"),
            code.as_str().unwrap().to_owned(),
        ];
        for word in WORDS.into_iter().chain(secrets.iter().map(String::as_str)) {
            let line = said.lines().find(|line| line.contains(word));
            assert_eq!(line, None, "{word:?} was logged");
        }
    }
}
