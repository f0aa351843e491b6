//! Several questions.

use askd_core::ask::Questions;

use super::{ask, check, check_after, question};

fn two() -> Questions {
    ask(vec![
        question(
            "deploy_target",
            "Target",
            &["Staging (Recommended)", "Production"],
            false,
        ),
        question("alerts", "Alerts", &["Ops", "Developers"], true),
    ])
}

fn three() -> Questions {
    ask(vec![
        question("deploy_target", "Target", &["Staging", "Production"], false),
        question("when", "When?", &["Now", "Tonight"], false),
        question("size", "Target size", &["3 replicas", "5 replicas"], false),
    ])
}

#[test]
fn the_skip_word_as_the_whole_text_skips_the_ask() {
    check(
        &two(),
        &[
            ("skip", "skip"),
            ("SKIP.", "skip"),
            ("/skip", "skip"),
            ("رد کردن", "skip"),
            ("\n skip \n\n", "skip"),
            ("> Where?\nskip", "skip"),
            ("1: skip", "deploy_target!SkipPart"),
            ("1: /skip", "deploy_target!SkipPart"),
            ("1: 2\n2: skip", "deploy_target=Production | alerts!SkipPart"),
            ("skip\n2", "alerts=Developers | deploy_target!SkipPart"),
            ("skip both", "!Unread"),
        ],
    );
    check_after(&two(), &["alerts"], &[("skip", "skip")]);
}

#[test]
fn a_skip_word_that_is_a_label_skips_nothing() {
    let questions = ask(vec![
        question("tests", "Tests", &["Run", "Skip"], false),
        question("docs", "Docs", &["Write", "Leave"], false),
    ]);
    check(
        &questions,
        &[
            ("1: skip; 2: 1", "tests=Skip | docs=Write"),
            ("2: skip", "docs!SkipPart"),
            ("skip", "!Unread"),
            ("/skip", "skip"),
        ],
    );
    check_after(
        &questions,
        &["docs"],
        &[("skip", "tests=Skip"), ("/skip", "skip")],
    );
    check_after(&questions, &["tests"], &[("skip", "docs!SkipPart")]);
}

#[test]
fn keyed_lines_answer_in_any_order() {
    let both = "deploy_target=Production | alerts=Ops + Developers";
    check(
        &two(),
        &[
            ("1: 2\n2: 1, 2", both),
            ("1: 2; 2: 1, 2", both),
            ("1: 2, 2: 1, 2", both),
            ("1: 2 2: 1 2", both),
            ("1:2;2:1,2", both),
            ("2: 1, 2\n1: 2", both),
            ("2: 1 and 2; 1: production", both),
            ("1 = 2; 2 = all", both),
            ("1=2 2=all", both),
            ("1 => 2\n2 => all", both),
            ("1 -> 2\n2 -> all", both),
            ("Q1: 2\nQ2: all", both),
            ("q1 2\nq2 all", both),
            ("Q1 production\nQ2 - ops, developers", both),
            ("Q1) 2\nQ2. 1-2", both),
            ("Target: Production; Alerts: all", both),
            ("target = 2, alerts = all", both),
            ("TARGET - 2\nalerts) all", both),
            ("Target. Production\n\nAlerts. all", both),
            ("deploy_target: 2; alerts: all", both),
            ("deploy_target=2 alerts=all", both),
            ("۱: ۲؛ ۲: ۱، ۲", both),
            ("\u{200F}۱: ۲؛ ۲: همه", both),
            ("１：２；２：１，２", both),
            ("1️⃣: 2\n2️⃣: all", both),
            ("- 1: 2\n- 2: all", both),
            ("> 1. Target\n1: 2\n2: all", both),
            ("1: 2;\n2: 1, 2;", both),
            ("01: 2\n02: all", both),
            ("1: 2", "deploy_target=Production"),
            ("Q2 ops", "alerts=Ops"),
            ("Target - 2", "deploy_target=Production"),
            ("alerts:\u{A0}1", "alerts=Ops"),
            ("Q2", "!Unread"),
            ("Q3: 1", "!Unread"),
            ("Target Production", "!Unread"),
        ],
    );
}

