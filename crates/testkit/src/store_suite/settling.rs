//! What becomes of deliveries: shown, given up, and settled when the ask ends.

use askd_core::{
    id::{AskId, DeliveryId, MessageRef},
    stage::{End, Unreached},
    store::{DeliveryState, Failure, MessageRole, PutBack, Record, Work},
};

use super::{Bench, Case, at, named, sara};
use crate::{clock::START, sample};

pub(super) fn cases() -> Vec<Case> {
    named![
        a_posted_prompt_is_shown_with_all_its_messages,
        the_end_of_an_ask_queues_the_edit_of_what_was_shown,
        a_prompt_posted_after_the_end_is_edited_too,
        settled_messages_have_nothing_more_to_do,
        a_follow_up_is_remembered,
        a_message_reported_while_its_conversation_settles_is_settled_too,
        a_repeated_post_leaves_no_message_unedited,
        the_last_destination_given_up_ends_the_ask_as_undelivered,
        one_destination_given_up_of_two_ends_nothing,
        an_ask_shown_somewhere_outlives_the_rest_of_its_destinations,
        an_ask_that_waits_for_the_panel_outlives_its_destinations,
        an_edit_given_up_is_done_with,
        giving_up_a_prompt_that_proved_to_be_shown_changes_nothing,
        a_retry_of_an_ask_that_is_over_is_dropped,
        a_channel_that_stopped_gives_up_its_open_deliveries_alone,
        a_channel_that_stopped_leaves_what_it_has_shown_for_later,
        an_end_that_is_to_be_shown_waits_for_better_credentials_and_not_for_a_channel_that_is_no_more,
        a_prompt_that_may_stand_waits_for_better_credentials_too,
        channels_with_something_to_post_or_settle_are_named,
    ]
}

async fn a_posted_prompt_is_shown_with_all_its_messages(bench: Bench) {
    bench.ask(bench.sample()).await;
    let task = bench.claim_one(START).await;

    bench
        .store
        .posted(
            task.ask.id,
            task.delivery.id,
            &sample::posted(&sara(), &["m1", "m2"]),
            at(1),
        )
        .await
        .unwrap();

    let record = bench.get(task.ask.id).await;
    let delivery = &record.deliveries[0];
    assert_eq!(
        (delivery.state, delivery.due, delivery.claimed_until),
        (DeliveryState::Shown, None, None)
    );
    assert_eq!(prompts(&record), ["m1", "m2"]);
}

async fn the_end_of_an_ask_queues_the_edit_of_what_was_shown(bench: Bench) {
    let record = bench.shown(bench.sample(), &["m1"]).await;
    bench
        .store
        .close(record.ask.id, sample::answered("sara", &sara()), None, at(5))
        .await
        .unwrap();
    assert_eq!(bench.next_due("telegram").await, Some(at(5)));

    let task = bench.claim_one(at(5)).await;

    assert_eq!((task.work, task.ask.status()), (Work::Settle, "answered"));
}

async fn a_prompt_posted_after_the_end_is_edited_too(bench: Bench) {
    bench.ask(bench.sample()).await;
    let task = bench.claim_one(START).await;
    bench
        .store
        .close(task.ask.id, End::Cancelled, None, at(1))
        .await
        .unwrap();

    bench
        .store
        .posted(
            task.ask.id,
            task.delivery.id,
            &sample::posted(&sara(), &["m1"]),
            at(2),
        )
        .await
        .unwrap();

    assert_eq!(bench.get(task.ask.id).await.ask.status(), "cancelled");
    assert_eq!(bench.claim_one(at(2)).await.work, Work::Settle);
}

async fn settled_messages_have_nothing_more_to_do(bench: Bench) {
    let (ask, delivery) = settling(&bench).await;

    bench.store.settled(ask, delivery, None).await.unwrap();

    assert_eq!(bench.get(ask).await.deliveries[0].state, DeliveryState::Settled);
    assert_eq!(bench.next_due("telegram").await, None);
    assert_eq!(bench.claim("telegram", at(1000), 10).await, []);
}

async fn a_follow_up_is_remembered(bench: Bench) {
    let (ask, delivery) = settling(&bench).await;

    bench
        .store
        .settled(ask, delivery, Some(&sample::posted(&sara(), &["follow-up"])))
        .await
        .unwrap();

    let owner = bench
        .store
        .by_message(&sample::channel("telegram"), &MessageRef::new("follow-up"))
        .await
        .unwrap();
    assert_eq!(
        owner.map(|owner| (owner.ask, owner.role)),
        Some((ask, MessageRole::Note))
    );
    assert_eq!(bench.get(ask).await.deliveries[0].state, DeliveryState::Settled);
}

async fn a_message_reported_while_its_conversation_settles_is_settled_too(bench: Bench) {
    let (ask, delivery) = settling(&bench).await;

    bench
        .store
        .posted(ask, delivery, &sample::posted(&sara(), &["late"]), at(10))
        .await
        .unwrap();
    bench.store.settled(ask, delivery, None).await.unwrap();

    let task = bench.claim_one(at(10)).await;
    let to_edit: Vec<_> = task
        .delivery
        .prompts()
        .map(|shown| shown.message.as_str())
        .collect();
    assert_eq!((task.work, to_edit), (Work::Settle, vec!["m1", "late"]));
}

