//! Telling an agent's program how to reach askd.

use std::{fs, path::Path};

use askd_stories::Home;
use serde_json::{Value, json};

const MERGE: [&str; 5] = ["install", "claude-code", "--write", "--command", "askd"];

fn read(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn files(folder: &Path) -> usize {
    fs::read_dir(folder)
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().path().is_file())
        .count()
}

#[test]
fn what_belongs_into_the_settings_is_shown_and_nothing_is_written() {
    let home = Home::new();

    let left = home.run(&["install", "codex", "--command", "askd"]);

    assert_eq!(left.code, 0, "{left:?}");
    let shown = "[mcp_servers.askd]\ncommand = \"askd\"\nargs = [\"mcp\"]\ntool_timeout_sec = 3700\n";
    assert!(left.stdout.contains(shown), "{left:?}");
    assert!(left.stderr.contains("nothing was written"), "{left:?}");
    assert!(!home.path(".codex").exists());
}

#[test]
fn claude_code_gets_the_server_the_permission_and_the_hook_beside_what_is_there() {
    let home = Home::new();
    let servers = home.write(
        ".claude.json",
        r#"{ "userID": "u", "mcpServers": { "files": { "command": "npx" } } }"#,
    );
    let settings = home.write(".claude/settings.json", "{ \"model\": \"opus\" }\n");

    let left = home.run(&MERGE);

    assert_eq!(left.code, 0, "{left:?}");
    assert_eq!(
        read(&servers),
        json!({ "userID": "u", "mcpServers": {
            "files": { "command": "npx" },
            "askd": { "type": "stdio", "command": "askd", "args": ["mcp"] },
        }})
    );
    assert_eq!(
        read(&settings),
        json!({
            "model": "opus",
            "permissions": { "allow": ["mcp__askd"] },
            "hooks": { "PreToolUse": [{
                "matcher": "AskUserQuestion",
                "hooks": [{ "type": "command", "command": "askd hook claude-code", "timeout": 960 }],
            }]},
        })
    );
    let backup = left
        .stdout
        .lines()
        .find_map(|line| line.strip_prefix(&format!("{}: ", servers.display())));
    let backup = backup.and_then(|line| line.rsplit(": ").next()).unwrap();
    assert_eq!(
        read(Path::new(backup))["mcpServers"],
        json!({ "files": { "command": "npx" } })
    );
}

#[test]
fn a_second_time_changes_nothing_and_leaves_no_backup() {
    let home = Home::new();
    let first = home.run(&MERGE);
    let settings = fs::read_to_string(home.path(".claude/settings.json")).unwrap();

    let left = home.run(&MERGE);

    assert_eq!(first.stdout.matches("made").count(), 2, "{first:?}");
    assert_eq!(left.stdout.matches("nothing to change").count(), 2, "{left:?}");
    assert_eq!(
        fs::read_to_string(home.path(".claude/settings.json")).unwrap(),
        settings
    );
    assert_eq!((files(&home.path("")), files(&home.path(".claude"))), (1, 1));
}

#[test]
fn a_file_that_cannot_be_read_is_left_alone_and_so_is_the_other() {
    let home = Home::new();
    let broken = home.write(".claude/settings.json", "{ \"apiKey\": \"s3cret\",\n  oops }");

    let left = home.run(&MERGE);

    assert_eq!((left.code, left.stdout.as_str()), (78, ""), "{left:?}");
    assert!(
        left.stderr.contains("settings.json is left as it is: line 2"),
        "{left:?}"
    );
    assert!(!left.stderr.contains("s3cret"), "{left:?}");
    assert_eq!(
        fs::read_to_string(&broken).unwrap(),
        "{ \"apiKey\": \"s3cret\",\n  oops }"
    );
    assert!(!home.path(".claude.json").exists());
}

#[test]
fn for_a_project_the_files_lie_in_it_and_name_the_program_as_everybody_has_it() {
    let home = Home::new();

    let left = home.run(&["install", "gemini", "--project", "--write", "--json"]);

    assert_eq!(left.json()["files"][0]["status"], "created", "{left:?}");
    let path = home.path(".gemini/settings.json");
    assert_eq!(read(&path)["mcpServers"]["askd"]["command"], "askd");
}

#[test]
fn over_http_the_running_askd_is_named_and_its_token_is_not() {
    let home = Home::new();
    let askd = home.serve();

    let left = home.run(&["install", "codex", "--http", "--write"]);

    let written = fs::read_to_string(home.path(".codex/config.toml")).unwrap();
    assert!(
        written.contains(&format!("url = \"{}/mcp\"", askd.url)),
        "{written}"
    );
    assert!(
        written.contains("bearer_token_env_var = \"ASKD_TOKEN\""),
        "{written}"
    );
    for text in [&written, &left.stdout, &left.stderr] {
        assert!(!text.contains(&home.secret("agent")), "{text}");
    }
    assert!(left.stderr.contains("ASKD_TOKEN"), "{left:?}");
}

#[test]
fn what_was_put_in_is_taken_out_again() {
    let home = Home::new();
    let settings = home.write(".claude/settings.json", "{ \"model\": \"opus\" }\n");
    assert_eq!(home.run(&MERGE).code, 0);

    let shown = home.run(&["install", "claude-code", "--remove"]);
    let with = fs::read_to_string(&settings).unwrap();
    let left = home.run(&["install", "claude-code", "--remove", "--write"]);

    assert!(
        shown.stdout.contains("settings.json") && with.contains("askd"),
        "{shown:?}"
    );
    assert_eq!(left.code, 0, "{left:?}");
    for path in [settings, home.path(".claude.json")] {
        let text = fs::read_to_string(&path).unwrap();
        assert!(!text.contains("askd"), "{text}");
    }
    assert_eq!(read(&home.path(".claude/settings.json"))["model"], "opus");
}

#[test]
fn what_askd_cannot_do_for_a_client_is_wrong_usage_and_says_why() {
    let home = Home::new();
    for (arguments, why) in [
        (&["install", "goose", "--write"][..], "YAML"),
        (&["install", "zed", "--http"], "token"),
        (&["install", "cline", "--project"], "no settings of a project"),
        (&["install", "emacs"], "claude-code"),
        (&["install", "claude-code", "--timeout", "5"], "30..=3600"),
    ] {
        let left = home.run(arguments);

        assert_eq!((left.code, left.stdout.as_str()), (2, ""), "{left:?}");
        assert!(left.stderr.contains(why), "{left:?}");
    }
}

#[test]
fn the_guides_show_what_is_written() {
    let home = Home::new();
    let guides = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/agents");
    for client in ["claude-code", "codex", "opencode", "gemini"] {
        let shown = home
            .run(&["install", client, "--command", "askd", "--json"])
            .json();
        let guide = fs::read_to_string(guides.join(format!("{client}.md"))).unwrap();

        let files = shown["files"].as_array().unwrap();
        assert!(!files.is_empty(), "{shown}");
        for file in files {
            let text = file["text"].as_str().unwrap();
            assert!(guide.contains(text), "{client}: {text}");
        }
    }
}
