//! Posting and editing: what people see, what the dispatcher hears, and what a failure leaves behind.

use askd_core::{
    channel::{Channel as _, ChannelError},
    id::MessageRef,
    present::{Controls, Message, Presentation},
};
use askd_testkit::{
    sample::{address, question, questions},
    slack::{Fault, Person, Setup},
};

use crate::bench::{Bench, ask, english, key, named};

/// A prompt of several messages.
fn long(bench: &Bench, to: &askd_core::id::Address) -> Presentation {
    let prompt = bench.prompt(to);
    let first = Message {
        controls: Controls::None,
        ..prompt.messages[0].clone()
    };
    Presentation {
        messages: vec![first.clone(), first, prompt.messages[0].clone()],
        rings: true,
    }
}

fn prompts(sara: &Person) -> usize {
    sara.sees(&sara.direct())
        .iter()
        .filter(|seen| seen.by_app)
        .count()
}

#[tokio::test]
async fn a_person_is_asked_in_their_direct_conversation_which_is_opened_once() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let to = bench.channel.parse_address(sara.id()).unwrap();

    let first = bench.post_at(&to).await.unwrap();
    assert!(sara.sees_last(&sara.direct()).unwrap().rang);
    let second = bench.post_at(&to).await.unwrap();

    let direct = bench.address(&sara.direct());
    assert_eq!((&first.at, &second.at), (&direct, &direct), "as events name it");
    let seen = sara.sees_last(&sara.direct()).unwrap();
    assert_eq!(second.messages[0].message.as_str(), named(&seen.at));
    assert_eq!(
        seen.labels(),
        ["Staging (Recommended)", "Production", "Other…", "Skip"]
    );
    assert_eq!(seen.buttons.len(), 2, "the options, then the rest");
    assert_eq!(bench.count("conversations.open"), 1);
    bench.broke_nothing();
}

#[tokio::test]
async fn public_and_private_channels_and_threads_are_asked_where_they_are() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let public = bench.fake.channel("shop", &[&sara]);
    let private = bench.fake.private_channel("ops", &[&sara]);
    let root = sara.says(&public, "about the release");
    let thread = public.thread(&root);

    for place in [&public, &private, &thread] {
        let posted = bench.post(place).await.unwrap();

        assert_eq!(posted.at, bench.address(place));
    }

    assert_eq!(sara.sees_last(&private).unwrap().thread, None);
    let threads: Vec<_> = sara
        .sees(&public)
        .into_iter()
        .filter(|seen| seen.by_app)
        .map(|seen| seen.thread)
        .collect();
    assert_eq!(threads, [None, Some(root.ts)]);
    bench.broke_nothing();
}

#[tokio::test]
async fn the_deadline_is_shown_in_each_readers_own_zone() {
    let bench = Bench::new().await;
    let (sara, omid) = (bench.fake.person("Sara"), bench.fake.person("Omid"));
    sara.lives_in("Asia/Tehran");
    let group = bench.fake.channel("shop", &[&sara, &omid]);

    bench.post(&group).await.unwrap();

    let reads = |who: &Person, time: &str| who.sees_last(&group).unwrap().text.contains(time);
    assert!(reads(&omid, "09:45") && reads(&sara, "13:15"));
    bench.broke_nothing();
}

#[tokio::test]
async fn an_edit_takes_the_buttons_away_and_may_be_made_twice() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let posted = bench.post(&sara.direct()).await.unwrap();
    let at = &posted.messages[0].message;
    let what = Message {
        controls: Controls::None,
        ..bench.prompt(&posted.at).messages.remove(0)
    };

    bench.channel.edit(at, &what).await.unwrap();
    bench.channel.edit(at, &what).await.unwrap();

    let seen = sara.sees_last(&sara.direct()).unwrap();
    assert!(seen.buttons.is_empty() && seen.edited, "{seen:?}");
    bench.broke_nothing();
}

