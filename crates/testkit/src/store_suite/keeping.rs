//! Partial answers: kept per person, and complete they end the ask.

use std::sync::Arc;

use askd_core::{
    answer::Answers,
    id::{Address, QuestionId},
    stage::{Closed, End, Kept},
    store::{Failure, PutBack, Record, Verdict},
};

use super::{Bench, Case, all_at_once, at, named, omid, sara};
use crate::sample;

pub(super) fn cases() -> Vec<Case> {
    named![
        a_partial_answer_is_kept_and_what_is_missing_is_told,
        a_later_answer_to_the_same_question_replaces_the_earlier,
        two_people_are_kept_apart,
        the_last_missing_answer_ends_the_ask_with_all_of_them,
        two_accounts_of_one_person_fill_one_set,
        answers_that_complete_each_other_at_once_end_the_ask_once,
        a_partial_answer_to_an_ask_that_is_over_is_lost,
        a_partial_answer_at_the_deadline_is_late,
        who_answered_a_part_elsewhere_has_seen_the_ask,
        a_keep_heard_again_changes_nothing,
        a_completing_keep_heard_again_is_no_loss,
    ]
}

async fn a_partial_answer_is_kept_and_what_is_missing_is_told(bench: Bench) {
    let record = two_questions(&bench).await;

    let kept = keep(&bench, &record, "sara", &sara(), "deploy_target", 1).await;

    let stored = bench.get(record.ask.id).await;
    assert_eq!(stored.ask.status(), "pending");
    assert_eq!(
        stored.ask.kept(&sample::person("sara")),
        sample::answers("deploy_target", 1, &sara())
    );
    let missing = vec![QuestionId::new("alerts")];
    assert_eq!(
        kept,
        Kept::Open {
            ask: Box::new(stored.ask),
            missing
        }
    );
}

async fn a_later_answer_to_the_same_question_replaces_the_earlier(bench: Bench) {
    let record = two_questions(&bench).await;

    keep(&bench, &record, "sara", &sara(), "deploy_target", 1).await;
    keep(&bench, &record, "sara", &sara(), "deploy_target", 0).await;

    let stored = bench.get(record.ask.id).await;
    assert_eq!(
        stored.ask.kept(&sample::person("sara")),
        sample::answers("deploy_target", 0, &sara())
    );
}

async fn two_people_are_kept_apart(bench: Bench) {
    let record = two_questions(&bench).await;

    keep(&bench, &record, "sara", &sara(), "deploy_target", 1).await;
    keep(&bench, &record, "omid", &omid(), "alerts", 2).await;

    let stored = bench.get(record.ask.id).await;
    assert_eq!(stored.ask.status(), "pending", "nobody's set is complete");
    assert_eq!(
        stored.ask.kept(&sample::person("sara")),
        sample::answers("deploy_target", 1, &sara())
    );
    assert_eq!(
        stored.ask.kept(&sample::person("omid")),
        sample::answers("alerts", 2, &omid())
    );
}

async fn the_last_missing_answer_ends_the_ask_with_all_of_them(bench: Bench) {
    let record = two_questions(&bench).await;

    keep(&bench, &record, "omid", &omid(), "deploy_target", 0).await;
    keep(&bench, &record, "sara", &sara(), "deploy_target", 1).await;
    let kept = keep(&bench, &record, "sara", &sara(), "alerts", 2).await;

    let stored = bench.get(record.ask.id).await;
    let all = both(&sara(), &sara());
    let end = End::Answered {
        answers: all,
        by: sample::by("sara", &sara()),
    };
    assert_eq!(
        stored.ask.outcome().map(|outcome| &outcome.end),
        Some(&end),
        "sara's answers, not omid's"
    );
    assert_eq!(kept, Kept::Closed(Closed::Now(Box::new(stored.ask))));
}

async fn two_accounts_of_one_person_fill_one_set(bench: Bench) {
    let record = two_questions(&bench).await;
    let on_slack = sample::address("slack:D1");

    keep(&bench, &record, "sara", &sara(), "deploy_target", 1).await;
    keep(&bench, &record, "sara", &on_slack, "alerts", 2).await;

    let end = End::Answered {
        answers: both(&sara(), &on_slack),
        by: sample::by("sara", &on_slack),
    };
    let stored = bench.get(record.ask.id).await;
    assert_eq!(stored.ask.outcome().map(|outcome| &outcome.end), Some(&end));
}

async fn answers_that_complete_each_other_at_once_end_the_ask_once(bench: Bench) {
    for _ in 0..8 {
        let id = two_questions(&bench).await.ask.id;

        let kept = all_at_once([("deploy_target", 1), ("alerts", 2)].map(|(question, position)| {
            let store = Arc::clone(&bench.store);
            let (answers, by) = (
                sample::answers(question, position, &sara()),
                sample::by("sara", &sara()),
            );
            async move { store.keep(id, answers, by, None, at(1)).await.unwrap().unwrap() }
        }))
        .await;

        let ended = kept
            .iter()
            .filter(|kept| matches!(kept, Kept::Closed(Closed::Now(_))))
            .count();
        assert_eq!(ended, 1);
        let end = End::Answered {
            answers: both(&sara(), &sara()),
            by: sample::by("sara", &sara()),
        };
        assert_eq!(
            bench.get(id).await.ask.outcome().map(|outcome| &outcome.end),
            Some(&end)
        );
    }
}

