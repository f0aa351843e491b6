//! What `askd doctor` finds.

use askd_core::{
    channel::{Channel as _, Finding, Grade},
    id::Address,
};
use askd_testkit::{
    clock::TestClock,
    discord::{Fault, Permission, Setup},
    sample::address,
};

use crate::bench::{Bench, channel_at};

/// Grades by what they are about.
fn grades(findings: &[Finding]) -> Vec<(&str, Grade)> {
    findings
        .iter()
        .map(|finding| (finding.about.as_str(), finding.grade))
        .collect()
}

async fn looked_at(bench: &Bench, place: &Address) -> Finding {
    let findings = bench.channel.doctor(std::slice::from_ref(place)).await;
    about(findings, &place.to_string())
}

fn about(findings: Vec<Finding>, about: &str) -> Finding {
    findings
        .into_iter()
        .find(|finding| finding.about == about)
        .unwrap()
}

#[tokio::test]
async fn a_bot_in_order_is_told_so_and_nothing_is_shown_and_no_session_begun() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let ops = bench.fake.channel("ops", &[&sara]);
    let thread = sara.opens_thread(&ops, "Releases");
    let places = [bench.account(&sara), bench.address(&ops), bench.address(&thread)];

    let findings = bench.channel.doctor(&places).await;

    let places = places.map(|place| place.to_string());
    let expected = [
        ("token", Grade::Good),
        ("intents", Grade::Good),
        ("gateway", Grade::Good),
        (places[0].as_str(), Grade::Good),
        (places[1].as_str(), Grade::Good),
        (places[2].as_str(), Grade::Good),
    ];
    assert_eq!(grades(&findings), expected, "{findings:#?}");
    assert!(findings[0].found.contains("askd"), "{findings:?}");
    for at in [&sara.direct(), &ops, &thread] {
        assert_eq!(sara.sees(at), []);
    }
    assert_eq!(bench.fake.sockets(), []);
    assert_eq!(bench.fake.violations(), [""; 0]);
}

#[tokio::test]
async fn a_wrong_token_and_a_server_that_is_none_are_told_apart() {
    let bench = Bench::new().await;
    let wrong = channel_at(&bench.fake.url(), "not.the.token", &TestClock::new());
    let nobody = channel_at("http://127.0.0.1:1", "a.b.c", &TestClock::new());

    assert_eq!(grades(&wrong.doctor(&[]).await), [("token", Grade::Bad)]);
    assert_eq!(grades(&nobody.doctor(&[]).await), [("connection", Grade::Bad)]);
    for fault in [Fault::Gateway { status: 200 }, Fault::internal()] {
        bench.fake.fail_next("get_my_user", fault);
        assert_eq!(
            grades(&bench.channel.doctor(&[]).await),
            [("connection", Grade::Bad)]
        );
    }
}

#[tokio::test]
async fn a_missing_intent_matters_where_others_talk() {
    let bench = Bench::on(Setup {
        message_content: false,
        ..Setup::default()
    })
    .await;
    let sara = bench.fake.person("Sara");
    let ops = bench.fake.channel("ops", &[&sara]);

    let alone = bench.channel.doctor(&[bench.account(&sara)]).await;
    let among_others = bench.channel.doctor(&[bench.address(&ops)]).await;

    assert_eq!(about(alone, "intents").grade, Grade::Good);
    let finding = about(among_others, "intents");
    assert_eq!(finding.grade, Grade::Note);
    assert!(finding.remedy.unwrap().contains("Message Content Intent"));
}

#[tokio::test]
async fn presses_that_go_elsewhere_are_found() {
    let bench = Bench::new().await;
    bench
        .fake
        .set_interactions_endpoint("https://example.org/interactions");

    let finding = about(bench.channel.doctor(&[]).await, "interactions");

    assert_eq!(finding.grade, Grade::Bad);
    assert!(finding.remedy.unwrap().contains("Interactions Endpoint URL"));
}

#[tokio::test]
async fn the_gateway_is_looked_at_without_going_there() {
    let bench = Bench::new().await;
    bench.fake.set_sessions_left(3);
    let few = about(bench.channel.doctor(&[]).await, "gateway");
    bench.fake.set_gateway("wss://gateway.discord.gg");
    let discords = about(bench.channel.doctor(&[]).await, "gateway");
    bench.fake.fail_next("get_bot_gateway", Fault::internal());
    let unknown = about(bench.channel.doctor(&[]).await, "gateway");

    assert_eq!(few.grade, Grade::Note);
    assert!(few.found.ends_with('3'), "{few:?}");
    assert_eq!((discords.grade, unknown.grade), (Grade::Bad, Grade::Bad));
    assert!(discords.found.contains("Discord's own"), "{discords:?}");
}

