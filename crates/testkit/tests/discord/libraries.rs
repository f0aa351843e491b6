//! The libraries that a channel meets it with: what they cannot read, nobody can.

use askd_testkit::discord::Outcome;
use futures_util::StreamExt;
use serde_json::json;
use serenity::model::{
    application::Interaction,
    channel::Message,
    event::{Event, GatewayEvent},
};
use tokio::time::timeout;
use twilight_gateway::{ConfigBuilder, Intents, Message as Frame, Shard, ShardId};

use super::bot::{AT_MOST, Bot, rows};

const INTENTS: Intents = Intents::GUILDS
    .union(Intents::GUILD_MESSAGES)
    .union(Intents::DIRECT_MESSAGES)
    .union(Intents::MESSAGE_CONTENT);

/// A shard of the library, which connects to the fake.
async fn shard(bot: &Bot) -> Shard {
    // Where it was installed before, it stays.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let url = bot.get("/gateway/bot").await["url"]
        .as_str()
        .expect("a text")
        .to_owned();
    let config = ConfigBuilder::new(bot.discord.token(), INTENTS).proxy_url(url);
    Shard::with_config(ShardId::ONE, config.build())
}

/// The next event, as serenity reads it.
async fn event(shard: &mut Shard) -> Event {
    loop {
        let message = timeout(AT_MOST, shard.next()).await.expect("something comes");
        let message = message.expect("it goes on");
        let Frame::Text(text) = message.expect("it is read") else {
            continue;
        };
        let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        if value["op"] == 0 {
            return read(&value);
        }
    }
}

fn read(value: &serde_json::Value) -> Event {
    let event: GatewayEvent =
        serde_json::from_value(value.clone()).unwrap_or_else(|fault| panic!("{fault}: {value}"));
    match event {
        GatewayEvent::Dispatch(_, event) => event,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn twilight_carries_and_serenity_reads_all_that_a_channel_needs() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let group = bot.discord.channel("ops", &[&sara]);
    let mut shard = shard(&bot).await;

    assert!(matches!(event(&mut shard).await, Event::Ready(_)));
    let Event::GuildCreate(guild) = event(&mut shard).await else {
        panic!("no guild")
    };
    assert_eq!(guild.guild.channels.len(), 1);

    sara.says(&sara.direct(), "hello");
    sara.mentions_bot(&group, "2");
    for content in ["hello".to_owned(), format!("<@{}> 2", bot.discord.bot_id())] {
        let Event::MessageCreate(said) = event(&mut shard).await else {
            panic!("no message")
        };
        assert_eq!(said.message.content, content);
    }

    let prompt = bot
        .sends_with(
            &group,
            json!({"content": "Where?", "components": rows(&[&["Staging"], &["Other…"]])}),
        )
        .await;
    assert!(matches!(event(&mut shard).await, Event::MessageCreate(_)));
    let thread = sara.opens_thread_below(prompt, "Where?");
    assert!(matches!(event(&mut shard).await, Event::ThreadCreate(_)));
    assert!(
        matches!(event(&mut shard).await, Event::MessageCreate(_)),
        "the first message of a thread"
    );
    sara.says(&thread, "I wonder");
    assert!(matches!(event(&mut shard).await, Event::MessageCreate(_)));

    let press = sara.presses(&group, "Other…");
    let Event::InteractionCreate(asked) = event(&mut shard).await else {
        panic!("no interaction")
    };
    let Interaction::Component(asked) = asked.interaction else {
        panic!("no press")
    };
    assert_eq!(asked.data.custom_id, "Other…");
    let input = json!({"type": 4, "custom_id": "text", "style": 2, "label": "Own words"});
    let modal =
        json!({"custom_id": "m", "title": "Target", "components": [{"type": 1, "components": [input]}]});
    let path = format!("/interactions/{}/{}/callback", asked.id, asked.token);
    bot.call("POST", &path, json!({"type": 9, "data": modal})).await;
    assert!(matches!(press.outcome(), Outcome::Form(_)));
    sara.fills("after lunch");
    let Event::InteractionCreate(filled) = event(&mut shard).await else {
        panic!("no form")
    };
    let Interaction::Modal(filled) = filled.interaction else {
        panic!("no form")
    };
    assert_eq!(filled.data.custom_id, "m");
    let path = format!("/interactions/{}/{}/callback", filled.id, filled.token);
    let update = json!({"content": "Done", "components": [], "allowed_mentions": {"parse": []}});
    bot.call("POST", &path, json!({"type": 7, "data": update})).await;
    let Event::MessageUpdate(changed) = event(&mut shard).await else {
        panic!("no change")
    };
    assert_eq!(changed.content.as_deref(), Some("Done"));

    let commands = json!([{"name": "skip", "description": "Skip the question"}]);
    let path = format!("/applications/{}/commands", bot.discord.bot_id());
    bot.call("PUT", &path, commands).await;
    sara.uses(&sara.direct(), "skip", None);
    let Event::InteractionCreate(used) = event(&mut shard).await else {
        panic!("no command")
    };
    let Interaction::Command(used) = used.interaction else {
        panic!("no command")
    };
    assert_eq!(
        (used.data.name.as_str(), used.user.name.as_str()),
        ("skip", "sara")
    );

    let listed = bot
        .get(&format!("/channels/{}/messages?after=0&limit=100", group.id()))
        .await;
    let listed: Vec<Message> = serde_json::from_value(listed).unwrap();
    assert_eq!(listed.len(), 2);
}

#[tokio::test]
async fn twilight_resumes_by_itself_and_misses_nothing() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let mut shard = shard(&bot).await;
    event(&mut shard).await;
    event(&mut shard).await;

    bot.discord.drop_sockets();
    sara.says(&sara.direct(), "while away");

    let Event::MessageCreate(said) = event(&mut shard).await else {
        panic!("no message")
    };
    assert_eq!(said.message.content, "while away");
    assert!(matches!(event(&mut shard).await, Event::Resumed(_)));
    let sockets = bot.discord.sockets();
    assert_eq!(
        (sockets.len(), sockets[1].path.as_str(), sockets[1].resumed),
        (2, "/resume/", Some(2))
    );
    assert!(sockets[1].compressed);
    assert_eq!(bot.discord.violations(), [""; 0]);
}
