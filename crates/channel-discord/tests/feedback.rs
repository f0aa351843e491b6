//! What people are told.

use std::time::Duration;

use askd_core::{
    inbound::{Act, Became},
    present::{Controls, Line, Message, Span, Style},
};
use askd_testkit::discord::{Fault, Outcome, Permission, Person, Place, Press};

use crate::bench::{Bench, named, settled, write_own};

/// What somebody sees of a press, once it is more than waiting.
async fn outcome(bench: &Bench, press: &Press) -> Outcome {
    // Time stands still: what takes three seconds has failed.
    bench.until("an outcome", || press.settled()).await
}

/// Lets so much time pass after so many events were handed in that an answer cannot wait for a receipt any more.
async fn no_receipt_in_time(bench: &Bench, events: usize) {
    bench
        .until("the events", || (bench.inbox.asked() == events).then_some(()))
        .await;
    bench.clock.advance(Duration::from_millis(1500));
}

fn over() -> Message {
    let span = Span {
        text: "Production: Sara".to_owned(),
        style: Style::Strong,
    };
    Message {
        lines: vec![Line { spans: vec![span] }],
        controls: Controls::None,
    }
}

fn alone(text: &str) -> Outcome {
    Outcome::Alone(text.to_owned())
}

/// 10062: it took too long.
fn too_late() -> Fault {
    Fault::refused(404, 10_062, "Unknown interaction")
}

/// The newest message at a place.
fn last(who: &Person, at: &Place) -> String {
    who.sees(at).pop().unwrap().text
}