#[tokio::test]
async fn who_cannot_be_written_to_is_found_with_the_way_to_invite_the_bot() {
    let bench = Bench::new().await;
    let stranger = bench.fake.stranger("Mallory");

    let no_server_in_common = looked_at(&bench, &bench.account(&stranger)).await;
    let nobody = looked_at(&bench, &address("discord:@77")).await;

    // That they share no server is not told before something is sent.
    assert_eq!(no_server_in_common.grade, Grade::Good);
    assert!(
        no_server_in_common.found.contains("unless"),
        "{no_server_in_common:?}"
    );
    assert_eq!(nobody.grade, Grade::Bad);
    let remedy = nobody.remedy.unwrap();
    let invitation = format!(
        "client_id={}&scope=bot+applications.commands&permissions=274877975552",
        bench.fake.bot_id()
    );
    assert!(remedy.contains(&invitation), "{remedy}");
}

#[tokio::test]
async fn what_the_bot_lacks_in_a_channel_is_named() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    for (permission, name) in [
        (Permission::SendMessages, "Send Messages"),
        (Permission::ReadMessageHistory, "Read Message History"),
    ] {
        let place = bench.fake.channel("ops", &[&sara]);
        place.denies(permission);

        let finding = looked_at(&bench, &bench.address(&place)).await;

        assert_eq!(finding.grade, Grade::Bad);
        assert_eq!(finding.found, format!("the bot lacks permissions: {name}"));
    }
    let place = bench.fake.channel("ops", &[&sara]);
    let thread = sara.opens_thread(&place, "Releases");
    place.denies(Permission::SendMessages);
    assert_eq!(
        looked_at(&bench, &bench.address(&thread)).await.grade,
        Grade::Good
    );
    place.denies(Permission::SendMessagesInThreads);
    let finding = looked_at(&bench, &bench.address(&thread)).await;
    assert_eq!(
        finding.found,
        "the bot lacks permissions: Send Messages in Threads"
    );
}

#[tokio::test]
async fn a_place_that_takes_no_questions_is_found() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let hidden = bench.fake.channel("hidden", &[&sara]);
    hidden.denies(Permission::ViewChannel);
    let gone = bench.fake.channel("gone", &[&sara]);
    gone.vanish();
    let ops = bench.fake.channel("ops", &[&sara]);
    let [archived, locked] = ["Archived", "Locked"].map(|name| sara.opens_thread(&ops, name));
    archived.archive();
    locked.lock();

    for (place, grade, found) in [
        (&hidden, Grade::Bad, "does not see"),
        (&gone, Grade::Bad, "does not see"),
        (&archived, Grade::Note, "archived"),
        (&locked, Grade::Bad, "locked"),
    ] {
        let finding = looked_at(&bench, &bench.address(place)).await;
        assert_eq!(finding.grade, grade, "{finding:?}");
        assert!(finding.found.contains(found), "{finding:?}");
    }
    bench.fake.set_in_guild(false);
    let finding = looked_at(&bench, &bench.address(&ops)).await;
    assert_eq!(finding.grade, Grade::Bad);
    assert!(finding.remedy.unwrap().contains("permissions=274877975552"));
}

#[tokio::test]
async fn every_finding_that_is_not_good_says_what_to_do_and_other_channels_are_passed_over() {
    let bench = Bench::on(Setup {
        message_content: false,
        ..Setup::default()
    })
    .await;
    bench.fake.set_sessions_left(0);
    bench.fake.set_interactions_endpoint("https://example.org");
    let ops = bench.fake.channel("ops", &[]);
    ops.denies(Permission::ViewChannel);
    let places = [
        bench.address(&ops),
        address("discord:general"),
        address("telegram:12345"),
    ];

    let findings = bench.channel.doctor(&places).await;

    assert!(findings.iter().all(|finding| finding.about != "telegram:12345"));
    assert_eq!(about(findings.clone(), "discord:general").grade, Grade::Bad);
    for finding in findings {
        let all_is_well = finding.grade == Grade::Good;
        assert_eq!(finding.remedy.is_none(), all_is_well, "{finding:?}");
    }
}
