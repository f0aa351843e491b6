use super::*;

fn entry(fields: Vec<Field>) -> Change {
    Change::Entry {
        path: vec!["mcpServers", "askd"],
        fields,
    }
}

fn usual() -> Change {
    entry(vec![
        Field::ours("type", "stdio"),
        Field::ours("command", "askd"),
        Field::ours("args", json!(["mcp"])),
        Field::at_least("timeout", 3700),
        Field::unless_said("trust", true),
    ])
}

fn hook() -> Change {
    Change::Hook {
        command: "askd hook claude-code".to_owned(),
        timeout: 960,
    }
}

fn allowed() -> Change {
    Change::Listed {
        path: vec!["permissions", "allow"],
        text: "mcp__askd".to_owned(),
    }
}

#[track_caller]
fn merges(before: &str, changes: &[Change], after: &str) {
    assert_eq!(with(before, changes).as_deref(), Ok(after));
    assert_eq!(with(after, changes).as_deref(), Ok(after), "a second time");
}

#[test]
fn an_empty_file_gets_what_is_said_and_nothing_else() {
    let after = r#"{
  "mcpServers": {
    "askd": {
      "type": "stdio",
      "command": "askd",
      "args": ["mcp"],
      "timeout": 3700,
      "trust": true
    }
  }
}
"#;
    for before in ["", "\n", "{}\n"] {
        merges(before, &[usual()], after);
    }
}

#[test]
fn what_is_there_keeps_its_place_its_comments_and_its_white_space() {
    merges(
        r#"// of Sara
{
    "theme":   "dark", /* as ever */
    "mcpServers": {
        // the other one
        "files": { "command": "npx", "args": [ "-y", "files" ] },
    },
    "z": [1,2,
          3]
}
"#,
        &[entry(vec![Field::ours("command", "askd")])],
        r#"// of Sara
{
    "theme":   "dark", /* as ever */
    "mcpServers": {
        // the other one
        "files": { "command": "npx", "args": [ "-y", "files" ] },
        "askd": {
            "command": "askd"
        },
    },
    "z": [1,2,
          3]
}
"#,
    );
}

#[test]
fn of_our_own_entry_only_what_differs_is_written_and_what_its_owner_added_stays() {
    merges(
        r#"{
  "mcpServers": {
    "askd": {
      "timeout": 9000, // longer is fine
      "command": "/old/askd", // was elsewhere
      "trust": false,
      "env": { "ASKD_URL": "http://127.0.0.1:1" }
    }
  }
}"#,
        &[usual()],
        r#"{
  "mcpServers": {
    "askd": {
      "timeout": 9000, // longer is fine
      "command": "askd", // was elsewhere
      "trust": false,
      "env": { "ASKD_URL": "http://127.0.0.1:1" },
      "type": "stdio",
      "args": ["mcp"]
    }
  }
}"#,
    );
}

#[test]
fn a_time_out_that_is_too_short_is_made_long_enough() {
    let before = r#"{ "mcpServers": { "askd": { "timeout": 60 } } }"#;

    let after = with(before, &[entry(vec![Field::at_least("timeout", 3700)])]).unwrap();

    assert_eq!(after, r#"{ "mcpServers": { "askd": { "timeout": 3700 } } }"#);
}

#[test]
fn an_entry_never_says_two_ways_to_reach_askd() {
    let over_http = [entry(vec![
        Field::ours("type", "http"),
        Field::ours("url", "http://127.0.0.1:7373/mcp"),
    ])];
    let over_stdio = with("", &[usual()]).unwrap();

    let after = with(&over_stdio, &over_http).unwrap();

    let said: Value = serde_json::from_str(&after).unwrap();
    assert_eq!(
        said["mcpServers"]["askd"],
        json!({ "type": "http", "url": "http://127.0.0.1:7373/mcp", "timeout": 3700, "trust": true })
    );
}

#[test]
fn the_hook_stands_beside_the_other_hooks() {
    merges(
        r#"{
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "check" }] }
    ]
  }
}
"#,
        &[hook()],
        r#"{
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "check" }] },
      {
        "matcher": "AskUserQuestion",
        "hooks": [
          {
            "type": "command",
            "command": "askd hook claude-code",
            "timeout": 960
          }
        ]
      }
    ]
  }
}
"#,
    );
}

