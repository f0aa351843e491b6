//! People, routes and tokens that change while askd runs.

use askd_stories::{Home, target};
use rustix::process::Signal;

const LOST: &str = "secret-of-the-build-bot";
const SARA: &str = "secret-of-sara-herself";

/// A token for an agent, and a route that leads from another one to Omid.
const BEFORE: &str = "\
[people.omid]
[tokens.build-bot]
role = \"agent\"
token = \"secret-of-the-build-bot\"
[[routes]]
agent = \"another\"
to = [\"omid\"]
";

/// What is added: a person, a token for her, and a route to her.
const ADDED: &str = "\
[people.sara]
[tokens.of-sara]
role = \"person\"
person = \"sara\"
token = \"secret-of-sara-herself\"
[[routes]]
agent = \"build-bot\"
to = [\"sara\"]
";

#[test]
fn a_person_a_token_and_a_route_that_were_added_count_from_the_next_question_on() {
    let home = Home::new();
    home.configure(BEFORE);
    let mut askd = home.serve();
    let (agent, sara) = (askd.called_by(LOST), askd.called_by(SARA));
    let before = agent.ask(&target());
    assert_eq!(
        before.body["status"], "undelivered",
        "no route leads from it to anybody"
    );
    assert_eq!(before.body["result"]["reason"], "undelivered");
    assert_eq!(sara.get("/v1/asks").status, 401);

    home.configure(&format!("{BEFORE}{ADDED}"));
    askd.process.signal(Signal::HUP);
    askd.process.until_it_notes("configuration reloaded");

    let ask = agent.ask(&target()).id();
    assert_eq!(sara.reply(&ask, "1")["receipt"], "settled");
    assert_eq!(agent.read(&ask)["result"]["settledBy"]["name"], "sara");
    assert_eq!(
        agent.read(&before.id())["status"],
        "undelivered",
        "the first end stands for ever"
    );
}

#[test]
fn a_person_who_was_removed_can_do_nothing_more() {
    let home = Home::new();
    home.configure(&format!("{BEFORE}{ADDED}"));
    let mut askd = home.serve();
    let (agent, sara) = (askd.called_by(LOST), askd.called_by(SARA));
    let ask = agent.ask(&target()).id();
    assert_eq!(sara.get("/v1/asks").status, 200);

    home.configure(BEFORE);
    askd.process.signal(Signal::HUP);
    askd.process.until_it_notes("configuration reloaded");

    let path = format!("/v1/asks/{ask}/skip");
    assert_eq!(sara.post_empty(&path).status, 401);
    assert_eq!(agent.read(&ask)["status"], "pending");
}

#[test]
fn a_bad_file_changes_nothing_and_the_log_says_where_it_is_wrong() {
    let home = Home::new();
    home.configure(&format!("{BEFORE}{ADDED}"));
    let mut askd = home.serve();
    let (agent, sara) = (askd.called_by(LOST), askd.called_by(SARA));

    home.configure("[people.sara]\nlanguage = \"tlh\"\n[[routes]]\nto = [\"nobody\"]\n");
    askd.process.signal(Signal::HUP);

    for fault in [
        "config.toml:2: people.sara.language: askd does not speak",
        "config.toml:4: routes[0].to",
    ] {
        let line = askd
            .process
            .until_it_notes("configuration refused, the old one stays");
        assert!(line.contains(fault), "{fault:?} in {line}");
    }
    let ask = agent.ask(&target()).id();
    assert_eq!(
        sara.reply(&ask, "2")["receipt"],
        "settled",
        "the old configuration is in force"
    );
}
