use super::*;

/// As Claude Code 2.1.332 sends it.
fn input() -> Value {
    json!({
        "session_id": "0b5c9c1e-3d2f-4a53-9d0e-0e4b1c9c7f10",
        "transcript_path": "/home/sara/.claude/projects/-home-sara-shop/0b5c9c1e.jsonl",
        "cwd": "/home/sara/shop",
        "permission_mode": "default",
        "hook_event_name": "PreToolUse",
        "tool_name": "AskUserQuestion",
        "tool_input": { "questions": [
            {
                "question": "Where should this go?",
                "header": "Target env",
                "options": [
                    { "label": "Staging (Recommended) ", "description": "Safe; resets nightly" },
                    { "label": "Production", "description": "Everybody sees it" },
                ],
                "multiSelect": false,
            },
            {
                "question": "Who should hear about it?",
                "header": "Alerts",
                "options": [{ "label": "Ops", "description": "" }, { "label": "Developers", "description": "" }],
                "multiSelect": true,
            },
        ]},
        "tool_use_id": "toolu_01AbC",
    })
}

fn with(change: impl FnOnce(&mut Value)) -> Result<Call, NotOurs> {
    let mut input = input();
    change(&mut input);
    Call::read(&input.to_string())
}

/// The ask as the daemon sends it back, with these answers by question id.
fn over(answers: &Value) -> AskView {
    AskView::of(&json!({
        "id": "0193a000-0000-7000-8000-0000aaaa1111", "status": "answered", "agent": "claude-code",
        "questions": [
            { "id": "target_env", "header": "Target env", "question": "Where should this go?",
              "options": [{ "label": "Staging (Recommended)" }, { "label": "Production" }], "multiSelect": false },
            { "id": "alerts", "header": "Alerts", "question": "Who should hear about it?",
              "options": [{ "label": "Ops" }, { "label": "Developers" }], "multiSelect": true },
        ],
        "createdAt": "2026-12-01T09:30:00Z", "deadline": "2026-12-01T09:45:00Z",
        "result": { "status": "answered", "answers": { "answers": answers } },
    }))
    .unwrap()
}

#[test]
fn a_call_becomes_an_ask_of_its_session_with_ids_made_of_the_headers() {
    let call = with(|_| {}).unwrap();

    assert_eq!(
        call.body(600),
        json!({
            "questions": [
                { "id": "target_env", "header": "Target env", "question": "Where should this go?", "multiSelect": false,
                  "options": [
                      { "label": "Staging (Recommended) ", "description": "Safe; resets nightly" },
                      { "label": "Production", "description": "Everybody sees it" },
                  ] },
                { "id": "alerts", "header": "Alerts", "question": "Who should hear about it?", "multiSelect": true,
                  "options": [
                      { "label": "Ops", "description": "" },
                      { "label": "Developers", "description": "" },
                  ] },
            ],
            "timeoutSeconds": 600,
            "session": { "id": "0b5c9c1e-3d2f-4a53-9d0e-0e4b1c9c7f10", "title": "shop" },
        })
    );
    assert_eq!(call.key(), Some("toolu_01AbC"));
}

#[test]
fn answers_stand_in_the_input_under_the_questions_text_with_the_labels_that_were_sent() {
    let call = with(|input| input["tool_input"]["metadata"] = json!({ "source": "plan" })).unwrap();

    let output = call.output(&over(
        &json!({ "target_env": ["Staging (Recommended)"], "alerts": ["Ops", "Developers", "my team, too"] }),
    ));

    let mut expected = input()["tool_input"].clone();
    expected["metadata"] = json!({ "source": "plan" });
    expected["answers"] = json!({
        "Where should this go?": "Staging (Recommended) ",
        "Who should hear about it?": "Ops, Developers, my team, too",
    });
    assert_eq!(
        output,
        Some(json!({ "hookSpecificOutput": {
            "hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": expected,
        }}))
    );
}

#[test]
fn own_words_are_passed_on_as_they_are() {
    let call = with(|_| {}).unwrap();
    let words = "  prod,\nbut only after five";

    let output = call
        .output(&over(&json!({ "target_env": [words], "alerts": ["Ops"] })))
        .unwrap();

    let answers = &output["hookSpecificOutput"]["updatedInput"]["answers"];
    assert_eq!(answers["Where should this go?"], words);
}

#[test]
fn nothing_is_printed_unless_every_question_is_answered() {
    let call = with(|_| {}).unwrap();

    for answers in [
        json!({}),
        json!({ "alerts": ["Ops"] }),
        json!({ "target_env": [], "alerts": ["Ops"] }),
    ] {
        assert_eq!(call.output(&over(&answers)), None, "{answers}");
    }
}