#[test]
fn a_hook_of_ours_is_brought_up_to_date_where_it_stands() {
    let before = r#"{ "hooks": { "PreToolUse": [{ "matcher": "*", "hooks": [
        { "type": "command", "command": "log" },
        { "type": "command", "command": "/old/askd hook claude-code --timeout 60", "timeout": 120 }
    ] }] } }"#;

    let after = with(before, &[hook()]).unwrap();

    let said: Value = serde_json::from_str(&after).unwrap();
    let groups = said["hooks"]["PreToolUse"].as_array().unwrap();
    assert_eq!(groups.len(), 1);
    assert_eq!(
        groups[0]["hooks"][1],
        json!({ "type": "command", "command": "askd hook claude-code", "timeout": 960 })
    );
}

#[test]
fn a_hook_of_ours_that_stands_before_other_tools_does_not_stand_for_the_one_that_is_missing() {
    let before = r#"{ "hooks": { "PreToolUse": [{ "matcher": "Bash", "hooks": [
        { "type": "command", "command": "askd hook claude-code", "timeout": 960 }
    ] }] } }"#;

    let after = with(before, &[hook()]).unwrap();

    let said: Value = serde_json::from_str(&after).unwrap();
    assert_eq!(
        said["hooks"]["PreToolUse"][1]["matcher"], "AskUserQuestion",
        "{after}"
    );
    assert_eq!(with(&after, &[hook()]).as_deref(), Ok(&*after), "a second time");
    let without: Value = serde_json::from_str(&without(&after, &[hook()]).unwrap()).unwrap();
    assert_eq!(without["hooks"]["PreToolUse"], json!([]), "all of them come out");
}

#[test]
fn a_hook_of_ours_stands_wherever_claude_code_runs_it_before_its_question_tool() {
    for matcher in [
        "",
        r#""matcher": "","#,
        r#""matcher": "*","#,
        r#""matcher": "Bash|AskUserQuestion","#,
    ] {
        let before = format!(
            r#"{{ "hooks": {{ "PreToolUse": [{{ {matcher} "hooks": [
                {{ "type": "command", "command": "askd hook claude-code", "timeout": 960 }}
            ] }}] }} }}"#
        );

        assert_eq!(with(&before, &[hook()]).as_deref(), Ok(&*before), "{matcher}");
    }
    for matcher in ["Bash", "AskUserQuestions", "Edit|Write", "^Ask.*Plan$"] {
        let before = format!(
            r#"{{ "hooks": {{ "PreToolUse": [{{ "matcher": "{matcher}", "hooks": [
                {{ "type": "command", "command": "askd hook claude-code", "timeout": 960 }}
            ] }}] }} }}"#
        );

        let after = with(&before, &[hook()]).unwrap();

        assert!(
            after.contains(r#""matcher": "AskUserQuestion""#),
            "{matcher}: {after}"
        );
    }
}

#[test]
fn a_hook_of_another_program_is_never_taken_for_ours() {
    for command in [
        "/opt/log-hook claude-code",
        "hook claude-code",
        "notify hook claude-code-2",
    ] {
        let before = format!(
            r#"{{ "hooks": {{ "PreToolUse": [
    {{ "matcher": "AskUserQuestion", "hooks": [{{ "type": "command", "command": "{command}", "timeout": 5 }}] }}
] }} }}"#
        );

        let after = with(&before, &[hook()]).unwrap();

        let said: Value = serde_json::from_str(&after).unwrap();
        let groups = said["hooks"]["PreToolUse"].as_array().unwrap();
        assert_eq!(groups.len(), 2, "{after}");
        assert_eq!(groups[0]["hooks"][0]["command"], json!(command));
        let removed: Value = serde_json::from_str(&without(&after, &[hook()]).unwrap()).unwrap();
        assert_eq!(
            removed,
            serde_json::from_str::<Value>(&before).unwrap(),
            "{command}"
        );
    }
}

#[test]
fn a_list_gets_what_it_lacks_and_nothing_twice() {
    merges(
        r#"{ "permissions": { "allow": ["Bash(ls)"], "deny": [] } }"#,
        &[allowed()],
        r#"{ "permissions": { "allow": ["Bash(ls)", "mcp__askd"], "deny": [] } }"#,
    );
}

#[test]
fn line_ends_and_the_mark_of_some_editors_stay() {
    let after = with(
        "\u{feff}{\r\n  \"a\": 1\r\n}\r\n",
        &[entry(vec![Field::ours("command", "askd")])],
    )
    .unwrap();

    assert!(after.starts_with('\u{feff}'), "{after:?}");
    assert_eq!(
        after.matches('\n').count(),
        after.matches("\r\n").count(),
        "{after:?}"
    );
}

