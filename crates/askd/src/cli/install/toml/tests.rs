use serde_json::json;

use super::*;

fn usual() -> [Change; 1] {
    [Change::Entry {
        path: vec!["mcp_servers", "askd"],
        fields: vec![
            Field::ours("command", "askd"),
            Field::ours("args", json!(["mcp"])),
            Field::at_least("tool_timeout_sec", 3700),
            Field::unless_said("default_tools_approval_mode", "approve"),
        ],
    }]
}

#[track_caller]
fn merges(before: &str, after: &str) {
    assert_eq!(with(before, &usual()).as_deref(), Ok(after));
    assert_eq!(with(after, &usual()).as_deref(), Ok(after), "a second time");
}

#[test]
fn an_empty_file_gets_one_table() {
    merges(
        "",
        r#"[mcp_servers.askd]
command = "askd"
args = ["mcp"]
tool_timeout_sec = 3700
default_tools_approval_mode = "approve"
"#,
    );
}

#[test]
fn what_is_there_keeps_its_place_and_its_comments() {
    merges(
        r#"# of Sara
model = "m"   # as ever

[mcp_servers.files]
command = 'npx'

[projects."/home/sara/shop"]
trust_level = "trusted"
"#,
        r#"# of Sara
model = "m"   # as ever

[mcp_servers.files]
command = 'npx'

[mcp_servers.askd]
command = "askd"
args = ["mcp"]
tool_timeout_sec = 3700
default_tools_approval_mode = "approve"

[projects."/home/sara/shop"]
trust_level = "trusted"
"#,
    );
}

#[test]
fn of_our_own_table_only_what_differs_is_written_and_what_its_owner_added_stays() {
    merges(
        r#"[mcp_servers.askd]
url = "http://127.0.0.1:7373/mcp"
bearer_token_env_var = "ASKD_TOKEN"
tool_timeout_sec = 60 # too short
default_tools_approval_mode = "prompt"
enabled_tools = ["ask_user"]

[mcp_servers.askd.env]
ASKD_LOG = "debug"
"#,
        r#"[mcp_servers.askd]
tool_timeout_sec = 3700 # too short
default_tools_approval_mode = "prompt"
enabled_tools = ["ask_user"]
command = "askd"
args = ["mcp"]

[mcp_servers.askd.env]
ASKD_LOG = "debug"
"#,
    );
}

#[test]
fn tables_inside_a_line_stay_inside_it() {
    for (before, after) in [
        (
            "mcp_servers = { files = { command = \"npx\" } }\n",
            "mcp_servers = { files = { command = \"npx\" } , askd = { command = \"askd\", args = [\"mcp\"], \
             tool_timeout_sec = 3700, default_tools_approval_mode = \"approve\" } }\n",
        ),
        (
            "[mcp_servers]\naskd = { command = \"old\", tool_timeout_sec = 9000.5 }\n",
            "[mcp_servers]\naskd = { command = \"askd\", tool_timeout_sec = 9000.5 , args = [\"mcp\"], \
             default_tools_approval_mode = \"approve\" }\n",
        ),
    ] {
        merges(before, after);
    }
}

#[test]
fn line_ends_stay() {
    let after = with("model = \"m\"\r\n", &usual()).unwrap();

    assert_eq!(
        after.matches('\n').count(),
        after.matches("\r\n").count(),
        "{after:?}"
    );
}

#[test]
fn what_was_put_in_comes_out_again_and_nothing_else() {
    let before = "# of Sara\nmodel = \"m\"\n\n[mcp_servers.files]\ncommand = 'npx'\n";

    let after = without(&with(before, &usual()).unwrap(), &usual()).unwrap();

    assert_eq!(after, before);
    for nothing in ["", "mcp_servers = 7\n", "[mcp_servers]\n"] {
        assert_eq!(without(nothing, &usual()).as_deref(), Ok(nothing));
    }
}

#[test]
fn where_nothing_changes_not_even_a_line_end_does() {
    let ours = with("", &usual()).unwrap();
    let ours = ours.trim_end();
    let mixed = format!("model = \"m\"\r\n{ours}");

    for text in [ours, &mixed] {
        assert_eq!(with(text, &usual()).as_deref(), Ok(text));
    }
    for text in ["a = 1", "a = 1\r\nb = 2\nc = 3"] {
        assert_eq!(without(text, &usual()).as_deref(), Ok(text));
    }
}

#[test]
fn what_cannot_be_read_is_left_alone_with_the_place_and_without_its_text() {
    for (text, line) in [
        ("a = \n", 1),
        ("ok = 1\nkey = s3cret\n", 2),
        ("a = 1\na = 2\n", 2),
        ("{ \"mcpServers\": {} }", 1),
    ] {
        let unfit = with(text, &usual()).unwrap_err();

        assert!(
            matches!(unfit, Unfit::Syntax { line: at, .. } if at == line),
            "{text}: {unfit:?}"
        );
        assert!(!unfit.to_string().contains("s3cret"), "{unfit}");
    }
}

#[test]
fn what_stands_where_a_table_should_is_left_alone_and_named() {
    for (text, named) in [
        ("mcp_servers = 7\n", "mcp_servers"),
        ("[[mcp_servers]]\n", "mcp_servers"),
        ("[mcp_servers]\naskd = \"x\"\n", "mcp_servers.askd"),
    ] {
        assert_eq!(
            with(text, &usual()).unwrap_err(),
            Unfit::NoTable(named.to_owned()),
            "{text}"
        );
    }
}
