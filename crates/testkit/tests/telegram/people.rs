//! What people do and see, and the transcript that is told of it.

use askd_testkit::telegram::Command;
use serde_json::{Value, json};

use super::bot::{Bot, Refused, keyboard};

#[tokio::test]
async fn start_carries_the_payload_of_a_deep_link() {
    let bot = Bot::start().await;
    let sara = bot.telegram.stranger("Sara");

    sara.starts_with("abc-DEF_123");

    let heard = bot.hears("message").await;
    assert_eq!(heard["text"], "/start abc-DEF_123");
    assert_eq!(
        heard["entities"],
        json!([{"type": "bot_command", "offset": 0, "length": 6}])
    );
    assert_eq!(heard["chat"]["type"], "private");
    assert_eq!(heard["chat"]["id"], heard["from"]["id"]);
    bot.sends(sara.id(), "hello").await;
}

#[tokio::test]
#[should_panic(expected = "no deep link can carry")]
async fn a_deep_link_carries_at_most_64_plain_characters() {
    let bot = Bot::start().await;

    bot.telegram.stranger("Sara").starts_with(&"x".repeat(65));
}

#[tokio::test]
#[should_panic(expected = "sees nothing there but START")]
async fn who_has_not_started_cannot_write() {
    let bot = Bot::start().await;
    let sara = bot.telegram.stranger("Sara");

    sara.says(&sara.direct(), "hello");
}

#[tokio::test]
async fn blocking_and_unblocking_is_told() {
    let bot = Bot::start().await;
    let sara = bot.sara();

    sara.blocks();
    let blocked = bot.hears("my_chat_member").await;
    sara.unblocks();
    let unblocked = bot.hears("my_chat_member").await;

    assert_eq!(blocked["new_chat_member"]["status"], "kicked");
    assert_eq!(unblocked["new_chat_member"]["status"], "member");
}

#[tokio::test]
async fn a_changed_message_comes_as_an_edited_one() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let at = sara.says(&sara.direct(), "stagin");
    bot.hears("message").await;

    sara.edits(at, "staging");

    let edited = bot.hears("edited_message").await;
    assert_eq!(edited["text"], "staging");
    assert_eq!(edited["message_id"], at.id);
    assert!(edited["edit_date"].is_i64());
}

#[tokio::test]
async fn a_photo_comes_with_its_caption_or_without() {
    let bot = Bot::start().await;
    let sara = bot.sara();

    sara.sends_photo(&sara.direct(), None, "this one, @askd_test_bot");
    let with = bot.hears("message").await;
    sara.sends_photo(&sara.direct(), None, "");
    let without = bot.hears("message").await;

    assert_eq!(with["caption"], "this one, @askd_test_bot");
    assert_eq!(with["caption_entities"][0]["type"], "mention");
    assert!(with["photo"].is_array() && with.get("text").is_none());
    assert!(without["photo"].is_array() && without.get("caption").is_none());
}

#[tokio::test]
async fn what_is_passed_on_says_whose_it_was_as_far_as_they_like() {
    let bot = Bot::start().await;
    let (sara, omid) = (bot.sara(), bot.telegram.person("Omid"));
    let group = bot.telegram.group("Ops", &[&sara, &omid]);
    let channel = bot.telegram.channel("News", &[&sara]);
    let words = omid.says(&group, "production");
    let news = channel.post("news");
    bot.hears("channel_post").await;
    let ours = bot.sends(sara.id(), "Where?").await;

    let mut origins = Vec::new();
    for message in [words, news, ours] {
        sara.forwards(message, &sara.direct());
        origins.push(bot.hears("message").await["forward_origin"].clone());
    }
    sara.passes_on("staging", &omid, &sara.direct());
    let unseen = bot.hears("message").await;
    omid.hides_forwards();
    sara.forwards(words, &sara.direct());
    let hidden = bot.hears("message").await;

    assert_eq!(origins[0]["sender_user"]["id"], omid.id());
    assert_eq!(origins[1]["chat"]["id"], channel.id());
    assert_eq!(origins[2]["sender_user"]["is_bot"], true);
    assert_eq!(unseen["forward_origin"]["sender_user"]["id"], omid.id());
    assert_eq!(hidden["forward_origin"]["sender_user_name"], "Omid");
    assert_eq!(hidden["from"]["id"], sara.id());
    assert_eq!(hidden["text"], "production");
}

#[tokio::test]
async fn the_menu_of_commands_is_the_nearest_in_the_readers_language() {
    let bot = Bot::start().await;
    let (sara, omid) = (bot.sara(), bot.telegram.person("Omid"));
    omid.speaks("fa-IR");
    let group = bot.telegram.group("Ops", &[&sara, &omid]);
    let set = |description: &str, scope: Value, language: &str| {
        let commands = json!([{"command": "skip", "description": description}]);
        json!({"commands": commands, "scope": scope, "language_code": language})
    };

    for arguments in [
        set("Skip", json!({"type": "default"}), ""),
        set("رد کردن", json!({"type": "default"}), "fa"),
        set("Skip here", json!({"type": "chat", "chat_id": group.id()}), ""),
    ] {
        assert_eq!(bot.call("setMyCommands", arguments).await, true);
    }

    let says = |menu: Vec<Command>| menu[0].description.clone();
    assert_eq!(says(sara.menu(&sara.direct())), "Skip");
    assert_eq!(says(omid.menu(&omid.direct())), "رد کردن");
    assert_eq!(says(omid.menu(&group)), "Skip here");
    let asked = bot.call("getMyCommands", json!({"language_code": "fa"})).await;
    assert_eq!(asked, json!([{"command": "skip", "description": "رد کردن"}]));
    bot.call("deleteMyCommands", json!({"language_code": "fa"})).await;
    assert_eq!(says(omid.menu(&omid.direct())), "Skip");
}