#[test]
fn what_was_put_in_comes_out_again_and_nothing_else() {
    let before = r#"{
  "permissions": { "allow": ["Bash(ls)"] },
  // mine
  "mcpServers": { "files": { "command": "npx" } },
  "hooks": { "PreToolUse": [{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "check" }] }] }
}
"#;
    let changes = [usual(), allowed(), hook()];

    let after = without(&with(before, &changes).unwrap(), &changes).unwrap();

    let plain = |text: &str| -> Value {
        serde_json::from_str(&text.replace("// mine", "")).unwrap_or_else(|error| panic!("{error}: {text}"))
    };
    assert_eq!(plain(&after), plain(before));
    assert!(after.contains("// mine"), "{after}");
    assert_eq!(
        without(&after, &changes).as_deref(),
        Ok(after.as_str()),
        "a second time"
    );
}

#[test]
fn a_hook_that_shares_its_place_with_others_comes_out_alone() {
    let before = r#"{ "hooks": { "PreToolUse": [{ "matcher": "AskUserQuestion", "hooks": [
        { "type": "command", "command": "log" }, { "type": "command", "command": "askd hook claude-code" }
    ] }] } }"#;

    let after: Value = serde_json::from_str(&without(before, &[hook()]).unwrap()).unwrap();

    assert_eq!(
        after["hooks"]["PreToolUse"][0]["hooks"],
        json!([{ "type": "command", "command": "log" }])
    );
}

#[test]
fn what_cannot_be_read_is_left_alone_with_the_place_and_without_its_text() {
    for (text, line) in [
        ("{ \"a\": 1", 1),
        ("{\n  \"a\": s3cret\n}", 2),
        ("{ a: 1 }", 1),
        ("{ 'a': 1 }", 1),
        ("{ \"a\": 1 \"b\": 2 }", 1),
        ("{ \"a\": 0x1 }", 1),
        ("{} {}", 1),
        ("mcpServers = 1", 1),
    ] {
        let unfit = with(text, &[usual()]).unwrap_err();

        assert!(
            matches!(unfit, Unfit::Syntax { line: at, .. } if at == line),
            "{text}: {unfit:?}"
        );
        assert!(!unfit.to_string().contains("s3cret"), "{unfit}");
    }
}

#[test]
fn where_nothing_is_taken_out_the_file_stays_as_it_is() {
    for text in ["", "\n", "{}", "{ \"a\": 1 }\r\n", "\u{feff}{}"] {
        assert_eq!(
            without(text, &[usual(), allowed(), hook()]).as_deref(),
            Ok(text),
            "{text:?}"
        );
    }
}

#[test]
fn without_the_hook_one_that_stands_there_is_taken_out_and_nothing_is_made() {
    let after = with(
        &with("", &[allowed(), hook()]).unwrap(),
        &[allowed(), Change::NoHook],
    )
    .unwrap();

    assert!(
        after.contains("mcp__askd") && !after.contains("hook claude-code"),
        "{after}"
    );
    merges("{}\n", &[Change::NoHook], "{}\n");
}

#[test]
fn what_stands_where_something_else_should_is_left_alone_and_named() {
    for (text, changes, unfit) in [
        ("[]", usual(), Unfit::NoTable("the whole".to_owned())),
        ("\"text\"", usual(), Unfit::NoTable("the whole".to_owned())),
        (
            r#"{ "mcpServers": [] }"#,
            usual(),
            Unfit::NoTable("mcpServers".to_owned()),
        ),
        (
            r#"{ "mcpServers": null }"#,
            usual(),
            Unfit::NoTable("mcpServers".to_owned()),
        ),
        (
            r#"{ "mcpServers": { "askd": 7 } }"#,
            usual(),
            Unfit::NoTable("mcpServers.askd".to_owned()),
        ),
        (
            r#"{ "mcpServers": {}, "mcpServers": {} }"#,
            usual(),
            Unfit::Twice("mcpServers".to_owned()),
        ),
        (
            r#"{ "mcpServers": { "askd": { "command": "a", "command": "b" } } }"#,
            usual(),
            Unfit::Twice("mcpServers.askd.command".to_owned()),
        ),
        (
            r#"{ "hooks": { "PreToolUse": {} } }"#,
            hook(),
            Unfit::NoList("hooks.PreToolUse".to_owned()),
        ),
        (
            r#"{ "permissions": { "allow": "all" } }"#,
            allowed(),
            Unfit::NoList("permissions.allow".to_owned()),
        ),
    ] {
        assert_eq!(with(text, &[changes]).unwrap_err(), unfit, "{text}");
    }
}