async fn a_partial_answer_to_an_ask_that_is_over_is_lost(bench: Bench) {
    let record = two_questions(&bench).await;
    bench
        .store
        .close(record.ask.id, End::Cancelled, None, at(1))
        .await
        .unwrap();

    let kept = keep(&bench, &record, "sara", &sara(), "deploy_target", 1).await;

    let stored = bench.get(record.ask.id).await;
    assert_eq!(stored.ask.status(), "cancelled");
    assert_eq!(kept, Kept::Closed(Closed::Lost(Box::new(stored.ask))));
}

async fn a_partial_answer_at_the_deadline_is_late(bench: Bench) {
    let record = two_questions(&bench).await;
    let (answers, by) = (sample::answers("alerts", 0, &sara()), sample::by("sara", &sara()));

    let kept = bench
        .store
        .keep(record.ask.id, answers, by, None, record.ask.deadline)
        .await
        .unwrap();

    let stored = bench.get(record.ask.id).await;
    assert_eq!(stored.ask.status(), "expired");
    assert_eq!(kept, Some(Kept::Closed(Closed::Lost(Box::new(stored.ask)))));
}

async fn who_answered_a_part_elsewhere_has_seen_the_ask(bench: Bench) {
    let questions = sample::questions([sample::target(), sample::alerts()]);
    let record = bench.ask(bench.sample().questions(questions)).await;
    let panel = sample::address("http:sara");
    keep(&bench, &record, "sara", &panel, "deploy_target", 1).await;
    let task = bench.claim_one(at(1)).await;

    let how = PutBack::GiveUp(Failure::Unreachable);
    let ended = bench
        .store
        .put_back(record.ask.id, task.delivery.id, how, at(2))
        .await
        .unwrap();
    assert!(!ended, "although its only channel failed");
    bench.store.expire(at(900)).await.unwrap();

    assert_eq!(bench.get(record.ask.id).await.ask.status(), "expired");
}

async fn a_keep_heard_again_changes_nothing(bench: Bench) {
    let record = two_questions(&bench).await;
    let heard = bench
        .samples
        .heard(&sara(), Some(record.ask.id), "said", Verdict::Kept, at(1));
    let keep = async |position| {
        let (answers, by) = (
            sample::answers("alerts", position, &sara()),
            sample::by("sara", &sara()),
        );
        bench
            .store
            .keep(record.ask.id, answers, by, Some(heard.clone()), at(1))
            .await
            .unwrap()
            .unwrap()
    };
    let first = keep(1).await;
    let stored = bench.get(record.ask.id).await;

    let again = keep(2).await;

    assert_eq!(again, first, "told what is stored");
    assert_eq!(bench.get(record.ask.id).await, stored);
    assert_eq!(
        bench.store.heard(&heard.channel, &heard.event).await.unwrap(),
        Some(heard)
    );
}

async fn a_completing_keep_heard_again_is_no_loss(bench: Bench) {
    let record = bench.shown(bench.sample(), &["m1"]).await;
    let heard = bench
        .samples
        .heard(&sara(), Some(record.ask.id), "said", Verdict::Settled, at(1));
    let keep = async || {
        let (answers, by) = (
            sample::answers("deploy_target", 1, &sara()),
            sample::by("sara", &sara()),
        );
        bench
            .store
            .keep(record.ask.id, answers, by, Some(heard.clone()), at(1))
            .await
            .unwrap()
            .unwrap()
    };
    keep().await;

    let again = keep().await;

    assert_eq!(
        again,
        Kept::Closed(Closed::Before(Box::new(bench.get(record.ask.id).await.ask)))
    );
}

async fn two_questions(bench: &Bench) -> Record {
    let questions = sample::questions([sample::target(), sample::alerts()]);
    bench.shown(bench.sample().questions(questions), &["m1"]).await
}

/// Production, given at the first, and nobody, given at the second.
fn both(first: &Address, second: &Address) -> Answers {
    let mut all = sample::answers("deploy_target", 1, first);
    all.merge(sample::answers("alerts", 2, second));
    all
}

async fn keep(
    bench: &Bench,
    record: &Record,
    who: &str,
    from: &Address,
    question: &str,
    position: usize,
) -> Kept {
    let (answers, by) = (sample::answers(question, position, from), sample::by(who, from));
    bench
        .store
        .keep(record.ask.id, answers, by, None, at(1))
        .await
        .unwrap()
        .expect("the ask is stored")
}