#[test]
fn what_is_not_a_call_of_the_tool_by_the_main_session_is_left_alone() {
    type Change = fn(&mut Value);
    let cases: [(&str, Change, NotOurs); 14] = [
        (
            "another event",
            |i| i["hook_event_name"] = json!("PostToolUse"),
            NotOurs::AnotherTool,
        ),
        (
            "another tool",
            |i| i["tool_name"] = json!("Bash"),
            NotOurs::AnotherTool,
        ),
        (
            "a sub-agent",
            |i| i["agent_id"] = json!("a1b2"),
            NotOurs::SubAgent,
        ),
        (
            "a sub-agent without a name",
            |i| i["agent_id"] = json!(""),
            NotOurs::SubAgent,
        ),
        ("no session", |i| i["session_id"] = json!(7), NotOurs::NoInput),
        (
            "no input of the tool",
            |i| i["tool_input"] = json!([]),
            NotOurs::NoInput,
        ),
        (
            "no questions",
            |i| i["tool_input"] = json!({}),
            NotOurs::UnknownShape,
        ),
        (
            "questions as text",
            |i| i["tool_input"]["questions"] = json!("[]"),
            NotOurs::UnknownShape,
        ),
        (
            "options as text",
            |i| i["tool_input"]["questions"][0]["options"] = json!(["A", "B"]),
            NotOurs::UnknownShape,
        ),
        (
            "a field that may mean something",
            |i| i["tool_input"]["questions"][0]["required"] = json!(false),
            NotOurs::UnknownShape,
        ),
        (
            "an option with one",
            |i| i["tool_input"]["questions"][1]["options"][0]["disabled"] = json!(true),
            NotOurs::UnknownShape,
        ),
        (
            "two questions of one text",
            |i| i["tool_input"]["questions"][1]["question"] = json!("Where should this go?"),
            NotOurs::SameText,
        ),
        (
            "answers of another hook",
            |i| i["tool_input"]["answers"] = json!({ "Where should this go?": "Production" }),
            NotOurs::HasAnswers,
        ),
        (
            "previews longer than an ask",
            |i| i["tool_input"]["questions"][0]["options"][0]["preview"] = json!("x".repeat(4000)),
            NotOurs::LongPreviews,
        ),
    ];
    for (case, change, why) in cases {
        assert_eq!(with(change).unwrap_err(), why, "{case}");
    }
    for text in [
        "",
        "no JSON",
        "[]",
        "null",
        "{\"hook_event_name\":\"PreToolUse\"}",
    ] {
        assert_eq!(Call::read(text).unwrap_err(), NotOurs::NoInput, "{text}");
    }
}

#[test]
fn a_main_session_that_runs_as_a_named_agent_may_ask_and_new_fields_around_the_questions_do_not_hinder() {
    let call = with(|input| {
        input["agent_type"] = json!("security-reviewer");
        input["effort"] = json!({ "level": "high" });
        input["tool_input"]["answers"] = json!({});
    });

    assert!(call.is_ok(), "{call:?}");
}

#[test]
fn a_call_without_a_usable_id_has_no_key_and_one_without_a_folder_no_title() {
    let call = with(|input| {
        input["tool_use_id"] = json!("two words");
        input["cwd"] = json!("/");
    })
    .unwrap();

    assert_eq!(call.key(), None);
    assert_eq!(call.body(30)["session"].get("title"), None);
}

#[test]
fn previews_go_along_as_background_with_their_options() {
    let call = with(|input| {
        let options = &mut input["tool_input"]["questions"][0]["options"];
        options[0]["preview"] = json!("+---+\n| a |\n+---+\n");
        options[1]["preview"] = json!("  ");
    })
    .unwrap();

    assert_eq!(
        call.body(30)["context"],
        "Staging (Recommended) :\n+---+\n| a |\n+---+"
    );
    assert_eq!(call.body(30)["questions"][0]["options"][0].get("preview"), None);
}

#[test]
fn every_question_has_an_id_of_its_own_that_an_ask_takes() {
    for (headers, expected) in [
        (
            &["Auth method", "auth-method", "AUTH  METHOD"][..],
            &["auth_method", "auth_method_2", "auth_method_3"][..],
        ),
        (&["هدف", "2nd try", "!?"], &["question_1", "nd_try", "question_3"]),
        (&["Question 2", "؟"], &["question_2", "question_2_2"]),
        (&["C++", "C#"], &["c", "c_2"]),
    ] {
        assert_eq!(ids(headers.iter().copied()), expected, "{headers:?}");
    }
    assert_eq!(ids(["x".repeat(100).as_str()].into_iter())[0].len(), 60);
}
