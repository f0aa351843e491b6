//! What the bot hears, and what of it it can read.

use askd_testkit::discord::{Person, Place, Setup};
use serde_json::{Value, json};

use super::bot::{Bot, CONTENT, Gateway, INTENTS};

async fn scene(message_content: bool, intents: u64) -> (Bot, Gateway, Person, Place) {
    let bot = Bot::start_as(Setup {
        message_content,
        ..Setup::default()
    })
    .await;
    let sara = bot.sara();
    let ops = bot.discord.channel("ops", &[&sara]);
    let gateway = bot.connects_with(intents).await;
    (bot, gateway, sara, ops)
}

#[tokio::test]
async fn without_the_intent_contents_are_empty_but_for_direct_ones_mentions_and_replies_that_ping() {
    let (bot, mut gateway, sara, ops) = scene(false, INTENTS).await;
    let prompt = bot.sends(&ops, "Where?").await;
    let ours = gateway.hears("MESSAGE_CREATE").await;
    let mention = format!("<@{}> 2", bot.discord.bot_id());
    let role = bot
        .get(&format!("/guilds/{}/roles", bot.discord.guild_id()))
        .await;
    let mut heard = Vec::new();

    for (act, read) in [
        (0, String::new()),
        (1, mention.clone()),
        (2, "2".to_owned()),
        (3, String::new()),
        (4, String::new()),
        (5, "2".to_owned()),
    ] {
        let said = match act {
            0 => sara.says(&ops, "2"),
            1 => sara.mentions_bot(&ops, "2"),
            2 => sara.replies(prompt, "2"),
            3 => sara.replies_quietly(prompt, "2"),
            4 => sara.mentions_role(&ops, "2"),
            _ => sara.says(&sara.direct(), "2"),
        };
        let event = gateway.hears("MESSAGE_CREATE").await;
        assert_eq!(event["content"], read, "{act}");
        let path = format!("/channels/{}/messages/{}", said.channel, said.id);
        assert_eq!(bot.get(&path).await["content"], read, "{act}, over HTTP");
        heard.push(event);
    }

    assert_eq!(ours["content"], "Where?");
    assert_eq!(heard[4]["mention_roles"], json!([role[1]["id"]]));
    assert_eq!(heard[2]["mentions"][0]["id"], bot.discord.bot_id().to_string());
    assert_eq!(heard[3]["mentions"], json!([]));
    assert_eq!(heard[3]["message_reference"]["message_id"], prompt.id.to_string());
    let flags = |value: &Value| value["flags"].as_u64().unwrap();
    assert_eq!(flags(&bot.get("/applications/@me").await) & 1 << 19, 0);
}

#[tokio::test]
async fn with_the_intent_everything_is_read_if_the_session_asked_for_it() {
    for (intents, content) in [(INTENTS | CONTENT, "2"), (INTENTS, "")] {
        let (bot, mut gateway, sara, ops) = scene(true, intents).await;

        sara.sends_photo(&ops, None, "2");

        let heard = gateway.hears("MESSAGE_CREATE").await;
        assert_eq!(heard["content"], content);
        assert_eq!(
            heard["attachments"].as_array().unwrap().is_empty(),
            content.is_empty()
        );
        let application = bot.get("/applications/@me").await;
        assert_ne!(application["flags"].as_u64().unwrap() & 1 << 19, 0);
    }
}

#[tokio::test]
async fn what_no_intent_was_asked_for_is_not_heard() {
    let (_bot, mut gateway, sara, ops) = scene(true, 1 | 1 << 12).await;

    sara.mentions_bot(&ops, "2");
    sara.says(&sara.direct(), "1");

    assert_eq!(gateway.hears("MESSAGE_CREATE").await["content"], "1");
}

#[tokio::test]
async fn a_channel_that_the_bot_cannot_see_is_not_heard() {
    let (bot, mut gateway, sara, ops) = scene(true, INTENTS | CONTENT).await;

    ops.denies(askd_testkit::discord::Permission::ViewChannel);
    gateway.hears("CHANNEL_UPDATE").await;
    sara.mentions_bot(&ops, "2");

    gateway.hears_nothing_more().await;
    assert_eq!(
        bot.get(&format!("/guilds/{}", bot.discord.guild_id())).await["name"],
        "Shop"
    );
}

#[tokio::test]
async fn the_bot_hears_itself() {
    let (bot, mut gateway, sara, _) = scene(true, INTENTS).await;
    let at = bot.sends(&sara.direct(), "Where?").await;

    let heard = gateway.hears("MESSAGE_CREATE").await;
    bot.edits(at, json!({"content": "Done", "allowed_mentions": {"parse": []}}))
        .await;
    let changed = gateway.hears("MESSAGE_UPDATE").await;
    bot.call("DELETE", &super::bot::path_of(at), Value::Null).await;
    let gone = gateway.hears("MESSAGE_DELETE").await;

    assert_eq!(heard["author"]["id"], bot.discord.bot_id().to_string());
    assert_eq!(
        (&changed["content"], &gone["id"]),
        (&json!("Done"), &json!(at.id.to_string()))
    );
}
