//! The first answer wins, wherever it is given, and everybody learns of it.

use std::{sync::Barrier, thread};

use serde_json::json;

use super::Together;
use crate::stage::{answers, asks, deploy, deploy_and_tell, result};

#[test]
fn the_first_answer_wins_and_all_messages_show_who_gave_it_and_where() {
    let together = Together::new();
    together.configure();
    let askd = together.home.serve();
    let ask = asks(&askd, &deploy());
    together.all_read("Where should this go?");
    let (omid, sara) = (together.discord.omid().in_the_group(), together.sara());
    let shown_before = sara.reads("Where should this go?");

    omid.taps("Production").is_told("Production");

    let result = result(&askd, &ask);
    assert_eq!(answers(&result), &json!({ "deploy_target": ["Production"] }));
    assert_eq!(
        result["settledBy"],
        json!({ "name": "Omid", "channel": "discord", "how": "tap" })
    );
    together.all_read("Production: Omid, on Discord");
    for reader in together.readers() {
        assert_eq!(reader.reads_the_end_of("Where should this go?").buttons.len(), 0);
    }
    // Sara's telephone is slow: it still shows the buttons when the question is over.
    let told = sara.taps_button(&shown_before.buttons[0]).is_told("Omid");
    assert!(told.contains("Production: Omid, on Discord"), "{told}");
    let too_late = together.slack.sara().in_the_group();
    too_late
        .replies(&too_late.reads("Omid, on Discord"), "1")
        .is_told("Omid, on Discord");
    together.golden("the_first_answer_wins");
}

#[test]
fn own_words_stand_only_where_they_were_written() {
    let together = Together::new();
    together.configure();
    let askd = together.home.serve();
    let ask = asks(&askd, &deploy());
    together.all_read("Where should this go?");
    let sara = together.slack.sara().in_the_group();

    let input = sara.taps("Other…");
    input
        .and_fills_in("production, once the walrus is fed")
        .is_told("walrus");

    assert_eq!(
        answers(&result(&askd, &ask)),
        &json!({ "deploy_target": ["production, once the walrus is fed"] })
    );
    together.all_read("Sara, on Slack");
    let [on_telegram, on_discord, on_slack] = together
        .readers()
        .map(|reader| reader.reads("Sara, on Slack").text);
    assert!(on_slack.contains("walrus"), "{on_slack}");
    for elsewhere in [on_telegram, on_discord] {
        assert!(
            elsewhere.contains("Answered in own words by Sara, on Slack"),
            "{elsewhere}"
        );
    }
    for scene in [&together.telegram, &together.discord] {
        assert!(!scene.transcript().contains("walrus"), "{}", scene.transcript());
    }
    together.golden("own_words");
}

#[test]
fn what_a_person_answers_on_two_platforms_is_one_answer() {
    let together = Together::new();
    together.configure();
    let askd = together.home.serve();
    let ask = asks(&askd, &deploy_and_tell());
    together.all_read("Who should hear about it?");
    let on_slack = together.slack.sara().in_the_group();

    together
        .sara()
        .says("1: production")
        .is_told("Still open: Alerts");
    on_slack
        .replies(&on_slack.reads("Who should hear about it?"), "2: ops")
        .is_told("Thank you");

    let result = result(&askd, &ask);
    assert_eq!(
        answers(&result),
        &json!({ "deploy_target": ["Production"], "alerts": ["Ops"] })
    );
    assert_eq!(result["settledBy"]["channel"], "slack", "where it was completed");
    together.all_read("Answered by Sara, on Slack");
    together.golden("one_answer_from_two_platforms");
}

#[test]
fn of_two_at_the_same_moment_one_wins_and_the_other_is_told_who_and_what() {
    let together = Together::new();
    together.configure();
    let askd = together.home.serve();
    let ask = asks(&askd, &deploy());
    together.all_read("Where should this go?");
    let (sara, omid) = (together.sara(), together.discord.omid().in_the_group());
    let at_once = Barrier::new(2);

    let told = thread::scope(|scope| {
        let acts = [(sara, "Production"), (omid, "Staging (Recommended)")].map(|(person, label)| {
            let at_once = &at_once;
            scope.spawn(move || {
                at_once.wait();
                person.taps(label)
            })
        });
        acts.map(|act| act.join().unwrap().is_told(""))
    });

    let result = result(&askd, &ask);
    let winner = result["settledBy"]["name"].as_str().unwrap();
    let (loser_was_told, outcome) = match winner {
        "Sara" => (&told[1], "Production: Sara, on Telegram"),
        _ => (&told[0], "Staging (Recommended): Omid, on Discord"),
    };
    assert!(loser_was_told.contains(outcome), "{winner} won: {told:?}");
    together.all_read(outcome);
}
