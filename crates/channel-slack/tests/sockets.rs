//! Sockets: opened, replaced, lost, and what is said meanwhile.

use std::time::Duration;

use askd_core::{channel::ChannelError, clock::Clock as _, inbound::Became};
use askd_testkit::slack::{Farewell, Fault, Setup};

use crate::bench::Bench;

#[tokio::test]
async fn a_socket_that_is_to_go_is_replaced_before_it_goes() {
    for why in [Farewell::Warning, Farewell::Refresh] {
        let (bench, sara, listening) = Bench::with_prompt().await;

        bench.fake.say_farewell(why);
        bench
            .until("the next", || (bench.fake.sockets_opened() == 2).then_some(()))
            .await;
        sara.presses(&sara.direct(), "Staging (Recommended)");
        sara.says(&sara.direct(), "2");
        bench.taken(2).await;
        let began = bench.clock.now();
        let old_is_gone = || (bench.fake.sockets() == 1).then_some(());
        bench.in_time("the old one to be closed", old_is_gone).await;

        assert_eq!(bench.fake.sockets_opened(), 2, "{why:?}");
        let took = bench.clock.now().duration_since(began);
        assert!(
            took.as_secs() < 8,
            "Slack itself would take ten seconds: {took:#}"
        );
        bench.broke_nothing();
        listening.stop().await.unwrap();
    }
}

