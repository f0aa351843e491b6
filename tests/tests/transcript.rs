//! A whole conversation as a person on a text channel sees it: `askd demo`, to be read by whoever cares for how askd
//! talks.

use std::fs;

use askd_stories::{Home, Left};
use regex::{NoExpand, Regex};

fn demo(typed: &str) -> (Home, Left) {
    let home = Home::new();
    let left = home.run_with_input(&["demo"], typed);
    (home, left)
}

/// What differs from run to run, in angle brackets. The invisible marks around what agents and people wrote, which
/// keep right-to-left text in its place, are left out.
fn readable(text: &str) -> String {
    let shown: String = text
        .chars()
        .filter(|c| !matches!(c, '\u{2066}'..='\u{2069}'))
        .collect();
    let changes = [
        (r"http://127\.0\.0\.1:\d+", "http://<askd>"),
        (r"/sign-in#[0-9a-f]{32}", "/sign-in#<code>"),
        (r"\$\(cat [^)]*/agent\.token\)", "$(cat <state>/agent.token)"),
        (r"Open until .*\. To decline", "Open until <time>. To decline"),
        (r#""askId": "[0-9a-f-]{36}""#, r#""askId": "<id>""#),
        (r#""settledAt": "[^"]*Z""#, r#""settledAt": "<time>""#),
    ];
    changes.iter().fold(shown, |text, (pattern, with)| {
        let pattern = Regex::new(pattern).unwrap();
        pattern.replace_all(&text, NoExpand(with)).into_owned()
    })
}

#[test]
fn a_slip_a_hint_and_an_answer_in_persian_digits() {
    let (home, left) = demo("9\n۲\n");

    assert_eq!((left.code, left.stderr.as_str()), (0, ""), "{left:?}");
    insta::assert_snapshot!(readable(&left.stdout));
    assert_eq!(
        fs::read_dir(home.path("tmp")).unwrap().count(),
        0,
        "nothing is left behind"
    );
    assert!(!home.state().exists());
}

/// What comes after the question, which is always the same.
fn after_the_question(text: &str) -> String {
    let text = readable(text);
    let (_, rest) = text.split_once("\n3. ").expect("the third step is told");
    format!("3. {rest}")
}

#[test]
fn own_words() {
    let (_, left) = demo("prod, but only after five\n");

    assert_eq!(left.code, 0, "{left:?}");
    insta::assert_snapshot!(after_the_question(&left.stdout));
}

#[test]
fn nothing_is_typed() {
    let (home, left) = demo("");

    assert_eq!(left.code, 4, "{left:?}");
    insta::assert_snapshot!(after_the_question(&left.stdout));
    assert_eq!(fs::read_dir(home.path("tmp")).unwrap().count(), 0);
}

#[test]
fn with_json_the_agents_result_alone_is_on_stdout() {
    let home = Home::new();

    let left = home.run_with_input(&["demo", "--json"], "2\n");

    assert_eq!(left.code, 0, "{left:?}");
    let result = left.json();
    assert_eq!(
        result["answers"]["answers"]["deploy_target"],
        serde_json::json!(["Production"])
    );
    assert_eq!(result["settledBy"]["name"], "you");
}
