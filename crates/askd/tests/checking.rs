//! `askd check`, and what configuration does at the start.

use std::fs;

use serde_json::json;

use crate::home::{Home, left};

#[test]
fn every_fault_is_a_line_with_file_line_key_and_reason_and_the_exit_code_is_78() {
    let home = Home::new();
    let file = home.configure(
        "[server]\nlisten = \"here\"\nlanguag = \"en\"\n[people.sara]\ntime_zone = \"Mars/Base\"\n",
    );

    let left = home.run(&["check"]);

    let file = file.display();
    assert_eq!(left.code, 78);
    assert_eq!(left.stdout, "");
    assert_eq!(
        left.stderr,
        format!(
            "askd: {file}:2: server.listen: \"here\" is no address to listen on; write one like 127.0.0.1:7373 or \
             [::1]:7373\n\
             askd: {file}:3: server.languag: no such key; known here: language, listen, public_url, time_zone, \
             trusted_proxy\n\
             askd: {file}:5: people.sara.time_zone: there is no time zone \"Mars/Base\"; write one like \
             Europe/Berlin\n"
        )
    );
}

#[test]
fn faults_as_json_are_for_programs() {
    let home = Home::new();
    let file = home.configure("[limits]\nmax_pending = \"many\"\n");

    let left = left(
        home.command(&["check", "--json"])
            .env("ASKD_HISTORY__RETENTION_DAYS", "0"),
    );

    assert_eq!(left.code, 78);
    assert_eq!(
        left.json(),
        json!({ "ok": false, "config": file, "faults": [
            { "key": "limits.max_pending", "line": 2, "variable": null,
              "reason": "must be a whole number from 1 to 10000" },
            { "key": "history.retention_days", "line": null, "variable": "ASKD_HISTORY__RETENTION_DAYS",
              "reason": "must be a whole number from 1 to 36500" },
        ] })
    );
}

#[test]
fn a_good_configuration_is_told_as_it_was_understood_without_its_secrets() {
    let home = Home::new();
    home.configure(
        "[people.sara]\nname = \"Sara\"\nlanguage = \"fa\"\ntime_zone = \"Asia/Tehran\"\n[[routes]]\n\
         agent = \"build-bot\"\nto = [\"sara\"]\n[tokens.build-bot]\nrole = \"agent\"\ntoken = \"hush-hush\"\n",
    );

    let left = home.run(&["check"]);

    assert_eq!(left.code, 0, "{left:?}");
    for told in [
        "127.0.0.1:7373",
        "sara (Sara, fa, Asia/Tehran): no account yet, see askd pair",
        "agent build-bot to sara; answered by whoever is asked",
        "build-bot (agent)",
        "all is well",
    ] {
        assert!(left.stdout.contains(told), "{told} in {}", left.stdout);
    }
    assert!(!left.stdout.contains("hush-hush"));
    assert!(!home.state().exists(), "checking makes nothing");
}

#[test]
fn what_is_wrong_with_a_telegram_bot_is_told_at_its_key_and_the_token_is_not() {
    for (section, told) in [
        ("", ":1: channels.tg.token: is needed, or token_file"),
        (
            "token = \"123-hush\"\n",
            ":3: channels.tg.token: a Telegram bot's token looks like 123456789:AAF…; copy it from @BotFather as it is",
        ),
        (
            "token = \"123:hush\"\napi_url = \"example.org\"\n",
            ":4: channels.tg.api_url: the address of the Telegram API must be a URL like",
        ),
        (
            "token = \"123:hush\"\n[people.sara]\naccounts = [\"tg:@sara\"]\n",
            ":5: people.sara.accounts: ",
        ),
    ] {
        let home = Home::new();
        home.configure(&format!("[channels.tg]\nkind = \"telegram\"\n{section}"));

        let left = home.run(&["check"]);

        assert_eq!(left.code, 78, "{left:?}");
        assert!(left.stderr.contains(told), "{told} in {left:?}");
        assert!(!left.stderr.contains("hush"), "{left:?}");
    }
}

