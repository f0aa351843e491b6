use std::fs;

use clap::ValueEnum as _;

use super::{
    super::{json, toml},
    *,
};

fn places(environment: &Environment) -> Places<'_> {
    Places::new(environment, PathBuf::from("/home/sara/shop")).unwrap()
}

fn home() -> Environment {
    Environment::of(&[("HOME", "/home/sara")])
}

fn stdio() -> Transport {
    Transport::Stdio("/usr/bin/askd".to_owned())
}

fn http() -> Transport {
    Transport::Http("http://127.0.0.1:7373/mcp".to_owned())
}

/// The entry as it stands in a file that had nothing else.
fn said(client: Client, transport: &Transport) -> Value {
    let environment = home();
    let recipes = client.recipes(transport, false, &places(&environment)).unwrap();
    let changes = &recipes[0].changes;
    let Change::Entry { path, fields } = &changes[0] else {
        panic!("{changes:?}");
    };
    assert_eq!(path[1], "askd");
    let fields = fields
        .iter()
        .map(|field| (field.name.to_owned(), field.value.clone()));
    json!({ path[0]: Value::Object(fields.collect()) })
}

#[test]
fn every_client_is_told_how_to_start_askd_and_how_long_to_wait() {
    let (command, args) = ("/usr/bin/askd", ["mcp"]);
    let held = ["mcp", "--hold-seconds", "50"];
    let plain = json!({ "command": command, "args": held });
    for (client, expected) in [
        (
            Client::ClaudeCode,
            json!({ "mcpServers": { "type": "stdio", "command": command, "args": args } }),
        ),
        (
            Client::Codex,
            json!({ "mcp_servers": { "command": command, "args": args, "tool_timeout_sec": 3700,
                                     "default_tools_approval_mode": "approve" } }),
        ),
        (
            Client::OpenCode,
            json!({ "mcp": { "type": "local", "command": [command, "mcp"] } }),
        ),
        (
            Client::Gemini,
            json!({ "mcpServers": { "command": command, "args": args, "timeout": 3_700_000, "trust": true } }),
        ),
        (
            Client::VsCode,
            json!({ "servers": { "type": "stdio", "command": command, "args": held } }),
        ),
        (Client::Cursor, json!({ "mcpServers": plain })),
        (Client::ClaudeDesktop, json!({ "mcpServers": plain })),
        (Client::Windsurf, json!({ "mcpServers": plain })),
        (Client::Zed, json!({ "context_servers": plain })),
        (
            Client::Cline,
            json!({ "mcpServers": { "command": command, "args": args, "timeout": 3600, "disabled": false } }),
        ),
        (
            Client::Goose,
            json!({ "extensions": { "enabled": true, "type": "stdio", "name": "askd", "description": "Asks people",
                                    "cmd": command, "args": args, "timeout": 3700 } }),
        ),
    ] {
        assert_eq!(said(client, &stdio()), expected, "{client:?}");
    }
}

#[test]
fn over_http_the_token_comes_from_a_variable_in_each_clients_own_way() {
    for (client, expected) in [
        (Client::ClaudeCode, "Bearer ${ASKD_TOKEN}"),
        (Client::OpenCode, "Bearer {env:ASKD_TOKEN}"),
        (Client::Gemini, "Bearer $ASKD_TOKEN"),
        (Client::Cursor, "Bearer ${env:ASKD_TOKEN}"),
        (Client::Windsurf, "Bearer ${env:ASKD_TOKEN}"),
    ] {
        let said = said(client, &http());
        let entry = said.as_object().unwrap().values().next().unwrap();

        assert_eq!(entry["headers"]["Authorization"], expected, "{client:?}");
    }
    assert_eq!(
        said(Client::Codex, &http())["mcp_servers"]["bearer_token_env_var"],
        "ASKD_TOKEN"
    );
}

#[test]
fn where_the_token_would_stand_in_the_file_http_is_refused() {
    let environment = home();
    for client in [
        Client::VsCode,
        Client::ClaudeDesktop,
        Client::Zed,
        Client::Cline,
        Client::Goose,
    ] {
        let refused = client.recipes(&http(), false, &places(&environment)).unwrap_err();

        assert_eq!(refused, NotOffered::Http(client.title()));
    }
}