#[test]
fn the_answer_to_a_key_is_read_like_any_answer_to_that_question() {
    check(
        &two(),
        &[
            ("1: not before Monday", "deploy_target=“not before Monday”"),
            (
                "1: 2 weeks from now; 2: 1",
                "deploy_target=“2 weeks from now” | alerts=Ops",
            ),
            ("1: other: 5", "deploy_target=“5”"),
            (
                "1: call Bob; then wait; 2: 1",
                "deploy_target=“call Bob; then wait” | alerts=Ops",
            ),
            ("2: 1, Bob", "alerts=Ops + “Bob”"),
            ("1: Staging (Recommended)", "deploy_target=Staging (Recommended)"),
            ("1: 1. Staging", "deploy_target=Staging (Recommended)"),
            ("1: 7", "deploy_target!NoSuchOption"),
            ("1: 7; 2: 1", "alerts=Ops | deploy_target!NoSuchOption"),
            ("1: 1, 2", "deploy_target!SeveralChoices"),
            ("1:", "deploy_target!NothingLeft"),
            ("1: ok; 2: 2", "alerts=Developers | deploy_target!YesOrNo"),
        ],
    );
}

#[test]
fn a_bare_number_before_a_weak_separator_is_a_key_only_where_all_lines_are_keyed() {
    let both = "deploy_target=Production | alerts=Ops";
    check(
        &two(),
        &[
            ("1. 2\n2. 1", both),
            ("1) Production\n2) Ops", both),
            ("1 - 2\n2 - 1", both),
            ("1-2\n2-1", both),
            ("1. 2\n\n2: 1", both),
            ("1. 2\nAlerts: 1", both),
            // Alone or among others it is a marker, a range, a decimal.
            ("1. 2", "!Unread"),
            ("1-2", "!Unread"),
            ("2.", "!Unread"),
            ("1) Production", "!Unread"),
            ("1.2\n2.1", "!Unread"),
            ("1. 2\n2. 1\nthanks", "!Unread"),
            ("1. 2\nalerts: 1\nthanks", "alerts=Ops | ?1. 2 | ?thanks"),
        ],
    );
    check_after(
        &two(),
        &["deploy_target"],
        &[
            ("1-2", "alerts=Ops + Developers"),
            ("2.", "alerts=Developers"),
            ("2. Developers", "alerts=Developers"),
        ],
    );
}

#[test]
fn times_urls_decimals_and_compounds_are_no_keys() {
    check_after(
        &two(),
        &["alerts"],
        &[
            ("2:30", "deploy_target=“2:30”"),
            ("12:30", "deploy_target=“12:30”"),
            ("1:15 pm", "deploy_target=“1:15 pm”"),
            ("target://x", "deploy_target=“target://x”"),
            ("alerts.example.org", "deploy_target=“alerts.example.org”"),
            ("target-group", "deploy_target=“target-group”"),
            ("1.5", "deploy_target=“1.5”"),
            (
                "see https://example.org:2/ first",
                "deploy_target=“see https://example.org:2/ first”",
            ),
        ],
    );
    check(
        &two(),
        &[
            ("2:30", "!Unread"),
            ("1: 2:30", "deploy_target=“2:30”"),
            ("1: at 2:30; 2: 1", "deploy_target=“at 2:30” | alerts=Ops"),
            (
                "1: https://example.org/?a=1;2:x",
                "deploy_target=“https://example.org/?a=1;2:x”",
            ),
            (
                "1: https://example.org/; 2: 1",
                "deploy_target=“https://example.org/” | alerts=Ops",
            ),
            ("Target-2", "deploy_target=Production"),
            ("alerts.ops", "alerts=Ops"),
        ],
    );
}