#[test]
fn what_is_wrong_with_a_discord_bot_is_told_at_its_key_and_the_token_is_not() {
    for (section, told) in [
        ("", ":1: channels.dc.token: is needed, or token_file"),
        (
            "token = \"hush\"\n",
            ":3: channels.dc.token: a Discord bot's token has three parts with dots between them",
        ),
        (
            "token = \"hush.hush.hush\"\napi_url = \"example.org\"\n",
            ":4: channels.dc.api_url: the address of the Discord API must be a URL like",
        ),
        (
            "token = \"hush.hush.hush\"\n[people.sara]\naccounts = [\"dc:sara\"]\n",
            ":5: people.sara.accounts: ",
        ),
    ] {
        let home = Home::new();
        home.configure(&format!("[channels.dc]\nkind = \"discord\"\n{section}"));

        let left = home.run(&["check"]);

        assert_eq!(left.code, 78, "{left:?}");
        assert!(left.stderr.contains(told), "{told} in {left:?}");
        assert!(!left.stderr.contains("hush"), "{left:?}");
    }
}

#[test]
fn what_is_wrong_with_a_slack_app_is_told_at_its_key_and_the_tokens_are_not() {
    let good = "bot_token = \"xoxb-1-hush\"\napp_token = \"xapp-1-hush\"\n";
    for (section, told) in [
        (
            "",
            vec![
                ":1: channels.work.bot_token: is needed, or bot_token_file".to_owned(),
                ":1: channels.work.app_token: is needed, or app_token_file".to_owned(),
            ],
        ),
        (
            "bot_token = \"xapp-1-hush\"\napp_token = \"xapp-1-hush\"\n",
            vec![":3: channels.work.bot_token: a Slack bot's token begins with xoxb-; copy".to_owned()],
        ),
        (
            "bot_token = \"xoxb-1-hush\"\napp_token = \"xoxb-1-hush\"\n",
            vec![":4: channels.work.app_token: a Slack app's token begins with xapp-; make".to_owned()],
        ),
        (
            &format!("{good}api_url = \"slack.com/api\"\n"),
            vec![":5: channels.work.api_url: the address of the Slack API must be a URL like".to_owned()],
        ),
        (
            &format!("{good}[people.sara]\naccounts = [\"work:@sara\"]\n"),
            vec![":6: people.sara.accounts: ".to_owned(), "U0123ABCD".to_owned()],
        ),
    ] {
        let home = Home::new();
        home.configure(&format!("[channels.work]\nkind = \"slack\"\n{section}"));

        let left = home.run(&["check"]);

        assert_eq!(left.code, 78, "{left:?}");
        for told in told {
            assert!(left.stderr.contains(&told), "{told} in {left:?}");
        }
        assert!(!left.stderr.contains("hush"), "{left:?}");
    }
}

#[test]
fn nothing_configured_is_well_too() {
    let left = Home::new().run(&["check"]);

    assert_eq!((left.code, left.stderr.as_str()), (0, ""));
}

#[test]
fn a_variable_wins_over_the_file_and_a_flag_over_the_variable() {
    let home = Home::new();
    home.configure("[server]\nlisten = \"127.0.0.1:1\"\n");
    let check = |variable: &str| {
        let left = left(
            home.command(&["check", "--json"])
                .env("ASKD_SERVER__LISTEN", variable),
        );
        left.json()["server"]["listen"].as_str().map(str::to_owned)
    };

    assert_eq!(check(""), Some("127.0.0.1:1".to_owned()));
    assert_eq!(check("127.0.0.1:2"), Some("127.0.0.1:2".to_owned()));
    let left = left(
        home.command(&["serve", "--listen", "nowhere"])
            .env("ASKD_SERVER__LISTEN", "also nowhere"),
    );
    assert_eq!(left.code, 78);
    assert!(
        left.stderr
            .starts_with("askd: --listen: server.listen: \"nowhere\""),
        "{left:?}"
    );
}

#[test]
fn the_file_is_found_by_flag_then_by_variable_then_below_home() {
    let home = Home::new();
    home.configure("[limits]\nmax_pending = 1\n");
    let two = home.write("two.toml", "[limits]\nmax_pending = 2\n");
    let three = home.write("three.toml", "[limits]\nmax_pending = 3\n");
    let found = |flag: &[&str], variable: &str| {
        let arguments: Vec<&str> = ["check", "--json"].iter().chain(flag).copied().collect();
        left(home.command(&arguments).env("ASKD_CONFIG", variable)).json()["limits"]["maxPending"].clone()
    };

    assert_eq!(found(&[], ""), json!(1));
    assert_eq!(found(&[], two.to_str().unwrap()), json!(2));
    assert_eq!(
        found(&["--config", three.to_str().unwrap()], two.to_str().unwrap()),
        json!(3)
    );
}

