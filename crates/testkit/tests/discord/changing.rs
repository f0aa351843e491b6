//! Messages that are changed, taken away and looked at again.

use askd_testkit::discord::Permission;
use serde_json::{Value, json};

use super::bot::{Bot, Refused, path_of, rows};

fn nobody() -> Value {
    json!({"parse": []})
}

#[tokio::test]
async fn a_change_keeps_what_it_leaves_out() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let at = bot
        .sends_with(
            &sara.direct(),
            json!({"content": "Where?", "components": rows(&[&["A"]])}),
        )
        .await;

    bot.edits(at, json!({"content": "Where to?", "allowed_mentions": nobody()}))
        .await;
    let kept = sara.sees_last(&sara.direct()).unwrap();
    let changed = bot.edits(at, json!({"components": []})).await;
    let over = sara.sees_last(&sara.direct()).unwrap();

    assert_eq!((kept.text.as_str(), kept.labels()), ("Where to?", vec!["A"]));
    assert_eq!((over.text.as_str(), over.labels()), ("Where to?", vec![]));
    assert!(over.edited && changed["edited_timestamp"].is_string());
    assert_eq!(bot.discord.violations(), [""; 0]);
}

#[tokio::test]
async fn a_changed_content_says_whom_it_may_ping_too() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let at = bot.sends(&sara.direct(), "Where?").await;

    bot.edits(at, json!({"content": "Done"})).await;

    assert_eq!(
        bot.discord.violations(),
        ["update_message: a content without allowed_mentions"]
    );
}

#[tokio::test]
async fn a_message_cannot_be_changed_into_nothing_or_beyond_its_limits() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let at = bot.sends(&sara.direct(), "Where?").await;

    let empty = bot.refused("PATCH", &path_of(at), json!({"content": ""})).await;
    let long = json!({"content": "x".repeat(2001), "allowed_mentions": nobody()});
    let long = bot.refused("PATCH", &path_of(at), long).await;

    assert_eq!((empty.code, long.code), (50006, 50035));
    assert_eq!(sara.sees_last(&sara.direct()).unwrap().text, "Where?");
}

#[tokio::test]
async fn what_is_gone_or_not_its_own_cannot_be_changed() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let ops = bot.discord.channel("ops", &[&sara]);
    let said = sara.says(&ops, "hello");
    let ours = bot.sends(&ops, "Where?").await;
    let body = json!({"content": "x", "allowed_mentions": nobody()});

    let theirs = bot.refused("PATCH", &path_of(said), body.clone()).await;
    ops.delete(ours);
    let gone = bot.refused("PATCH", &path_of(ours), body).await;

    assert_eq!(
        theirs,
        Refused::new(403, 50005, "Cannot edit a message authored by another user")
    );
    assert_eq!(gone, Refused::new(404, 10008, "Unknown Message"));
}

#[tokio::test]
async fn nothing_changes_in_an_archived_thread() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let ops = bot.discord.channel("ops", &[&sara]);
    let thread = sara.opens_thread(&ops, "Deploy");
    let at = bot.sends(&thread, "Where?").await;
    thread.archive();

    let body = json!({"content": "x", "allowed_mentions": nobody()});
    let refused = bot.refused("PATCH", &path_of(at), body.clone()).await;
    bot.call(
        "PATCH",
        &format!("/channels/{}", thread.id()),
        json!({"archived": false}),
    )
    .await;

    assert_eq!(refused, Refused::new(400, 50083, "Thread is archived"));
    bot.edits(at, body).await;
}

#[tokio::test]
async fn the_bot_deletes_its_own_and_with_a_right_those_of_others() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let ops = bot.discord.channel("ops", &[&sara]);
    let (said, direct) = (sara.says(&ops, "hello"), sara.says(&sara.direct(), "hello"));
    let ours = bot.sends(&ops, "Where?").await;

    bot.call("DELETE", &path_of(ours), Value::Null).await;
    let again = bot.refused("DELETE", &path_of(ours), Value::Null).await;
    let theirs = bot.refused("DELETE", &path_of(said), Value::Null).await;
    let alone = bot.refused("DELETE", &path_of(direct), Value::Null).await;

    assert_eq!((again.code, theirs.code, alone.code), (10008, 50013, 50003));
    assert_eq!(sara.sees(&ops).len(), 1);
}

#[tokio::test]
async fn a_list_is_of_the_newest_or_of_those_after_an_id_and_always_newest_first() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let direct = sara.direct();
    let said: Vec<u64> = (0..5).map(|n| sara.says(&direct, &n.to_string()).id).collect();
    let list = async |query: String| {
        let listed = bot
            .get(&format!("/channels/{}/messages{query}", direct.id()))
            .await;
        let contents: Vec<String> = listed
            .as_array()
            .unwrap()
            .iter()
            .map(|message| message["content"].as_str().unwrap().to_owned())
            .collect();
        contents.join("")
    };

    assert_eq!(list(String::new()).await, "43210");
    assert_eq!(list("?limit=2".to_owned()).await, "43");
    assert_eq!(list(format!("?after={}&limit=2", said[1])).await, "32");
    assert_eq!(list(format!("?before={}", said[2])).await, "10");
    for query in ["?limit=0", "?limit=101", "?after=x"] {
        let path = format!("/channels/{}/messages{query}", direct.id());
        assert_eq!(bot.refused("GET", &path, Value::Null).await.code, 50035);
    }
}

#[tokio::test]
async fn one_message_is_read_by_its_id_with_the_right_to_read_back() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let ops = bot.discord.channel("ops", &[&sara]);
    let said = sara.says(&ops, "hello");

    let read = bot.get(&path_of(said)).await;
    ops.denies(Permission::ReadMessageHistory);
    let refused = bot.refused("GET", &path_of(said), Value::Null).await;

    assert_eq!(read["content"], "hello");
    assert_eq!(refused.code, 50001);
}
