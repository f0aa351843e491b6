//! Groups, forums and channels: who is heard, and under what id.

use askd_testkit::telegram::Setup;
use serde_json::{Value, json};

use super::bot::{Bot, Refused, keyboard};

#[tokio::test]
async fn with_privacy_mode_on_a_group_keeps_bare_texts_to_itself() {
    let bot = Bot::start().await;
    let (sara, omid) = (bot.sara(), bot.telegram.person("Omid"));
    let group = bot.telegram.supergroup("Ops", &[&sara, &omid]);
    let ours = bot.sends(group.id(), "Where?").await;
    let theirs = sara.says(&group, "what is this?");

    sara.says(&group, "production");
    omid.replies(theirs, "a question");
    sara.says(&group, "/skip@another_bot");
    sara.says(&group, "@askd_testing_bot production");
    sara.says(&group, "/skip");
    sara.says(&group, "/skip@askd_test_bot");
    sara.says(&group, "@askd_test_bot production");
    sara.replies(ours, "staging");
    sara.sends_photo(&group, Some(ours), "this one");

    let heard: Vec<Value> = bot.updates().await;
    let texts: Vec<&str> = heard
        .iter()
        .map(|update| {
            let message = &update["message"];
            message["text"].as_str().or(message["caption"].as_str()).unwrap()
        })
        .collect();
    assert_eq!(
        texts,
        [
            "/skip",
            "/skip@askd_test_bot",
            "@askd_test_bot production",
            "staging",
            "this one"
        ]
    );
    assert_eq!(heard[0]["message"]["entities"][0]["type"], "bot_command");
    assert_eq!(heard[2]["message"]["entities"][0]["type"], "mention");
}

#[tokio::test]
async fn a_bot_without_privacy_and_an_administrator_hear_everything() {
    let open = Bot::start_as(Setup {
        privacy: false,
        ..Setup::default()
    })
    .await;
    let promoted = Bot::start().await;

    for (bot, reads) in [(&open, true), (&promoted, false)] {
        let sara = bot.sara();
        let group = bot.telegram.group("Ops", &[&sara]);
        if !reads {
            group.promote_bot();
            bot.hears("my_chat_member").await;
        }
        sara.says(&group, "production");

        assert_eq!(bot.hears("message").await["text"], "production");
        assert_eq!(
            bot.call("getMe", json!({})).await["can_read_all_group_messages"],
            reads
        );
    }
}

#[tokio::test]
async fn anyone_in_a_group_can_tap() {
    let bot = Bot::start().await;
    let (sara, omid) = (bot.sara(), bot.telegram.stranger("Omid"));
    let group = bot.telegram.group("Ops", &[&sara, &omid]);
    bot.sends_with(json!({"chat_id": group.id(), "text": "Where?", "reply_markup": keyboard(&["A"])}))
        .await;

    omid.taps(&group, "A");

    let query = bot.hears("callback_query").await;
    assert_eq!(query["from"]["id"], omid.id());
    assert_eq!(query["message"]["chat"]["id"], group.id());
}

#[tokio::test]
async fn ids_exceed_32_bits_and_message_numbers_repeat_between_chats() {
    let bot = Bot::start().await;
    let (sara, omid) = (bot.sara(), bot.telegram.person("Omid"));
    let group = bot.telegram.group("Ops", &[&sara]);
    let supergroup = bot.telegram.supergroup("Dev", &[&sara]);

    let to_sara = bot.sends(sara.id(), "x").await;
    let to_omid = bot.sends(omid.id(), "x").await;

    assert!(sara.id() > i64::from(u32::MAX));
    assert!(group.id() < -i64::from(u32::MAX) / 2);
    assert!(supergroup.id().to_string().starts_with("-100"));
    assert_eq!(to_sara.id, to_omid.id);
    assert_ne!(to_sara, to_omid);
}

#[tokio::test]
async fn a_group_that_was_upgraded_refuses_and_names_its_successor() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let group = bot.telegram.group("Ops", &[&sara]);
    let old = bot.sends(group.id(), "Where?").await;

    let new = group.upgrade();
    let refused = bot
        .refused("sendMessage", json!({"chat_id": group.id(), "text": "x"}))
        .await;
    let edit = json!({"chat_id": old.chat, "message_id": old.id, "text": "Done"});
    let edit = bot.refused("editMessageText", edit).await;
    bot.sends(new.id(), "x").await;
    let updates = bot.updates().await;

    assert_eq!(
        refused,
        Refused {
            code: 400,
            description: "Bad Request: group chat was upgraded to a supergroup chat".to_owned(),
            parameters: json!({"migrate_to_chat_id": new.id()}),
        }
    );
    assert_eq!(edit, Refused::new(400, "Bad Request: message can't be edited"));
    assert_eq!(updates[0]["message"]["migrate_to_chat_id"], new.id());
    assert_eq!(updates[1]["message"]["migrate_from_chat_id"], group.id());
    assert_eq!(updates[1]["message"]["chat"]["type"], "supergroup");
}

