//! Live checks.

use std::{fs, path::Path};

use askd_channel_slack::SCOPES;
use askd_core::channel::{Channel as _, Finding, Grade};
use askd_testkit::{
    sample::address,
    slack::{Fault, Setup},
};

use crate::bench::Bench;

fn about<'a>(findings: &'a [Finding], about: &str) -> &'a Finding {
    let found = findings.iter().find(|finding| finding.about == about);
    found.unwrap_or_else(|| panic!("nothing about {about} in {findings:?}"))
}

#[track_caller]
fn is_bad(findings: &[Finding], what: &str, found: &str, remedy: &str) {
    let finding = about(findings, what);
    assert_eq!(finding.grade, Grade::Bad, "{finding:?}");
    assert!(finding.found.contains(found), "{finding:?}");
    assert!(
        finding.remedy.as_deref().unwrap_or_default().contains(remedy),
        "{finding:?}"
    );
}

#[tokio::test]
async fn all_is_well() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let channel = bench.fake.channel("shop", &[&sara]);
    let private = bench.fake.private_channel("ops", &[&sara]);
    let thread = channel.thread(&sara.says(&channel, "about the release"));
    let person = address(&format!("slack:{}", sara.id()));
    let places = [&channel, &private, &thread].map(|place| bench.address(place));
    let elsewhere = address("telegram:1");

    let all = [places.as_slice(), &[person, elsewhere]].concat();
    let findings = bench.channel.doctor(&all).await;

    assert!(
        findings.iter().all(|finding| finding.grade == Grade::Good),
        "{findings:?}"
    );
    assert_eq!(findings.len(), 3 + 4, "{findings:?}");
    assert!(about(&findings, "bot_token").found.contains("@askd"));
    assert_eq!(bench.fake.sockets_opened(), 0, "none that would take events away");
    assert_eq!(
        bench.count("chat.postMessage") + bench.count("conversations.open"),
        0
    );
    bench.broke_nothing();
}

#[tokio::test]
async fn each_token_that_is_refused_is_told_with_its_remedy() {
    let bench = Bench::new().await;
    bench.fake.refuse_bot_token("invalid_auth");
    let findings = bench.channel.doctor(&[]).await;
    is_bad(
        &findings,
        "bot_token",
        "refuses the bot's token",
        "OAuth & Permissions",
    );
    assert_eq!(about(&findings, "app_token").grade, Grade::Good);

    let bench = Bench::new().await;
    bench.fake.revoke_app_token();
    let findings = bench.channel.doctor(&[]).await;
    is_bad(
        &findings,
        "app_token",
        "refuses the app's token",
        "App-Level Tokens",
    );
    assert_eq!(about(&findings, "bot_token").grade, Grade::Good);

    let bench = Bench::on(Setup {
        app_scopes: Vec::new(),
        ..Setup::default()
    })
    .await;
    let findings = bench.channel.doctor(&[]).await;
    is_bad(
        &findings,
        "app_token",
        "may not open a socket",
        "connections:write",
    );
}

#[tokio::test]
async fn scopes_that_are_missing_are_named() {
    let bench = Bench::new().await;
    for scope in ["im:write", "users:read"] {
        bench.fake.take_scope(scope);
    }
    let sara = bench.fake.person("Sara");

    let findings = bench
        .channel
        .doctor(&[address(&format!("slack:{}", sara.id()))])
        .await;

    is_bad(&findings, "scopes", "im:write, users:read", "slack-manifest.yaml");
    is_bad(
        &findings,
        &format!("slack:{}", sara.id()),
        "lacks a scope",
        "scopes",
    );
}

#[tokio::test]
async fn each_place_that_cannot_be_reached_is_told_with_its_remedy() {
    let bench = Bench::new().await;
    let (sara, gone) = (bench.fake.person("Sara"), bench.fake.person("Gone"));
    let robot = bench.fake.machine("Robot");
    gone.is_deactivated();
    let [left, archived, hidden] = ["left", "old", "hidden"].map(|name| bench.fake.channel(name, &[&sara]));
    left.remove_app();
    archived.archive();
    let private = bench.fake.private_channel("secret", &[&sara]);
    private.remove_app();
    let of = |id: &str| format!("slack:{id}");
    let thread = format!("slack:{}/1796117400.000100", hidden.id());
    let places = [
        left.id(),
        archived.id(),
        private.id(),
        gone.id(),
        robot.id(),
        "U0NOBODY",
    ]
    .map(of);
    let places = places.iter().chain([&thread]).map(|text| address(text));

    let findings = bench.channel.doctor(&places.collect::<Vec<_>>()).await;

    is_bad(&findings, &of(left.id()), "not in this channel", "/invite @askd");
    is_bad(&findings, &of(archived.id()), "archived", "unarchive");
    is_bad(
        &findings,
        &of(private.id()),
        "sees no such channel",
        "/invite @askd",
    );
    is_bad(&findings, &of(gone.id()), "deactivated", "configuration");
    is_bad(&findings, &of(robot.id()), "a bot's", "person");
    is_bad(&findings, &of("U0NOBODY"), "no such person", "Copy member ID");
    is_bad(&findings, &thread, "no such thread", "link");
}

#[tokio::test]
async fn what_is_no_slack_is_told_apart_from_what_is_not_there() {
    let bench = Bench::new().await;
    bench.fake.fail_until_mended("*", Fault::Gateway { status: 200 });
    let findings = bench.channel.doctor(&[]).await;
    is_bad(&findings, "connection", "not Slack's", "api_url");

    bench.fake.mend();
    bench
        .fake
        .fail_next("apps.connections.open", Fault::Throttled { seconds: 30 });
    let findings = bench.channel.doctor(&[]).await;
    assert_eq!(about(&findings, "app_token").grade, Grade::Note);
}

#[test]
fn the_scopes_that_are_checked_are_those_the_manifest_asks_for() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/channels/slack-manifest.yaml");
    let manifest = fs::read_to_string(file).unwrap();
    let listed = |below: &str| -> Vec<String> {
        let lines = manifest.lines().skip_while(|line| line.trim() != below).skip(1);
        let items = lines.map_while(|line| line.trim().strip_prefix("- "));
        items
            .map(|item| item.split('#').next().unwrap_or_default().trim().to_owned())
            .collect()
    };

    assert_eq!(listed("bot:"), SCOPES);
    let events = listed("bot_events:");
    for event in ["message.channels", "message.groups", "message.im", "app_mention"] {
        assert!(events.contains(&event.to_owned()), "{event} in {events:?}");
    }
    for setting in [
        "socket_mode_enabled: true",
        "messages_tab_enabled: true",
        "messages_tab_read_only_enabled: false",
        "is_enabled: true",
    ] {
        assert!(manifest.contains(setting), "{setting}");
    }
    assert!(
        Setup::default().scopes.iter().eq(SCOPES.iter()),
        "the fake's app is made from it"
    );
}
