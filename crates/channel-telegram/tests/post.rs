//! Posting and editing.

use std::time::Duration;

use askd_core::{
    channel::{Channel as _, ChannelError, Next},
    id::MessageRef,
    inbound::Placed,
    present::{Controls, Line, Message, Presentation, Span, Style, settled},
    stage::{Outcome, Stage},
};
use askd_testkit::{
    clock::{START, TestClock},
    sample::answered,
    telegram::{Fault, Setup},
};

use crate::bench::{Bench, ask, channel_at, english, named};

fn message(text: &str) -> Message {
    let span = Span {
        text: text.to_owned(),
        style: Style::Strong,
    };
    Message {
        lines: vec![Line { spans: vec![span] }],
        controls: Controls::None,
    }
}

fn refused(code: u16, description: &str) -> Fault {
    Fault::Refused {
        code,
        description: description.to_owned(),
    }
}

/// Lets one call through, ahead of a fault for the next.
fn passes() -> Fault {
    Fault::Slow { by: Duration::ZERO }
}

#[tokio::test]
async fn a_prompt_is_one_message_with_a_row_for_each_option() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");

    let posted = bench.post(&sara.direct()).await.unwrap();

    let seen = sara.sees_last(&sara.direct()).unwrap();
    let rows: Vec<usize> = seen.buttons.iter().map(Vec::len).collect();
    assert_eq!(rows, [1, 1, 2]);
    assert!(seen.text.contains("Where should this go?") && seen.rang);
    assert_eq!(posted.at, bench.address(&sara.direct()));
    assert_eq!(posted.messages.len(), 1);
    assert_eq!(posted.messages[0].message.as_str(), named(seen.at));
    assert_eq!(posted.messages[0].placed, Some(Placed(seen.at.id)));
    assert_eq!(bench.fake.violations(), Vec::<String>::new());
}

#[tokio::test]
async fn the_server_may_stand_below_a_path() {
    let setup = Setup {
        prefix: "/telegram/api".to_owned(),
        ..Setup::default()
    };
    let bench = Bench::on(setup).await;
    let sara = bench.fake.person("Sara");

    bench.post(&sara.direct()).await.unwrap();

    assert!(sara.sees_last(&sara.direct()).is_some());
}

#[tokio::test]
async fn a_topic_gets_it_and_general_is_the_group_without_one() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let general = bench.fake.forum("Shop", &[&sara]);
    let topic = general.open_topic("Releases");

    let in_topic = bench.post(&topic).await.unwrap();
    let in_general = bench.post(&general).await.unwrap();
    let by_number = bench
        .channel
        .parse_address(&format!("{}/1", general.id()))
        .unwrap();

    assert_eq!(in_topic.at, bench.address(&topic));
    assert_eq!(in_general.at, bench.address(&general));
    assert_eq!(
        by_number,
        bench.address(&general),
        "General has no number outbound"
    );
    for place in [&topic, &general] {
        assert_eq!(sara.sees(place).len(), 1);
    }
}

#[tokio::test]
async fn who_cannot_be_reached_is_given_up() {
    let bench = Bench::new().await;
    let (stranger, omid) = (bench.fake.stranger("Mallory"), bench.fake.person("Omid"));
    omid.blocks();
    let group = bench.fake.supergroup("Shop", &[&omid]);
    group.kick_bot();
    let topic = bench.fake.forum("Forum", &[&omid]).open_topic("Closed");
    topic.close_topic();

    for place in [stranger.direct(), omid.direct(), group, topic] {
        let error = bench.post(&place).await.unwrap_err();

        assert!(matches!(error, ChannelError::Unreachable(_)), "{error:?}");
        assert_eq!(error.next(), Next::GiveUp);
    }
}

#[tokio::test]
async fn how_sure_a_failure_is_decides_what_is_done_next() {
    for (fault, maybe_done) in [
        (Fault::Gateway { status: 502 }, true),
        (Fault::Gateway { status: 200 }, true),
        (Fault::Lost { done: true }, true),
        (Fault::Lost { done: false }, true),
    ] {
        let bench = Bench::new().await;
        let sara = bench.fake.person("Sara");
        bench.fake.fail("sendMessage", 1, fault.clone());

        let error = bench.post(&sara.direct()).await.unwrap_err();

        assert!(
            matches!(&error, ChannelError::Unclear { maybe_done: maybe, .. } if *maybe == maybe_done),
            "{fault:?}: {error:?}"
        );
    }
}

#[tokio::test]
async fn a_server_that_is_not_there_has_shown_nothing() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let nobody = channel_at("http://127.0.0.1:1", &bench.fake.token(), &TestClock::new());
    let to = bench.address(&sara.direct());
    let key = askd_core::id::PostKey::prompt(askd_core::id::DeliveryId::make(
        &askd_testkit::chance::SeededChance::new(1),
    ));

    let error = nobody.post(&to, &bench.prompt(&to), &key).await.unwrap_err();

    assert!(
        matches!(
            error,
            ChannelError::Unclear {
                maybe_done: false,
                ..
            }
        ),
        "{error:?}"
    );
}

#[tokio::test]
async fn the_platforms_own_pause_is_handed_on_and_a_wrong_token_stops_the_channel() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");

    bench.fake.fail("sendMessage", 1, Fault::Throttled { seconds: 7 });
    let throttled = bench.post(&sara.direct()).await.unwrap_err();
    bench.fake.fail("sendMessage", 1, Fault::unauthorized());
    let wrong = bench.post(&sara.direct()).await.unwrap_err();
    bench
        .fake
        .fail("sendMessage", 1, refused(400, "Bad Request: message is too long"));
    let rejected = bench.post(&sara.direct()).await.unwrap_err();

    assert_eq!(throttled.next(), Next::Retry(Some(Duration::from_secs(7))));
    assert_eq!(wrong.next(), Next::StopChannel);
    assert!(matches!(rejected, ChannelError::Rejected { .. }), "{rejected:?}");
    assert!(sara.sees(&sara.direct()).is_empty());
}

