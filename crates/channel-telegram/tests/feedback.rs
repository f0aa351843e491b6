//! What people are told.

use std::time::Duration;

use askd_core::inbound::Became;
use askd_testkit::telegram::Fault;

use crate::bench::{Bench, named, write_own};

#[tokio::test]
async fn a_tap_is_answered_in_words() {
    let (bench, sara, listening) = Bench::with_prompt().await;
    bench.inbox.gives(Became::Settled, "Thank you.");
    bench.inbox.gives(Became::NotYours, "You may not answer.");
    bench.inbox.gives(Became::Ignored, "");

    let mut answers = Vec::new();
    for _ in 0..3 {
        let tap = sara.taps(&sara.direct(), "Production");
        let answer = bench.until("the answer", || tap.answer()).await;
        answers.push((answer.text, answer.alert));
    }

    let expected = [
        (Some("Thank you.".to_owned()), false),
        (Some("You may not answer.".to_owned()), true),
        (None, false),
    ];
    assert_eq!(answers, expected);
    assert_eq!(sara.sees(&sara.direct()).len(), 1, "no message beside the prompt");
    assert!(bench.inbox.shown().is_empty(), "nobody can reply to a notice");
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn a_text_is_answered_by_a_silent_reply_to_which_one_can_reply() {
    let (bench, sara, listening) = Bench::with_prompt().await;
    bench.inbox.gives(Became::Hint, "Only 1 or 2.");

    let said = sara.says(&sara.direct(), "7");
    let seen = bench
        .until("the hint", || {
            sara.sees_last(&sara.direct())
                .filter(|seen| seen.text == "Only 1 or 2.")
        })
        .await;
    let (receipt, posted) = bench.until("the report", || bench.inbox.shown().pop()).await;

    assert!(!seen.rang);
    assert_eq!(seen.reply_to, Some(said));
    assert_eq!(receipt.text, "Only 1 or 2.");
    assert_eq!(posted.at, bench.address(&sara.direct()));
    assert_eq!(posted.messages[0].message.as_str(), named(seen.at));
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn what_is_ignored_is_not_answered() {
    let (bench, sara, listening) = Bench::with_prompt().await;

    sara.says(&sara.direct(), "2");
    bench.idle().await;
    listening.stop().await.unwrap();

    assert_eq!(sara.sees(&sara.direct()).len(), 2, "the prompt and her text");
}

#[tokio::test]
async fn other_opens_an_input_and_the_options_stay() {
    let (bench, sara, listening) = Bench::with_prompt().await;
    bench.inbox.gives(write_own(), "Please reply to this message.");

    let tap = sara.taps(&sara.direct(), "Other…");
    let prompt = bench.until("the input", || sara.prompt(&sara.direct())).await;
    let (receipt, posted) = bench.until("the report", || bench.inbox.shown().pop()).await;
    sara.replies(prompt.to, "next week");
    bench.idle().await;
    sara.taps(&sara.direct(), "Production");
    bench.idle().await;

    assert_eq!(prompt.placeholder.as_deref(), Some("Your answer"));
    assert_eq!(tap.answer().unwrap().text, None, "the message says it all");
    assert!(matches!(receipt.became, Became::WriteOwn(_)));
    assert_eq!(posted.messages[0].message.as_str(), named(prompt.to));
    assert!(
        !sara
            .sees(&sara.direct())
            .iter()
            .any(|seen| seen.at == prompt.to && seen.rang)
    );
    assert_eq!(bench.inbox.taken().len(), 3);
    assert_eq!(bench.fake.violations(), Vec::<String>::new());
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn where_the_input_cannot_open_soon_the_tap_is_answered_in_words() {
    let (bench, sara, listening) = Bench::with_prompt().await;
    bench.inbox.gives(write_own(), "Please reply.");
    bench.inbox.gives(write_own(), "Please reply.");
    bench.fake.fail("sendMessage", 1, Fault::Throttled { seconds: 5 });

    let late = sara.taps(&sara.direct(), "Other…");
    let held = bench.in_time("an answer", || late.answer()).await;
    bench.in_time("the input", || sara.prompt(&sara.direct())).await;
    bench.fake.fail("sendMessage", 1, Fault::blocked());
    let never = sara.taps(&sara.direct(), "Other…");
    let failed = bench.in_time("an answer", || never.answer()).await;

    for answer in [held, failed] {
        assert_eq!(answer.text.as_deref(), Some("Please reply."));
    }
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn in_a_group_the_input_opens_for_the_one_who_tapped() {
    let bench = Bench::new().await;
    let (sara, omid) = (bench.fake.person("Sara"), bench.fake.person("Omid"));
    let topic = bench.fake.forum("Shop", &[&sara, &omid]).open_topic("Releases");
    let listening = bench.listen().await;
    bench.post(&topic).await.unwrap();
    let asked = sara.sees_last(&topic).unwrap();
    bench.inbox.gives(write_own(), "please reply to this message.");

    sara.taps(&topic, "Other…");
    bench.until("the input", || sara.prompt(&topic)).await;

    assert_eq!(omid.prompt(&topic), None);
    let seen = omid.sees_last(&topic).unwrap();
    assert!(
        seen.text.contains("Sara") && seen.text.contains("please reply"),
        "{}",
        seen.text
    );
    assert_eq!(seen.reply_to, Some(asked.at));
    assert!(!seen.rang);
    assert_eq!(bench.fake.violations(), Vec::<String>::new());
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn a_tap_too_old_to_be_answered_still_counts_and_a_refusal_is_told_by_a_message() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    bench.post(&sara.direct()).await.unwrap();
    sara.taps(&sara.direct(), "Production");
    sara.taps(&sara.direct(), "Staging (Recommended)");
    bench.clock.advance(Duration::from_mins(1));
    bench.inbox.gives(Became::Settled, "Thank you.");
    bench
        .inbox
        .gives(Became::TooLate, "You already chose: Production");

    let listening = bench.listen().await;
    bench
        .until("the message", || {
            sara.sees_last(&sara.direct())
                .filter(|seen| seen.text.contains("already chose"))
        })
        .await;

    assert_eq!(bench.inbox.taken().len(), 2);
    assert_eq!(
        sara.sees(&sara.direct()).len(),
        2,
        "the prompt itself shows what counted"
    );
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn a_tap_that_was_not_stored_is_told_so_and_later_what_became_of_it() {
    let (bench, sara, listening) = Bench::with_prompt().await;
    bench.inbox.refuses();
    bench.inbox.gives(Became::TooLate, "Closed meanwhile.");

    let tap = sara.taps(&sara.direct(), "Production");
    let answer = bench.until("the apology", || tap.answer()).await;
    bench
        .in_time("the outcome", || {
            sara.sees_last(&sara.direct())
                .filter(|seen| seen.text == "Closed meanwhile.")
        })
        .await;

    assert_eq!((answer.text.as_deref(), answer.alert), (Some("Not saved."), true));
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn a_receipt_waits_for_the_platforms_pause() {
    let (bench, sara, listening) = Bench::with_prompt().await;
    bench.inbox.gives(Became::Settled, "Thank you.");
    bench.fake.fail("sendMessage", 1, Fault::Throttled { seconds: 5 });

    sara.says(&sara.direct(), "2");

    bench
        .in_time("the receipt", || {
            sara.sees_last(&sara.direct())
                .filter(|seen| seen.text == "Thank you.")
        })
        .await;
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn a_receipt_whose_answer_is_lost_is_not_said_twice() {
    let (bench, sara, listening) = Bench::with_prompt().await;
    bench.inbox.gives(Became::Settled, "Thank you.");
    bench.fake.fail("sendMessage", 1, Fault::Lost { done: true });

    sara.says(&sara.direct(), "2");
    bench.idle().await;
    listening.stop().await.unwrap();

    let said = sara
        .sees(&sara.direct())
        .iter()
        .filter(|seen| seen.text == "Thank you.")
        .count();
    assert_eq!(said, 1);
}

#[tokio::test]
async fn a_receipt_too_long_for_one_message_becomes_several() {
    let (bench, sara, listening) = Bench::with_prompt().await;
    let long = "lorem ".repeat(1_200);
    bench.inbox.gives(Became::Hint, &long);

    sara.says(&sara.direct(), "7");
    let (_, posted) = bench.until("the report", || bench.inbox.shown().pop()).await;

    assert_eq!(posted.messages.len(), 2);
    let told: usize = sara
        .sees(&sara.direct())
        .iter()
        .map(|seen| seen.text.matches("lorem").count())
        .sum();
    assert_eq!(told, 1_200);
    assert_eq!(bench.fake.violations(), Vec::<String>::new());
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn in_a_topic_the_answer_stands_in_the_topic() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    let topic = bench.fake.forum("Shop", &[&sara]).open_topic("Releases");
    let listening = bench.listen().await;
    bench.inbox.gives(Became::Hint, "No question is open here.");

    sara.says(&topic, "@askd_test_bot 2");

    bench.until("the hint", || sara.sees_last(&topic)).await;
    assert_eq!(bench.fake.violations(), Vec::<String>::new());
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn many_receipts_in_one_chat_come_one_after_the_other() {
    let bench = Bench::new().await;
    let sara = bench.fake.person("Sara");
    for n in 0..8 {
        sara.says(&sara.direct(), "7");
        bench.inbox.gives(Became::Hint, &format!("Hint {n}."));
    }
    bench.fake.fail("sendMessage", 2, Fault::Throttled { seconds: 5 });

    let listening = bench.listen().await;
    let all = || Some(sara.sees(&sara.direct())).filter(|seen| seen.len() == 16);
    let seen = bench.in_time("all hints", all).await;

    let hints: Vec<String> = seen
        .into_iter()
        .filter(|seen| seen.by_bot)
        .map(|seen| seen.text)
        .collect();
    let expected: Vec<String> = (0..8).map(|n| format!("Hint {n}.")).collect();
    assert_eq!(hints, expected);
    assert_eq!(
        bench.fake.counts()["sendMessage"],
        8 + 2,
        "only the first was refused"
    );
    listening.stop().await.unwrap();
}