#[tokio::test]
async fn a_menu_that_breaks_a_limit_is_refused() {
    let bot = Bot::start().await;
    let one = |command: &str, description: &str| json!([{"command": command, "description": description}]);
    let many: Vec<Value> = (0..101)
        .map(|n| json!({"command": format!("c{n}"), "description": "x"}))
        .collect();

    for (commands, description) in [
        (one("Skip", "x"), "Bad Request: BOT_COMMAND_INVALID"),
        (one(&"x".repeat(33), "x"), "Bad Request: BOT_COMMAND_INVALID"),
        (one("", "x"), "Bad Request: command must be non-empty"),
        (
            one("skip", ""),
            "Bad Request: command description must be non-empty",
        ),
        (
            one("skip", &"x".repeat(257)),
            "Bad Request: BOT_COMMAND_DESCRIPTION_INVALID",
        ),
        (json!(many), "Bad Request: BOT_COMMANDS_TOO_MUCH"),
    ] {
        let refused = bot.refused("setMyCommands", json!({"commands": commands})).await;

        assert_eq!(refused, Refused::new(400, description));
    }
    let language = json!({"commands": one("skip", "x"), "language_code": "persian"});
    assert_eq!(
        bot.refused("setMyCommands", language).await,
        Refused::new(400, "Bad Request: invalid language code specified")
    );
}

#[tokio::test]
async fn chats_and_members_can_be_looked_up_as_far_as_the_bot_knows_them() {
    let bot = Bot::start().await;
    let (sara, omid) = (bot.sara(), bot.telegram.stranger("Omid"));
    let group = bot.telegram.supergroup("Ops", &[&sara]);
    let member = |user: i64| json!({"chat_id": group.id(), "user_id": user});
    let me = bot.call("getMe", json!({})).await["id"].as_i64().unwrap();

    let found = bot.call("getChat", json!({"chat_id": sara.id()})).await;
    let unknown = bot.refused("getChat", json!({"chat_id": omid.id()})).await;
    let mut statuses = Vec::new();
    for id in [sara.id(), omid.id(), me] {
        statuses.push(bot.call("getChatMember", member(id)).await["status"].clone());
    }
    let nobody = bot.refused("getChatMember", member(1)).await;
    group.kick_bot();
    let kicked = bot.refused("getChat", json!({"chat_id": group.id()})).await;

    assert_eq!(
        (&found["type"], &found["first_name"]),
        (&json!("private"), &json!("Sara"))
    );
    assert_eq!(unknown, Refused::new(400, "Bad Request: chat not found"));
    assert_eq!(statuses, [json!("creator"), json!("left"), json!("member")]);
    assert_eq!(nobody, Refused::new(400, "Bad Request: user not found"));
    assert_eq!(
        kicked,
        Refused::new(403, "Forbidden: bot was kicked from the supergroup chat")
    );
}

#[tokio::test]
async fn the_transcript_tells_what_everybody_said_saw_and_tapped() {
    let bot = Bot::start().await;
    let sara = bot.telegram.stranger("Sara");
    let group = bot.telegram.group("Ops", &[&sara]);
    sara.starts();
    let prompt = bot
        .sends_with(json!({
            "chat_id": sara.id(), "text": "<b>Target</b>: Where should this go?\nuntil 14:30", "parse_mode": "HTML",
            "reply_markup": {"inline_keyboard": [
                [{"text": "Staging", "callback_data": "1"}],
                [{"text": "Other…", "callback_data": "o"}, {"text": "Open", "url": "https://askd.example.org/"}],
            ]},
        }))
        .await;
    let tap = sara.taps(&sara.direct(), "Other…");
    bot.call(
        "answerCallbackQuery",
        json!({"callback_query_id": tap.id, "text": "Write your answer"}),
    )
    .await;
    bot.sends_with(json!({
        "chat_id": sara.id(), "text": "Your own words:", "disable_notification": true,
        "reply_markup": {"force_reply": true, "input_field_placeholder": "Target"},
    }))
    .await;
    let own = sara.prompt(&sara.direct()).unwrap().to;
    sara.replies(own, "2 weeks from now");
    bot.call(
        "editMessageText",
        json!({"chat_id": prompt.chat, "message_id": prompt.id, "text": "Target: answered by Sara"}),
    )
    .await;
    bot.sends(group.id(), "Somebody was faster").await;

    let expected = "\
== Sara, alone with askd ==

#1 Sara
  | /start

#2 askd (rings)
  | *Target*: Where should this go?
  | until 14:30
  [Staging]
  [Other…] [Open -> https://askd.example.org/]

Sara taps [Other…] below #2

Sara reads in passing: \"Write your answer\"

#3 askd
  | Your own words:
  (a reply opens: Target___)

#4 Sara, replying to #3
  | 2 weeks from now

#2 askd, changed
  | Target: answered by Sara


== Ops ==

#5 askd (rings)
  | Somebody was faster

";
    assert_eq!(bot.telegram.transcript(), expected);
}

#[tokio::test]
#[should_panic(expected = "there is no button [Production]")]
async fn a_button_that_is_not_there_cannot_be_tapped() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    bot.sends_with(json!({"chat_id": sara.id(), "text": "Where?", "reply_markup": keyboard(&["Staging"])}))
        .await;

    sara.taps(&sara.direct(), "Production");
}