#[test]
fn the_longest_key_wins_and_a_shared_one_is_none() {
    check(
        &three(),
        &[
            ("target: 2", "deploy_target=Production"),
            ("target size: b", "size=5 replicas"),
            (
                "Targetsize: 3 replicas; target: 1",
                "deploy_target=Staging | size=3 replicas",
            ),
            ("size: 4", "size=“4”"),
            ("When?: now", "when=Now"),
            ("when: tonight", "when=Tonight"),
        ],
    );
    let shared = ask(vec![
        question("first", "Size", &["Small", "Large"], false),
        question("second", "size", &["Small", "Large"], false),
        question("third", "2", &["Red", "Blue"], false),
    ]);
    check(
        &shared,
        &[
            ("size: large", "!Unread"),
            ("2: large", "!Unread"),
            ("first: large; size: small", "first=Large | ?size: small"),
            (
                "first: large; second: small; 3: blue",
                "first=Large | second=Small | third=Blue",
            ),
            ("Q2: large", "second=Large"),
        ],
    );
}

#[test]
fn the_same_key_twice_counts_the_later_time() {
    check(
        &two(),
        &[
            ("1: 1; 1: 2", "deploy_target=Production"),
            ("1: 1\nTarget: 2\nQ1 1", "deploy_target=Staging (Recommended)"),
            ("1: 2; 1: 7", "deploy_target!NoSuchOption"),
        ],
    );
}

#[test]
fn what_has_no_key_among_keyed_lines_is_named_in_the_hint() {
    check(
        &two(),
        &[
            ("1: 2\nhello", "deploy_target=Production | ?hello"),
            ("hello\n1: 2", "deploy_target=Production | ?hello"),
            ("hello 1: 2", "deploy_target=Production | ?hello"),
            ("1: 2\n7: 1", "deploy_target=Production | ?7: 1"),
            ("1: 2; 7: 1", "deploy_target=Production | ?7: 1"),
            ("1: 7\nhello", "deploy_target!NoSuchOption | ?hello"),
        ],
    );
}

#[test]
fn a_line_that_is_exactly_a_label_is_not_keyed() {
    let questions = ask(vec![
        question("ratio", "Ratio", &["2: 1", "1: 2"], false),
        question("mode", "Mode", &["Fast", "Slow"], false),
    ]);
    check(
        &questions,
        &[
            ("1: 2\nSlow", "ratio=1: 2 | mode=Slow"),
            ("1: 2: 1", "ratio=2: 1"),
            ("ratio: 2: 1", "ratio=2: 1"),
            ("1: b; 2: slow", "ratio=1: 2 | mode=Slow"),
        ],
    );
    check_after(
        &questions,
        &["mode"],
        &[("1: 2", "ratio=1: 2"), ("2: 1", "ratio=2: 1")],
    );
}

#[test]
fn without_keys_lines_parts_or_blanks_answer_by_position() {
    let both = "deploy_target=Production | alerts=Ops";
    check(
        &two(),
        &[
            ("2\n1", both),
            ("\n2\n\n1\n", both),
            ("Production\nOps", both),
            ("- 2\n- 1", both),
            ("2;\n1;", both),
            ("2; 1", both),
            ("2؛ ۱", both),
            ("2;1;", both),
            ("2; 1, 2", "deploy_target=Production | alerts=Ops + Developers"),
            ("2, 1", both),
            ("2 1", both),
            ("production ops", both),
            ("2، ۱", both),
            // At least one line or part is exactly an option.
            ("2\nask Bob", "deploy_target=Production | alerts=“ask Bob”"),
            ("after lunch; ops", "deploy_target=“after lunch” | alerts=Ops"),
            ("2\n7", "deploy_target=Production | alerts!NoSuchOption"),
            ("neither\nask Bob", "!Unread"),
            ("neither; ask Bob", "!Unread"),
            // With commas and blanks all are.
            ("2, ask Bob", "!Unread"),
            ("2 Bob", "!Unread"),
            ("2, 7", "!Unread"),
            // As many as questions.
            ("2\n1\n2", "!Unread"),
            ("2, 1, 2", "!Unread"),
            ("2 1 2", "!Unread"),
            ("2", "!Unread"),
            ("Production", "!Unread"),
        ],
    );
}