/// The example with the `# ` before its keys removed: prose stays a comment.
fn uncommented(example: &str) -> String {
    let is_key = |line: &str| {
        let key = line.split(['=', ']']).next().unwrap_or_default().trim();
        line.starts_with('[')
            || (line.contains(" = ") && key.bytes().all(|b| b.is_ascii_lowercase() || b == b'_'))
    };
    let line = |line: &str| match line.strip_prefix("# ") {
        Some(rest) if is_key(rest) => rest.to_owned(),
        _ => line.to_owned(),
    };
    example.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_example_is_good_as_it_stands_and_with_every_key_in_force() {
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/../../config.example.toml");
    let example = fs::read_to_string(example).unwrap();
    let home = Home::new();
    let as_it_stands = home.write("a/config.toml", &example);
    let in_force = home.write("b/config.toml", &uncommented(&example));
    home.write("b/build-bot.token", "secret-of-the-agent\n");
    home.write("b/sara.token", "secret-of-sara\n");
    home.write("b/telegram.token", "123456789:AAF-not-a-real-one\n");
    home.write("b/slack.bot", "xoxb-not-a-real-one\n");
    home.write("b/slack.app", "xapp-not-a-real-one\n");
    home.write("b/discord.token", "not.a.real-one\n");
    let check = |file: &std::path::Path| home.run(&["check", "--json", "--config", file.to_str().unwrap()]);

    let (plain, full) = (check(&as_it_stands), check(&in_force));

    assert_eq!(plain.code, 0, "{plain:?}");
    assert_eq!(
        plain.json()["people"],
        json!({}),
        "as it stands it changes nothing"
    );
    assert_eq!(full.code, 0, "{full:?}");
    let told = full.json();
    assert_eq!(told["people"]["sara"]["language"], "fa");
    assert_eq!(
        told["tokens"],
        json!({ "build-bot": "agent", "of-sara": "person" })
    );
    assert_eq!(told["routes"][0]["answerers"], json!(["sara", "omid"]));
    assert_eq!(told["database"], "/var/lib/askd/askd.db");
    assert_eq!(told["push"]["services"], json!(["https://push.example.org"]));
    assert_eq!(told["channels"], json!(["discord", "slack", "telegram"]));
}

#[test]
fn the_example_names_every_key_there_is() {
    let example = concat!(env!("CARGO_MANIFEST_DIR"), "/../../config.example.toml");
    let example = fs::read_to_string(example).unwrap();
    let home = Home::new();
    // A key that cannot be is reported with all that can be.
    let wrong = "x = 1\n[server]\nx = 1\n[store]\nx = 1\n[limits]\nx = 1\n[history]\nx = 1\n[push]\nx = 1\n[people.a]\nx = 1\n\
                 [channels.a]\nkind = \"telegram\"\ntoken = \"1:a\"\nx = 1\n[channels.b]\nkind = \"slack\"\n\
                 bot_token = \"xoxb-b\"\napp_token = \"xapp-c\"\nx = 1\n[channels.c]\nkind = \"discord\"\n\
                 token = \"1.a.b\"\nx = 1\n[[routes]]\nto = [\"a\"]\nx = 1\n[tokens.a]\nrole = \"agent\"\ntoken = \"t\"\nx = 1\n";
    home.configure(wrong);

    let left = home.run(&["check"]);

    let keys: Vec<&str> = left
        .stderr
        .lines()
        .filter_map(|line| line.split_once("known here: "))
        .flat_map(|(_, keys)| keys.split(", "))
        .collect();
    assert!(keys.len() > 29, "{left:?}");
    for key in keys {
        let named = [
            format!("{key} = "),
            format!("[{key}]"),
            format!("[{key}."),
            format!("[[{key}]]"),
        ];
        assert!(
            named.iter().any(|name| example.contains(name)),
            "config.example.toml does not name {key}"
        );
    }
}