#[tokio::test]
async fn there_are_never_more_than_two_sockets() {
    let (bench, _, listening) = Bench::with_prompt().await;
    let mut most = 0;

    for n in 1..=5 {
        bench.fake.say_farewell(Farewell::Refresh);
        bench
            .in_time("the next", || {
                most = most.max(bench.fake.sockets());
                (bench.fake.sockets_opened() > n).then_some(())
            })
            .await;
    }

    assert!(most <= 2, "{most}");
    bench.broke_nothing();
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn a_ghost_is_noticed_by_its_silence_and_replaced() {
    let (bench, sara, listening) = Bench::with_prompt().await;

    bench.fake.freeze_sockets();
    sara.says(&sara.direct(), "2");
    let is_heard = || (bench.inbox.heard() == ["2"]).then_some(());
    bench.in_time("what was said to a ghost", is_heard).await;

    assert_eq!(bench.fake.sockets_opened(), 2);
    bench.broke_nothing();
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn a_quiet_hour_makes_no_ghost() {
    let (bench, sara, listening) = Bench::with_prompt().await;

    for _ in 0..6 {
        // All at once: the pings of ten minutes were never sent, and only the answer to our own tells.
        bench.clock.advance(Duration::from_mins(10));
        for _ in 0..64 {
            tokio::task::yield_now().await;
        }
    }
    sara.says(&sara.direct(), "2");
    bench.taken(1).await;

    assert_eq!(bench.fake.sockets_opened(), 1);
    bench.broke_nothing();
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn sockets_that_break_are_replaced_at_once_and_then_with_patience() {
    let (bench, _, listening) = Bench::with_prompt().await;
    bench.fake.drop_sockets();
    bench
        .until("another socket", || {
            (bench.fake.sockets_opened() == 2).then_some(())
        })
        .await;

    bench
        .fake
        .fail_until_mended("apps.connections.open", Fault::Gateway { status: 502 });
    bench.fake.drop_sockets();
    let attempts = bench.count("apps.connections.open");
    let minutes = 5;
    for _ in 0..minutes * 60 * 4 {
        bench.clock.advance(Duration::from_millis(250));
        tokio::task::yield_now().await;
    }
    let tried = bench.count("apps.connections.open") - attempts;
    bench.fake.mend();
    bench
        .in_time("a third socket", || {
            (bench.fake.sockets_opened() == 3).then_some(())
        })
        .await;

    assert!(tried <= 30, "{tried} attempts in {minutes} minutes");
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn a_pause_that_slack_asks_for_is_kept() {
    let bench = Bench::new().await;
    bench
        .fake
        .fail_next("apps.connections.open", Fault::Throttled { seconds: 60 });

    let listening = bench.begin();
    bench
        .until("the refusal", || {
            (bench.count("apps.connections.open") == 1).then_some(())
        })
        .await;
    bench
        .in_time("a socket", || (bench.fake.sockets() == 1).then_some(()))
        .await;

    let calls = bench.fake.calls();
    let opens: Vec<_> = calls
        .iter()
        .filter(|call| call.method == "apps.connections.open")
        .map(|call| call.when)
        .collect();
    assert_eq!(opens.len(), 2);
    assert!(opens[1].duration_since(opens[0]).as_secs() >= 60, "{opens:?}");
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn a_refused_token_ends_the_listening_and_says_which() {
    let bench = Bench::new().await;
    bench.fake.refuse_bot_token("account_inactive");
    let ended = bench.begin().end().await.unwrap_err();
    assert!(matches!(&ended, ChannelError::Refused(why)
        if why.to_string() == "account_inactive (bot_token)"));

    let bench = Bench::new().await;
    bench.fake.revoke_app_token();
    let ended = bench.begin().end().await.unwrap_err();
    assert!(matches!(&ended, ChannelError::Refused(why)
        if why.to_string() == "token_revoked (app_token)"));

    let bench = Bench::on(Setup {
        app_scopes: Vec::new(),
        ..Setup::default()
    })
    .await;
    let ended = bench.begin().end().await.unwrap_err();
    assert!(matches!(&ended, ChannelError::Refused(why)
        if why.to_string() == "missing_scope (connections:write)"));
}

#[tokio::test]
async fn an_app_token_that_is_revoked_while_listening_ends_it() {
    let (bench, _, mut listening) = Bench::with_prompt().await;

    bench.fake.revoke_app_token();
    let ended = bench.in_time("the end", || listening.has_ended()).await;

    assert!(matches!(ended, Err(ChannelError::Refused(_))), "{ended:?}");
}

#[tokio::test]
async fn a_bot_token_that_was_revoked_is_noticed_with_the_next_socket() {
    let (bench, _, mut listening) = Bench::with_prompt().await;

    bench.fake.revoke_bot_token();
    bench.fake.say_farewell(Farewell::Refresh);
    let ended = bench.in_time("the end", || listening.has_ended()).await;

    assert!(matches!(ended, Err(ChannelError::Refused(_))), "{ended:?}");
}

#[tokio::test]
async fn what_was_said_while_askd_was_away_is_read_again_where_something_is_open() {
    let bench = Bench::new().await;
    let (sara, omid) = (bench.fake.person("Sara"), bench.fake.person("Omid"));
    let group = bench.fake.private_channel("ops", &[&sara, &omid]);
    let listening = bench.listen().await;
    sara.says(&sara.direct(), "before the question");
    bench.taken(1).await;
    let direct = bench.post(&sara.direct()).await.unwrap();
    let channel = bench.post(&group).await.unwrap();
    let prompt = sara.sees_last(&group).unwrap();
    sara.says(&sara.direct(), "heard");
    bench.taken(2).await;
    for posted in [direct, channel] {
        bench.inbox.has_open(posted);
    }
    // Slack goes on sending to a socket that is dead and looks alive, and gives up after a few minutes.
    bench.fake.freeze_sockets();
    listening.kill().await;
    sara.says(&sara.direct(), "not heard");
    omid.replies(&prompt.at, "1");
    omid.mentions(&group, "2");
    let given_up = || (bench.fake.waiting() == 0).then_some(());
    bench.in_time("Slack to give up", given_up).await;
    let bench = bench.restarted();
    let listening = bench.begin();
    let all = || Some(bench.inbox.heard()).filter(|heard| heard.len() == 5);
    let mut heard = bench.in_time("all that was said", all).await;
    bench.idle().await;

    heard.sort();
    assert_eq!(heard, ["1", "2", "before the question", "heard", "not heard"]);
    assert_eq!(bench.inbox.heard().len(), 5, "each once");
    bench.broke_nothing();
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn what_was_answered_is_not_answered_again_after_a_restart() {
    let (bench, sara, listening) = Bench::with_prompt().await;
    bench.inbox.has_open(bench.post(&sara.direct()).await.unwrap());
    bench.inbox.gives(Became::Told, "Nothing is open.");
    sara.says(&sara.direct(), "hello?");
    let look = || {
        sara.sees_last(&sara.direct())
            .filter(|seen| seen.text == "Nothing is open.")
    };
    bench.until("the answer", look).await;
    bench.inbox.refuses();
    sara.says(&sara.direct(), "2");
    let look = || {
        sara.sees_last(&sara.direct())
            .filter(|seen| seen.text == "Not saved.")
    };
    bench.until("the apology", look).await;
    listening.kill().await;
    // It left no trace in the inbox.
    bench.inbox.forgets();

    let bench = bench.restarted();
    let listening = bench.listen().await;
    bench.taken(1).await;
    bench.idle().await;

    assert_eq!(
        bench.inbox.heard(),
        ["2"],
        "what was apologised for is not done with"
    );
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn what_was_acknowledged_and_died_with_the_process_is_read_again() {
    let (bench, sara, listening) = Bench::with_prompt().await;
    sara.says(&sara.direct(), "so that her language is known");
    bench.taken(1).await;
    bench.inbox.has_open(bench.post(&sara.direct()).await.unwrap());
    bench.inbox.holds(Became::Settled, "Thank you.");
    sara.says(&sara.direct(), "2");
    bench.idle().await;
    listening.kill().await;
    assert_eq!(bench.inbox.heard().len(), 1, "acknowledged, and not stored");

    let bench = bench.restarted();
    let listening = bench.listen().await;
    bench.taken(2).await;

    assert_eq!(bench.inbox.heard()[1], "2");
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn a_thread_that_is_a_place_is_read_again_too() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let channel = bench.fake.channel("shop", &[&sara]);
    let root = sara.says(&channel, "about the release");
    let thread = channel.thread(&root);
    let listening = bench.listen().await;
    bench.inbox.has_open(bench.post(&thread).await.unwrap());
    bench.fake.freeze_sockets();
    listening.kill().await;
    sara.replies(&root, "2");
    let given_up = || (bench.fake.waiting() == 0).then_some(());
    bench.in_time("Slack to give up", given_up).await;

    let bench = bench.restarted();
    let listening = bench.begin();
    let said = || {
        bench
            .inbox
            .taken()
            .pop()
            .filter(|event| event.at == bench.address(&thread))
    };
    bench.in_time("the text in the thread", said).await;

    assert_eq!(bench.inbox.heard().last().unwrap(), "2");
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn trouble_while_reading_again_is_waited_out() {
    let (bench, sara, listening) = Bench::with_prompt().await;
    sara.says(&sara.direct(), "so that her language is known");
    bench.taken(1).await;
    bench.inbox.has_open(bench.post(&sara.direct()).await.unwrap());
    bench.inbox.holds(Became::Settled, "Thank you.");
    sara.says(&sara.direct(), "2");
    bench.idle().await;
    listening.kill().await;
    for fault in [
        Fault::Throttled { seconds: 30 },
        Fault::Gateway { status: 502 },
        Fault::refused("internal_error"),
    ] {
        bench.fake.fail_next("conversations.history", fault);
    }

    let bench = bench.restarted();
    let listening = bench.begin();
    let heard = || Some(bench.inbox.heard()).filter(|heard| heard.len() == 2);
    let heard = bench.in_time("what died with the process", heard).await;

    assert_eq!(heard[1], "2");
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn a_stop_does_not_wait_for_a_socket_that_does_not_open() {
    let bench = Bench::new().await;
    bench
        .fake
        .fail_next("apps.connections.open", Fault::Hangs { done: false });
    let listening = bench.begin();
    bench
        .until("the call to hang", || (bench.fake.hanging() == 1).then_some(()))
        .await;

    let began = tokio::time::Instant::now();
    listening.stop().await.unwrap();

    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
}

#[tokio::test]
async fn a_stop_is_short_also_while_receipts_are_shown_and_a_call_hangs() {
    let (bench, sara, listening) = Bench::with_prompt().await;
    bench.inbox.gives(Became::Settled, "Thank you.");
    bench
        .fake
        .fail_next("chat.postMessage", Fault::Hangs { done: false });
    sara.says(&sara.direct(), "2");
    bench
        .until("the call to hang", || (bench.fake.hanging() == 1).then_some(()))
        .await;

    let began = tokio::time::Instant::now();
    listening.stop().await.unwrap();

    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    let closed = || (bench.fake.sockets() == 0).then_some(());
    bench.until("the socket to be closed", closed).await;
}
