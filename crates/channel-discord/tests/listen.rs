//! The connection: sessions, gaps, and what is handed in.

use std::{
    io::{self, Write},
    sync::{Arc, Mutex},
    time::Duration,
};

use askd_core::{
    channel::{Channel as _, ChannelError, Posted},
    id::MessageRef,
    inbound::{Act, Became, Inbound, Placed, Said, Sender},
};
use askd_testkit::discord::{Connected, Fault, MessageAt, Setup};

use crate::bench::{Bench, Listening, channel_at, named};

/// The intents that are asked for. Source: reference, "Gateway Intents".
const INTENTS: u64 = 1 | 1 << 9 | 1 << 12;
const MESSAGE_CONTENT: u64 = 1 << 15;

fn said(event: &Inbound) -> &Said {
    match &event.act {
        Act::Said(said) => said,
        other => panic!("{other:?}"),
    }
}

/// Sockets so far, each by what it did: `new` or `resumed`, and the code with which it was closed.
fn sockets(bench: &Bench) -> Vec<(&'static str, Option<u16>)> {
    let sockets = bench.fake.sockets();
    let told = sockets.iter().map(|socket: &Connected| {
        let began = match (socket.identified, socket.resumed) {
            (Some(_), _) => "new",
            (_, Some(_)) => "resumed",
            _ => "nothing",
        };
        (began, socket.closed)
    });
    told.collect()
}

#[tokio::test]
async fn a_session_is_begun_once_and_ended_at_a_wanted_end_alone() {
    let bench = Bench::new().await;

    let listening = bench.listen().await;
    listening.stop().await.unwrap();
    bench
        .until("the goodbye", || {
            (sockets(&bench) == [("new", Some(1000))]).then_some(())
        })
        .await;

    let socket = bench.fake.sockets().remove(0);
    assert_eq!(socket.identified, Some(INTENTS | MESSAGE_CONTENT));
    assert!(socket.compressed);
    assert_eq!(bench.fake.violations(), [""; 0]);
}

#[tokio::test]
async fn commands_are_registered_once_and_told_in_every_language() {
    let bench = Bench::new().await;
    let listening = bench.listen().await;
    bench.fake.forget_sessions();
    bench.fake.drop_sockets();
    bench.listens_anew(2).await;
    listening.stop().await.unwrap();

    let commands = bench.fake.commands();
    let names: Vec<_> = commands.iter().map(|command| command.name.as_str()).collect();
    assert_eq!(names, ["help", "pending", "skip", "start"]);
    assert!(commands.iter().all(|command| command.direct));
    assert_eq!(commands[3].option.as_ref().unwrap().name, "code");
    assert_eq!(bench.fake.counts()["bulk_set_application_commands"], 1);
}

#[tokio::test]
async fn without_commands_everything_else_works() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    bench
        .fake
        .fail_next("bulk_set_application_commands", Fault::missing_access());
    let listening = bench.begin();
    bench
        .in_time("a session", || (bench.inbox.looks() > 0).then_some(()))
        .await;

    sara.says(&sara.direct(), "2");

    assert_eq!(bench.heard(1).await, ["2"]);
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn a_broken_connection_is_resumed_and_nothing_is_lost_or_heard_twice() {
    for how in ["cut", "reconnect", "resumable", "code"] {
        let bench = Bench::new().await;
        let sara = bench.fake.person("Sara");
        let listening = bench.listen().await;
        sara.says(&sara.direct(), "before");
        bench.heard(1).await;

        match how {
            "cut" => bench.fake.drop_sockets(),
            "reconnect" => bench.fake.order_reconnect(),
            "resumable" => bench.fake.invalidate_sessions(true),
            _ => bench.fake.close_sockets(4000),
        }
        sara.says(&sara.direct(), "meanwhile");
        let heard = bench.heard(2).await;
        sara.says(&sara.direct(), "after");
        bench.heard(3).await;
        listening.stop().await.unwrap();

        assert_eq!(heard, ["before", "meanwhile"], "{how}");
        let sockets = sockets(&bench);
        assert_eq!(sockets.len(), 2, "{how}: {sockets:?}");
        assert_eq!((sockets[0].0, sockets[1].0), ("new", "resumed"), "{how}");
        assert!(!matches!(sockets[0].1, Some(1000 | 1001)), "{how}: {sockets:?}");
        assert_eq!(bench.fake.sockets()[1].path, "/resume/", "{how}");
        assert_eq!(bench.inbox.looks(), 1, "{how}: no gap");
        assert_eq!(bench.fake.violations(), [""; 0]);
    }
}

