//! What people are shown of what they did.

use std::time::Duration;

use askd_core::{
    inbound::{Act, Became},
    present::{Gesture, Payload},
};
use askd_testkit::slack::{Fault, Person};

use crate::bench::{Bench, named, write_own};

async fn last_reads(bench: &Bench, sara: &Person, text: &str) -> askd_testkit::slack::Seen {
    let look = || sara.sees_last(&sara.direct()).filter(|seen| seen.text == text);
    bench.until(text, look).await
}

#[tokio::test]
async fn a_direct_text_is_answered_by_a_message_that_can_be_replied_to() {
    let (bench, sara, listening) = Bench::with_prompt().await;
    bench.inbox.gives(Became::Hint, "Only 1 to 2.");

    sara.says(&sara.direct(), "7");
    let seen = last_reads(&bench, &sara, "Only 1 to 2.").await;
    let shown = bench.until("the report", || bench.inbox.shown().pop()).await;

    assert!(!seen.rang, "{seen:?}");
    assert_eq!(shown.1.messages[0].message.as_str(), named(&seen.at));
    assert_eq!(shown.1.at, bench.address(&sara.direct()));
    bench.broke_nothing();
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn a_text_in_a_thread_is_answered_there() {
    let (bench, sara, listening) = Bench::with_prompt().await;
    let prompt = sara.sees_last(&sara.direct()).unwrap();
    bench.inbox.gives(Became::Settled, "Thank you.");

    sara.replies(&prompt.at, "2");
    let seen = last_reads(&bench, &sara, "Thank you.").await;

    assert_eq!(seen.thread, Some(prompt.at.ts));
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn in_a_channel_only_the_one_who_is_meant_reads_it() {
    let bench = Bench::new().await;
    let (sara, omid) = (bench.fake.person("Sara"), bench.fake.person("Omid"));
    let group = bench.fake.channel("shop", &[&sara, &omid]);
    let listening = bench.listen().await;
    bench.post(&group).await.unwrap();
    let prompt = sara.sees_last(&group).unwrap();

    bench.inbox.gives(Became::NotYours, "Not yours.");
    omid.presses(&group, "Staging (Recommended)");
    bench.until("the refusal", || omid.told().pop()).await;
    bench.inbox.gives(Became::Hint, "Only 1 to 2.");
    sara.replies(&prompt.at, "7");
    bench.until("the hint", || sara.told().pop()).await;

    assert_eq!(
        (omid.told(), sara.told()),
        (vec!["Not yours.".to_owned()], vec!["Only 1 to 2.".to_owned()])
    );
    let hint = sara.sees_alone(&group).pop().unwrap();
    assert_eq!(
        hint.thread,
        Some(prompt.at.ts),
        "in the thread, where it was said"
    );
    assert_eq!(omid.sees_alone(&group).pop().unwrap().thread, None);
    let all: Vec<_> = omid.sees(&group).into_iter().filter(|seen| seen.by_app).collect();
    assert_eq!(all.len(), 1, "nobody else reads them");
    assert!(bench.inbox.shown().is_empty(), "nobody can reply to them");
    bench.broke_nothing();
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn other_opens_a_form_in_the_words_of_its_question() {
    let (bench, sara, listening) = Bench::with_prompt().await;
    bench.inbox.gives(write_own(), "Please write.");

    sara.presses(&sara.direct(), "Other…");
    let form = bench.until("the form", || sara.form()).await;

    assert_eq!(form.title, "Target");
    assert_eq!(form.labels, ["Your answer"]);
    assert_eq!(form.submit.as_deref(), Some("Send"));
    bench.inbox.gives(Became::Settled, "Thank you.");
    sara.fills("only <after> lunch & :+1:");
    last_reads(&bench, &sara, "Thank you.").await;
    assert_eq!(sara.form(), None, "closed");
    let filled = bench.inbox.taken().pop().unwrap();
    assert_eq!(filled.at, bench.address(&sara.direct()));
    let Act::Filled {
        payload,
        text,
        message,
    } = filled.act
    else {
        panic!("{filled:?}")
    };
    assert_eq!(Payload::parse(&payload).unwrap().gesture, Gesture::Other);
    assert_eq!(text, "only <after> lunch & 👍");
    let prompt = sara.sees(&sara.direct()).remove(0);
    assert_eq!(message.unwrap().message.as_str(), named(&prompt.at));
    bench.broke_nothing();
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn a_form_is_opened_in_time_also_where_the_store_is_slow() {
    let (bench, sara, listening) = Bench::with_prompt().await;
    bench.inbox.holds(write_own(), "Please write.");

    sara.presses(&sara.direct(), "Other…");
    let form = bench.in_time("the form", || sara.form()).await;

    assert!(bench.inbox.heard().is_empty(), "nothing is known yet");
    assert_eq!(form.title, "Other…");
    bench.inbox.lets_go();
    bench.taken(1).await;
    bench.idle().await;
    assert_eq!(sara.sees(&sara.direct()).len(), 1, "the form says it all");
    bench.broke_nothing();
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn a_slow_press_is_told_that_it_was_heard() {
    let (bench, sara, listening) = Bench::with_prompt().await;
    bench.inbox.holds(Became::Settled, "Thank you.");

    sara.presses(&sara.direct(), "Staging (Recommended)");
    let told = bench.in_time("a sign of life", || sara.told().pop()).await;
    bench.inbox.lets_go();
    last_reads(&bench, &sara, "Thank you.").await;

    assert!(told.contains("One moment"), "{told}");
    bench.broke_nothing();
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn a_press_that_is_too_late_for_a_form_is_answered_in_words() {
    let (bench, sara, listening) = Bench::with_prompt().await;
    bench.inbox.gives(write_own(), "Please write.");
    bench
        .fake
        .fail_next("views.open", Fault::refused("expired_trigger_id"));

    sara.presses(&sara.direct(), "Other…");
    last_reads(&bench, &sara, "Please write.").await;

    let reported = bench.until("the report", || bench.inbox.shown().pop()).await;
    assert!(
        matches!(reported.0.became, Became::WriteOwn(_)),
        "so that a reply is own words"
    );
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn what_does_not_count_stays_in_the_form() {
    let (bench, sara, listening) = Bench::with_prompt().await;
    bench.inbox.gives(write_own(), "Please write.");
    sara.presses(&sara.direct(), "Other…");
    bench.until("the form", || sara.form()).await;

    bench.inbox.gives(Became::Hint, "Too long.");
    sara.fills("too long");
    let errors = |wanted: &str| sara.form().filter(|form| form.errors == [wanted]);
    bench.until("the hint", || errors("Too long.")).await;
    bench.inbox.refuses();
    sara.fills("shorter");
    bench.until("the apology", || errors("Not saved.")).await;
    bench.inbox.gives(Became::Settled, "Thank you.");
    sara.fills("shorter");
    last_reads(&bench, &sara, "Thank you.").await;

    assert_eq!(bench.inbox.heard()[1..], ["too long", "shorter"]);
    let taken = bench.inbox.taken();
    assert_ne!(
        taken[1].event, taken[2].event,
        "sent in again, not handed out again"
    );
    bench.broke_nothing();
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn a_form_is_closed_in_time_also_where_the_store_is_slow() {
    let (bench, sara, listening) = Bench::with_prompt().await;
    bench.inbox.gives(write_own(), "Please write.");
    sara.presses(&sara.direct(), "Other…");
    bench.until("the form", || sara.form()).await;
    bench.inbox.holds(Became::Hint, "Too long.");

    sara.fills("too long");
    bench
        .in_time("the form to close", || sara.form().is_none().then_some(()))
        .await;
    bench.inbox.lets_go();
    last_reads(&bench, &sara, "Too long.").await;

    bench.broke_nothing();
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn a_receipt_waits_for_the_platforms_pause_and_is_not_sent_twice() {
    let (bench, sara, listening) = Bench::with_prompt().await;
    bench
        .fake
        .fail_next("chat.postMessage", Fault::Throttled { seconds: 5 });
    bench.inbox.gives(Became::Hint, "Only 1 to 2.");
    sara.says(&sara.direct(), "7");
    let look = || {
        sara.sees_last(&sara.direct())
            .filter(|seen| seen.text == "Only 1 to 2.")
    };
    bench.in_time("the hint", look).await;

    bench
        .fake
        .fail_next("chat.postMessage", Fault::Lost { done: true });
    bench.inbox.gives(Became::Hint, "Nor 8.");
    sara.says(&sara.direct(), "8");
    last_reads(&bench, &sara, "Nor 8.").await;
    bench.clock.advance(Duration::from_mins(1));
    bench.inbox.gives(Became::Hint, "Nor 9.");
    sara.says(&sara.direct(), "9");
    last_reads(&bench, &sara, "Nor 9.").await;

    let times = sara.sees(&sara.direct()).into_iter();
    assert_eq!(times.filter(|seen| seen.text == "Nor 8.").count(), 1);
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn a_receipt_whose_blocks_are_refused_is_sent_plain() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let group = bench.fake.channel("shop", &[&sara]);
    let listening = bench.listen().await;
    bench.inbox.gives(Became::Hint, "Only *1* to <2>.");
    bench
        .fake
        .fail_next("chat.postEphemeral", Fault::invalid_blocks());

    sara.mentions(&group, "7");
    let told = bench.until("the hint", || sara.told().pop()).await;

    assert!(told.contains("to <2>."), "{told}");
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn what_was_not_meant_for_us_is_not_answered() {
    let (bench, sara, listening) = Bench::with_prompt().await;

    sara.says(&sara.direct(), "nothing");
    bench.taken(1).await;
    bench.idle().await;

    let ours = sara.sees(&sara.direct()).into_iter();
    assert_eq!(ours.filter(|seen| seen.by_app).count(), 1);
    listening.stop().await.unwrap();
}