#[tokio::test]
async fn where_styles_are_refused_the_same_is_shown_plain() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let no_styles = || refused(400, "Bad Request: can't parse entities: nested too deeply");
    bench.fake.fail("sendMessage", 1, no_styles());
    bench.fake.fail("editMessageText", 1, no_styles());

    let posted = bench.post(&sara.direct()).await.unwrap();
    let prompt = sara.sees_last(&sara.direct()).unwrap();
    bench
        .channel
        .edit(&posted.messages[0].message, &message("Over."))
        .await
        .unwrap();
    let outcome = sara.sees_last(&sara.direct()).unwrap();

    assert!(prompt.text.contains("Where should this go?") && prompt.entities.is_empty());
    assert_eq!((outcome.text.as_str(), outcome.entities.len()), ("Over.", 0));
}

#[tokio::test]
async fn one_ask_rings_once_when_all_of_it_is_there() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let what = Presentation {
        messages: vec![message("one"), message("two"), message("three")],
        rings: true,
    };

    let posted = bench
        .post_this(&bench.address(&sara.direct()), &what)
        .await
        .unwrap();

    let rang: Vec<bool> = sara.sees(&sara.direct()).iter().map(|seen| seen.rang).collect();
    assert_eq!(rang, [false, false, true]);
    assert_eq!(posted.messages.len(), 3);
}

#[tokio::test]
async fn a_prompt_that_stays_half_is_taken_back_and_fails_as_its_missing_half() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let what = Presentation {
        messages: vec![message("one"), message("two")],
        rings: true,
    };
    let to = bench.address(&sara.direct());
    bench.fake.fail("sendMessage", 1, passes());
    bench.fake.fail("sendMessage", 1, Fault::Throttled { seconds: 7 });

    let throttled = bench.post_this(&to, &what).await.unwrap_err();

    assert_eq!(throttled.next(), Next::Retry(Some(Duration::from_secs(7))));
    assert!(
        sara.sees(&sara.direct()).is_empty(),
        "{}",
        bench.fake.transcript()
    );
    bench.post_this(&to, &what).await.unwrap();
    assert_eq!(sara.sees(&sara.direct()).len(), 2);
}

#[tokio::test]
async fn what_cannot_be_taken_back_may_be_there() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let what = Presentation {
        messages: vec![message("one"), message("two")],
        rings: true,
    };
    bench.fake.fail("sendMessage", 1, passes());
    bench.fake.fail("sendMessage", 1, Fault::Throttled { seconds: 7 });
    bench
        .fake
        .fail("deleteMessage", 1, Fault::Gateway { status: 502 });

    let error = bench
        .post_this(&bench.address(&sara.direct()), &what)
        .await
        .unwrap_err();

    assert!(
        matches!(error, ChannelError::Unclear { maybe_done: true, .. }),
        "{error:?}"
    );
}

#[tokio::test]
async fn an_edit_shows_the_outcome_takes_the_buttons_away_and_twice_shows_the_same() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let posted = bench.post(&sara.direct()).await.unwrap();
    let mut over = ask();
    over.stage = Stage::Over(Outcome {
        end: answered("sara", &posted.at),
        at: START,
    });
    let can = bench.channel.capabilities(&posted.at);
    let what = settled(&over, &posted.at, &can, &english(), None, 1).remove(0);

    for _ in 0..2 {
        bench
            .channel
            .edit(&posted.messages[0].message, &what)
            .await
            .unwrap();

        let seen = sara.sees_last(&sara.direct()).unwrap();
        assert_eq!(seen.labels(), Vec::<&str>::new());
        assert!(seen.text.contains("Staging (Recommended)"), "{}", seen.text);
    }
    assert_eq!(bench.fake.violations(), Vec::<String>::new());
}

#[tokio::test]
async fn a_message_that_is_gone_is_told_so() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let posted = bench.post(&sara.direct()).await.unwrap();
    sara.deletes(sara.sees_last(&sara.direct()).unwrap().at);

    for at in [
        &posted.messages[0].message,
        &MessageRef::new("of another channel"),
    ] {
        let error = bench.channel.edit(at, &message("Over.")).await.unwrap_err();

        assert!(matches!(error, ChannelError::Gone), "{error:?}");
    }
}

#[tokio::test]
async fn a_group_that_has_moved_is_followed() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let old = bench.fake.group("Shop", &[&sara]);
    let before = bench.post(&old).await.unwrap();
    let new = old.upgrade();

    let after = bench.post(&old).await.unwrap();
    let again = bench.post(&old).await.unwrap();
    let edit = bench
        .channel
        .edit(&before.messages[0].message, &message("Over."))
        .await;

    assert_eq!(after.at, bench.address(&new), "what events name from now on");
    assert_eq!(again.at, bench.address(&new));
    assert_eq!(sara.sees(&new).len(), 2);
    bench
        .channel
        .edit(&after.messages[0].message, &message("Over."))
        .await
        .unwrap();
    assert!(
        edit.is_ok() || matches!(edit, Err(ChannelError::Gone)),
        "a follow-up takes its place: {edit:?}"
    );
}