#[test]
fn by_position_means_the_unanswered_questions_or_else_all() {
    check_after(
        &three(),
        &["deploy_target"],
        &[
            ("1\nb", "when=Now | size=5 replicas"),
            ("1; b", "when=Now | size=5 replicas"),
            ("1 b", "when=Now | size=5 replicas"),
            (
                "2\n2\na",
                "deploy_target=Production | when=Tonight | size=3 replicas",
            ),
            (
                "2, 2, a",
                "deploy_target=Production | when=Tonight | size=3 replicas",
            ),
            ("2", "!Unread"),
        ],
    );
    check_after(
        &two(),
        &["alerts"],
        &[
            ("2\n1", "deploy_target=Production | alerts=Ops"),
            ("2, 1", "deploy_target=Production | alerts=Ops"),
        ],
    );
    // The only one left may take several: which is meant cannot be told.
    check_after(
        &two(),
        &["deploy_target"],
        &[("1, 2", "!Unread"), ("2\n1", "!Unread"), ("2; 1", "!Unread")],
    );
}

#[test]
fn the_whole_text_answers_the_only_question_left() {
    check_after(
        &two(),
        &["deploy_target"],
        &[
            ("2", "alerts=Developers"),
            ("all", "alerts=Ops + Developers"),
            ("1, Bob", "alerts=Ops + “Bob”"),
            ("whoever is on call", "alerts=“whoever is on call”"),
            ("two\nlines", "alerts=“two\nlines”"),
            ("9", "alerts!NoSuchOption"),
            ("ok", "alerts!YesOrNo"),
            ("other: 9", "alerts=“9”"),
            ("1: 2", "deploy_target=Production"),
            ("", "!NothingLeft"),
        ],
    );
    check_after(
        &two(),
        &["alerts"],
        &[
            ("2", "deploy_target=Production"),
            ("prod", "deploy_target=“prod”"),
            ("2 weeks from now", "deploy_target=“2 weeks from now”"),
        ],
    );
}

#[test]
fn a_label_of_another_question_is_a_slip() {
    check(
        &two(),
        &[
            ("1: ops; 2: 1", "alerts=Ops | deploy_target!OtherQuestion"),
            ("1: ops", "deploy_target!OtherQuestion"),
            ("2: 1, staging", "alerts!OtherQuestion"),
            ("2: staging, production", "alerts!OtherQuestion"),
            ("Ops\nProduction", "!Unread"),
            (
                "Production\nstaging",
                "deploy_target=Production | alerts!OtherQuestion",
            ),
            // Said to be own words, or more than the label.
            ("1: other: ops", "deploy_target=“ops”"),
            ("1: ops first", "deploy_target=“ops first”"),
            ("2: Bob, staging", "alerts=“Bob, staging”"),
        ],
    );
    check_after(
        &two(),
        &["deploy_target"],
        &[("Production", "alerts!OtherQuestion")],
    );
}

#[test]
fn each_answer_has_a_limit_and_the_reply_too() {
    let long = "x".repeat(4001);
    let fits = "y".repeat(4000);

    check(
        &two(),
        &[
            (&format!("1: {long}; 2: 1"), "alerts=Ops | deploy_target!TooLong"),
            (
                &format!("1: {fits}\n2: 1"),
                &format!("deploy_target=“{fits}” | alerts=Ops"),
            ),
            (&"x ".repeat(10_000), "!TooLong"),
        ],
    );
}