#[tokio::test]
async fn in_a_topic_every_message_replies_to_the_topics_first() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let forum = bot.telegram.forum("Ops", &[&sara]);
    let deploys = forum.open_topic("Deploys");
    let root = deploys.topic_id().unwrap();
    let created = bot.hears("message").await;
    let prompt = bot
        .sends_with(json!({"chat_id": forum.id(), "text": "Where?", "message_thread_id": root}))
        .await;

    sara.says(&deploys, "/skip");
    let said = bot.hears("message").await;
    sara.replies(prompt, "staging");
    let replied = bot.hears("message").await;

    assert_eq!(created["forum_topic_created"]["name"], "Deploys");
    assert_eq!(created["message_id"], root);
    for message in [&said, &replied] {
        assert_eq!(message["message_thread_id"], root);
        assert_eq!(message["is_topic_message"], true);
    }
    assert_eq!(
        said["reply_to_message"]["message_id"], root,
        "which is no reply to us"
    );
    assert!(said["reply_to_message"]["forum_topic_created"].is_object());
    assert_eq!(replied["reply_to_message"]["message_id"], prompt.id);
}

#[tokio::test]
async fn the_general_topic_has_no_thread_but_for_strings_of_replies() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let forum = bot.telegram.forum("Ops", &[&sara]);
    let ours = bot.sends(forum.id(), "Where?").await;

    sara.says(&forum, "/skip");
    let said = bot.hears("message").await;
    sara.replies(ours, "staging");
    let replied = bot.hears("message").await;
    let echoed =
        json!({"chat_id": forum.id(), "text": "x", "message_thread_id": replied["message_thread_id"]});

    assert!(said.get("message_thread_id").is_none());
    assert_eq!(replied["message_thread_id"], ours.id, "a string of replies");
    assert!(replied.get("is_topic_message").is_none());
    assert_eq!(
        bot.refused("sendMessage", echoed).await,
        Refused::new(400, "Bad Request: message thread not found")
    );
}

#[tokio::test]
async fn hidden_senders_come_under_the_names_of_stand_ins() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let group = bot.telegram.supergroup("Ops", &[&sara]);
    let channel = bot.telegram.channel("News", &[&sara]);
    let ours = bot.sends(group.id(), "Where?").await;

    sara.replies_anonymously(ours, "staging");
    let anonymous = bot.hears("message").await;
    sara.says_for(&channel, &group, "/skip");
    let for_channel = bot.hears("message").await;
    channel.post("news");
    let post = bot.hears("channel_post").await;

    assert_eq!(anonymous["from"]["username"], "GroupAnonymousBot");
    assert_eq!(anonymous["sender_chat"]["id"], group.id());
    assert_eq!(for_channel["from"]["username"], "Channel_Bot");
    assert_eq!(for_channel["sender_chat"]["id"], channel.id());
    assert!(post.get("from").is_none());
    assert_eq!(post["sender_chat"]["id"], channel.id());
    assert!(!format!("{anonymous}{for_channel}{post}").contains(&sara.id().to_string()));
}

#[tokio::test]
async fn being_added_promoted_and_thrown_out_is_told() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let group = bot.telegram.supergroup("Ops", &[&sara]);

    let mut statuses = Vec::new();
    for change in [
        askd_testkit::telegram::Place::kick_bot,
        askd_testkit::telegram::Place::add_bot,
        askd_testkit::telegram::Place::promote_bot,
    ] {
        change(&group);
        let update = bot.hears("my_chat_member").await;
        statuses.push(update["new_chat_member"]["status"].as_str().unwrap().to_owned());
    }

    assert_eq!(statuses, ["kicked", "member", "administrator"]);
}

#[tokio::test]
async fn service_messages_reach_the_bot_in_spite_of_privacy_mode() {
    let bot = Bot::start().await;
    let (sara, omid) = (bot.sara(), bot.telegram.person("Omid"));
    let group = bot.telegram.supergroup("Ops", &[&sara]);

    group.add(&omid);
    let joined = bot.hears("message").await;
    group.rename(&sara, "Operations");
    let renamed = bot.hears("message").await;
    group.leave(&omid);
    let left = bot.hears("message").await;

    assert_eq!(joined["new_chat_members"][0]["id"], omid.id());
    assert_eq!(renamed["new_chat_title"], "Operations");
    assert_eq!(left["left_chat_member"]["id"], omid.id());
}

#[tokio::test]
async fn a_selective_reply_opens_for_those_it_names_or_answers() {
    let bot = Bot::start().await;
    let (sara, omid) = (bot.sara(), bot.telegram.person("Omid"));
    omid.takes_username("omid_ops");
    let group = bot.telegram.supergroup("Ops", &[&sara, &omid]);
    let theirs = sara.says(&group, "/start");
    let selective = json!({"force_reply": true, "selective": true});

    bot.sends_with(json!({
        "chat_id": group.id(), "text": "Write it", "reply_markup": selective,
        "reply_parameters": {"message_id": theirs.id},
    }))
    .await;
    let to_sara = (sara.prompt(&group).is_some(), omid.prompt(&group).is_some());
    bot.sends_with(json!({"chat_id": group.id(), "text": "@omid_ops, write it", "reply_markup": selective}))
        .await;
    let to_omid = omid.prompt(&group);

    assert_eq!(to_sara, (true, false));
    assert!(to_omid.is_some());
}
