//! Which ask is meant: by message, by conversation, by a press on a message nobody knew.

use askd_core::{
    id::{Address, AskId, MessageRef},
    inbound::Placed,
    stage::End,
    store::{DeliveryState, MessageOwner, MessageRole, Record, Work},
};

use super::{Bench, Case, at, named, omid, sara};
use crate::{clock::START, sample};

pub(super) fn cases() -> Vec<Case> {
    named![
        a_prompt_and_each_of_its_parts_lead_to_their_ask,
        a_message_leads_to_its_ask_after_the_end_too,
        the_same_message_name_on_another_channel_is_another_message,
        a_note_leads_to_the_ask_and_tells_what_it_is_for,
        a_note_in_a_conversation_that_is_none_of_the_asks_is_ignored,
        open_asks_of_a_conversation_come_oldest_first,
        an_ask_is_on_its_way_until_it_was_shown_or_is_over,
        only_what_was_shown_there_and_is_pending_is_open_there,
        a_conversation_is_known_by_the_name_that_events_use,
        the_ask_that_ended_last_in_a_conversation_is_found_for_a_while,
        a_prompt_whose_post_was_never_confirmed_is_adopted_by_a_press,
        a_direct_conversation_is_learned_from_a_press,
        a_press_is_taken_for_the_conversation_it_came_from,
        a_press_does_not_make_another_conversation_of_a_known_one,
        an_adopted_prompt_of_an_ask_that_is_over_is_edited,
        a_known_message_is_not_adopted_again,
        a_press_on_a_channel_the_ask_never_went_to_adopts_nothing,
    ]
}

async fn a_prompt_and_each_of_its_parts_lead_to_their_ask(bench: Bench) {
    let first = bench.shown(bench.sample(), &["m1", "m2"]).await;
    bench.shown(bench.sample(), &["m3"]).await;

    for message in ["m1", "m2"] {
        let expected = MessageOwner {
            ask: first.ask.id,
            role: MessageRole::Prompt,
        };
        assert_eq!(by_message(&bench, "telegram", message).await, Some(expected));
    }
    assert_eq!(by_message(&bench, "telegram", "m4").await, None);
}

async fn a_message_leads_to_its_ask_after_the_end_too(bench: Bench) {
    let record = bench.shown(bench.sample(), &["m1"]).await;

    bench
        .store
        .close(record.ask.id, End::Cancelled, None, at(1))
        .await
        .unwrap();

    assert_eq!(
        by_message(&bench, "telegram", "m1").await.map(|owner| owner.ask),
        Some(record.ask.id)
    );
}

async fn the_same_message_name_on_another_channel_is_another_message(bench: Bench) {
    let telegram = bench.shown(bench.sample(), &["7"]).await;
    let slack = bench.shown(bench.sample().to(&["slack:C1"]), &["7"]).await;

    assert_eq!(
        by_message(&bench, "telegram", "7").await.map(|owner| owner.ask),
        Some(telegram.ask.id)
    );
    assert_eq!(
        by_message(&bench, "slack", "7").await.map(|owner| owner.ask),
        Some(slack.ask.id)
    );
}

async fn a_note_leads_to_the_ask_and_tells_what_it_is_for(bench: Bench) {
    let record = bench.shown(bench.sample(), &["m1"]).await;
    for (message, role) in [("hint", MessageRole::Note), ("write", MessageRole::OwnWords)] {
        bench
            .store
            .add_note(record.ask.id, &sample::posted(&sara(), &[message]), role)
            .await
            .unwrap();

        let expected = MessageOwner {
            ask: record.ask.id,
            role,
        };
        assert_eq!(by_message(&bench, "telegram", message).await, Some(expected));
    }

    bench
        .store
        .close(record.ask.id, End::Cancelled, None, at(1))
        .await
        .unwrap();
    let task = bench.claim_one(at(1)).await;
    let to_edit: Vec<_> = task
        .delivery
        .prompts()
        .map(|shown| shown.message.as_str())
        .collect();
    assert_eq!(to_edit, ["m1"], "a note is never edited");
}

async fn a_note_in_a_conversation_that_is_none_of_the_asks_is_ignored(bench: Bench) {
    let record = bench.shown(bench.sample(), &["m1"]).await;

    bench
        .store
        .add_note(
            record.ask.id,
            &sample::posted(&omid(), &["hint"]),
            MessageRole::Note,
        )
        .await
        .unwrap();

    assert_eq!(bench.get(record.ask.id).await, record);
    assert_eq!(by_message(&bench, "telegram", "hint").await, None);
}

