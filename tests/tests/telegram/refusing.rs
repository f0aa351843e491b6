//! What does not work, and what is said of it: strangers, a dead token, and what doctor finds.

use askd_stories::Left;
use serde_json::{Value, json};

use super::bench::{Bench, answers, asks, deploy, result};

#[test]
fn a_strangers_tap_changes_nothing() {
    let bench = Bench::new();
    let (sara, section) = bench.person("Sara");
    let stranger = bench.telegram.person("Somebody");
    let group = bench.telegram.supergroup("Ops", &[&sara, &stranger]);
    bench.configure(&format!(
        "{section}[[routes]]\nto = [\"telegram:{}\"]\nanswerers = [\"sara\"]\n",
        group.id()
    ));
    let askd = bench.home.serve();
    let ask = asks(&askd, &deploy());
    bench.reads(&sara, &group, "Where should this go?");

    let told = bench.told(&stranger.taps(&group, "Production"));
    let status = askd.agent.read(&ask)["status"].clone();
    bench.told(&sara.taps(&group, "Staging (Recommended)"));

    assert!(told.alert && told.text.unwrap_or_default().contains("may answer"));
    assert_eq!(status, "pending");
    assert_eq!(
        answers(&result(&askd, &ask)),
        &json!({ "deploy_target": ["Staging (Recommended)"] })
    );
    bench.reads(&sara, &group, "on Telegram");
    insta::assert_snapshot!(bench.transcript());
}

#[test]
fn a_token_that_is_refused_stops_the_channel_with_one_line_and_nothing_else() {
    let bench = Bench::new();
    bench.configure(
        "[people.sara]\n\
         [tokens.of-sara]\nrole = \"person\"\nperson = \"sara\"\ntoken = \"secret-of-sara-herself\"\n",
    );
    bench
        .telegram
        .revoke_token("7300000042:AAAnotherAnotherAnotherAnother0000");

    let mut askd = bench.home.serve();
    let said = askd.process.until_it_notes("channel stopped");

    assert!(said.contains("ERROR") && said.contains("askd doctor"), "{said}");
    let ready = askd.operator.get("/readyz");
    assert_eq!(ready.status, 503);
    let channel = &ready.body["checks"]["channels"][0];
    assert_eq!(
        (&channel["name"], &channel["state"]),
        (&json!("telegram"), &json!("down"))
    );
    // Who answers by HTTP is asked all the same.
    let ask = askd.agent.ask(&deploy()).id();
    let receipt = askd.called_by("secret-of-sara-herself").reply(&ask, "2");
    assert_eq!(receipt["receipt"], "settled", "{receipt}");
    let left = askd.process.stop();
    let errors = left.stderr.lines().filter(|line| line.contains("ERROR"));
    assert_eq!(errors.count(), 1, "{left:?}");
    let secret = bench.telegram.token();
    assert!(
        !left.stderr.contains("AAFake") && !left.stderr.contains(&secret),
        "{left:?}"
    );
}

#[test]
fn doctor_finds_who_can_be_reached_and_the_daemon_goes_on() {
    let bench = Bench::new();
    let (sara, of_sara) = bench.person("Sara");
    let stranger = bench.telegram.stranger("Omid");
    let group = bench.telegram.supergroup("Ops", &[&sara]);
    let of_omid = format!("[people.omid]\naccounts = [\"telegram:{}\"]\n", stranger.id());
    bench.configure(&format!(
        "{of_sara}{of_omid}[people.nobody]\n[[routes]]\nto = [\"sara\", \"telegram:{}\"]\nanswerers = [\"sara\"]\n",
        group.id()
    ));
    let askd = bench.home.serve();
    bench.rests();

    let (json, text) = (bench.home.run(&["doctor", "--json"]), bench.home.run(&["doctor"]));
    let ask = asks(&askd, &deploy());
    bench.reads(&sara, &sara.direct(), "Where should this go?");
    bench.told(&sara.taps(&sara.direct(), "Production"));

    assert_eq!((json.code, text.code), (1, 1), "{text:?}");
    assert_eq!(
        graded(&json, "telegram", "bad"),
        [format!("telegram:{}", stranger.id())]
    );
    assert_eq!(graded(&json, "askd", "bad"), ["nobody"]);
    assert_eq!(result(&askd, &ask)["status"], "answered");
    let shown = [
        (bench.telegram.url(), "http://<telegram>"),
        (askd.url.clone(), "http://<askd>"),
        (bench.home.path("").display().to_string(), "<home>/"),
        (group.id().to_string(), "<group>"),
        (sara.id().to_string(), "<sara>"),
        (stranger.id().to_string(), "<omid>"),
    ];
    let shown = shown
        .iter()
        .fold(text.stdout, |text, (found, shown)| text.replace(found, shown));
    // The columns are as wide as what was replaced.
    let shown = regex::Regex::new(" {2,}")
        .unwrap()
        .replace_all(&shown, "  ")
        .into_owned();
    insta::assert_snapshot!(shown);
}

#[test]
fn doctor_says_of_a_dead_token_what_to_do() {
    let bench = Bench::new();
    let (_, section) = bench.person("Sara");
    bench.configure(&section);
    bench
        .telegram
        .revoke_token("7300000042:AAAnotherAnotherAnotherAnother0000");

    let left = bench.home.run(&["doctor"]);

    assert_eq!(left.code, 1, "{left:?}");
    assert!(left.stdout.contains("Telegram refuses the token"), "{left:?}");
    assert!(left.stdout.contains("@BotFather"), "{left:?}");
    assert!(!format!("{left:?}").contains("AAFake"), "{left:?}");
}

fn graded(left: &Left, part: &str, grade: &str) -> Vec<String> {
    let told: Value = left.json();
    let findings = told["findings"].as_array().unwrap().iter();
    findings
        .filter(|finding| finding["part"] == part && finding["grade"] == grade)
        .map(|finding| finding["about"].as_str().unwrap().to_owned())
        .collect()
}
