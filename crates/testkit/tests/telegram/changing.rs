//! Messages that are changed or deleted.

use std::time::Duration;

use askd_testkit::telegram::MessageAt;
use serde_json::{Value, json};

use super::bot::{Bot, Refused, keyboard};

const NOT_MODIFIED: &str = "Bad Request: message is not modified: specified new message content and reply markup are \
                            exactly the same as a current content and reply markup of the message";

fn edit(at: MessageAt, text: &str) -> Value {
    json!({"chat_id": at.chat, "message_id": at.id, "text": text})
}

#[tokio::test]
async fn an_edit_without_buttons_takes_the_buttons_away() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let markup = keyboard(&["Staging", "Production"]);
    let at = bot
        .sends_with(json!({"chat_id": sara.id(), "text": "Where?", "reply_markup": markup}))
        .await;

    let mut same = edit(at, "Where to?");
    same["reply_markup"] = markup;
    bot.call("editMessageText", same).await;
    let kept = sara.sees_last(&sara.direct()).unwrap();
    bot.call("editMessageText", edit(at, "Production: Sara")).await;
    let settled = sara.sees_last(&sara.direct()).unwrap();

    assert_eq!(kept.labels(), ["Staging", "Production"]);
    assert_eq!(
        (settled.text.as_str(), settled.labels()),
        ("Production: Sara", vec![])
    );
    assert!(settled.edited);
    assert_eq!(sara.sees(&sara.direct()).len(), 1, "an edit is no new message");
}

#[tokio::test]
async fn buttons_alone_can_be_changed_and_taken_away() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let at = bot.sends(sara.id(), "Where?").await;
    let buttons = |markup: Value| json!({"chat_id": at.chat, "message_id": at.id, "reply_markup": markup});

    bot.call("editMessageReplyMarkup", buttons(keyboard(&["A"])))
        .await;
    let with = sara.sees_last(&sara.direct()).unwrap();
    bot.call(
        "editMessageReplyMarkup",
        json!({"chat_id": at.chat, "message_id": at.id}),
    )
    .await;
    let without = sara.sees_last(&sara.direct()).unwrap();

    assert_eq!(with.labels(), ["A"]);
    assert_eq!((without.text.as_str(), without.labels()), ("Where?", vec![]));
}

#[tokio::test]
async fn an_edit_that_changes_nothing_is_refused() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let at = bot.sends(sara.id(), "Where?").await;

    for (method, arguments) in [
        ("editMessageText", edit(at, " Where? ")),
        (
            "editMessageReplyMarkup",
            json!({"chat_id": at.chat, "message_id": at.id}),
        ),
    ] {
        let refused = bot.refused(method, arguments).await;

        assert_eq!(refused, Refused::new(400, NOT_MODIFIED), "{method}");
    }
    assert!(bot.telegram.violations().is_empty(), "it may happen to anyone");
}

#[tokio::test]
async fn what_cannot_be_edited_says_why() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let direct = sara.direct();
    let theirs = sara.says(&direct, "hello");
    let forced = bot
        .sends_with(json!({"chat_id": sara.id(), "text": "Write it", "reply_markup": {"force_reply": true}}))
        .await;
    let deleted = bot.sends(sara.id(), "gone").await;
    sara.deletes(deleted);
    let mine = bot.sends(sara.id(), "mine").await;
    let never = MessageAt { id: 99, ..mine };
    let mut forcing = edit(mine, "new");
    forcing["reply_markup"] = json!({"force_reply": true});

    for (arguments, description) in [
        (edit(theirs, "new"), "Bad Request: message can't be edited"),
        (edit(forced, "new"), "Bad Request: message can't be edited"),
        (edit(deleted, "new"), "Bad Request: message to edit not found"),
        (edit(never, "new"), "Bad Request: message to edit not found"),
        (forcing, "Bad Request: inline keyboard expected"),
        (
            json!({"text": "new"}),
            "Bad Request: message identifier is not specified",
        ),
        (edit(mine, ""), "Bad Request: message text is empty"),
        (edit(mine, " \n "), "Bad Request: text must be non-empty"),
        (edit(mine, &"x".repeat(4097)), "Bad Request: MESSAGE_TOO_LONG"),
        (edit(mine, &"👍".repeat(2049)), "Bad Request: MESSAGE_TOO_LONG"),
    ] {
        let refused = bot.refused("editMessageText", arguments.clone()).await;

        assert_eq!(refused, Refused::new(400, description), "{arguments}");
    }
}

#[tokio::test]
async fn a_message_of_the_bot_can_be_deleted_for_two_days() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let at = bot.sends(sara.id(), "one").await;
    let old = bot.sends(sara.id(), "two").await;
    let delete = |at: MessageAt| json!({"chat_id": at.chat, "message_id": at.id});

    bot.call("deleteMessage", delete(at)).await;
    let again = bot.refused("deleteMessage", delete(at)).await;
    bot.clock.advance(Duration::from_hours(48));
    let late = bot.refused("deleteMessage", delete(old)).await;

    assert_eq!(
        again,
        Refused::new(400, "Bad Request: message to delete not found")
    );
    assert_eq!(late, Refused::new(400, "Bad Request: message can't be deleted"));
    assert_eq!(sara.sees(&sara.direct()).len(), 1);
}

#[tokio::test]
async fn in_a_group_only_an_administrator_deletes_what_others_said() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let group = bot.telegram.supergroup("Ops", &[&sara]);
    let theirs = sara.says(&group, "hello");
    let delete = json!({"chat_id": theirs.chat, "message_id": theirs.id});

    let refused = bot.refused("deleteMessage", delete.clone()).await;
    group.promote_bot();

    assert_eq!(
        refused,
        Refused::new(400, "Bad Request: message can't be deleted")
    );
    assert_eq!(bot.call("deleteMessage", delete).await, true);
}
