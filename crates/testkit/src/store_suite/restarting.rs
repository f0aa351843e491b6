//! A restart in the middle of everything.

use std::time::Duration;

use askd_core::{
    id::{Address, MessageRef, PersonName},
    people::Tie,
    stage::{Closed, End},
    store::{
        Asked, CodeHash, DeliveryState, Failure, Filter, MessageRole, PairingCode, PutBack, Record, Redeemed,
        Verdict, Work,
    },
};

use super::{Bench, CLAIM, Case, at, named, omid, sara};
use crate::{clock::START, sample};

pub(super) fn cases() -> Vec<Case> {
    named![
        asks_in_every_stage_come_back_as_they_were,
        buttons_and_messages_still_lead_to_their_ask,
        a_partial_answer_is_completed_after_the_restart,
        a_claim_outlives_the_one_who_held_it_and_runs_out,
        a_post_that_died_with_its_process_is_looked_for_once_its_ask_is_over,
        an_edit_that_was_queued_is_still_to_do,
        what_fell_due_meanwhile_ends_as_it_should,
        a_repeat_after_the_restart_is_still_a_repeat,
        an_event_heard_before_the_restart_is_still_known,
        pairing_ties_and_leases_survive,
        what_was_said_once_stays_said,
        changes_after_the_restart_are_told,
    ]
}

async fn asks_in_every_stage_come_back_as_they_were(bench: Bench) {
    let full = |n| {
        let questions = sample::questions([sample::target(), sample::alerts()]);
        let sample = bench
            .samples
            .ask(at(n))
            .questions(questions)
            .to(&["telegram:1", "slack:C1"]);
        sample
            .session("web-7")
            .run("r1")
            .context(300)
            .key(&format!("k{n}"), 1)
    };
    let queued = bench.ask(full(0)).await.ask.id;
    let shown = bench.shown(full(1), &["m1", "m2"]).await.ask.id;
    let kept = bench.shown(full(2), &["m3"]).await.ask.id;
    let (answers, by) = (sample::answers("alerts", 1, &sara()), sample::by("sara", &sara()));
    bench.store.keep(kept, answers, by, None, at(3)).await.unwrap();
    let answered = bench.shown(full(3), &["m4"]).await.ask.id;
    bench
        .store
        .close(answered, sample::answered("sara", &sara()), None, at(4))
        .await
        .unwrap();
    let skipped = bench.shown(full(4), &["m5"]).await.ask.id;
    bench
        .store
        .close(
            skipped,
            End::Skipped {
                by: sample::by("omid", &omid()),
            },
            None,
            at(5),
        )
        .await
        .unwrap();
    let retried = bench.ask(full(5)).await;
    bench
        .store
        .put_back(
            retried.ask.id,
            retried.deliveries[0].id,
            PutBack::Retry(at(60)),
            at(6),
        )
        .await
        .unwrap();
    let how = PutBack::GiveUp(Failure::Rejected);
    bench
        .store
        .put_back(retried.ask.id, retried.deliveries[1].id, how, at(6))
        .await
        .unwrap();
    bench.claim("slack", at(7), 1).await;
    let before = everything(&bench).await;
    assert_eq!(before.len(), 6);

    let bench = bench.restarted().await;

    assert_eq!(everything(&bench).await, before);
    for id in [queued, shown, kept, answered, skipped, retried.ask.id] {
        assert!(before.contains(&bench.get(id).await));
    }
}

async fn buttons_and_messages_still_lead_to_their_ask(bench: Bench) {
    let record = bench.shown(bench.sample(), &["m1"]).await;
    bench
        .store
        .add_note(
            record.ask.id,
            &sample::posted(&sara(), &["write"]),
            MessageRole::OwnWords,
        )
        .await
        .unwrap();
    let record = bench.get(record.ask.id).await;

    let bench = bench.restarted().await;

    assert_eq!(
        bench.store.by_action(record.ask.action).await.unwrap(),
        Some(record.clone())
    );
    for (message, role) in [("m1", MessageRole::Prompt), ("write", MessageRole::OwnWords)] {
        let owner = bench
            .store
            .by_message(&sara().channel, &MessageRef::new(message))
            .await
            .unwrap();
        assert_eq!(
            owner.map(|owner| (owner.ask, owner.role)),
            Some((record.ask.id, role))
        );
    }
    assert_eq!(bench.store.open_at(&sara()).await.unwrap(), [record]);
}

