//! Fetching, handing in, confirming; and what can go wrong with it.

use std::{
    io::Write,
    sync::{Arc, Mutex},
    time::Duration,
};

use askd_core::{
    channel::{Channel as _, ChannelError},
    inbound::{Act, Became, Sender},
    words::Language,
};
use askd_testkit::{
    sample::address,
    telegram::{Fault, Setup},
};

use crate::bench::{Bench, channel_at, named};

fn refused(code: u16, description: &str) -> Fault {
    Fault::Refused {
        code,
        description: description.to_owned(),
    }
}

#[tokio::test]
async fn what_people_do_is_handed_in_and_confirmed() {
    let (bench, sara, listening) = Bench::with_prompt().await;
    sara.speaks("fa");

    sara.says(&sara.direct(), "2");
    sara.taps(&sara.direct(), "Production");
    bench.idle().await;

    let taken = bench.inbox.taken();
    assert_eq!(taken.len(), 2);
    for event in &taken {
        let account = address(&format!("telegram:{}", sara.id()));
        assert_eq!(event.at, account);
        let language = Some(Language::Persian);
        assert_eq!(event.from, Sender::Account { account, language });
    }
    assert!(matches!(taken[0].act, Act::Said(_)) && matches!(taken[1].act, Act::Pressed { .. }));
    assert_eq!(bench.fake.handed_out(), [1, 1]);
    assert_eq!(bench.fake.violations(), Vec::<String>::new());
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn what_is_wanted_is_named_in_every_poll() {
    let (bench, _, listening) = Bench::with_prompt().await;
    bench.fake.break_poll();
    bench
        .in_time("another poll", || {
            (bench.fake.counts().get("getUpdates") > Some(&1)).then_some(())
        })
        .await;

    for call in bench.fake.calls() {
        if call.method == "getUpdates" {
            assert_eq!(
                call.arguments.text("allowed_updates"),
                r#"["message","edited_message","callback_query","my_chat_member"]"#
            );
        }
    }
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn an_update_is_confirmed_only_when_it_is_taken_over() {
    let (bench, sara, listening) = Bench::with_prompt().await;
    bench.inbox.refuses();
    bench.inbox.refuses();

    sara.says(&sara.direct(), "2");
    bench
        .until("the apology", || {
            sara.sees_last(&sara.direct())
                .filter(|seen| seen.text == "Not saved.")
        })
        .await;
    assert_eq!(bench.fake.waiting(), 1, "it is not confirmed");
    bench
        .in_time("the text", || (bench.inbox.heard() == ["2"]).then_some(()))
        .await;
    bench
        .in_time("its confirmation", || bench.fake.is_idle().then_some(()))
        .await;

    let apologies = sara
        .sees(&sara.direct())
        .iter()
        .filter(|seen| seen.text == "Not saved.")
        .count();
    assert_eq!(apologies, 1, "said once");
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn an_update_that_cannot_be_taken_over_holds_up_nobody_for_ever() {
    let (bench, sara, listening) = Bench::with_prompt().await;
    let omid = bench.fake.person("Omid");
    bench.inbox.cannot_take("poison");

    sara.says(&sara.direct(), "poison");
    sara.says(&sara.direct(), "2");
    omid.says(&omid.direct(), "1");

    let heard = |text: &str| bench.inbox.heard().contains(&text.to_owned());
    bench.until("the other person", || heard("1").then_some(())).await;
    bench
        .in_time("the text behind it", || heard("2").then_some(()))
        .await;
    bench
        .in_time("the end of it", || bench.fake.is_idle().then_some(()))
        .await;
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn a_store_that_hangs_keeps_nobody_elses_tap_from_its_answer() {
    let (bench, sara, listening) = Bench::with_prompt().await;
    let omid = bench.fake.person("Omid");
    bench.post(&omid.direct()).await.unwrap();
    bench.inbox.holds(Became::Settled, "Yours counts.");

    let slow = sara.taps(&sara.direct(), "Staging (Recommended)");
    let held = bench.in_time("a sign of life", || slow.answer()).await;
    bench.inbox.gives(Became::Settled, "Thank you.");
    let quick = omid.taps(&omid.direct(), "Production");
    let answer = bench.in_time("the other answer", || quick.answer()).await;

    assert!(held.text.unwrap().contains("One moment"));
    assert_eq!(answer.text.as_deref(), Some("Thank you."));
    assert!(bench.fake.waiting() > 0, "the slow one is not confirmed");
    bench.inbox.lets_go();
    bench.in_time("rest", || bench.fake.is_idle().then_some(())).await;
    assert_eq!(bench.inbox.taken().len(), 2);
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn trouble_with_the_connection_is_waited_out() {
    for fault in [
        Fault::Gateway { status: 502 },
        Fault::Gateway { status: 200 },
        Fault::Gateway { status: 404 },
        Fault::Throttled { seconds: 3 },
        Fault::Lost { done: false },
        Fault::Lost { done: true },
        Fault::another_poller(),
        refused(
            409,
            "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
        ),
        refused(500, "Internal Server Error"),
        refused(400, "Bad Request: something new"),
    ] {
        let (bench, sara, mut listening) = Bench::with_prompt().await;
        bench.fake.fail("getUpdates", 3, fault.clone());
        bench.fake.break_poll();

        bench
            .in_time("three failures", || {
                (bench.fake.counts()["getUpdates"] > 3).then_some(())
            })
            .await;
        sara.says(&sara.direct(), "2");
        bench
            .in_time("the text", || (bench.inbox.heard() == ["2"]).then_some(()))
            .await;

        assert!(listening.has_ended().is_none(), "{fault:?}");
        listening.stop().await.unwrap();
    }
}

#[tokio::test]
async fn the_start_waits_for_the_platform_too() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    bench.fake.fail("getMe", 3, Fault::Gateway { status: 502 });

    let listening = bench.begin();
    sara.says(&sara.direct(), "2");

    bench
        .in_time("the text", || (bench.inbox.heard() == ["2"]).then_some(()))
        .await;
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn a_token_that_is_refused_ends_it() {
    let bench = Bench::new().await;
    let wrong = channel_at(&bench.fake.url(), "1:wrong", &bench.clock);
    let stop = tokio_util::sync::CancellationToken::new();
    let at_the_start = wrong.listen(bench.inbox.as_ref(), stop).await;

    let mut listening = bench.listen().await;
    bench.fake.revoke_token("7300000042:another");
    bench.fake.break_poll();
    let later = bench.in_time("the end", || listening.has_ended()).await;

    for end in [at_the_start, later] {
        assert!(matches!(end, Err(ChannelError::Refused(_))), "{end:?}");
    }
}

#[tokio::test]
async fn a_stop_confirms_what_was_taken_over_and_nothing_else() {
    let (bench, sara, listening) = Bench::with_prompt().await;
    bench.inbox.gives(Became::Ignored, "");
    bench.inbox.holds(Became::Ignored, "");
    sara.says(&sara.direct(), "1");
    sara.says(&sara.direct(), "2");
    bench
        .until("the first", || (bench.inbox.heard() == ["1"]).then_some(()))
        .await;

    listening.stop().await.unwrap();

    assert_eq!(bench.fake.waiting(), 1);
    let again = bench.listen().await;
    assert_eq!(bench.inbox.heard(), ["1", "2"]);
    again.stop().await.unwrap();
}

#[tokio::test]
async fn commands_stand_in_the_menu_in_the_readers_language() {
    let (bench, sara, listening) = Bench::with_prompt().await;
    let omid = bench.fake.person("Omid");
    omid.speaks("fa");

    let menus = || Some([sara.menu(&sara.direct()), omid.menu(&omid.direct())]);
    let [english, persian] = bench
        .until("both menus", || {
            menus().filter(|[_, persian]| !persian.is_empty() && persian[0].description.contains('پ'))
        })
        .await;

    for menu in [&english, &persian] {
        let names: Vec<&str> = menu.iter().map(|command| command.name.as_str()).collect();
        assert_eq!(names, ["help", "pending", "skip", "start"]);
    }
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn once_it_listens_it_knows_its_links_and_whether_groups_are_heard() {
    let setup = Setup {
        privacy: false,
        ..Setup::default()
    };
    let bench = Bench::on(setup).await;
    let sara = bench.fake.person("Sara");
    let group = bench.address(&bench.fake.supergroup("Shop", &[&sara]));
    assert_eq!(bench.channel.pairing_link("c0de"), None);
    assert!(
        !bench.channel.capabilities(&group).hears_groups,
        "the strictest until it is known"
    );

    let listening = bench.listen().await;

    let link = bench.channel.pairing_link("c0de").unwrap();
    assert_eq!(link, "https://t.me/askd_test_bot?start=c0de");
    assert!(bench.channel.capabilities(&group).hears_groups);
    let code = link.split_once("start=").unwrap().1;
    bench.fake.stranger("Omid").starts_with(code);
    bench.idle().await;
    assert_eq!(bench.inbox.heard(), ["/start c0de"]);
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn an_event_in_a_moved_group_belongs_to_the_asks_shown_there_before() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let old = bench.fake.group("Shop", &[&sara]);
    let listening = bench.listen().await;
    bench.post(&old).await.unwrap();
    let new = old.upgrade();

    sara.says(&new, "@askd_test_bot 2");
    bench.idle().await;
    bench.post(&old).await.unwrap();
    sara.taps(&new, "Production");
    bench.idle().await;

    let at: Vec<_> = bench.inbox.taken().into_iter().map(|event| event.at).collect();
    assert_eq!(at, [bench.address(&old), bench.address(&new)]);
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn a_tap_in_a_topic_names_it_and_the_message() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let topic = bench.fake.forum("Shop", &[&sara]).open_topic("Releases");
    let listening = bench.listen().await;
    bench.post(&topic).await.unwrap();
    let prompt = sara.sees_last(&topic).unwrap();

    sara.taps(&topic, "Production");
    bench.idle().await;

    let event = bench.inbox.taken().pop().unwrap();
    assert_eq!(event.at, bench.address(&topic));
    let Act::Pressed { message, .. } = event.act else {
        panic!("no tap")
    };
    assert_eq!(message.message.as_str(), named(prompt.at));
    listening.stop().await.unwrap();
}

/// Collects what is logged on this thread.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Log {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap()).into_owned()
    }
}

#[tokio::test]
async fn trouble_is_logged_when_it_begins_and_ends_and_never_with_the_token_or_a_text() {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing_subscriber::filter::LevelFilter::TRACE)
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let (bench, sara, listening) = Bench::with_prompt().await;
    // A line that another test met first just while this began to listen would count as unheard for good.
    tracing::callsite::rebuild_interest_cache();
    bench.fake.fail("getUpdates", 5, Fault::Lost { done: false });
    bench.fake.fail(
        "sendMessage",
        2,
        refused(400, "Bad Request: odd text \"Thank you.\""),
    );
    bench.inbox.gives(Became::Settled, "Thank you.");
    bench.fake.break_poll();

    bench
        .in_time("five failures", || {
            (bench.fake.counts()["getUpdates"] > 6).then_some(())
        })
        .await;
    sara.says(&sara.direct(), "secret words");
    bench
        .in_time("the text", || (!bench.inbox.heard().is_empty()).then_some(()))
        .await;
    bench
        .in_time("the receipt", || {
            log.text().contains("receipt not shown").then_some(())
        })
        .await;
    listening.stop().await.unwrap();

    let log = log.text();
    for secret in [
        bench.fake.token().split_once(':').unwrap().1,
        "secret words",
        "Thank you",
        "Where should",
    ] {
        assert!(!log.contains(secret), "{secret} in\n{log}");
    }
    assert_eq!(log.matches("not receiving").count(), 1, "{log}");
    assert_eq!(log.matches("receiving again").count(), 1, "{log}");
}

#[tokio::test]
async fn a_stop_does_not_wait_for_what_hangs() {
    let (bench, sara, listening) = Bench::with_prompt().await;
    bench.inbox.gives(Became::Settled, "Thank you.");
    bench
        .fake
        .fail("answerCallbackQuery", 1, Fault::Hangs { done: false });
    sara.taps(&sara.direct(), "Production");
    bench
        .until("the call that hangs", || (bench.fake.hanging() > 0).then_some(()))
        .await;

    let stopped = tokio::time::timeout(Duration::from_secs(5), listening.stop()).await;

    stopped.expect("within five seconds").unwrap();
}
