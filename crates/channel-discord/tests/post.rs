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
    discord::{Fault, Permission, Refusal, Setup},
    sample::answered,
};
use serde_json::json;

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

/// As many messages, each with its number.
fn parts(number: usize) -> Presentation {
    Presentation {
        messages: (1..=number).map(|n| message(&n.to_string())).collect(),
        rings: true,
    }
}

/// Lets one call through, ahead of a fault for the next.
fn passes() -> Fault {
    Fault::Slow { by: Duration::ZERO }
}

/// 50035, about this field.
fn wrong(field: &str) -> Fault {
    Fault::Refused(Box::new(Refusal {
        status: 400,
        code: 50035,
        message: "Invalid Form Body".to_owned(),
        errors: Some(json!({ field: { "_errors": [{ "code": "X", "message": "odd" }] } })),
        retry_after: None,
        global: false,
        rule_broken: false,
    }))
}

fn limited() -> Setup {
    Setup {
        rates: true,
        ..Setup::default()
    }
}

#[tokio::test]
async fn a_prompt_is_one_message_with_a_row_for_each_option() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let ops = bench.fake.channel("ops", &[&sara]);

    let posted = bench.post(&bench.address(&ops)).await.unwrap();

    let seen = sara.sees(&ops).pop().unwrap();
    let rows: Vec<usize> = seen.buttons.iter().map(Vec::len).collect();
    assert_eq!(rows, [1, 1, 2]);
    assert!(seen.text.contains("Where should this go?") && seen.rang);
    assert_eq!(posted.at, bench.address(&ops));
    assert_eq!(posted.messages.len(), 1);
    assert_eq!(posted.messages[0].message.as_str(), named(seen.at));
    assert_eq!(
        posted.messages[0].placed,
        Some(Placed(i64::try_from(seen.at.id).unwrap()))
    );
    assert_eq!(bench.fake.violations(), [""; 0]);
}

#[tokio::test]
async fn a_direct_conversation_is_opened_once_and_is_a_channel_from_then_on() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");

    let first = bench.post(&bench.account(&sara)).await.unwrap();
    let what = bench.prompt(&first.at);
    let second = bench.post_as(2, &first.at, &what).await.unwrap();
    let third = bench.post_as(3, &bench.account(&sara), &what).await.unwrap();

    assert_eq!(first.at, bench.address(&sara.direct()));
    assert_eq!((&second.at, &third.at), (&first.at, &first.at));
    assert!(bench.channel.capabilities(&first.at).direct);
    assert_eq!(sara.sees(&sara.direct()).len(), 3);
    assert_eq!(bench.fake.counts()["create_dm"], 1);
}

#[tokio::test]
async fn a_thread_is_a_conversation_like_any_other() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let ops = bench.fake.channel("ops", &[&sara]);
    let thread = sara.opens_thread(&ops, "Releases");

    let posted = bench.post(&bench.address(&thread)).await.unwrap();
    thread.archive();
    let what = bench.prompt(&posted.at);
    bench.post_as(2, &posted.at, &what).await.unwrap();

    assert_eq!(posted.at, bench.address(&thread));
    assert_eq!(sara.sees(&thread).len(), 2, "a message opens it again");
    assert_eq!(bench.fake.violations(), [""; 0]);
}

#[tokio::test]
async fn who_cannot_be_reached_is_given_up() {
    let bench = Bench::new().await;
    let (stranger, omid) = (bench.fake.stranger("Mallory"), bench.fake.person("Omid"));
    omid.blocks();
    let hidden = bench.fake.channel("hidden", &[&omid]);
    hidden.denies(Permission::ViewChannel);
    let read_only = bench.fake.channel("news", &[&omid]);
    read_only.denies(Permission::SendMessages);
    let locked = omid.opens_thread(&bench.fake.channel("ops", &[&omid]), "Closed");
    locked.lock();
    let gone = bench.fake.channel("gone", &[&omid]);
    gone.vanish();
    let places = [&hidden, &read_only, &locked, &gone].map(|place| bench.address(place));
    let people = [&stranger, &omid].map(|person| bench.account(person));

    for place in people.iter().chain(&places) {
        let error = bench.post(place).await.unwrap_err();

        assert!(
            matches!(error, ChannelError::Unreachable(_)),
            "{place}: {error:?}"
        );
        assert_eq!(error.next(), Next::GiveUp);
    }
    bench.fake.set_in_guild(false);
    let error = bench.post(&places[1]).await.unwrap_err();
    assert!(matches!(error, ChannelError::Unreachable(_)), "{error:?}");
}