async fn a_repeated_post_leaves_no_message_unedited(bench: Bench) {
    bench.ask(bench.sample()).await;
    let first = bench.claim_one(START).await;
    let second = bench.claim_one(at(60)).await;
    let post = async |messages: &[&str]| {
        let posted = sample::posted(&sara(), messages);
        bench
            .store
            .posted(first.ask.id, first.delivery.id, &posted, at(61))
            .await
            .unwrap();
    };

    post(&["second"]).await;
    post(&["first"]).await;
    post(&["second"]).await;

    assert_eq!(second.delivery.id, first.delivery.id);
    assert_eq!(prompts(&bench.get(first.ask.id).await), ["second", "first"]);
}

async fn the_last_destination_given_up_ends_the_ask_as_undelivered(bench: Bench) {
    let record = bench.ask(bench.sample().to(&["telegram:1", "slack:C1"])).await;
    let [telegram, slack] = [record.deliveries[0].id, record.deliveries[1].id];
    let give_up = async |delivery| {
        let how = PutBack::GiveUp(Failure::Unreachable);
        bench
            .store
            .put_back(record.ask.id, delivery, how, at(3))
            .await
            .unwrap()
    };
    bench.claim("telegram", START, 1).await;
    bench.claim("slack", START, 1).await;

    assert!(!give_up(telegram).await);
    assert_eq!(bench.get(record.ask.id).await.ask.status(), "pending");
    assert!(give_up(slack).await, "the same call tells");

    let stored = bench.get(record.ask.id).await;
    let outcome = stored.ask.outcome().expect("it is over");
    assert_eq!(
        (&outcome.end, outcome.at),
        (&End::Undelivered(Unreached::AllFailed), at(3))
    );
    let failed = DeliveryState::Failed(Failure::Unreachable);
    assert!(
        stored
            .deliveries
            .iter()
            .all(|delivery| delivery.state == failed && delivery.due.is_none())
    );
}

async fn one_destination_given_up_of_two_ends_nothing(bench: Bench) {
    let record = bench.ask(bench.sample().to(&["telegram:1", "telegram:2"])).await;
    bench.claim("telegram", START, 2).await;

    let how = PutBack::GiveUp(Failure::Rejected);
    let ended = bench
        .store
        .put_back(record.ask.id, record.deliveries[0].id, how, at(1))
        .await
        .unwrap();

    assert!(!ended);
    assert_eq!(bench.get(record.ask.id).await.ask.status(), "pending");
}

async fn an_ask_shown_somewhere_outlives_the_rest_of_its_destinations(bench: Bench) {
    let record = bench
        .shown(bench.sample().to(&["telegram:1", "slack:C1"]), &["m1"])
        .await;
    bench.claim("slack", START, 1).await;

    let how = PutBack::GiveUp(Failure::Unreachable);
    let ended = bench
        .store
        .put_back(record.ask.id, record.deliveries[1].id, how, at(1))
        .await
        .unwrap();

    assert!(!ended);
    assert_eq!(bench.get(record.ask.id).await.ask.status(), "pending");
}

async fn an_ask_that_waits_for_the_panel_outlives_its_destinations(bench: Bench) {
    let record = bench.ask(bench.sample().waits_for_panel()).await;
    let task = bench.claim_one(START).await;

    let how = PutBack::GiveUp(Failure::Unreachable);
    let ended = bench
        .store
        .put_back(record.ask.id, task.delivery.id, how, at(1))
        .await
        .unwrap();

    assert!(!ended);
    assert_eq!(bench.get(record.ask.id).await.ask.status(), "pending");
}

async fn an_edit_given_up_is_done_with(bench: Bench) {
    let (ask, delivery) = settling(&bench).await;

    let ended = bench
        .store
        .put_back(ask, delivery, PutBack::GiveUp(Failure::Unreachable), at(10))
        .await
        .unwrap();

    let record = bench.get(ask).await;
    assert!(!ended);
    assert_eq!(
        (record.ask.status(), record.deliveries[0].state),
        ("answered", DeliveryState::Settled)
    );
    assert_eq!(bench.next_due("telegram").await, None);
}

async fn giving_up_a_prompt_that_proved_to_be_shown_changes_nothing(bench: Bench) {
    bench.ask(bench.sample()).await;
    let task = bench.claim_one(START).await;
    let (ask, delivery) = (task.ask.id, task.delivery.id);
    bench
        .store
        .adopt(ask, &sara(), &MessageRef::new("m1"), None, at(1))
        .await
        .unwrap();
    let adopted = bench.get(ask).await;

    for how in [PutBack::Retry(at(9)), PutBack::GiveUp(Failure::Rejected)] {
        assert!(!bench.store.put_back(ask, delivery, how, at(2)).await.unwrap());
    }

    assert_eq!(
        bench.get(ask).await,
        adopted,
        "so that it is edited when the ask ends"
    );
}