async fn a_partial_answer_is_completed_after_the_restart(bench: Bench) {
    let questions = sample::questions([sample::target(), sample::alerts()]);
    let id = bench
        .shown(bench.sample().questions(questions), &["m1"])
        .await
        .ask
        .id;
    let by = sample::by("sara", &sara());
    bench
        .store
        .keep(id, sample::answers("alerts", 1, &sara()), by.clone(), None, at(1))
        .await
        .unwrap();

    let bench = bench.restarted().await;
    bench
        .store
        .keep(id, sample::answers("deploy_target", 0, &sara()), by, None, at(2))
        .await
        .unwrap();

    let stored = bench.get(id).await;
    let Some(End::Answered { answers, .. }) = stored.ask.outcome().map(|outcome| &outcome.end) else {
        panic!("not answered: {}", stored.ask.status());
    };
    assert!(answers.missing(&stored.ask.questions).is_empty());
}

async fn a_claim_outlives_the_one_who_held_it_and_runs_out(bench: Bench) {
    bench.ask(bench.sample()).await;
    bench.claim_one(START).await;

    let bench = bench.restarted().await;

    assert_eq!(bench.claim("telegram", at(59), 10).await, []);
    assert_eq!(bench.next_due("telegram").await, Some(START + CLAIM));
    assert_eq!(bench.claim_one(at(60)).await.work, Work::Post);
}

async fn a_post_that_died_with_its_process_is_looked_for_once_its_ask_is_over(bench: Bench) {
    for found in [true, false] {
        let record = bench.ask(bench.sample()).await;
        let (ask, delivery) = (record.ask.id, record.deliveries[0].id);
        bench.claim_one(at(1)).await;

        let telegram = sample::channel("telegram");
        bench.store.let_go(&telegram, at(2)).await.unwrap();
        bench.store.close(ask, End::Cancelled, None, at(3)).await.unwrap();

        assert_eq!(bench.claim_one(at(3)).await.work, Work::Find);
        if found {
            let posted = sample::posted(&sara(), &["m1"]);
            bench.store.posted(ask, delivery, &posted, at(4)).await.unwrap();
            assert_eq!(bench.claim_one(at(4)).await.work, Work::Settle);
            bench.store.settled(ask, delivery, None).await.unwrap();
        } else {
            let how = PutBack::GiveUp(Failure::Unreachable);
            bench.store.put_back(ask, delivery, how, at(4)).await.unwrap();
            assert_eq!(bench.get(ask).await.deliveries[0].state, DeliveryState::Dropped);
        }
    }
}

async fn an_edit_that_was_queued_is_still_to_do(bench: Bench) {
    let record = bench.shown(bench.sample(), &["m1"]).await;
    bench
        .store
        .close(record.ask.id, End::Cancelled, None, at(1))
        .await
        .unwrap();

    let bench = bench.restarted().await;

    assert_eq!(
        bench.store.channels_with_work().await.unwrap(),
        [sample::channel("telegram")]
    );
    assert_eq!(bench.claim_one(at(1)).await.work, Work::Settle);
}

async fn what_fell_due_meanwhile_ends_as_it_should(bench: Bench) {
    let shown = bench.shown(bench.sample(), &["m1"]).await.ask.id;
    let unseen = bench.ask(bench.sample()).await.ask.id;

    let bench = bench.restarted().await;
    assert_eq!(bench.store.next_deadline().await.unwrap(), Some(at(900)));
    bench.store.expire(at(5000)).await.unwrap();

    assert_eq!(bench.get(shown).await.ask.status(), "expired");
    assert_eq!(
        bench.get(shown).await.deliveries[0].state,
        DeliveryState::Settling
    );
    assert_eq!(bench.get(unseen).await.ask.status(), "undelivered");
}

