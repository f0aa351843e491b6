//! A question, its answer, and who wakes up from it.

use std::thread;

use askd_stories::{Home, target, two};
use serde_json::json;

#[test]
fn an_agent_asks_over_http_and_wakes_with_the_answer() {
    let home = Home::new();
    let askd = home.serve();
    let mut events = askd.operator.events();
    let agent = askd.agent.again();
    let holding = thread::spawn(move || agent.post("/v1/asks?wait=55", &target()));
    let question = events.until("asked");

    let receipt = askd.operator.reply(question["id"].as_str().unwrap(), "2");

    assert_eq!(receipt["receipt"], "settled");
    assert!(
        receipt["text"].as_str().unwrap().contains("Production"),
        "{receipt}"
    );
    let woken = holding.join().unwrap();
    assert_eq!(woken.status, 201, "the ask was new");
    assert_eq!(woken.body["id"], question["id"]);
    let result = &woken.body["result"];
    assert_eq!(result["status"], "answered");
    assert_eq!(
        result["answers"]["answers"],
        json!({ "deploy_target": ["Production"] })
    );
    assert_eq!(result["settledBy"]["name"], "operator");
    assert_eq!(events.until("ended")["status"], "answered");
}

#[test]
fn a_script_asks_in_one_line_and_gets_the_label_alone() {
    let home = Home::new();
    let _askd = home.serve();
    let question = [
        "ask",
        "Where to?",
        "-o",
        "Staging (Recommended)::Safe",
        "-o",
        "Production",
        "--key",
        "k",
    ];
    let mut asking = home.start(&question);
    asking.until_it_notes("waiting for an answer");

    let receipt = home.run(&["answer", "staging"]);

    assert_eq!(receipt.code, 0, "{receipt:?}");
    let answer = asking.end();
    assert_eq!(
        (answer.code, answer.stdout.as_str()),
        (0, "Staging (Recommended)\n")
    );
    let again = home.run(&[&question[..], &["--json"]].concat()).json();
    assert_eq!(
        again["answers"]["answers"],
        json!({ "answer": ["Staging (Recommended)"] }),
        "the same key, the same ask, as an agent reads it"
    );
}

#[test]
fn an_ask_from_a_file_or_from_stdin_is_the_same_ask() {
    let home = Home::new();
    let askd = home.serve();
    let body = two().to_string();
    let file = home.write("ask.json", &body);
    let from_file = ["ask", "--file", file.to_str().unwrap(), "--key", "k"];
    let mut asking = home.start(&from_file);
    asking.until_it_notes("waiting for an answer");

    let answered = home.run(&["answer", "1: 2; 2: developers, the neighbours, ops"]);

    assert_eq!(answered.code, 0, "{answered:?}");
    let lines = "deploy_target: Production\nalerts: Ops\nalerts: Developers\nalerts: the neighbours\n";
    assert_eq!(asking.end().stdout, lines, "declared order, own words last");
    let from_stdin = home.run_with_input(&["ask", "-", "--key", "k"], &body);
    assert_eq!((from_stdin.code, from_stdin.stdout.as_str()), (0, lines));
    assert_eq!(
        askd.agent.get("/v1/asks").body["asks"].as_array().map(Vec::len),
        Some(1)
    );
}

#[test]
fn what_was_understood_is_kept_over_two_replies_and_a_restart() {
    let home = Home::new();
    let mut askd = home.serve();
    let ask = askd.agent.ask(&two()).id();

    let first = askd.operator.reply(&ask, "1: production\n2: 7");
    askd.process.stop();
    let mut askd = home.serve();
    let still = askd.agent.read(&ask)["status"].clone();
    askd.process.kill();
    let askd = home.serve();
    let second = askd.operator.reply(&ask, "ops");

    assert_eq!(
        (&first["receipt"], &first["stored"], &first["missing"]),
        (
            &json!("kept"),
            &json!({ "deploy_target": ["Production"] }),
            &json!(["alerts"])
        ),
        "one line was a slip, and the other is kept"
    );
    assert!(
        first["text"].as_str().unwrap().contains('7'),
        "the slip is named: {first}"
    );
    assert_eq!(still, "pending");
    assert_eq!(second["receipt"], "settled", "{second}");
    assert_eq!(
        askd.agent.read(&ask)["result"]["answers"]["answers"],
        json!({ "deploy_target": ["Production"], "alerts": ["Ops"] })
    );
}