async fn a_retry_of_an_ask_that_is_over_is_dropped(bench: Bench) {
    bench.ask(bench.sample()).await;
    let task = bench.claim_one(START).await;
    bench
        .store
        .close(task.ask.id, End::Cancelled, None, at(1))
        .await
        .unwrap();

    bench
        .store
        .put_back(task.ask.id, task.delivery.id, PutBack::Retry(at(9)), at(2))
        .await
        .unwrap();

    assert_eq!(
        bench.get(task.ask.id).await.deliveries[0].state,
        DeliveryState::Dropped
    );
    assert_eq!(bench.next_due("telegram").await, None);
}

async fn a_channel_that_stopped_gives_up_its_open_deliveries_alone(bench: Bench) {
    let both = bench.ask(bench.sample().to(&["telegram:1", "slack:C1"])).await;
    let alone = bench.ask(bench.sample().to(&["telegram:2"])).await;
    let elsewhere = bench.ask(bench.sample().to(&["slack:C2"])).await;

    let ended = bench
        .store
        .channel_stopped(&sample::channel("telegram"), Failure::Credentials, at(1))
        .await
        .unwrap();

    assert_eq!(ended, [alone.ask.id]);
    assert_eq!(bench.get(alone.ask.id).await.ask.status(), "undelivered");
    let states: Vec<_> = bench
        .get(both.ask.id)
        .await
        .deliveries
        .iter()
        .map(|delivery| delivery.state)
        .collect();
    assert_eq!(
        states,
        [DeliveryState::Failed(Failure::Credentials), DeliveryState::Queued]
    );
    assert_eq!(bench.get(elsewhere.ask.id).await, elsewhere);
    assert_eq!(bench.next_due("telegram").await, None);
}

async fn a_channel_that_stopped_leaves_what_it_has_shown_for_later(bench: Bench) {
    let record = bench.shown(bench.sample(), &["m1"]).await;

    let ended = bench
        .store
        .channel_stopped(&sample::channel("telegram"), Failure::Credentials, at(1))
        .await
        .unwrap();

    assert_eq!(ended, []);
    assert_eq!(bench.get(record.ask.id).await, record);
}

async fn an_end_that_is_to_be_shown_waits_for_better_credentials_and_not_for_a_channel_that_is_no_more(
    bench: Bench,
) {
    let channel = sample::channel("telegram");
    let (ask, _) = settling(&bench).await;

    for (why, state) in [
        (Failure::Credentials, DeliveryState::Settling),
        (Failure::NoChannel, DeliveryState::Settled),
    ] {
        let ended = bench.store.channel_stopped(&channel, why, at(10)).await.unwrap();

        assert_eq!(ended, []);
        assert_eq!(bench.get(ask).await.deliveries[0].state, state, "{why:?}");
    }
    assert_eq!(bench.next_due("telegram").await, None);
}

async fn a_prompt_that_may_stand_waits_for_better_credentials_too(bench: Bench) {
    let channel = sample::channel("telegram");
    let record = bench.ask(bench.sample()).await;
    // Its answer never comes, and somebody is faster elsewhere.
    bench.claim_one(at(1)).await;
    bench
        .store
        .close(record.ask.id, End::Cancelled, None, at(2))
        .await
        .unwrap();

    for (why, state) in [
        (Failure::Credentials, DeliveryState::Queued),
        (Failure::NoChannel, DeliveryState::Failed(Failure::NoChannel)),
    ] {
        bench.store.channel_stopped(&channel, why, at(10)).await.unwrap();
        bench.store.let_go(&channel, at(20)).await.unwrap();

        assert_eq!(
            bench.get(record.ask.id).await.deliveries[0].state,
            state,
            "{why:?}"
        );
    }
    assert_eq!(bench.next_due("telegram").await, None);
}

async fn channels_with_something_to_post_or_settle_are_named(bench: Bench) {
    bench.ask(bench.sample().to(&["telegram:1", "discord:7"])).await;
    bench.shown(bench.sample().to(&["slack:C1"]), &["m1"]).await;
    let over = bench.shown(bench.sample().to(&["mail:a"]), &["m2"]).await;
    bench
        .store
        .close(over.ask.id, End::Cancelled, None, at(1))
        .await
        .unwrap();

    let mut named = bench.store.channels_with_work().await.unwrap();
    named.sort();

    assert_eq!(named, ["discord", "mail", "telegram"].map(sample::channel));
}

/// An answered ask whose only message is being edited.
async fn settling(bench: &Bench) -> (AskId, DeliveryId) {
    let record = bench.shown(bench.sample(), &["m1"]).await;
    bench
        .store
        .close(record.ask.id, sample::answered("sara", &sara()), None, at(5))
        .await
        .unwrap();
    let task = bench.claim_one(at(5)).await;
    (task.ask.id, task.delivery.id)
}

fn prompts(record: &Record) -> Vec<&str> {
    record.deliveries[0]
        .prompts()
        .map(|shown| shown.message.as_str())
        .collect()
}
