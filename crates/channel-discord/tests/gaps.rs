//! What was said while nobody listened, and what the inbox did not take.

use std::{sync::Arc, time::Duration};

use askd_core::{
    channel::Posted,
    id::MessageRef,
    inbound::{Act, Became, Inbound, Said},
};
use askd_testkit::discord::{Fault, Person, Place};

use crate::bench::{Bench, Listening, channel_at, named};

fn said(event: &Inbound) -> &Said {
    match &event.act {
        Act::Said(said) => said,
        other => panic!("{other:?}"),
    }
}

/// A prompt in a channel, by a channel that has been killed since; another one is about to take its place.
async fn after_a_kill(place: &str) -> (Bench, Person, Place, Posted) {
    let mut bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let ops = match place {
        "direct" => sara.direct(),
        _ => bench.fake.channel(place, &[&sara]),
    };
    let listening = bench.listen().await;
    let posted = bench.post(&bench.address(&ops)).await.unwrap();
    listening.kill().await;
    bench.channel = Arc::new(channel_at(&bench.fake.url(), &bench.fake.token(), &bench.clock));
    (bench, sara, ops, posted)
}

async fn listen_again(bench: &Bench) -> Listening {
    bench.clock.advance(Duration::from_secs(1));
    let (listening, looks) = (bench.begin(), bench.inbox.looks() + 1);
    bench.listens_anew(looks).await;
    listening
}

#[tokio::test]
async fn a_gap_is_read_anew_the_older_before_the_newer_and_nothing_twice() {
    let (bench, sara, listening) = Bench::with_prompt().await;
    sara.says(&sara.direct(), "heard before");
    bench.heard(1).await;

    bench.fake.forget_sessions();
    bench.fake.drop_sockets();
    bench
        .in_time("the end", || (!bench.fake.is_connected()).then_some(()))
        .await;
    sara.says(&sara.direct(), "first");
    sara.says(&sara.direct(), "second");
    bench.listens_anew(2).await;
    sara.says(&sara.direct(), "third");
    let heard = bench.heard(4).await;
    listening.stop().await.unwrap();

    assert_eq!(heard, ["heard before", "first", "second", "third"]);
    assert_eq!(bench.fake.violations(), [""; 0]);
}

#[tokio::test]
async fn what_was_said_while_nobody_was_there_is_read_where_an_answer_is_waited_for() {
    for place in ["direct", "ops"] {
        let (bench, sara, at, posted) = after_a_kill(place).await;
        let said_there = sara.mentions_bot(&at, "2");
        sara.says(&bench.fake.channel("elsewhere", &[&sara]), "1");

        bench.inbox.waits_for(posted.clone());
        let listening = listen_again(&bench).await;
        bench.heard(1).await;
        listening.stop().await.unwrap();

        let taken = bench.inbox.taken();
        assert_eq!(taken.len(), 1, "{place}: {taken:?}");
        assert_eq!(taken[0].at, posted.at);
        assert_eq!(taken[0].direct, place == "direct");
        assert_eq!(said(&taken[0]).text, "2");
        assert_eq!(said(&taken[0]).message, MessageRef::new(named(said_there)));
        let counts = bench.fake.counts();
        assert_eq!(counts["list_messages"], 1, "{counts:?}");
    }
}

#[tokio::test]
async fn more_than_a_page_is_read_whole() {
    let (bench, sara, at, posted) = after_a_kill("direct").await;
    let texts: Vec<String> = (0..230).map(|n| n.to_string()).collect();
    for text in &texts {
        sara.says(&at, text);
    }

    bench.inbox.waits_for(posted);
    let listening = listen_again(&bench).await;
    let heard = bench.heard(texts.len()).await;
    listening.stop().await.unwrap();

    assert_eq!(heard, texts);
    assert_eq!(bench.fake.counts()["list_messages"], 3);
}

