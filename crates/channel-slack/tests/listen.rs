//! Hearing, handing in; and what can go wrong with it.

use std::{
    io::Write,
    sync::{Arc, Mutex},
    time::Duration,
};

use askd_core::{
    channel::Channel as _,
    inbound::{Act, Became, Said, Sender},
    words::Language,
};
use askd_testkit::{
    sample::address,
    slack::{Fault, Person, Place},
};

use crate::bench::{Bench, named};

fn account(person: &Person, language: Option<Language>) -> Sender {
    Sender::Account {
        account: address(&format!("slack:{}", person.id())),
        language,
    }
}

fn said(act: &Act) -> &Said {
    match act {
        Act::Said(said) => said,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn what_people_do_is_handed_in_with_who_where_and_in_which_language() {
    let (bench, sara, listening) = Bench::with_prompt().await;
    sara.speaks("fa-IR");

    sara.says(&sara.direct(), "2");
    bench.taken(1).await;
    sara.presses(&sara.direct(), "Production");
    let taken = bench.taken(2).await;

    for event in &taken {
        assert_eq!(event.at, bench.address(&sara.direct()));
        assert!(event.direct);
        assert_eq!(event.from, account(&sara, Some(Language::Persian)));
    }
    assert!(matches!(taken[0].act, Act::Said(_)) && matches!(taken[1].act, Act::Pressed { .. }));
    assert_eq!(bench.count("users.info"), 1, "asked once");
    bench.broke_nothing();
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn who_speaks_a_language_that_cannot_be_found_out_is_heard_all_the_same() {
    let (bench, sara, listening) = Bench::with_prompt().await;
    bench
        .fake
        .fail_next("users.info", Fault::refused("missing_scope"));

    sara.says(&sara.direct(), "2");
    let taken = bench.taken(1).await;

    assert_eq!(taken[0].from, account(&sara, None));
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn a_slow_store_does_not_keep_an_event_from_being_acknowledged() {
    let (bench, sara, listening) = Bench::with_prompt().await;
    bench.inbox.holds(Became::Settled, "Thank you.");
    bench.inbox.holds(Became::Settled, "Thank you.");

    sara.says(&sara.direct(), "2");
    sara.presses(&sara.direct(), "Staging (Recommended)");
    bench.idle().await;

    assert!(bench.inbox.heard().is_empty(), "not taken over yet");
    bench.inbox.lets_go();
    bench.taken(2).await;
    bench.broke_nothing();
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn a_mention_is_two_events_and_one_text() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let group = bench.fake.channel("shop", &[&sara]);
    let listening = bench.listen().await;

    sara.mentions(&group, "2");
    sara.says(&group, "anything else");
    bench.taken(2).await;
    bench.idle().await;

    assert_eq!(bench.inbox.heard(), ["2", "anything else"]);
    assert!(bench.fake.handed_out() >= 3, "{}", bench.fake.handed_out());
    let taken = bench.inbox.taken();
    assert!(said(&taken[0].act).addressed && !said(&taken[1].act).addressed);
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn an_event_that_slack_sends_again_is_handed_in_under_the_same_name() {
    let (bench, sara, listening) = Bench::with_prompt().await;
    sara.says(&sara.direct(), "2");
    bench.taken(1).await;

    bench.fake.redeliver_last();
    let taken = bench.taken(2).await;

    assert_eq!(taken[0].event, taken[1].event);
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn ourselves_we_do_not_hear_and_other_bots_as_machines() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let robot = bench.fake.machine("Robot");
    let group = bench.fake.channel("shop", &[&sara, &robot]);
    let listening = bench.listen().await;
    bench.post(&group).await.unwrap();

    robot.mentions(&group, "2");
    let taken = bench.taken(1).await;
    bench.idle().await;

    assert_eq!(bench.inbox.heard(), ["2"]);
    assert_eq!(taken[0].from, Sender::Machine);
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn a_text_below_a_prompt_belongs_to_the_channel_and_one_in_another_thread_to_that() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let group = bench.fake.channel("shop", &[&sara]);
    let listening = bench.listen().await;
    bench.post(&group).await.unwrap();
    let prompt = sara.sees_last(&group).unwrap();
    let root = sara.says(&group, "about the release");

    sara.replies(&prompt.at, "1");
    sara.replies(&root, "2");
    let taken = bench.taken(3).await;

    let below = taken.iter().find(|event| said(&event.act).text == "1").unwrap();
    assert_eq!(below.at, bench.address(&group));
    let thread = said(&below.act).thread.as_ref().unwrap();
    assert_eq!(thread.as_str(), named(&prompt.at));
    let elsewhere = taken.iter().find(|event| said(&event.act).text == "2").unwrap();
    assert_eq!(elsewhere.at, bench.address(&group.thread(&root)));
    assert!(bench.channel.capabilities(&elsewhere.at).is_thread);
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn a_text_that_was_not_taken_over_is_apologised_for_once_and_handed_in_again() {
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
    bench
        .in_time("the text", || (bench.inbox.heard() == ["2"]).then_some(()))
        .await;

    let apologies = sara.sees(&sara.direct()).into_iter();
    assert_eq!(
        apologies.filter(|seen| seen.text == "Not saved.").count(),
        1,
        "said once"
    );
    bench.broke_nothing();
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn texts_keep_their_order_and_none_holds_up_the_others_for_ever() {
    let (bench, sara, listening) = Bench::with_prompt().await;
    let omid = bench.fake.person("Omid");
    bench.inbox.cannot_take("poison");

    sara.says(&sara.direct(), "poison");
    sara.says(&sara.direct(), "2");
    omid.says(&omid.direct(), "1");

    bench.taken(1).await;
    assert_eq!(bench.inbox.heard(), ["1"], "other people do not wait");
    bench
        .in_time("the text behind it", || {
            (bench.inbox.heard() == ["1", "2"]).then_some(())
        })
        .await;
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn texts_that_find_no_room_are_read_anew_and_none_is_lost() {
    const SAID: usize = 1_050;
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let listening = bench.listen().await;
    let posted = bench.post(&sara.direct()).await.unwrap();
    bench.inbox.has_open(posted);
    bench.inbox.holds(Became::Settled, "Thanks.");

    for n in 0..SAID {
        sara.says(&sara.direct(), &n.to_string());
    }
    bench.idle().await;
    bench.inbox.lets_go();
    bench
        .until("all of them", || (bench.inbox.count() >= SAID).then_some(()))
        .await;
    listening.stop().await.unwrap();

    let all: Vec<String> = (0..SAID).map(|n| n.to_string()).collect();
    assert_eq!(bench.inbox.heard(), all, "in their order, and each once");
}

#[tokio::test]
async fn a_press_that_was_not_taken_over_is_told_and_not_made_again() {
    let (bench, sara, listening) = Bench::with_prompt().await;
    bench.inbox.refuses();

    sara.presses(&sara.direct(), "Staging (Recommended)");
    bench
        .until("the apology", || {
            sara.sees_last(&sara.direct())
                .filter(|seen| seen.text == "Not saved.")
        })
        .await;
    bench.clock.advance(Duration::from_mins(5));
    sara.presses(&sara.direct(), "Production");
    bench.taken(1).await;

    let taken = bench.inbox.heard();
    assert!(taken.len() == 1 && taken[0].ends_with(".1"), "{taken:?}");
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn a_change_is_one_only_where_the_words_changed() {
    let (bench, sara, listening) = Bench::with_prompt().await;
    let first = sara.says(&sara.direct(), "7");
    bench.taken(1).await;

    sara.edits(&first, "2");
    let taken = bench.taken(2).await;
    bench.post(&sara.direct()).await.unwrap();
    bench.idle().await;

    let edited = said(&taken[1].act);
    assert!(edited.edited && edited.text == "2");
    assert_eq!(edited.message.as_str(), named(&first));
    assert_ne!(taken[0].event, taken[1].event);
    assert_eq!(bench.inbox.taken().len(), 2);
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn shared_messages_count_by_what_is_said_above_them() {
    let (bench, sara, listening) = Bench::with_prompt().await;
    let omid = bench.fake.person("Omid");

    sara.passes_on("2", &omid, &sara.direct());
    let theirs = omid.says(&omid.direct(), "look at this");
    sara.shares(&theirs, &sara.direct(), "1");
    let taken = bench.taken(3).await;

    let of_sara = |text: &str| {
        let mut events = taken.iter().map(|event| said(&event.act));
        events.find(|said| said.text == text).unwrap().clone()
    };
    assert!(of_sara("2").forwarded, "somebody else's words");
    assert!(!of_sara("1").forwarded, "her own");
    listening.stop().await.unwrap();
}

/// Everything that was logged.
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
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

#[tokio::test]
async fn no_token_ticket_or_text_is_logged_whatever_goes_wrong() {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::DEBUG)
        .with_writer(move || writer.clone())
        .finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let (bench, sara, listening) = Bench::with_prompt().await;
    // A line that another test met first just while this began to listen would count as unheard for good.
    tracing::callsite::rebuild_interest_cache();
    let group: Place = bench.fake.channel("shop", &[&sara]);

    bench.inbox.refuses();
    bench.inbox.gives(Became::Hint, "HUSH-receipt");
    sara.says(&sara.direct(), "HUSH-text");
    bench
        .in_time("the text", || (bench.inbox.heard().len() == 1).then_some(()))
        .await;
    bench
        .fake
        .fail("chat.postMessage", 3, Fault::refused("HUSH code with blanks"));
    bench.post(&group).await.unwrap_err();
    for fault in [
        Fault::Gateway { status: 502 },
        Fault::Lost { done: false },
        Fault::Throttled { seconds: 1 },
        Fault::refused("internal_error"),
    ] {
        bench.fake.fail("apps.connections.open", 2, fault);
        bench.fake.drop_sockets();
        let opened = bench.fake.sockets_opened();
        bench
            .in_time("another socket", || {
                (bench.fake.sockets_opened() > opened).then_some(())
            })
            .await;
    }
    bench.fake.revoke_bot_token();
    let refused = bench.post(&group).await.unwrap_err();
    listening.stop().await.unwrap();

    let log = log.text();
    for secret in [
        bench.fake.bot_token(),
        bench.fake.app_token(),
        "HUSH".to_owned(),
        "ticket".to_owned(),
    ] {
        assert!(!log.contains(&secret), "{secret} in {log}");
        assert!(
            !format!("{refused:?} {:?}", bench.channel).contains(&secret),
            "{secret}"
        );
    }
    for line in ["receiving", "not receiving", "receiving again"] {
        assert!(log.contains(line), "{line} is missing in {log}");
    }
}
