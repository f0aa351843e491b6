//! What `askd doctor` finds.

use std::time::Duration;

use askd_core::{
    channel::{Channel as _, Finding, Grade},
    id::Address,
};
use askd_testkit::{clock::TestClock, sample::address, telegram::Fault};

use crate::bench::{Bench, channel_at};

/// Grades by what they are about.
fn grades(findings: &[Finding]) -> Vec<(&str, Grade)> {
    findings
        .iter()
        .map(|finding| (finding.about.as_str(), finding.grade))
        .collect()
}

/// What is found while time passes: a look takes some.
async fn examined(bench: &Bench, places: &[Address]) -> Vec<Finding> {
    let time = async {
        loop {
            tokio::time::sleep(Duration::from_millis(2)).await;
            bench.clock.advance(Duration::from_millis(50));
        }
    };
    tokio::select! {
        findings = bench.channel.doctor(places) => findings,
        () = time => Vec::new(),
    }
}

async fn looked_at(bench: &Bench, place: &Address) -> Finding {
    let findings = examined(bench, std::slice::from_ref(place)).await;
    let about = place.to_string();
    findings
        .into_iter()
        .find(|finding| finding.about == about)
        .unwrap()
}

#[tokio::test]
async fn a_bot_in_order_is_told_so_and_nothing_is_shown_or_taken_away() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    sara.says(&sara.direct(), "hello");

    let findings = examined(&bench, &[bench.address(&sara.direct())]).await;

    let place = format!("telegram:{}", sara.id());
    let expected = [
        ("token", Grade::Good),
        ("privacy", Grade::Good),
        ("receiving", Grade::Good),
        ("backlog", Grade::Note),
        (place.as_str(), Grade::Good),
    ];
    assert_eq!(grades(&findings), expected);
    assert!(findings[0].found.contains("@askd_test_bot"));
    assert_eq!(sara.sees(&sara.direct()).len(), 1, "nothing but her own words");
    assert_eq!(bench.fake.waiting(), 1, "and they still wait");
    assert_eq!(bench.fake.violations(), Vec::<String>::new());
}

#[tokio::test]
async fn a_wrong_token_and_a_server_that_is_none_are_told_apart() {
    let bench = Bench::new().await;
    let wrong = channel_at(&bench.fake.url(), "1:wrong", &TestClock::new());
    let nobody = channel_at("http://127.0.0.1:1", "1:x", &TestClock::new());

    assert_eq!(grades(&wrong.doctor(&[]).await), [("token", Grade::Bad)]);
    assert_eq!(grades(&nobody.doctor(&[]).await), [("connection", Grade::Bad)]);
    bench.fake.fail("getMe", 1, Fault::Gateway { status: 200 });
    assert_eq!(grades(&examined(&bench, &[]).await), [("connection", Grade::Bad)]);
}

#[tokio::test]
async fn every_finding_that_is_not_good_says_what_to_do() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let group = bench.fake.supergroup("Shop", &[&sara]);
    group.kick_bot();
    let places = [address("telegram:424242"), bench.address(&group)];

    let findings = examined(&bench, &places).await;

    assert!(findings.iter().any(|finding| finding.grade == Grade::Bad));
    for finding in findings {
        assert_eq!(
            finding.grade == Grade::Good,
            finding.remedy.is_none(),
            "{finding:?}"
        );
        assert!(!format!("{finding:?}").contains(&bench.fake.token()));
    }
}

#[tokio::test]
async fn a_running_askd_is_found_and_not_harmed() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let listening = bench.listen().await;

    let findings = examined(&bench, &[]).await;

    let receiving = findings
        .iter()
        .find(|finding| finding.about == "receiving")
        .unwrap();
    assert_eq!(receiving.grade, Grade::Note, "{receiving:?}");
    sara.says(&sara.direct(), "2");
    bench
        .in_time("the text", || (bench.inbox.heard() == ["2"]).then_some(()))
        .await;
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn a_webhook_is_found() {
    let bench = Bench::new().await;
    let conflict = Fault::Refused {
        code: 409,
        description:
            "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the \
                      webhook first"
                .to_owned(),
    };
    bench.fake.fail("getUpdates", 1, conflict);

    let findings = examined(&bench, &[]).await;

    assert!(
        grades(&findings).contains(&("webhook", Grade::Bad)),
        "{findings:?}"
    );
}

#[tokio::test]
async fn privacy_mode_is_worth_a_note_where_there_are_groups() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let group = bench.address(&bench.fake.supergroup("Shop", &[&sara]));

    let on = examined(&bench, std::slice::from_ref(&group)).await;
    bench.fake.set_privacy(false);
    let off = examined(&bench, &[group]).await;

    assert!(grades(&on).contains(&("receiving", Grade::Good)), "{on:?}");
    assert!(grades(&on).contains(&("privacy", Grade::Note)));
    assert!(grades(&off).contains(&("privacy", Grade::Good)));
}

#[tokio::test]
async fn who_of_the_places_can_be_reached_is_told_one_by_one() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let plain = bench.fake.supergroup("Plain", &[&sara]);
    let forum = bench.fake.forum("Forum", &[&sara]);
    let topic = forum.open_topic("Releases");
    let left = bench.fake.supergroup("Left", &[&sara]);
    left.kick_bot();

    for (place, grade) in [
        (bench.address(&sara.direct()), Grade::Good),
        (bench.address(&plain), Grade::Good),
        (bench.address(&topic), Grade::Good),
        (address(&format!("telegram:{}/7", plain.id())), Grade::Bad),
        (bench.address(&left), Grade::Bad),
        (address("telegram:424242"), Grade::Bad),
    ] {
        let finding = looked_at(&bench, &place).await;

        assert_eq!(finding.grade, grade, "{finding:?}");
    }
}
