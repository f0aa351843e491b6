//! The connection: sessions, gaps, and what is handed in.

use std::{
    io::{self, Write},
    sync::{Arc, Mutex},
    time::Duration,
};

use askd_core::{
    channel::{Channel as _, ChannelError},
    id::MessageRef,
    inbound::{Act, Became, Inbound, Placed, Said, Sender},
};
use askd_testkit::discord::{Connected, Fault, MessageAt, Setup};

use jiff::Timestamp;

use crate::bench::{Bench, channel_at, named, prompt_at};

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

/// When a route was called.
fn calls(bench: &Bench, route: &'static str) -> impl Iterator<Item = Timestamp> {
    let calls = bench.fake.calls().into_iter();
    calls
        .filter(move |call| call.route == route)
        .map(|call| call.when)
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
async fn a_connection_that_ends_as_soon_as_it_stands_is_made_again_with_patience() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let listening = bench.listen().await;
    let before = bench.millis();

    for cut in 1..=9 {
        bench.fake.drop_sockets();
        bench
            .in_time("it to be resumed", || {
                let stood = sockets(&bench);
                let last = stood.last().copied().filter(|_| stood.len() > cut);
                last.filter(|(began, _)| *began == "resumed")
            })
            .await;
        // What comes over it shows that it stands.
        sara.says(&sara.direct(), "here");
        bench.heard(cut).await;
    }
    let waited = bench.millis() - before;
    listening.stop().await.unwrap();

    assert!(waited >= 45_000, "{waited} ms");
}

#[tokio::test]
async fn a_session_that_is_over_makes_way_for_a_new_one_not_too_soon() {
    for how in ["invalid", "wrong number", "timed out", "forgotten"] {
        let bench = Bench::new().await;
        let sara = bench.fake.person("Sara");
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
        let asked: Vec<_> = calls(&bench, "get_bot_gateway").collect();
        let waited = asked[1].as_millisecond() - asked[0].as_millisecond();
        assert!(waited >= 5_000, "{how}: {waited} ms");
        assert_eq!(bench.fake.violations(), [""; 0]);
    }
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
        let mut listening = bench.listen().await;

        bench.fake.close_sockets(code);
        let ended = bench.in_time("its end", || listening.has_ended()).await;
        let error = ended.unwrap_err();

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
    let prompt = prompt_at(&sara, &ops);
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
async fn a_gateway_that_takes_connections_and_says_nothing_is_left_again() {
    let bench = Bench::new().await;
    bench.fake.mute_sockets(true);
    let listening = bench.begin();
    bench
        .in_time("another attempt", || {
            (bench.fake.sockets().len() > 1).then_some(())
        })
        .await;

    bench.fake.mute_sockets(false);
    bench
        .in_time("a session", || (bench.inbox.looks() > 0).then_some(()))
        .await;

    listening.stop().await.unwrap();
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
    let listening = bench.begin();
    let asked = || bench.fake.counts().get("get_bot_gateway").copied();
    bench.until("the question where it is", asked).await;
    // Before READY says where to resume.
    bench.fake.set_gateway("wss://gateway.discord.gg");
    bench
        .in_time("a session", || (bench.inbox.looks() > 0).then_some(()))
        .await;

    bench.fake.drop_sockets();
    bench
        .in_time("the same question again", || asked().filter(|asked| *asked > 1))
        .await;
    bench.fake.set_gateway(&ours);
    bench
        .in_time("it to be resumed", || {
            (bench.fake.sockets().len() > 1 && bench.fake.is_idle()).then_some(())
        })
        .await;
    listening.stop().await.unwrap();

    assert_eq!(sockets(&bench)[1].0, "resumed");
    assert_eq!(bench.fake.sockets()[1].path, "/", "not where READY said");
}

#[tokio::test]
async fn where_no_session_may_begin_today_none_is_tried() {
    let bench = Bench::new().await;
    let ops = bench.address(&bench.fake.channel("ops", &[]));
    bench.fake.set_sessions_left(0);

    let listening = bench.begin();
    bench
        .in_time("the answer", || (!bench.fake.calls().is_empty()).then_some(()))
        .await;
    for _ in 0..20 {
        bench.clock.advance(Duration::from_mins(30));
        // There and back: what this half hour would have begun has been heard by then.
        bench.post(&ops).await.unwrap();
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
async fn our_role_is_mentioned_in_our_place_and_a_thread_knows_its_prompt() {
    let (bench, sara, ops, listening) = Bench::with_prompt_in_a_channel().await;
    let prompt = prompt_at(&sara, &ops);
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
    // A line that another test met first just while this began to listen would count as unheard for good.
    tracing::callsite::rebuild_interest_cache();
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
    let mut troubles: Vec<&str> = log
        .lines()
        .filter(|line| line.contains("not receiving"))
        .filter_map(|line| line.split("trouble=").nth(1)?.split('"').nth(1))
        .collect();
    let said = troubles.len();
    troubles.dedup();
    assert!(
        said > 0 && said == troubles.len(),
        "one line for each kind: {log}"
    );
    assert_eq!(log.matches("receiving again").count(), 1, "{log}");
    assert!(
        log.contains("twilight_gateway"),
        "the library was listened to as well"
    );
}