#[tokio::test]
async fn a_session_that_is_over_makes_way_for_a_new_one_not_too_soon() {
    for how in ["invalid", "wrong number", "timed out", "forgotten"] {
        let bench = Bench::new().await;
        let sara = bench.fake.person("Sara");
        let before = bench.millis();
        let listening = bench.listen().await;

        match how {
            "invalid" => bench.fake.invalidate_sessions(false),
            "wrong number" => bench.fake.close_sockets(4007),
            "timed out" => bench.fake.close_sockets(4009),
            _ => {
                bench.fake.forget_sessions();
                bench.fake.drop_sockets();
            }
        }
        bench.listens_anew(2).await;
        let waited = bench.millis() - before;
        sara.says(&sara.direct(), "2");
        bench.heard(1).await;
        listening.stop().await.unwrap();

        let sockets = sockets(&bench);
        let last = sockets.len() - 1;
        assert_eq!(
            (sockets[0].0, sockets[last].0),
            ("new", "new"),
            "{how}: {sockets:?}"
        );
        assert!(waited >= 5_000, "{how}: {waited} ms");
        assert_eq!(bench.fake.violations(), [""; 0]);
    }
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

/// A prompt in a channel, by a channel that has been killed since; another one is about to take its place.
async fn after_a_kill(
    place: &str,
) -> (
    Bench,
    askd_testkit::discord::Person,
    askd_testkit::discord::Place,
    Posted,
) {
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
async fn refused_credentials_end_it() {
    let bench = Bench::new().await;
    let wrong = channel_at(&bench.fake.url(), "not.the.token", &bench.clock);
    let stop = tokio_util::sync::CancellationToken::new();
    let by_call = wrong.listen(bench.inbox.as_ref(), stop).await.unwrap_err();
    let listening = bench.listen().await;
    bench.fake.revoke_token("an.other.token");
    let by_gateway = listening.end().await.unwrap_err();

    for error in [by_call, by_gateway] {
        assert!(matches!(error, ChannelError::Refused(_)), "{error:?}");
    }
    assert_eq!(bench.fake.sockets().len(), 1);
}

#[tokio::test]
async fn after_a_hopeless_code_nobody_comes_back() {
    for code in [4004, 4010, 4011, 4012, 4013] {
        let bench = Bench::new().await;
        let listening = bench.listen().await;

        bench.fake.close_sockets(code);
        let error = listening.end().await.unwrap_err();

        let ChannelError::Refused(source) = &error else {
            panic!("{error:?}")
        };
        assert!(source.to_string().contains(&code.to_string()), "{source}");
        assert_eq!(bench.fake.sockets().len(), 1, "{code}");
    }
}

#[tokio::test]
async fn without_the_intent_for_contents_it_asks_for_less_once_and_says_what_it_hears() {
    let bench = Bench::on(Setup {
        message_content: false,
        ..Setup::default()
    })
    .await;
    let sara = bench.fake.person("Sara");
    let ops = bench.fake.channel("ops", &[&sara]);

    let listening = bench.listen().await;
    bench.fake.forget_sessions();
    bench.fake.drop_sockets();
    bench.listens_anew(2).await;
    bench.post(&bench.address(&ops)).await.unwrap();
    let prompt = bench.prompt_at(&sara, &ops);
    sara.replies_quietly(prompt, "kept from us");
    sara.replies(prompt, "2");
    bench.heard(2).await;
    listening.stop().await.unwrap();

    let identified: Vec<_> = bench
        .fake
        .sockets()
        .iter()
        .map(|socket| socket.identified)
        .collect();
    let identified: Vec<_> = identified.into_iter().flatten().collect();
    assert_eq!(identified, [INTENTS, INTENTS], "the refused one is not counted");
    assert_eq!(sockets(&bench)[0].1, Some(4014));
    assert!(!bench.channel.capabilities(&bench.address(&ops)).hears_groups);
    let taken = bench.inbox.taken();
    let heard: Vec<_> = taken
        .iter()
        .map(|event| (said(event).text.as_str(), said(event).addressed))
        .collect();
    assert_eq!(heard, [("", false), ("2", true)]);
    assert!(taken.iter().all(|event| said(event).reply_to.is_some()));
    assert_eq!(bench.fake.violations(), [""; 0]);
}

#[tokio::test]
async fn with_the_intent_it_says_that_it_hears_groups() {
    let (bench, _, ops, listening) = Bench::with_prompt_in_a_channel().await;

    assert!(bench.channel.capabilities(&bench.address(&ops)).hears_groups);
    bench.fake.set_message_content(false);
    bench.listens_anew(2).await;
    assert!(!bench.channel.capabilities(&bench.address(&ops)).hears_groups);
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn a_gateway_that_cannot_be_reached_is_tried_again_and_again() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    bench
        .fake
        .fail("get_bot_gateway", 2, Fault::Gateway { status: 502 });
    bench.fake.fail("get_bot_gateway", 1, Fault::internal());
    bench
        .fake
        .fail("get_bot_gateway", 1, Fault::Barred { seconds: 40 });
    let before = bench.millis();

    let listening = bench.listen().await;
    let waited = bench.millis() - before;
    bench.fake.refuse_sockets(true);
    bench.fake.drop_sockets();
    bench
        .in_time("attempts", || {
            (bench.fake.counts()["get_bot_gateway"] > 6).then_some(())
        })
        .await;
    bench.fake.refuse_sockets(false);
    sara.says(&sara.direct(), "2");
    bench.heard(1).await;
    listening.stop().await.unwrap();

    assert!(waited >= 40_000, "{waited} ms");
}

#[tokio::test]
async fn where_the_server_names_discords_own_gateway_it_is_not_gone_to() {
    let bench = Bench::new().await;
    for address in ["wss://gateway.discord.gg", "https://example.org", "nonsense"] {
        bench.fake.set_gateway(address);
        let mut listening = bench.begin();
        let before = bench.fake.calls().len();
        bench
            .in_time("attempts", || {
                (bench.fake.calls().len() > before + 2).then_some(())
            })
            .await;

        assert!(listening.has_ended().is_none(), "{address}");
        assert_eq!(bench.fake.sockets(), [], "{address}");
        listening.stop().await.unwrap();
    }
}

#[tokio::test]
async fn a_session_that_is_to_be_resumed_at_discords_own_is_resumed_at_ours() {
    let bench = Bench::new().await;
    let ours = bench.fake.url().replace("http", "ws");
    // What READY says comes from there, too.
    bench.fake.set_gateway("wss://gateway.discord.gg");
    let listening = bench.begin();
    bench
        .in_time("an attempt", || (!bench.fake.calls().is_empty()).then_some(()))
        .await;
    assert_eq!(bench.fake.sockets(), []);
    bench.fake.set_gateway(&ours);
    bench
        .in_time("a session", || (bench.inbox.looks() > 0).then_some(()))
        .await;

    bench.fake.drop_sockets();
    bench
        .in_time("another socket", || {
            (bench.fake.sockets().len() > 1).then_some(())
        })
        .await;
    bench
        .in_time("it to be resumed", || bench.fake.is_idle().then_some(()))
        .await;
    listening.stop().await.unwrap();

    assert_eq!(sockets(&bench)[1].0, "resumed");
}

#[tokio::test]
async fn where_no_session_may_begin_today_none_is_tried() {
    let bench = Bench::new().await;
    bench.fake.set_sessions_left(0);

    let listening = bench.begin();
    bench
        .in_time("the answer", || (!bench.fake.calls().is_empty()).then_some(()))
        .await;
    for _ in 0..20 {
        bench.clock.advance(Duration::from_mins(30));
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    assert_eq!(bench.fake.sockets(), []);
    bench.fake.set_sessions_left(10);
    bench.clock.advance(Duration::from_hours(24));
    bench
        .in_time("a session", || (bench.inbox.looks() > 0).then_some(()))
        .await;
    listening.stop().await.unwrap();

    assert_eq!(bench.fake.violations(), [""; 0]);
}

#[tokio::test]
async fn a_connection_that_only_looks_alive_is_noticed_and_resumed() {
    let bench = Bench::on(Setup {
        heartbeat: Duration::from_millis(150),
        ..Setup::default()
    })
    .await;
    let sara = bench.fake.person("Sara");
    let listening = bench.listen().await;

    bench.fake.freeze_sockets();
    sara.says(&sara.direct(), "2");
    bench.heard(1).await;
    listening.stop().await.unwrap();

    assert_eq!(
        sockets(&bench).last().unwrap().0,
        "resumed",
        "{:?}",
        sockets(&bench)
    );
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
    let both = bench.heard(2).await;
    listening.stop().await.unwrap();

    assert_eq!(first, "elsewhere", "at once");
    assert_eq!(both, ["elsewhere", "after it"]);
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
async fn our_role_is_mentioned_in_our_place_and_a_thread_knows_its_prompt() {
    let (bench, sara, ops, listening) = Bench::with_prompt_in_a_channel().await;
    let prompt = bench.prompt_at(&sara, &ops);
    sara.mentions_role(&ops, "2");
    let thread = sara.opens_thread_below(prompt, "Which one?");
    sara.says(&thread, "1");
    bench.heard(2).await;
    listening.stop().await.unwrap();

    let taken = bench.inbox.taken();
    assert_eq!(
        (said(&taken[0]).text.as_str(), said(&taken[0]).addressed),
        ("2", true)
    );
    assert_eq!(said(&taken[1]).thread, Some(MessageRef::new(named(prompt))));
    assert_eq!(taken[1].at, bench.address(&thread));
    assert_eq!(bench.fake.counts().get("get_channel"), None, "all of it was told");
}

#[tokio::test]
async fn an_event_is_told_in_full() {
    let (bench, sara, ops, listening) = Bench::with_prompt_in_a_channel().await;
    let text = sara.says(&ops, "2");
    bench.heard(1).await;
    listening.stop().await.unwrap();

    let event = bench.inbox.taken().remove(0);
    assert_eq!(event.event.as_str(), text.id.to_string());
    let account = bench.account(&sara);
    assert_eq!(
        event.from,
        Sender::Account {
            account,
            language: None
        }
    );
    assert_eq!(event.at, bench.address(&ops));
    let MessageAt { id, .. } = text;
    assert_eq!(said(&event).placed, Some(Placed(i64::try_from(id).unwrap())));
}

#[tokio::test]
async fn a_stop_does_not_wait_for_what_hangs() {
    let (bench, sara, listening) = Bench::with_prompt().await;
    bench.inbox.gives(Became::Hint, "Only 1 or 2.");
    bench
        .fake
        .fail_next("create_message", Fault::Hangs { done: false });
    sara.says(&sara.direct(), "7");
    bench
        .until("the call that hangs", || (bench.fake.hanging() > 0).then_some(()))
        .await;

    let stopped = tokio::time::timeout(Duration::from_secs(5), listening.stop()).await;

    stopped.expect("within five seconds").unwrap();
}

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Log {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap()).into_owned()
    }
}

#[tokio::test]
async fn trouble_is_logged_when_it_begins_and_ends_and_never_with_a_secret_or_a_text() {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing_subscriber::filter::LevelFilter::TRACE)
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let (bench, sara, listening) = Bench::with_prompt().await;
    bench.fake.refuse_sockets(true);
    bench.fake.drop_sockets();
    bench
        .in_time("attempts", || {
            (bench.fake.counts()["get_bot_gateway"] > 6).then_some(())
        })
        .await;
    bench.fake.refuse_sockets(false);
    bench
        .in_time("it to come back", || bench.fake.is_idle().then_some(()))
        .await;
    bench.inbox.gives(Became::Hint, "Thank you.");
    bench.inbox.gives(Became::Hint, "Thank you.");
    bench.fake.fail_next("create_message", Fault::invalid_form());
    sara.says(&sara.direct(), "secret words");
    sara.presses(&sara.direct(), "Production");
    bench.heard(2).await;
    bench
        .in_time("the receipt", || {
            log.text().contains("receipt not shown").then_some(())
        })
        .await;
    listening.stop().await.unwrap();

    let log = log.text();
    let token = bench.fake.token();
    let calls = bench.fake.calls();
    let answer = calls
        .iter()
        .find(|call| call.route == "create_interaction_response")
        .unwrap();
    let of_the_press = answer.path.split('/').nth(3).unwrap();
    for secret in [
        token.as_str(),
        of_the_press,
        token.rsplit_once('.').unwrap().1,
        "secret words",
        "Thank you",
        "Where should",
        "Production",
    ] {
        assert!(!log.contains(secret), "{secret} in\n{log}");
    }
    assert_eq!(log.matches("not receiving").count(), 1, "{log}");
    assert_eq!(log.matches("receiving again").count(), 1, "{log}");
    assert!(
        log.contains("twilight_gateway"),
        "the library was listened to as well"
    );
}