#[test]
fn files_lie_where_each_client_looks() {
    let environment = home();
    let path = |client: Client, project| {
        let recipes = client.recipes(&stdio(), project, &places(&environment));
        recipes.map(|recipes| recipes[0].path.display().to_string())
    };
    for (client, of_the_user, of_the_project) in [
        (Client::ClaudeCode, ".claude.json", Some(".mcp.json")),
        (Client::Codex, ".codex/config.toml", Some(".codex/config.toml")),
        (
            Client::OpenCode,
            ".config/opencode/opencode.jsonc",
            Some("opencode.jsonc"),
        ),
        (
            Client::Gemini,
            ".gemini/settings.json",
            Some(".gemini/settings.json"),
        ),
        (Client::Cursor, ".cursor/mcp.json", Some(".cursor/mcp.json")),
        (Client::Windsurf, ".codeium/windsurf/mcp_config.json", None),
        (
            Client::Zed,
            ".config/zed/settings.json",
            Some(".zed/settings.json"),
        ),
        (
            Client::Cline,
            ".cline/data/settings/cline_mcp_settings.json",
            None,
        ),
        (Client::Goose, ".config/goose/config.yaml", None),
    ] {
        assert_eq!(
            path(client, false),
            Ok(format!("/home/sara/{of_the_user}")),
            "{client:?}"
        );
        let expected = of_the_project.map(|path| format!("/home/sara/shop/{path}"));
        assert_eq!(
            path(client, true),
            expected.ok_or(NotOffered::Project(client.title())),
            "{client:?}"
        );
    }
    assert_eq!(
        path(Client::VsCode, true),
        Ok("/home/sara/shop/.vscode/mcp.json".to_owned())
    );
}

#[test]
fn variables_of_the_clients_move_their_files() {
    let environment = Environment::of(&[
        ("HOME", "/home/sara"),
        ("XDG_CONFIG_HOME", "/etc/sara"),
        ("CODEX_HOME", "/srv/codex"),
        ("CLAUDE_CONFIG_DIR", "/srv/claude"),
    ]);
    let places = places(&environment);
    let path = |client: Client| client.recipes(&stdio(), false, &places).unwrap()[0].path.clone();

    assert_eq!(path(Client::Codex), Path::new("/srv/codex/config.toml"));
    assert_eq!(path(Client::ClaudeCode), Path::new("/srv/claude/.claude.json"));
    assert_eq!(
        claude_code(false, &places, None).path,
        Path::new("/srv/claude/settings.json")
    );
    assert_eq!(path(Client::Goose), Path::new("/etc/sara/goose/config.yaml"));
}

#[test]
fn of_two_names_the_file_that_is_there_is_taken() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();

    assert_eq!(either(here, "opencode"), here.join("opencode.jsonc"));
    fs::write(here.join("opencode.json"), "").unwrap();
    assert_eq!(either(here, "opencode"), here.join("opencode.json"));
    fs::write(here.join("opencode.jsonc"), "").unwrap();
    assert_eq!(either(here, "opencode"), here.join("opencode.jsonc"));
}

#[test]
fn what_is_said_to_any_client_can_be_merged_and_taken_out_again() {
    let environment = home();
    for client in Client::value_variants() {
        let recipes = client.recipes(&stdio(), false, &places(&environment)).unwrap();
        let Recipe { format, changes, .. } = &recipes[0];
        match format {
            Format::Json => {
                let merged = json::with("", changes).unwrap();
                assert_eq!(json::with(&merged, changes), Ok(merged.clone()), "{client:?}");
                assert!(
                    !json::without(&merged, changes).unwrap().contains("askd"),
                    "{client:?}"
                );
            }
            Format::Toml => {
                let merged = toml::with("", changes).unwrap();
                assert_eq!(toml::with(&merged, changes), Ok(merged.clone()), "{client:?}");
                assert_eq!(toml::without(&merged, changes).as_deref(), Ok(""), "{client:?}");
            }
            Format::Yaml => assert_eq!(*client, Client::Goose),
        }
    }
}

#[test]
fn a_client_that_nobody_tried_is_said_to_be_so_and_one_without_a_time_out_how_to_live_with_it() {
    for client in Client::value_variants() {
        let notes = client.notes(&stdio()).join("\n");

        assert_eq!(
            client.checked().is_none(),
            notes.contains("unverified"),
            "{client:?}"
        );
    }
    assert!(
        Client::Cursor
            .notes(&http())
            .join("\n")
            .contains("hold_seconds = 50")
    );
    assert!(Client::Codex.notes(&stdio()).is_empty());
    assert!(Client::Codex.notes(&http())[0].contains("ASKD_TOKEN"));
}

#[test]
fn yaml_is_shown_as_it_would_stand_in_the_file() {
    let environment = home();
    let recipes = Client::Goose
        .recipes(&stdio(), false, &places(&environment))
        .unwrap();

    assert_eq!(
        yaml(&recipes[0].changes),
        "extensions:\n  askd:\n    enabled: true\n    type: stdio\n    name: askd\n    \
         description: \"Asks people\"\n    cmd: \"/usr/bin/askd\"\n    args: [\"mcp\"]\n    timeout: 3700\n"
    );
}