async fn open_asks_of_a_conversation_come_oldest_first(bench: Bench) {
    let second = bench.shown(bench.samples.ask(at(2)), &["m1"]).await;
    let first = bench.shown(bench.samples.ask(at(1)), &["m2"]).await;

    assert_eq!(bench.store.open_at(&sara()).await.unwrap(), [first, second]);
}

async fn an_ask_is_on_its_way_until_it_was_shown_or_is_over(bench: Bench) {
    let on_its_way = async || bench.store.is_on_its_way(&sara()).await.unwrap();
    assert!(!on_its_way().await, "nothing was asked yet");
    let first = bench.ask(bench.sample()).await;
    assert!(on_its_way().await, "to be posted");
    bench.claim_one(START).await;
    assert!(on_its_way().await, "being posted");
    assert!(!bench.store.is_on_its_way(&omid()).await.unwrap());

    bench.show(&first, &sara(), &["m1"]).await;
    assert!(!on_its_way().await, "shown");

    let second = bench.ask(bench.sample()).await;
    bench
        .store
        .close(second.ask.id, End::Cancelled, None, at(1))
        .await
        .unwrap();
    assert!(!on_its_way().await, "over");
}

async fn only_what_was_shown_there_and_is_pending_is_open_there(bench: Bench) {
    let open = bench.shown(bench.sample(), &["m1"]).await;
    let over = bench.shown(bench.sample(), &["m2"]).await;
    bench
        .store
        .close(over.ask.id, End::Cancelled, None, at(1))
        .await
        .unwrap();
    bench.ask(bench.sample()).await;
    bench
        .shown(bench.sample().to(&["telegram:2", "telegram:1"]), &["m3"])
        .await;

    assert_eq!(bench.store.open_at(&sara()).await.unwrap(), [open]);
    assert_eq!(
        bench.store.open_at(&sample::address("slack:1")).await.unwrap(),
        []
    );
}

async fn a_conversation_is_known_by_the_name_that_events_use(bench: Bench) {
    let (routed, canonical) = (sample::address("discord:@8877"), sample::address("discord:4711"));
    let record = bench.ask(bench.sample().to(&["discord:@8877"])).await;

    let record = bench.show(&record, &canonical, &["m1"]).await;

    assert_eq!(
        (&record.deliveries[0].to, &record.deliveries[0].at),
        (&routed, &Some(canonical.clone()))
    );
    assert_eq!(bench.store.open_at(&canonical).await.unwrap(), [record]);
    assert_eq!(bench.store.open_at(&routed).await.unwrap(), []);
    assert_eq!(
        bench.next_due("discord").await,
        None,
        "nothing is left to do under the other name"
    );
}

async fn the_ask_that_ended_last_in_a_conversation_is_found_for_a_while(bench: Bench) {
    let first = bench.shown(bench.sample(), &["m1"]).await;
    let second = bench.shown(bench.sample(), &["m2"]).await;
    let elsewhere = bench.shown(bench.sample().to(&["telegram:2"]), &["m3"]).await;
    let unseen = bench.ask(bench.sample()).await;
    bench.shown(bench.sample(), &["m4"]).await;
    for (record, seconds) in [(&second, 10), (&first, 20), (&elsewhere, 30), (&unseen, 40)] {
        bench
            .store
            .close(record.ask.id, End::Cancelled, None, at(seconds))
            .await
            .unwrap();
    }

    let ended = async |since| {
        bench
            .store
            .ended_at(&sara(), at(since))
            .await
            .unwrap()
            .map(|record| record.ask.id)
    };
    assert_eq!(ended(0).await, Some(first.ask.id));
    assert_eq!(ended(20).await, Some(first.ask.id), "the instant itself counts");
    assert_eq!(ended(21).await, None);
}