#[tokio::test]
async fn how_sure_a_failure_is_decides_what_is_done_next() {
    let bench = Bench::new().await;
    let ops = bench.fake.channel("ops", &[]);
    let at = bench.address(&ops);
    let unclear = |error: ChannelError| match error {
        ChannelError::Unclear { maybe_done, .. } => Some(maybe_done),
        _ => None,
    };
    for fault in [
        Fault::internal(),
        Fault::Gateway { status: 502 },
        Fault::Gateway { status: 200 },
        Fault::Lost { done: true },
        Fault::Lost { done: false },
    ] {
        bench.fake.fail_next("create_message", fault.clone());
        let error = bench.post(&at).await.unwrap_err();
        assert_eq!(unclear(error), Some(true), "{fault:?}");
    }
    let nobody = channel_at("http://127.0.0.1:1", "a.b.c", &TestClock::new());
    let (what, key) = (bench.prompt(&at), askd_core::id::PostKey::prompt(ask_delivery()));
    let error = nobody.post(&at, &what, &key).await.unwrap_err();
    assert_eq!(unclear(error), Some(false), "no connection stood");

    bench.fake.fail_next("create_message", Fault::unauthorized());
    assert_eq!(bench.post(&at).await.unwrap_err().next(), Next::StopChannel);
    bench.fake.fail_next("create_message", Fault::invalid_form());
    let error = bench.post(&at).await.unwrap_err();
    assert!(
        matches!(&error, ChannelError::Rejected { code } if code == "400 50035"),
        "{error:?}"
    );
    let pause = Duration::from_millis(1250);
    bench.fake.fail_next("create_message", Fault::Throttled { pause });
    assert_eq!(
        bench.post(&at).await.unwrap_err().next(),
        Next::Retry(Some(pause))
    );
}

fn ask_delivery() -> askd_core::id::DeliveryId {
    askd_core::id::DeliveryId::make(&askd_testkit::chance::SeededChance::new(9))
}

#[tokio::test]
async fn a_pause_is_kept_without_asking_again_whoever_asked_for_it() {
    let bench = Bench::new().await;
    let (ops, alerts) = (bench.fake.channel("ops", &[]), bench.fake.channel("alerts", &[]));
    let at = [&ops, &alerts].map(|place| bench.address(place));
    let seconds = Duration::from_secs;
    let pause = |error: ChannelError| match error {
        ChannelError::Throttled { pause } => pause,
        other => panic!("{other}"),
    };
    for (fault, long, elsewhere) in [
        (Fault::Throttled { pause: seconds(7) }, 7, false),
        (Fault::ThrottledGlobally { pause: seconds(9) }, 9, true),
        (Fault::Barred { seconds: 60 }, 60, true),
    ] {
        bench.fake.fail_next("create_message", fault.clone());
        let told = pause(bench.post(&at[0]).await.unwrap_err());
        bench.clock.advance(seconds(2));
        let calls = bench.fake.calls().len();
        let kept = pause(bench.post(&at[0]).await.unwrap_err());
        let other = bench.post(&at[1]).await.err().map(pause);

        assert_eq!((told, kept), (seconds(long), seconds(long - 2)), "{fault:?}");
        assert_eq!(other, elsewhere.then_some(kept), "{fault:?}");
        assert_eq!(
            bench.fake.calls().len(),
            calls + usize::from(!elsewhere),
            "{fault:?}"
        );
        bench.clock.advance(seconds(long - 2));
        bench.post(&at[0]).await.unwrap();
    }
}

#[tokio::test]
async fn an_empty_bucket_is_not_tried() {
    let bench = Bench::on(limited()).await;
    let ops = bench.fake.channel("ops", &[]);
    let at = bench.address(&ops);
    for n in 0..5 {
        bench.post_as(n, &at, &parts(1)).await.unwrap();
    }

    let error = bench.post_as(5, &at, &parts(1)).await.unwrap_err();
    bench.clock.advance(Duration::from_secs(5));
    bench.post_as(5, &at, &parts(1)).await.unwrap();

    assert_eq!(error.next(), Next::Retry(Some(Duration::from_secs(5))));
    assert_eq!(bench.fake.counts()["create_message"], 6, "none was refused");
    assert_eq!(bench.fake.violations(), [""; 0]);
}

#[tokio::test]
async fn a_long_prompt_waits_in_its_middle_and_rings_once() {
    let bench = Bench::on(limited()).await;
    let sara = bench.fake.person("Sara");
    let ops = bench.fake.channel("ops", &[&sara]);
    let (at, what) = (bench.address(&ops), parts(12));

    let posting = bench.post_this(&at, &what);
    let all = bench.in_time("all parts", || {
        Some(sara.sees(&ops)).filter(|seen| seen.len() == 12)
    });
    let (posted, seen) = tokio::join!(posting, all);

    let texts: Vec<_> = seen.iter().map(|seen| seen.text.clone()).collect();
    let expected: Vec<String> = (1..=12).map(|n| n.to_string()).collect();
    assert_eq!(texts, expected);
    assert_eq!(seen.iter().filter(|seen| seen.rang).count(), 1);
    assert!(seen[11].rang, "when all of it is there");
    assert_eq!(posted.unwrap().messages.len(), 12);
    assert_eq!(bench.fake.counts()["create_message"], 12);
}