#[test]
fn a_slip_gets_a_hint_in_the_readers_language_and_a_persian_digit_is_a_number() {
    let home = Home::new();
    home.configure(
        "[people.sara]\nname = \"سارا\"\nlanguage = \"fa\"\n\
         [tokens.of-sara]\nrole = \"person\"\nperson = \"sara\"\ntoken = \"secret-of-sara-herself\"\n",
    );
    let askd = home.serve();
    let sara = askd.called_by("secret-of-sara-herself");
    let ask = askd.agent.ask(&target()).id();

    let hint = sara.reply(&ask, "۹");
    let open = askd.agent.read(&ask)["status"].clone();
    let receipt = sara.reply(&ask, "گزینه ۲");

    assert_eq!((&hint["receipt"], &open), (&json!("hint"), &json!("pending")));
    assert!(hint["text"].as_str().unwrap().contains("گزینه"), "{hint}");
    assert_eq!(receipt["receipt"], "settled");
    assert!(receipt["text"].as_str().unwrap().contains("سپاس"), "{receipt}");
    let result = &askd.agent.read(&ask)["result"];
    assert_eq!(
        result["answers"]["answers"]["deploy_target"],
        json!(["Production"])
    );
    assert_eq!(result["settledBy"]["name"], "سارا");
}

#[test]
fn every_way_to_end_has_its_exit_code() {
    let home = Home::new();
    let bad = home.write("bad.toml", "[server]\nlisten = 7\n");
    // Sara is asked by the first agent; no route leads from the other one to anybody.
    home.configure(
        "[people.sara]\n\
         [tokens.of-sara]\nrole = \"person\"\nperson = \"sara\"\ntoken = \"secret-of-sara-herself\"\n\
         [tokens.lost]\nrole = \"agent\"\ntoken = \"secret-of-the-lost-agent\"\n\
         [[routes]]\nagent = \"agent\"\nto = [\"sara\"]\n",
    );
    let mut askd = home.serve();
    let question = [
        "ask",
        "Where to?",
        "-o",
        "Staging",
        "-o",
        "Production",
        "--run",
        "r",
    ];
    let ended_by = |command: &[&str]| {
        let mut asking = home.start(&question);
        asking.until_it_notes("waiting for an answer");
        let done = home.run(command);
        assert_eq!(done.code, 0, "{done:?}");
        asking.end()
    };

    let ends = [
        (0, ended_by(&["answer", "2"])),
        (1, home.run(&["answer", "2"])),
        (2, home.run(&["ask", "Where to?", "-o", "Only one"])),
        (2, home.run_with_input(&["ask", "-"], "{\"questions\": []}")),
        (3, ended_by(&["answer", "--skip"])),
        (4, ended_by(&["cancel", "--run", "r"])),
        (75, home.run_as("secret-of-the-lost-agent", &question)),
        (77, home.run_as("secret-of-nobody", &question)),
        (77, home.run_as(&home.secret("agent"), &["people"])),
        (78, home.run(&["check", "--config", bad.to_str().unwrap()])),
        (78, home.run(&["serve", "--config", bad.to_str().unwrap()])),
    ];
    askd.process.stop();
    let away = home.run(&question);

    for (code, left) in ends.iter().chain([&(69, away)]) {
        assert_eq!(left.code, *code, "{left:?}");
        let said = if *code == 0 { &left.stdout } else { &left.stderr };
        assert!(!said.trim().is_empty(), "every end is told: {left:?}");
        assert_eq!(
            left.stdout.is_empty(),
            *code != 0,
            "only an answer goes to stdout: {left:?}"
        );
    }
}