async fn a_repeat_after_the_restart_is_still_a_repeat(bench: Bench) {
    let record = bench.ask(bench.sample().key("k", 1)).await;

    let bench = bench.restarted().await;

    let same = bench
        .store
        .ask(bench.sample().key("k", 1).new_ask())
        .await
        .unwrap();
    let other = bench
        .store
        .ask(bench.sample().key("k", 2).new_ask())
        .await
        .unwrap();
    assert_eq!((same, other), (Asked::Repeat(Box::new(record)), Asked::OtherBody));
}

async fn an_event_heard_before_the_restart_is_still_known(bench: Bench) {
    let record = bench.shown(bench.sample(), &["m1"]).await;
    let id = record.ask.id;
    let heard = bench
        .samples
        .heard(&sara(), Some(id), "tap", Verdict::Settled, at(1));
    let end = sample::answered("sara", &sara());
    bench
        .store
        .close(id, end.clone(), Some(heard.clone()), at(1))
        .await
        .unwrap();

    let bench = bench.restarted().await;

    assert_eq!(
        bench.store.heard(&heard.channel, &heard.event).await.unwrap(),
        Some(heard.clone())
    );
    let again = bench.store.close(id, end, Some(heard), at(2)).await.unwrap();
    assert_eq!(again, Some(Closed::Before(Box::new(bench.get(id).await.ask))));
}

async fn pairing_ties_and_leases_survive(bench: Bench) {
    let person = PersonName::new("sara");
    let tie = Tie {
        account: omid(),
        person: PersonName::new("omid"),
        at: START,
        revoked: true,
    };
    bench.store.tie(tie.clone()).await.unwrap();
    let code = PairingCode {
        hash: CodeHash([1; 32]),
        person: person.clone(),
        expires: at(600),
    };
    bench.store.put_code(code).await.unwrap();
    let wrong = bench
        .store
        .redeem(&CodeHash([9; 32]), &omid(), true, START, 1)
        .await
        .unwrap();
    assert_eq!(wrong, Redeemed::Unknown);
    assert!(
        bench
            .store
            .lease(&sample::channel("telegram"), "a", START, at(30))
            .await
            .unwrap()
    );

    let bench = bench.restarted().await;

    assert_eq!(bench.store.ties().await.unwrap(), [tie]);
    let redeem = async |account: Address| {
        bench
            .store
            .redeem(&CodeHash([1; 32]), &account, true, at(1), 1)
            .await
            .unwrap()
    };
    assert_eq!(
        redeem(omid()).await,
        Redeemed::TooOften,
        "wrong codes stay counted"
    );
    assert_eq!(redeem(sara()).await, Redeemed::Tied(person));
    assert!(
        !bench
            .store
            .lease(&sample::channel("telegram"), "b", at(1), at(30))
            .await
            .unwrap()
    );
}

async fn what_was_said_once_stays_said(bench: Bench) {
    let every = Duration::from_mins(10);
    bench.store.say_once("k", START, every).await.unwrap();

    let bench = bench.restarted().await;

    assert!(!bench.store.say_once("k", at(1), every).await.unwrap());
}

async fn changes_after_the_restart_are_told(bench: Bench) {
    let record = bench.ask(bench.sample()).await;

    let bench = bench.restarted().await;
    let mut changes = bench.store.changes();
    bench
        .store
        .close(record.ask.id, End::Cancelled, None, at(1))
        .await
        .unwrap();

    assert_eq!(changes.recv().await.unwrap().ask, record.ask.id);
}

async fn everything(bench: &Bench) -> Vec<Record> {
    let filter = Filter {
        owner: None,
        answerer: None,
        status: None,
        session: None,
        before: None,
        limit: 100,
    };
    bench.store.list(&filter).await.unwrap()
}