#[tokio::test]
async fn blocks_that_are_refused_are_followed_by_the_same_text_plain() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    bench.fake.fail_next("chat.postMessage", Fault::invalid_blocks());

    let posted = bench.post(&sara.direct()).await.unwrap();

    let seen = sara.sees_last(&sara.direct()).unwrap();
    assert!(seen.text.contains("Where should this go?"), "{seen:?}");
    assert!(seen.text.contains("1. \u{2068}Staging"), "{seen:?}");
    assert!(seen.buttons.is_empty());

    let at = &posted.messages[0].message;
    let what = bench.prompt(&posted.at).messages.remove(0);
    bench.channel.edit(at, &what).await.unwrap();
    bench.fake.fail_next("chat.update", Fault::invalid_blocks());
    bench.channel.edit(at, &what).await.unwrap();

    let seen = sara.sees_last(&sara.direct()).unwrap();
    assert!(
        seen.buttons.is_empty(),
        "blocks that were there are gone: {seen:?}"
    );
    assert!(seen.text.contains("Where should this go?"), "{seen:?}");
}

#[tokio::test]
async fn the_dispatcher_hears_what_to_do_next() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let group = bench.fake.private_channel("ops", &[&sara]);
    let gone = bench.fake.person("Gone");
    gone.is_deactivated();
    let unreachable = |error| matches!(error, Err(ChannelError::Unreachable(_)));

    assert!(unreachable(bench.post_at(&address("slack:C0NOWHERE")).await));
    assert!(unreachable(bench.post_at(&address("slack:U0NOBODY")).await));
    assert!(unreachable(
        bench.post_at(&address(&format!("slack:{}", gone.id()))).await
    ));
    group.remove_app();
    assert!(unreachable(bench.post(&group).await), "not in the channel");
    group.invite_app();
    group.archive();
    assert!(unreachable(bench.post(&group).await), "archived");

    bench
        .fake
        .fail_next("chat.postMessage", Fault::Throttled { seconds: 30 });
    let throttled = bench.post(&sara.direct()).await.unwrap_err();
    assert!(matches!(throttled, ChannelError::Throttled { pause } if pause.as_secs() == 30));
    bench
        .fake
        .fail_next("chat.postMessage", Fault::refused("msg_too_long"));
    let rejected = bench.post(&sara.direct()).await.unwrap_err();
    assert!(matches!(rejected, ChannelError::Rejected { code } if code == "msg_too_long"));
    bench.fake.revoke_bot_token();
    let refused = bench.post(&sara.direct()).await.unwrap_err();
    assert!(matches!(refused, ChannelError::Refused(_)));
}

#[tokio::test]
async fn what_cannot_be_edited_is_gone() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let posted = bench.post(&sara.direct()).await.unwrap();
    let at = &posted.messages[0].message;
    let what = bench.prompt(&posted.at).messages.remove(0);
    let gone = |error| matches!(error, Err(ChannelError::Gone));

    for code in ["message_not_found", "cant_update_message", "edit_window_closed"] {
        bench.fake.fail_next("chat.update", Fault::refused(code));
        assert!(gone(bench.channel.edit(at, &what).await), "{code}");
    }
    sara.direct().delete(&sara.sees_last(&sara.direct()).unwrap().at);
    assert!(gone(bench.channel.edit(at, &what).await));
    assert!(gone(
        bench.channel.edit(&MessageRef::new("nonsense"), &what).await
    ));
}

#[tokio::test]
async fn of_a_long_prompt_the_parts_are_taken_back_where_one_fails() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let to = bench.address(&sara.direct());
    let what = long(&bench, &to);
    let third = {
        let mut count = 0;
        move |method: &str, _: &askd_testkit::slack::Arguments| {
            count += usize::from(method == "chat.postMessage");
            count == 3
        }
    };
    let third = std::sync::Mutex::new(third);
    bench.fake.fail_meant(
        move |method, arguments| third.lock().unwrap()(method, arguments),
        Fault::Throttled { seconds: 1 },
    );

    let failed = bench.post_this(&to, &what).await.unwrap_err();
    let left = prompts(&sara);
    bench.post_this(&to, &what).await.unwrap();

    assert!(matches!(failed, ChannelError::Throttled { .. }), "{failed}");
    assert_eq!(left, 0);
    assert_eq!(prompts(&sara), 3);
}