#[tokio::test]
async fn a_press_that_counted_changes_its_message_at_once() {
    let (bench, sara, listening) = Bench::with_prompt().await;
    bench.inbox.gives_this(settled(over()));

    let press = sara.presses(&sara.direct(), "Production");
    let outcome = outcome(&bench, &press).await;

    assert_eq!(outcome, Outcome::Changed("Production: Sara".to_owned()));
    let seen = sara.sees(&sara.direct());
    assert_eq!(seen.len(), 1, "no message beside the prompt");
    assert!(seen[0].buttons.is_empty());
    assert!(bench.inbox.shown().is_empty());
    assert_eq!(bench.fake.violations(), [""; 0]);
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn a_press_is_answered_for_one_person_alone() {
    let (bench, sara, ops, listening) = Bench::with_prompt_in_a_channel().await;
    bench.inbox.gives(Became::NotYours, "You may *not* answer.");
    bench.inbox.gives(Became::TooLate, "It is over.");
    bench.inbox.gives(Became::Settled, "Thank you.");
    bench.inbox.gives(Became::Ignored, "");

    let mut outcomes = Vec::new();
    for _ in 0..4 {
        let press = sara.presses(&ops, "Production");
        outcomes.push(outcome(&bench, &press).await);
    }

    let expected = [
        alone("You may *not* answer."),
        alone("It is over."),
        Outcome::Stopped,
        Outcome::Stopped,
    ];
    assert_eq!(outcomes, expected);
    assert!(
        bench.inbox.shown().is_empty(),
        "nobody can reply to what one sees alone"
    );
    assert_eq!(bench.fake.violations(), [""; 0]);
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn other_opens_a_form_with_the_header_and_what_is_sent_in_counts() {
    let (bench, sara, ops, listening) = Bench::with_prompt_in_a_channel().await;
    bench.inbox.gives(write_own(), "Please write.");
    bench.inbox.gives(Became::Hint, "Too long.");
    bench.inbox.gives(write_own(), "Please write.");
    bench.inbox.gives_this(settled(over()));

    let mut outcomes = Vec::new();
    for text in ["very long", "neither,\nplease wait"] {
        let press = sara.presses(&ops, "Other…");
        let Outcome::Form(form) = outcome(&bench, &press).await else {
            panic!("no form: {:?}", press.outcome())
        };
        assert_eq!(form.title, "Target");
        assert_eq!(form.inputs.len(), 1);
        assert_eq!(form.inputs[0].label, "Your answer");
        outcomes.push(outcome(&bench, &sara.fills(text)).await);
    }
    listening.stop().await.unwrap();

    assert_eq!(
        outcomes,
        [
            alone("Too long."),
            Outcome::Changed("Production: Sara".to_owned())
        ]
    );
    let taken = bench.inbox.taken();
    let Act::Filled {
        text,
        message,
        payload,
    } = &taken[3].act
    else {
        panic!("{taken:?}")
    };
    assert_eq!(text, "neither,\nplease wait");
    assert_eq!(payload.rsplit_once('.').unwrap().1, "other");
    let prompt = message.as_ref().unwrap().message.as_str();
    assert_eq!(prompt, named(sara.sees(&ops)[0].at));
    assert_eq!(bench.fake.violations(), [""; 0]);
}

#[tokio::test]
async fn a_press_without_a_receipt_is_taken_over_and_followed_up() {
    let (bench, sara, ops, listening) = Bench::with_prompt_in_a_channel().await;
    for became in [Became::Hint, Became::Settled] {
        bench.inbox.holds(became, "After all.");
    }

    let presses = [sara.presses(&ops, "Production"), sara.presses(&ops, "Skip")];
    no_receipt_in_time(&bench, 2).await;
    for press in &presses {
        assert_eq!(outcome(&bench, press).await, Outcome::Stopped, "in time");
    }
    bench.inbox.lets_go();
    bench
        .until("a follow-up", || {
            (!presses[0].followed().is_empty()).then_some(())
        })
        .await;
    listening.stop().await.unwrap();

    assert_eq!(presses[0].followed(), ["After all."]);
    assert_eq!(presses[1].followed(), [""; 0], "the message itself shows it");
    assert!(
        sara.sees(&ops)
            .iter()
            .any(|seen| seen.alone && seen.text == "After all.")
    );
    assert_eq!(bench.fake.violations(), [""; 0]);
}

#[tokio::test]
async fn other_without_a_receipt_opens_a_form_all_the_same() {
    let (bench, sara, ops, listening) = Bench::with_prompt_in_a_channel().await;
    bench.inbox.holds(write_own(), "Please write.");
    bench.inbox.gives(Became::NotYours, "You may not answer.");

    let press = sara.presses(&ops, "Other…");
    no_receipt_in_time(&bench, 1).await;
    let Outcome::Form(form) = outcome(&bench, &press).await else {
        panic!("no form: {:?}", press.outcome())
    };
    bench.inbox.lets_go();
    bench.heard(1).await;
    let sent_in = outcome(&bench, &sara.fills("neither")).await;
    listening.stop().await.unwrap();

    assert_eq!(form.title, "Other…");
    assert_eq!(sent_in, alone("You may not answer."), "rights are looked at then");
    assert_eq!(press.followed(), [""; 0]);
    assert_eq!(bench.fake.violations(), [""; 0]);
}

#[tokio::test]
async fn a_form_without_a_receipt_shows_that_it_is_on_its_way() {
    let (bench, sara, ops, listening) = Bench::with_prompt_in_a_channel().await;
    bench.inbox.gives(write_own(), "Please write.");
    bench.inbox.holds(Became::Settled, "Thank you.");
    let press = sara.presses(&ops, "Other…");
    outcome(&bench, &press).await;

    let sent_in = sara.fills("neither");
    no_receipt_in_time(&bench, 2).await;
    bench
        .until("a sign of life", || {
            let answers = bench.fake.counts()["create_interaction_response"];
            (answers == 2).then_some(())
        })
        .await;
    assert_eq!(sent_in.outcome(), Outcome::Waiting, "a message on its way");
    bench.inbox.lets_go();

    assert_eq!(outcome(&bench, &sent_in).await, alone("Thank you."));
    assert_eq!(sent_in.followed(), [""; 0], "the one message is filled");
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn a_command_is_answered_privately_where_others_read_and_openly_where_nobody_does() {
    let (bench, sara, ops, listening) = Bench::with_prompt_in_a_channel().await;
    bench.inbox.gives(Became::Told, "One question is open.");
    bench.inbox.gives(Became::Told, "None is open.");

    let among_others = outcome(&bench, &sara.uses(&ops, "pending", None)).await;
    let direct = outcome(&bench, &sara.uses(&sara.direct(), "pending", None)).await;
    let (_, posted) = bench.until("the report", || bench.inbox.shown().pop()).await;
    listening.stop().await.unwrap();

    assert_eq!(among_others, alone("One question is open."));
    assert_eq!(direct, Outcome::Said("None is open.".to_owned()));
    assert_eq!(bench.inbox.shown().len(), 1, "one can reply to it");
    let seen = sara.sees(&sara.direct()).pop().unwrap();
    assert!(!seen.rang);
    assert_eq!(posted.at, bench.address(&sara.direct()));
    assert_eq!(posted.messages[0].message.as_str(), named(seen.at));
    assert_eq!(bench.inbox.heard(), ["/pending", "/pending"]);
    assert!(bench.inbox.taken()[1].direct);
    assert_eq!(bench.fake.violations(), [""; 0]);
}

#[tokio::test]
async fn a_command_that_is_to_get_no_answer_leaves_nothing_behind() {
    let (bench, sara, ops, listening) = Bench::with_prompt_in_a_channel().await;

    let ignored = outcome(&bench, &sara.uses(&ops, "help", None)).await;
    bench.inbox.holds(Became::Ignored, "");
    let late = sara.uses(&sara.direct(), "start", Some("0123456789abcdef"));
    no_receipt_in_time(&bench, 2).await;
    bench
        .until("a sign of life", || {
            let answers = bench.fake.counts()["create_interaction_response"];
            (answers == 2).then_some(())
        })
        .await;
    bench.inbox.lets_go();
    let late = bench
        .until("it to go", || {
            Some(late.outcome()).filter(|outcome| *outcome == Outcome::Gone)
        })
        .await;
    listening.stop().await.unwrap();

    assert_eq!([ignored, late], [Outcome::Gone, Outcome::Gone]);
    assert_eq!(bench.inbox.heard()[1], "/start 0123456789abcdef");
    assert_eq!(sara.sees(&sara.direct()), []);
    assert_eq!(bench.fake.violations(), [""; 0]);
}

#[tokio::test]
async fn a_refused_answer_is_followed_by_a_plainer_one() {
    let (bench, sara, ops, listening) = Bench::with_prompt_in_a_channel().await;
    bench.inbox.gives_this(settled(over()));
    bench.inbox.gives(Became::Hint, "Only 1 or 2.");
    bench.inbox.gives(write_own(), "Please write.");
    bench.inbox.gives(Became::Told, "Nothing is open.");

    let refused = || {
        bench
            .fake
            .fail_next("create_interaction_response", Fault::invalid_form());
    };
    refused();
    let changed = sara.presses(&ops, "Production");
    assert_eq!(outcome(&bench, &changed).await, Outcome::Stopped);
    refused();
    let hint = sara.presses(&ops, "Production");
    assert_eq!(outcome(&bench, &hint).await, Outcome::Stopped);
    bench
        .until("the hint", || (!hint.followed().is_empty()).then_some(()))
        .await;
    refused();
    let form = sara.presses(&ops, "Other…");
    let Outcome::Form(form) = outcome(&bench, &form).await else {
        panic!("no form: {:?}", form.outcome())
    };
    refused();
    let command = sara.uses(&ops, "pending", None);
    let told = outcome(&bench, &command).await;
    listening.stop().await.unwrap();

    assert_eq!(changed.followed(), [""; 0], "its message shows it in a moment");
    assert_eq!(hint.followed(), ["Only 1 or 2."]);
    assert_eq!(form.title, "Other…", "without what was refused");
    assert_eq!(told, alone("Nothing is open."));
}

#[tokio::test]
async fn an_answer_that_is_lost_is_given_once_more() {
    let (bench, sara, ops, listening) = Bench::with_prompt_in_a_channel().await;
    for done in [false, true] {
        bench.inbox.gives(Became::Hint, "Only 1 or 2.");
        bench
            .fake
            .fail_next("create_interaction_response", Fault::Lost { done });

        let press = sara.presses(&ops, "Production");

        assert_eq!(outcome(&bench, &press).await, alone("Only 1 or 2."), "{done}");
    }
    bench
        .until("all answers", || {
            (bench.fake.counts()["create_interaction_response"] == 4).then_some(())
        })
        .await;
    listening.stop().await.unwrap();

    assert!(
        sara.sees(&ops)
            .iter()
            .all(|seen| seen.reply_to.is_none() || seen.alone)
    );
}

#[tokio::test]
async fn what_can_no_longer_be_said_privately_is_said_below_the_prompt() {
    let (bench, sara, ops, listening) = Bench::with_prompt_in_a_channel().await;
    bench.inbox.gives(Became::TooLate, "It is over.");
    bench.inbox.gives(Became::Settled, "Thank you.");
    bench.fake.fail("create_interaction_response", 2, too_late());

    sara.presses(&ops, "Production");
    bench
        .until("the words", || (last(&sara, &ops) == "It is over.").then_some(()))
        .await;
    sara.presses(&ops, "Production");
    bench.heard(2).await;
    bench
        .until("both answers", || {
            (bench.fake.counts()["create_interaction_response"] == 2).then_some(())
        })
        .await;
    listening.stop().await.unwrap();

    let seen = sara.sees(&ops);
    assert_eq!(seen.len(), 2, "what counted, the prompt shows: {seen:?}");
    assert_eq!(seen[1].reply_to, Some(seen[0].at));
    assert!(!seen[1].rang && !seen[1].pings);
}

#[tokio::test]
async fn what_was_not_saved_is_said_to_whoever_pressed() {
    let (bench, sara, ops, listening) = Bench::with_prompt_in_a_channel().await;
    bench.inbox.refuses();

    let press = sara.presses(&ops, "Production");

    assert_eq!(outcome(&bench, &press).await, alone("Not saved."));
    assert!(bench.inbox.heard().is_empty(), "and is pressed again");
    listening.stop().await.unwrap();
}

#[tokio::test]
async fn a_text_is_answered_by_a_silent_reply_to_which_one_can_reply() {
    let (bench, sara, ops, listening) = Bench::with_prompt_in_a_channel().await;
    bench.inbox.gives(Became::Hint, "Only *1* or 2, @everyone.");

    let said = sara.mentions_bot(&ops, "7");
    let seen = bench
        .until("the hint", || {
            sara.sees(&ops).pop().filter(|seen| seen.reply_to.is_some())
        })
        .await;
    let (receipt, posted) = bench.until("the report", || bench.inbox.shown().pop()).await;
    sara.says(&ops, "ignored");
    bench.heard(2).await;
    listening.stop().await.unwrap();

    assert_eq!(seen.text, "Only *1* or 2, @everyone.");
    assert_eq!(seen.reply_to, Some(said));
    assert!(!seen.rang && !seen.pings);
    assert_eq!(receipt.text, "Only *1* or 2, @everyone.");
    assert_eq!(posted.at, bench.address(&ops));
    assert_eq!(posted.messages[0].message.as_str(), named(seen.at));
    assert_eq!(last(&sara, &ops), "ignored", "and is not answered");
    assert_eq!(bench.fake.violations(), [""; 0]);
}

#[tokio::test]
async fn a_receipt_waits_for_a_pause_and_is_never_said_twice() {
    let (bench, sara, listening) = Bench::with_prompt().await;
    for text in ["First.", "Second.", "Third."] {
        bench.inbox.gives(Became::Hint, text);
    }
    let pause = Duration::from_secs(5);
    bench.fake.fail_next("create_message", Fault::Throttled { pause });
    let before = bench.millis();

    sara.says(&sara.direct(), "1");
    bench
        .in_time("the first", || {
            (last(&sara, &sara.direct()) == "First.").then_some(())
        })
        .await;
    let waited = bench.millis() - before;
    bench.fake.fail_next("create_message", Fault::Lost { done: true });
    sara.says(&sara.direct(), "2");
    bench
        .in_time("the second", || {
            (last(&sara, &sara.direct()) == "Second.").then_some(())
        })
        .await;
    let pause = Duration::from_mins(5);
    bench.fake.fail_next("create_message", Fault::Throttled { pause });
    sara.says(&sara.direct(), "3");
    bench.heard(3).await;
    listening.stop().await.unwrap();

    let seen = sara.sees(&sara.direct());
    let texts: Vec<_> = seen.iter().skip(1).map(|seen| seen.text.as_str()).collect();
    assert_eq!(
        texts,
        ["1", "First.", "2", "Second.", "3"],
        "too long a pause is not worth it"
    );
    assert!(waited >= 5_000, "{waited} ms");
}

#[tokio::test]
async fn a_receipt_for_a_text_that_is_gone_stands_by_itself() {
    let (bench, sara, listening) = Bench::with_prompt().await;
    bench.inbox.holds(Became::Hint, "Only 1 or 2.");

    let said = sara.says(&sara.direct(), "7");
    bench
        .in_time("it to be told", || bench.fake.is_idle().then_some(()))
        .await;
    sara.deletes(said);
    bench.inbox.lets_go();
    bench
        .in_time("the hint", || {
            (last(&sara, &sara.direct()) == "Only 1 or 2.").then_some(())
        })
        .await;
    listening.stop().await.unwrap();

    assert_eq!(sara.sees(&sara.direct()).pop().unwrap().reply_to, None);
}

#[tokio::test]
async fn where_the_bot_may_not_reply_to_a_text_its_answer_stands_by_itself() {
    let (bench, sara, ops, listening) = Bench::with_prompt_in_a_channel().await;
    ops.denies(Permission::ReadMessageHistory);
    bench.inbox.gives(Became::Hint, "Only 1 or 2.");

    sara.mentions_bot(&ops, "7");
    let seen = bench
        .in_time("the hint", || {
            sara.sees_last(&ops).filter(|seen| seen.text == "Only 1 or 2.")
        })
        .await;
    listening.stop().await.unwrap();

    assert_eq!(seen.reply_to, None);
}
