//! What a text may hold, and which labels an ask may have.

use askd_core::ask::{Header, Warning};
use serde_json::json;

use super::{check, draft, each_is_refused, each_is_taken, with};

#[test]
fn a_header_is_cut_to_12_clusters_and_the_result_says_so() {
    let cut = |header: &str| {
        let draft = draft(&with("/questions/0/header", json!(header)));
        (
            draft.questions.as_slice()[0].header.as_str().to_owned(),
            draft.warnings,
        )
    };
    let warning = vec![Warning::HeaderCut {
        question: "target".to_owned(),
    }];

    assert_eq!(cut("Exactly 12 !"), ("Exactly 12 !".to_owned(), vec![]));
    assert_eq!(
        cut("Deployment target"),
        ("Deployment t".to_owned(), warning.clone())
    );
    assert_eq!(
        cut("Eleven char and more"),
        ("Eleven char".to_owned(), warning.clone()),
        "no space at the end"
    );
    assert_eq!(cut(&"👩‍👩‍👧".repeat(13)), ("👩‍👩‍👧".repeat(12), warning));
}

#[test]
fn a_header_of_one_letter_with_marks_without_end_is_cut_too() {
    let endless = format!("e{}", "\u{301}".repeat(100_000));

    let draft = draft(&with("/questions/0/header", json!(endless)));

    let header = draft.questions.as_slice()[0].header.as_str();
    assert_eq!(header.chars().count(), Header::LONGEST);
    assert_eq!(
        draft.warnings,
        [Warning::HeaderCut {
            question: "target".to_owned()
        }]
    );
}

#[test]
fn what_must_be_seen_is_not_blank() {
    for blank in ["", "  ", "\n\t", "\u{200B}", "\u{2060}\u{FEFF} \u{202E}"] {
        each_is_refused(vec![
            ("/questions/0/id", json!(blank), "/questions/0/id blank"),
            ("/questions/0/header", json!(blank), "/questions/0/header blank"),
            (
                "/questions/0/question",
                json!(blank),
                "/questions/0/question blank",
            ),
            (
                "/questions/0/options/1/label",
                json!(blank),
                "/questions/0/options/1/label blank",
            ),
            ("/session", json!({ "id": blank }), "/session/id blank"),
            ("/run", json!(blank), "/run blank"),
        ]);
    }
    let hidden = format!("{}x", "\u{200B}".repeat(12));
    each_is_refused(vec![(
        "/questions/0/header",
        json!(hidden),
        "/questions/0/header blank",
    )]);
}

#[test]
fn what_need_not_be_seen_may_be_blank() {
    let mut request = with("/questions/0/options/0/description", json!(" "));
    request["context"] = json!("\n");
    request["session"] = json!({ "id": "s", "title": "" });

    let draft = draft(&request);

    assert_eq!(draft.questions.as_slice()[0].choices[0].description, None);
    assert_eq!(
        (draft.context, draft.session.expect("a session").title),
        (None, None)
    );
}

#[test]
fn texts_are_trimmed_and_their_line_ends_and_tabs_made_plain() {
    let draft = draft(&with("/questions/0/question", json!(" one\r\ntwo\tthree \r\n")));

    assert_eq!(draft.questions.as_slice()[0].text, "one\ntwo three");
}

#[test]
fn control_characters_are_refused_and_newlines_where_one_line_is_shown() {
    for control in ['\0', '\u{7}', '\u{1B}', '\r', '\u{7F}', '\u{85}', '\u{9B}'] {
        let text = json!(format!("a{control}b"));
        each_is_refused(vec![
            (
                "/questions/0/question",
                text.clone(),
                "/questions/0/question control_character",
            ),
            (
                "/questions/0/options/0/label",
                text.clone(),
                "/questions/0/options/0/label control_character",
            ),
            ("/context", text, "/context control_character"),
        ]);
    }
    for line in ["a\nb", "a\r\nb", "a\u{2028}b"] {
        each_is_refused(vec![
            ("/questions/0/header", json!(line), "/questions/0/header newline"),
            (
                "/questions/0/options/0/label",
                json!(line),
                "/questions/0/options/0/label newline",
            ),
            ("/session", json!({ "id": line }), "/session/id newline"),
            ("/run", json!(line), "/run newline"),
        ]);
    }
    each_is_taken(vec![
        ("/questions/0/question", json!("a\nb")),
        ("/questions/0/options/0/description", json!("a\n\nb")),
        ("/questions/0/options/0/label", json!("a\u{202E}b")),
    ]);
}

#[test]
fn labels_are_distinct_as_replies_compare_them() {
    for same in [
        "production",
        " PRODUCTION ",
        "Production.",
        "“Production”",
        "Pro duction",
        "Production (Recommended)",
    ] {
        let label = json!({ "label": same });
        each_is_refused(vec![(
            "/questions/0/options/2",
            label,
            "/questions/0/options/2/label same_label",
        )]);
    }
    for distinct in [
        "Production?",
        "Production 2",
        "Prod",
        "Production (recommended by me)",
        "Recommended",
    ] {
        each_is_taken(vec![("/questions/0/options/2", json!({ "label": distinct }))]);
    }
    each_is_refused(vec![(
        "/questions/0/options",
        json!([{ "label": "كتاب" }, { "label": "کتاب (پیشنهادی)" }]),
        "/questions/0/options/1/label same_label",
    )]);
    let symbols = json!([{ "label": "*" }, { "label": "+" }, { "label": "." }, { "label": "..." }]);
    each_is_taken(vec![("/questions/0/options", symbols)]);
}

#[test]
fn an_option_called_other_is_refused_with_the_reason() {
    for other in [
        "Other",
        "OTHER",
        "other...",
        "Other…",
        " other. ",
        "سایر",
        "سایر…",
        "غیره",
        "غيره...",
    ] {
        let pointer = "/questions/0/options/1/label";
        let faults = check(&with(pointer, json!(other))).expect_err(other);

        let fault = faults.iter().next().expect("at least one");
        assert_eq!(
            (fault.pointer.as_str(), fault.rule.code()),
            (pointer, "reserved_label"),
            "{other}"
        );
        assert!(fault.message.contains("own words"), "{}", fault.message);
    }
    for fine in ["Other region", "Another", "None of these", "Other: staging"] {
        each_is_taken(vec![("/questions/0/options/1/label", json!(fine))]);
    }
}
