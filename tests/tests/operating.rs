//! What an operator does beside answering: looking whether askd works, copying, forgetting, reading up.

use std::{fs, os::unix::fs::PermissionsExt as _};

use askd_stories::{Home, target};
use serde_json::json;

#[test]
fn a_healthcheck_says_by_its_exit_code_whether_askd_works() {
    let home = Home::new();
    let before = home.run(&["healthcheck"]);
    let mut askd = home.serve();
    // It needs no token: a container may let it run as somebody who reads none.
    let running = home.run(&["healthcheck", "--server", &askd.url]);
    let as_json = home.run(&["healthcheck", "--json"]).json();
    askd.process.stop();
    let after = home.run(&["healthcheck"]);

    assert_eq!((before.code, running.code, after.code), (69, 0, 69));
    assert_eq!((running.stdout.as_str(), running.stderr.as_str()), ("", ""));
    assert_eq!(as_json["ready"], true);
    assert!(after.stderr.contains("does not answer"), "{after:?}");
}

#[test]
fn a_channel_that_hears_nothing_fails_the_healthcheck_by_name() {
    let home = Home::new();
    // Nobody listens on port 1.
    home.configure(
        "[channels.phone]\nkind = \"telegram\"\ntoken = \"1:a\"\napi_url = \"http://127.0.0.1:1\"\n",
    );
    let _askd = home.serve();

    let left = home.run(&["healthcheck"]);

    assert_eq!(left.code, 1, "{left:?}");
    assert!(left.stderr.contains("channel phone is starting"), "{left:?}");
}

#[test]
fn what_is_over_is_forgotten_and_what_is_pending_is_not() {
    let home = Home::new();
    let askd = home.serve();
    let over = askd.agent.ask(&target()).id();
    let pending = askd.agent.ask(&target()).id();
    assert_eq!(home.run(&["cancel", &over]).code, 0);

    let refused = home.run(&["forget", &pending]);
    let done = home.run(&["forget", &over]);
    let again = home.run(&["forget", &over]);
    let all = home.run(&["forget", "--older-than", "0", "--json"]).json();

    assert_eq!(refused.code, 1, "{refused:?}");
    assert!(refused.stderr.contains("it is pending"), "{refused:?}");
    assert_eq!((done.code, done.stdout.as_str()), (0, "1 ask forgotten\n"));
    assert_eq!(again.code, 1, "{again:?}");
    assert_eq!(all, json!({ "forgotten": 0, "kept": 0 }));
    assert_eq!(askd.agent.get(&format!("/v1/asks/{over}")).status, 404);
    assert_eq!(askd.agent.read(&pending)["status"], "pending");
    assert_eq!(home.run(&["forget"]).code, 2, "what to forget has to be said");
    let as_agent = home.run_as(&home.secret("agent"), &["forget", "--session", "s"]);
    assert_eq!(as_agent.code, 77, "{as_agent:?}");
}

#[test]
fn a_backup_made_while_askd_runs_holds_what_was_asked_and_is_never_overwritten() {
    let home = Home::new();
    let askd = home.serve();
    let ask = askd.agent.ask(&target()).id();
    let copy = home.path("copy.db");
    let backup = ["backup", copy.to_str().unwrap()];

    let made = home.run(&backup);
    let again = home.run(&backup);

    assert_eq!((made.code, again.code), (0, 1), "{made:?} {again:?}");
    assert_eq!(fs::metadata(&copy).unwrap().permissions().mode() & 0o777, 0o600);
    let other = Home::new();
    fs::create_dir_all(other.state()).unwrap();
    fs::copy(&copy, other.state().join("askd.db")).unwrap();
    let restored = other.serve();
    assert_eq!(
        restored.operator.read(&ask)["questions"],
        askd.agent.read(&ask)["questions"]
    );
}

#[test]
fn every_command_that_reads_the_configuration_tells_its_faults_as_json_where_that_is_wanted() {
    let home = Home::new();
    let config = home.configure("[server]\nlisten = \"nowhere\"\n");
    let config = config.to_str().unwrap();
    let copy = home.path("copy.db");
    for command in [
        &["serve"][..],
        &["check"],
        &["doctor"],
        &["backup", copy.to_str().unwrap()],
    ] {
        let left = home.run(&[command, &["--config", config, "--json"]].concat());

        assert_eq!(left.code, 78, "{command:?} {left:?}");
        assert_eq!(left.json()["faults"][0]["key"], "server.listen", "{command:?}");
        assert_eq!(left.stderr, "", "{command:?}");
    }
}

#[test]
fn shells_and_manuals_are_told_what_can_be_typed() {
    let home = Home::new();
    for (shell, says) in [
        ("bash", "_askd"),
        ("zsh", "#compdef askd"),
        ("fish", "complete -c askd"),
    ] {
        let script = home.run(&["completions", shell]);
        assert_eq!(script.code, 0, "{script:?}");
        assert!(script.stdout.contains(says), "{shell}");
        assert!(script.stdout.contains("forget"), "{shell}");
    }
    let page = home.run(&["man"]);
    assert!(page.stdout.contains(".TH askd 1"), "{page:?}");
    let folder = home.path("man");
    assert_eq!(home.run(&["man", "--folder", folder.to_str().unwrap()]).code, 0);
    assert!(folder.join("askd-serve.1").exists());
}