#[tokio::test]
async fn what_is_posted_again_under_its_key_is_shown_once() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let ops = bench.fake.channel("ops", &[&sara]);
    let (at, what) = (bench.address(&ops), parts(3));
    bench.fake.fail_next("create_message", passes());
    bench.fake.fail_next("create_message", Fault::Lost { done: true });

    let error = bench.post_this(&at, &what).await.unwrap_err();
    let half: Vec<_> = sara.sees(&ops).into_iter().map(|seen| seen.text).collect();
    let posted = bench.post_this(&at, &what).await.unwrap();
    let other = bench.post_as(2, &at, &parts(1)).await.unwrap();

    assert!(matches!(error, ChannelError::Unclear { maybe_done: true, .. }));
    assert_eq!(half, ["1", "2"], "what will be tried again is not taken back");
    let seen = sara.sees(&ops);
    let texts: Vec<_> = seen.iter().map(|seen| seen.text.as_str()).collect();
    assert_eq!(texts, ["1", "2", "3", "1"]);
    let names: Vec<_> = posted.messages.iter().chain(&other.messages).collect();
    let names: Vec<_> = names.iter().map(|one| one.message.as_str().to_owned()).collect();
    assert_eq!(names, seen.iter().map(|seen| named(seen.at)).collect::<Vec<_>>());
}

#[tokio::test]
async fn half_a_prompt_that_is_refused_for_good_is_taken_back() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let ops = bench.fake.channel("ops", &[&sara]);
    bench.fake.fail_next("create_message", passes());
    bench.fake.fail_next("create_message", Fault::invalid_form());

    let error = bench
        .post_this(&bench.address(&ops), &parts(3))
        .await
        .unwrap_err();

    assert!(matches!(error, ChannelError::Rejected { .. }), "{error:?}");
    assert_eq!(sara.sees(&ops), []);
}

#[tokio::test]
async fn where_buttons_are_refused_the_question_comes_without() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let ops = bench.fake.channel("ops", &[&sara]);
    bench.fake.fail_next("create_message", wrong("components"));
    bench.post(&bench.address(&ops)).await.unwrap();
    bench.fake.fail_next("create_message", wrong("content"));
    let error = bench.post(&bench.address(&ops)).await.unwrap_err();

    let seen = sara.sees(&ops).pop().unwrap();
    assert!(seen.buttons.is_empty() && seen.text.contains("Where should this go?"));
    assert!(matches!(error, ChannelError::Rejected { .. }), "{error:?}");
}

#[tokio::test]
async fn a_prompt_becomes_its_outcome_and_nothing_rings_twice() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let posted = bench.post(&bench.account(&sara)).await.unwrap();
    let mut over = ask();
    over.stage = Stage::Over(Outcome {
        end: answered("Sara", &posted.at),
        at: START,
    });
    let can = bench.channel.capabilities(&posted.at);
    let what = settled(&over, &posted.at, &can, &english(), None, 1)
        .pop()
        .unwrap();

    for _ in 0..2 {
        bench
            .channel
            .edit(&posted.messages[0].message, &what)
            .await
            .unwrap();
    }

    let seen = sara.sees(&sara.direct());
    assert_eq!(seen.len(), 1);
    assert!(seen[0].buttons.is_empty(), "{seen:?}");
    assert!(seen[0].text.contains("Sara"), "{seen:?}");
    assert_eq!(bench.fake.violations(), [""; 0]);
}

#[tokio::test]
async fn what_cannot_be_changed_any_more_is_gone() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let ops = bench.fake.channel("ops", &[&sara]);
    let thread = sara.opens_thread(&ops, "Releases");
    let deleted = bench.post(&bench.address(&ops)).await.unwrap();
    let archived = bench
        .post_as(2, &bench.address(&thread), &parts(1))
        .await
        .unwrap();
    ops.delete(sara.sees(&ops).pop().unwrap().at);
    thread.archive();
    let theirs = MessageRef::new(named(sara.says(&ops, "hello")));

    for message_ref in [
        &deleted.messages[0].message,
        &archived.messages[0].message,
        &theirs,
        &MessageRef::new("12"),
    ] {
        let error = bench.channel.edit(message_ref, &message("x")).await.unwrap_err();
        assert_eq!(error.next(), Next::FollowUp, "{message_ref}: {error:?}");
    }
}

#[tokio::test]
async fn edits_wait_a_little_for_their_turn_and_leave_long_pauses_to_others() {
    let bench = Bench::on(limited()).await;
    let sara = bench.fake.person("Sara");
    let ops = bench.fake.channel("ops", &[&sara]);
    let posted = bench.post_this(&bench.address(&ops), &parts(5)).await.unwrap();
    let (first, new) = (&posted.messages[0].message, message("new"));

    for _ in 0..5 {
        bench.channel.edit(first, &new).await.unwrap();
    }
    let waiting = bench.channel.edit(&posted.messages[4].message, &new);
    let changed = bench.in_time("the last edit", || {
        (sara.sees(&ops)[4].text == "new").then_some(())
    });
    let (edited, ()) = tokio::join!(waiting, changed);
    let pause = Duration::from_secs(40);
    bench.fake.fail_next("update_message", Fault::Throttled { pause });
    let error = bench.channel.edit(first, &new).await.unwrap_err();

    edited.unwrap();
    assert_eq!(error.next(), Next::Retry(Some(pause)));
    assert_eq!(bench.fake.violations(), [""; 0]);
}