#[tokio::test]
async fn what_has_our_answer_below_it_was_heard_unless_it_was_changed_since() {
    let (bench, sara, at, posted) = after_a_kill("direct").await;
    bench.inbox.waits_for(posted.clone());
    for text in ["heard", "heard and changed"] {
        bench.inbox.gives(Became::Hint, "Only 1 or 2.");
        let listening = listen_again(&bench).await;
        sara.says(&at, text);
        bench
            .in_time("a hint", || {
                sara.sees(&at).pop().filter(|seen| seen.text == "Only 1 or 2.")
            })
            .await;
        listening.kill().await;
    }
    let mut ours = sara
        .sees(&at)
        .into_iter()
        .filter(|seen| seen.text == "heard and changed");
    bench.clock.advance(Duration::from_secs(1));
    sara.edits(ours.next().unwrap().at, "changed");
    let before = bench.inbox.taken().len();

    let listening = listen_again(&bench).await;
    bench.heard(before + 1).await;
    listening.stop().await.unwrap();

    let taken = bench.inbox.taken().split_off(before);
    assert_eq!(taken.len(), 1, "{taken:?}");
    assert_eq!(said(&taken[0]).text, "changed");
    assert!(said(&taken[0]).edited);
}

#[tokio::test]
async fn a_thread_below_the_prompt_is_read_anew_too() {
    let (bench, sara, ops, posted) = after_a_kill("ops").await;
    let prompt = sara.sees(&ops).pop().unwrap().at;
    let thread = sara.opens_thread_below(prompt, "Which one?");
    sara.says(&thread, "2");

    bench.inbox.waits_for(posted.clone());
    let listening = listen_again(&bench).await;
    bench.heard(1).await;
    listening.stop().await.unwrap();

    let taken = bench.inbox.taken();
    assert_eq!(taken.len(), 1, "{taken:?}");
    assert_eq!(taken[0].at, bench.address(&thread));
    assert_eq!(said(&taken[0]).thread.as_ref(), Some(&posted.messages[0].message));
}