async fn a_prompt_whose_post_was_never_confirmed_is_adopted_by_a_press(bench: Bench) {
    bench.ask(bench.sample()).await;
    let task = bench.claim_one(START).await;

    adopt(&bench, task.ask.id, &sara(), "m1").await;

    let record = bench.get(task.ask.id).await;
    let delivery = &record.deliveries[0];
    assert_eq!(
        (delivery.state, delivery.due, delivery.claimed_until),
        (DeliveryState::Shown, None, None)
    );
    assert_eq!(delivery.messages[0].placed, Some(Placed(7)));
    assert_eq!(
        by_message(&bench, "telegram", "m1").await.map(|owner| owner.role),
        Some(MessageRole::Prompt)
    );
    assert_eq!(bench.store.open_at(&sara()).await.unwrap(), [record]);
    assert_eq!(bench.next_due("telegram").await, None, "it is not posted again");
}

async fn a_direct_conversation_is_learned_from_a_press(bench: Bench) {
    let record = bench.ask(bench.sample().to(&["discord:@1", "discord:@2"])).await;
    let tried = record.deliveries[1].id;
    bench.claim("discord", START, 2).await;
    let shown = bench.show(&record, &sample::address("discord:11"), &["m1"]).await;
    assert_eq!(shown.deliveries[1].id, tried);

    adopt(&bench, record.ask.id, &sample::address("discord:22"), "m2").await;

    let delivery = &bench.get(record.ask.id).await.deliveries[1];
    assert_eq!(
        (&delivery.at, delivery.state),
        (&Some(sample::address("discord:22")), DeliveryState::Shown)
    );
}

async fn a_press_is_taken_for_the_conversation_it_came_from(bench: Bench) {
    let record = bench.ask(bench.sample().to(&["telegram:1", "telegram:2"])).await;
    bench.claim("telegram", START, 1).await;

    adopt(&bench, record.ask.id, &omid(), "m2").await;

    let stored = bench.get(record.ask.id).await;
    let states: Vec<_> = stored.deliveries.iter().map(|delivery| delivery.state).collect();
    assert_eq!(
        states,
        [DeliveryState::Queued, DeliveryState::Shown],
        "whichever was tried"
    );
}

async fn a_press_does_not_make_another_conversation_of_a_known_one(bench: Bench) {
    let record = bench
        .shown(bench.sample().to(&["telegram:1", "telegram:2"]), &["m1"])
        .await;

    adopt(&bench, record.ask.id, &sara(), "posted twice").await;

    let stored = bench.get(record.ask.id).await;
    assert_eq!(messages(&stored), ["m1", "posted twice"]);
    assert_eq!(stored.deliveries[1], record.deliveries[1]);
}

async fn an_adopted_prompt_of_an_ask_that_is_over_is_edited(bench: Bench) {
    bench.ask(bench.sample()).await;
    let task = bench.claim_one(START).await;
    bench
        .store
        .close(task.ask.id, End::Cancelled, None, at(1))
        .await
        .unwrap();

    adopt(&bench, task.ask.id, &sara(), "m1").await;

    let task = bench.claim_one(at(2)).await;
    let to_edit: Vec<_> = task
        .delivery
        .prompts()
        .map(|shown| shown.message.as_str())
        .collect();
    assert_eq!((task.work, to_edit), (Work::Settle, vec!["m1"]));
}

async fn a_known_message_is_not_adopted_again(bench: Bench) {
    let record = bench.shown(bench.sample(), &["m1"]).await;

    adopt(&bench, record.ask.id, &sara(), "m1").await;

    assert_eq!(bench.get(record.ask.id).await, record);
}

async fn a_press_on_a_channel_the_ask_never_went_to_adopts_nothing(bench: Bench) {
    let record = bench.ask(bench.sample()).await;

    adopt(&bench, record.ask.id, &sample::address("slack:C1"), "m1").await;

    assert_eq!(bench.get(record.ask.id).await, record);
    assert_eq!(by_message(&bench, "slack", "m1").await, None);
}

async fn by_message(bench: &Bench, channel: &str, message: &str) -> Option<MessageOwner> {
    bench
        .store
        .by_message(&sample::channel(channel), &MessageRef::new(message))
        .await
        .unwrap()
}

async fn adopt(bench: &Bench, ask: AskId, at: &Address, message: &str) {
    let now = super::at(2);
    bench
        .store
        .adopt(ask, at, &MessageRef::new(message), Some(Placed(7)), now)
        .await
        .unwrap();
}

fn messages(record: &Record) -> Vec<&str> {
    record.deliveries[0]
        .messages
        .iter()
        .map(|shown| shown.message.as_str())
        .collect()
}