#[tokio::test]
async fn a_post_whose_answer_was_lost_is_found_again_with_all_its_parts() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let to = bench.address(&sara.direct());
    let what = long(&bench, &to);
    let calls = std::sync::atomic::AtomicUsize::new(0);
    let is_third = move |method: &str, _: &askd_testkit::slack::Arguments| {
        let posts = method == "chat.postMessage";
        posts && calls.fetch_add(1, std::sync::atomic::Ordering::SeqCst) == 2
    };
    bench.fake.fail_meant(is_third, Fault::Lost { done: true });

    let lost = bench.post_this(&to, &what).await.unwrap_err();
    let again = bench.post_this(&to, &what).await.unwrap();

    assert!(
        matches!(lost, ChannelError::Unclear { maybe_done: true, .. }),
        "{lost}"
    );
    assert_eq!(again.messages.len(), 3);
    let seen: Vec<String> = sara
        .sees(&sara.direct())
        .iter()
        .map(|seen| named(&seen.at))
        .collect();
    let named: Vec<&str> = again.messages.iter().map(|one| one.message.as_str()).collect();
    assert_eq!(seen, named, "{}", bench.fake.transcript());
    bench.broke_nothing();
}

#[tokio::test]
async fn a_post_whose_answer_was_lost_is_found_again_in_its_thread_too() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let channel = bench.fake.channel("shop", &[&sara]);
    let thread = channel.thread(&sara.says(&channel, "about the release"));
    bench
        .fake
        .fail_next("chat.postMessage", Fault::Lost { done: true });

    bench.post(&thread).await.unwrap_err();
    let again = bench.post(&thread).await.unwrap();

    let seen: Vec<_> = sara
        .sees(&thread)
        .into_iter()
        .filter(|seen| seen.by_app)
        .collect();
    assert_eq!(seen.len(), 1, "{}", bench.fake.transcript());
    assert_eq!(again.messages[0].message.as_str(), named(&seen[0].at));
}

#[tokio::test]
async fn where_it_cannot_be_looked_whether_a_post_stands_it_is_not_sent_again() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    bench
        .fake
        .fail_next("chat.postMessage", Fault::Lost { done: true });
    bench
        .fake
        .fail_next("conversations.history", Fault::Gateway { status: 502 });

    bench.post(&sara.direct()).await.unwrap_err();
    let unsure = bench.post(&sara.direct()).await.unwrap_err();
    bench.post(&sara.direct()).await.unwrap();

    assert!(matches!(unsure, ChannelError::Unclear { .. }), "{unsure}");
    assert_eq!(prompts(&sara), 1, "{}", bench.fake.transcript());
}

#[tokio::test]
async fn labels_that_travel_longer_than_they_are_become_numbers() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let label = format!("R&D {}", "& ".repeat(20));
    let only = question("q", "Unit", "Which one?", &[label.as_str(), "None"], false);
    let ask = askd_testkit::sample::Samples::new(1)
        .ask(askd_testkit::clock::START)
        .questions(questions([only]))
        .record()
        .ask;
    let to = bench.address(&sara.direct());
    let what = askd_core::present::plan(&ask, &bench.channel.capabilities(&to), &english(), None);

    bench.channel.post(&to, &what, &key()).await.unwrap();

    let seen = sara.sees_last(&sara.direct()).unwrap();
    assert_eq!(
        seen.labels()[..2],
        ["1", "2"],
        "44 characters, 104 as they travel"
    );
    assert!(seen.text.contains(label.trim()), "{seen:?}");
    bench.broke_nothing();
}

#[tokio::test]
async fn the_platforms_pace_is_kept_by_what_the_channel_says_of_it() {
    let bench = Bench::on(Setup {
        rates: true,
        ..Setup::default()
    })
    .await;
    let sara = bench.fake.person("Sara");
    let pace = bench.channel.capabilities(&bench.address(&sara.direct())).pace;

    bench.post(&sara.direct()).await.unwrap();
    let at_once = bench.post(&sara.direct()).await.unwrap_err();
    bench.clock.advance(pace.unwrap().same_address);
    bench.post(&sara.direct()).await.unwrap();

    assert!(matches!(at_once, ChannelError::Throttled { .. }), "{at_once}");
    assert_eq!(ask().questions.len(), 1, "the sample is one message");
}