#[tokio::test]
async fn a_history_that_may_not_be_read_holds_nobody_up() {
    let (bench, sara, at, posted) = after_a_kill("direct").await;
    bench.inbox.waits_for(posted);
    bench.fake.fail("list_messages", 1, Fault::missing_access());

    let listening = listen_again(&bench).await;
    sara.says(&at, "2");

    assert_eq!(bench.heard(1).await, ["2"]);
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn trouble_while_looking_back_is_waited_out() {
    let (bench, sara, at, posted) = after_a_kill("direct").await;
    sara.says(&at, "first");
    bench.inbox.waits_for(posted);
    let pause = Duration::from_secs(20);
    bench.fake.fail_next("list_messages", Fault::Throttled { pause });
    bench.fake.fail_next("list_messages", Fault::internal());

    let listening = bench.begin();
    bench
        .in_time("a look", || (bench.inbox.looks() > 1).then_some(()))
        .await;
    sara.says(&at, "second");
    let heard = bench.heard(2).await;
    listening.stop().await.unwrap();

    assert_eq!(heard, ["first", "second"], "and the newer waited");
}

#[tokio::test]
async fn trouble_that_lasts_holds_newer_texts_up_for_a_while_and_loses_nothing() {
    let (bench, sara, at, posted) = after_a_kill("direct").await;
    sara.says(&at, "older");
    bench.inbox.waits_for(posted);
    bench.fake.fail_until_mended("list_messages", Fault::internal());

    let listening = bench.begin();
    bench
        .in_time("a look", || (bench.inbox.looks() > 1).then_some(()))
        .await;
    sara.says(&at, "newer");

    assert_eq!(bench.heard(1).await, ["newer"]);
    bench.fake.mend();
    assert_eq!(bench.heard(2).await, ["newer", "older"]);
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn a_gap_is_read_also_where_the_store_or_the_channel_is_not_told_at_once() {
    let (bench, sara, at, posted) = after_a_kill("direct").await;
    sara.says(&at, "2");
    bench.inbox.waits_for(posted);
    bench.inbox.cannot_look(4);
    bench.fake.fail("get_channel", 2, Fault::internal());

    let listening = bench.begin();

    assert_eq!(bench.heard(1).await, ["2"]);
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn what_is_told_twice_is_handed_in_once() {
    let (bench, sara, listening) = Bench::with_prompt().await;
    sara.says(&sara.direct(), "2");
    bench.heard(1).await;
    bench.fake.redeliver_last();
    sara.presses(&sara.direct(), "Production");
    bench.heard(2).await;
    bench.fake.redeliver_last();
    sara.says(&sara.direct(), "3");

    let heard = bench.heard(3).await;
    listening.stop().await.unwrap();

    assert_eq!(heard.len(), 3, "{heard:?}");
    assert_eq!(heard[2], "3");
}

#[tokio::test]
async fn a_text_that_is_refused_is_told_once_and_tried_again() {
    let (bench, sara, listening) = Bench::with_prompt().await;
    bench.inbox.refuses();
    bench.inbox.refuses();
    bench.inbox.gives(Became::Settled, "Thank you.");

    sara.says(&sara.direct(), "2");
    bench
        .in_time("thanks", || {
            sara.sees(&sara.direct())
                .pop()
                .filter(|seen| seen.text == "Thank you.")
        })
        .await;
    listening.stop().await.unwrap();

    let seen = sara.sees(&sara.direct());
    let texts: Vec<_> = seen.iter().skip(1).map(|seen| seen.text.as_str()).collect();
    assert_eq!(texts, ["2", "Not saved.", "Thank you."]);
    assert_eq!(bench.inbox.heard(), ["2"]);
}

#[tokio::test]
async fn a_text_that_cannot_be_taken_keeps_up_its_own_conversation_for_a_while_and_no_other() {
    let (bench, sara, listening) = Bench::with_prompt().await;
    let omid = bench.fake.person("Omid");
    bench.inbox.cannot_take("poison");
    sara.says(&sara.direct(), "poison");
    sara.says(&sara.direct(), "after it");
    omid.says(&omid.direct(), "elsewhere");

    let first = bench
        .until("the other", || bench.inbox.heard().first().cloned())
        .await;
    let (both, asked) = bench
        .in_time("the one behind", || {
            let heard = bench.inbox.heard();
            (heard.len() == 2).then(|| (heard, bench.inbox.asked()))
        })
        .await;
    listening.stop().await.unwrap();

    assert_eq!(first, "elsewhere", "at once");
    assert_eq!(both, ["elsewhere", "after it"]);
    assert_eq!(asked, 6, "after four attempts");
}

#[tokio::test]
async fn while_the_store_takes_nothing_no_text_is_given_up() {
    let (bench, sara, listening) = Bench::with_prompt().await;
    for _ in 0..16 {
        bench.inbox.refuses();
    }

    sara.says(&sara.direct(), "2");

    assert_eq!(bench.heard(1).await, ["2"]);
    assert_eq!(bench.inbox.asked(), 17);
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn texts_of_one_conversation_are_handed_in_in_their_order() {
    let (bench, sara, listening) = Bench::with_prompt().await;
    bench.inbox.holds(Became::Ignored, "");
    sara.says(&sara.direct(), "first");
    sara.says(&sara.direct(), "second");
    bench
        .in_time("both to be told", || bench.fake.is_idle().then_some(()))
        .await;
    assert!(bench.inbox.heard().is_empty());

    bench.inbox.lets_go();

    assert_eq!(bench.heard(2).await, ["first", "second"]);
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn texts_that_find_no_room_are_read_anew_and_none_is_lost() {
    const SAID: usize = 1_050;
    let (bench, sara, listening) = Bench::with_prompt().await;
    bench.inbox.holds(Became::Settled, "Thanks.");

    for n in 0..SAID {
        sara.says(&sara.direct(), &n.to_string());
    }
    bench
        .until("all to be told", || bench.fake.is_idle().then_some(()))
        .await;
    bench.inbox.lets_go();
    bench
        .until("all of them", || (bench.inbox.count() >= SAID).then_some(()))
        .await;
    listening.stop().await.unwrap();

    let all: Vec<String> = (0..SAID).map(|n| n.to_string()).collect();
    assert_eq!(bench.inbox.heard(), all, "in their order, and each once");
}
