//! What people do and see, and the transcript that is told of it.

use askd_testkit::discord::MenuEntry;
use serde_json::{Value, json};

use super::bot::{Bot, Refused, callback, path_of, rows};

#[tokio::test]
async fn what_is_said_alone_and_among_others_says_who_and_where() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let ops = bot.discord.channel("ops", &[&sara]);
    let mut gateway = bot.connects().await;

    sara.says(&sara.direct(), "hello");
    let alone = gateway.hears("MESSAGE_CREATE").await;
    sara.mentions_bot(&ops, "hello");
    let there = gateway.hears("MESSAGE_CREATE").await;

    assert_eq!(alone["author"]["id"], sara.id().to_string());
    assert_eq!(
        (&alone["author"]["username"], &alone["author"]["global_name"]),
        (&json!("sara"), &json!("Sara"))
    );
    assert!(alone.get("guild_id").is_none() && alone.get("member").is_none());
    assert_eq!(there["guild_id"], bot.discord.guild_id().to_string());
    assert!(there["member"]["joined_at"].is_string() && there["member"].get("user").is_none());
    assert_eq!(there["content"], format!("<@{}> hello", bot.discord.bot_id()));
    assert_eq!(there["timestamp"], "2026-12-01T09:30:00.000000+00:00");
}

#[tokio::test]
async fn a_reply_says_to_what_and_pings_unless_that_is_switched_off() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let ours = bot.sends(&sara.direct(), "Where?").await;
    let mut gateway = bot.connects().await;

    for pings in [true, false] {
        if pings {
            sara.replies(ours, "2");
        } else {
            sara.replies_quietly(ours, "2");
        }
        let reply = gateway.hears("MESSAGE_CREATE").await;

        assert_eq!(reply["type"], 19);
        assert_eq!(reply["message_reference"]["message_id"], ours.id.to_string());
        assert_eq!(reply["referenced_message"]["content"], "Where?");
        assert_eq!(!reply["mentions"].as_array().unwrap().is_empty(), pings);
    }
}

#[tokio::test]
async fn a_changed_message_comes_whole_and_a_preview_in_part() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let mut gateway = bot.connects().await;
    let said = sara.says(&sara.direct(), "stagin https://example.org");
    gateway.hears("MESSAGE_CREATE").await;

    sara.edits(said, "staging");
    let changed = gateway.hears("MESSAGE_UPDATE").await;
    sara.direct().shows_preview(said);
    let preview = gateway.hears("MESSAGE_UPDATE").await;

    assert_eq!(
        (&changed["content"], &changed["id"]),
        (&json!("staging"), &json!(said.id.to_string()))
    );
    assert!(changed["edited_timestamp"].is_string());
    assert!(
        preview.get("content").is_none() && preview["embeds"].is_array(),
        "{preview}"
    );
}

#[tokio::test]
async fn two_changes_are_told_apart_even_where_time_stands_still() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let mut gateway = bot.connects().await;
    let said = sara.says(&sara.direct(), "7");
    gateway.hears("MESSAGE_CREATE").await;
    let mut when = Vec::new();

    for text in ["8", "9"] {
        sara.edits(said, text);
        when.push(gateway.hears("MESSAGE_UPDATE").await["edited_timestamp"].clone());
    }

    assert_ne!(when[0], when[1]);
}

#[tokio::test]
async fn a_photo_comes_with_its_caption_or_without_and_a_long_text_as_a_file() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let mut gateway = bot.connects().await;

    sara.sends_photo(&sara.direct(), None, "this one");
    let with = gateway.hears("MESSAGE_CREATE").await;
    sara.sends_photo(&sara.direct(), None, "");
    let without = gateway.hears("MESSAGE_CREATE").await;
    sara.says(&sara.direct(), &"x".repeat(4001));
    let long = gateway.hears("MESSAGE_CREATE").await;

    assert_eq!(
        (&with["content"], &with["attachments"][0]["filename"]),
        (&json!("this one"), &json!("photo.png"))
    );
    assert_eq!(
        (
            &without["content"],
            without["attachments"].as_array().unwrap().len()
        ),
        (&json!(""), 1)
    );
    assert_eq!(
        (&long["content"], &long["attachments"][0]["filename"]),
        (&json!(""), &json!("message.txt"))
    );
}

#[tokio::test]
async fn what_is_passed_on_stands_in_a_snapshot_and_not_in_the_content() {
    let bot = Bot::start().await;
    let (sara, omid) = (bot.sara(), bot.discord.person("Omid"));
    let ops = bot.discord.channel("ops", &[&sara, &omid]);
    let words = omid.says(&ops, "production");
    let mut gateway = bot.connects().await;

    sara.forwards(words, &sara.direct());
    let known = gateway.hears("MESSAGE_CREATE").await;
    sara.passes_on("staging", &sara.direct());
    let unknown = gateway.hears("MESSAGE_CREATE").await;

    for (message, content) in [(&known, "production"), (&unknown, "staging")] {
        assert_eq!((&message["content"], &message["type"]), (&json!(""), &json!(0)));
        assert_eq!(message["message_reference"]["type"], 1);
        assert_eq!(message["message_snapshots"][0]["message"]["content"], content);
    }
    assert_eq!(known["message_reference"]["message_id"], words.id.to_string());
}

#[tokio::test]
async fn a_thread_below_a_message_has_its_id_and_begins_with_a_message_that_is_none() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let ops = bot.discord.channel("ops", &[&sara]);
    let prompt = bot.sends(&ops, "Where?").await;
    let mut gateway = bot.connects().await;

    let thread = sara.opens_thread_below(prompt, "Deploy");
    let made = gateway.hears("THREAD_CREATE").await;
    let starter = gateway.hears("MESSAGE_CREATE").await;
    sara.says(&thread, "2");
    let said = gateway.hears("MESSAGE_CREATE").await;

    assert_eq!(
        (made["id"].clone(), &made["type"]),
        (json!(prompt.id.to_string()), &json!(11))
    );
    assert_eq!(made["parent_id"], ops.id().to_string());
    assert_eq!((&starter["type"], &starter["content"]), (&json!(21), &json!("")));
    assert_eq!(starter["message_reference"]["message_id"], prompt.id.to_string());
    assert_eq!(said["channel_id"], thread.id().to_string());
    assert_eq!(
        bot.get(&path_of(prompt)).await["thread"]["id"],
        thread.id().to_string()
    );
    let active = bot
        .get(&format!("/guilds/{}/threads/active", bot.discord.guild_id()))
        .await;
    assert_eq!(active["threads"][0]["id"], thread.id().to_string());
    assert_eq!(
        bot.get(&format!("/channels/{}", thread.id())).await["owner_id"],
        sara.id().to_string()
    );
}

#[tokio::test]
async fn a_thread_that_stands_alone_is_told_of_in_its_channel() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let ops = bot.discord.channel("ops", &[&sara]);
    let mut gateway = bot.connects().await;

    let thread = sara.opens_thread(&ops, "Deploy");
    gateway.hears("THREAD_CREATE").await;
    let notice = gateway.hears("MESSAGE_CREATE").await;
    thread.archive();
    let archived = gateway.hears("THREAD_UPDATE").await;
    thread.vanish();
    let gone = gateway.hears("THREAD_DELETE").await;

    assert_eq!(
        (&notice["type"], &notice["content"]),
        (&json!(18), &json!("Deploy"))
    );
    assert_eq!(notice["channel_id"], ops.id().to_string());
    assert_eq!(notice["message_reference"]["channel_id"], thread.id().to_string());
    assert_eq!(archived["thread_metadata"]["archived"], true);
    assert_eq!(gone["id"], thread.id().to_string());
}

#[tokio::test]
async fn what_says_what_happened_is_no_answer_and_has_a_type_of_its_own() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let ops = bot.discord.channel("ops", &[&sara]);
    let prompt = bot.sends(&ops, "Where?").await;
    let mut gateway = bot.connects().await;

    sara.pins(prompt);
    let pinned = gateway.hears("MESSAGE_CREATE").await;
    bot.discord.stranger("Omid").joins_guild(&ops);
    let joined = gateway.hears("MESSAGE_CREATE").await;

    assert_eq!((&pinned["type"], &joined["type"]), (&json!(6), &json!(7)));
    assert_eq!(pinned["message_reference"]["message_id"], prompt.id.to_string());
    assert_eq!(sara.sees(&ops).len(), 1);
}

#[tokio::test]
async fn bots_and_webhooks_talk_too() {
    let bot = Bot::start().await;
    let (sara, machine) = (bot.sara(), bot.discord.machine("Monitor"));
    let ops = bot.discord.channel("ops", &[&sara, &machine]);
    let mut gateway = bot.connects().await;

    machine.mentions_bot(&ops, "2");
    let other = gateway.hears("MESSAGE_CREATE").await;
    ops.hook_posts("Alerts", "2");
    let hook = gateway.hears("MESSAGE_CREATE").await;

    assert_eq!(
        (&other["author"]["bot"], other.get("webhook_id")),
        (&json!(true), None)
    );
    assert!(hook["webhook_id"].is_string() && hook["author"]["bot"] == true);
    let refused = bot
        .refused(
            "POST",
            "/users/@me/channels",
            json!({"recipient_id": machine.id().to_string()}),
        )
        .await;
    assert_eq!(refused.code, 50007);
}

#[tokio::test]
#[should_panic(expected = "has blocked the bot")]
async fn who_has_blocked_the_bot_does_not_write_to_it() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    sara.blocks();

    sara.says(&sara.direct(), "hello");
}

#[tokio::test]
#[should_panic(expected = "there is no button [Production]")]
async fn a_button_that_is_not_there_cannot_be_pressed() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    bot.sends_with(
        &sara.direct(),
        json!({"content": "Where?", "components": rows(&[&["Staging"]])}),
    )
    .await;

    sara.presses(&sara.direct(), "Production");
}

#[tokio::test]
async fn commands_are_read_in_the_clients_language_and_used_with_their_option() {
    let bot = Bot::start().await;
    let (sara, omid) = (bot.sara(), bot.discord.person("Omid"));
    omid.speaks("de");
    let path = format!("/applications/{}/commands", bot.discord.bot_id());
    let code = json!({"type": 3, "name": "code", "description": "The code", "max_length": 64});
    let commands = json!([
        {"name": "skip", "description": "Skip", "description_localizations": {"de": "Überspringen"}},
        {"name": "start", "description": "Begin", "options": [code]},
    ]);
    let mut gateway = bot.connects().await;

    let set = bot.call("PUT", &path, commands.clone()).await;
    let again = bot.call("PUT", &path, commands).await;
    omid.uses(&omid.direct(), "start", Some("abc"));
    let used = gateway.hears("INTERACTION_CREATE").await;

    assert_eq!(set[0]["id"], again[0]["id"], "a command keeps its id");
    assert_eq!(bot.get(&path).await, again);
    let says = |menu: Vec<MenuEntry>| menu[0].description.clone();
    assert_eq!(
        (says(sara.menu(&sara.direct())), says(omid.menu(&omid.direct()))),
        ("Skip".to_owned(), "Überspringen".to_owned())
    );
    assert_eq!(
        used["data"]["options"],
        json!([{"name": "code", "type": 3, "value": "abc"}])
    );
    let typed = |text: &str| sara.types_command(&sara.direct(), text);
    assert_eq!(typed("/skip"), Some(("skip".to_owned(), None)));
    assert_eq!(
        typed("/start abc"),
        Some(("start".to_owned(), Some("abc".to_owned())))
    );
    assert_eq!(
        [typed("/skip now"), typed("/srv/data"), typed("skip")],
        [None, None, None]
    );
    bot.answers(&used, json!({"type": 5})).await;
}

#[tokio::test]
async fn commands_that_break_a_rule_are_refused() {
    let bot = Bot::start().await;
    let path = format!("/applications/{}/commands", bot.discord.bot_id());
    let one = |name: &str, description: &str| json!([{"name": name, "description": description}]);
    let many: Vec<Value> = (0..101)
        .map(|n| json!({"name": format!("c{n}"), "description": "x"}))
        .collect();
    let persian = json!([{"name": "skip", "description": "x", "description_localizations": {"fa": "x"}}]);

    for (commands, at) in [
        (one("Skip", "x"), "/0/name"),
        (one("skip it", "x"), "/0/name"),
        (one(&"x".repeat(33), "x"), "/0/name"),
        (one("skip", ""), "/0/description"),
        (one("skip", &"x".repeat(101)), "/0/description"),
        (persian, "/0/description_localizations/fa"),
        (
            json!([{"name": "a", "description": "x"}, {"name": "a", "description": "x"}]),
            "/1/name",
        ),
        (json!(many), ""),
    ] {
        let refused = bot.refused("PUT", &path, commands).await;

        assert!(
            refused.errors.pointer(&format!("{at}/_errors/0/code")).is_some(),
            "{refused:?}"
        );
    }
    let other = bot.refused("PUT", "/applications/1/commands", json!([])).await;
    assert_eq!(other.code, 20012);
}

#[tokio::test]
async fn guilds_channels_and_members_are_looked_up_as_far_as_the_bot_knows_them() {
    let bot = Bot::start().await;
    let (sara, far) = (bot.sara(), bot.discord.stranger("Far"));
    let ops = bot.discord.channel("ops", &[&sara]);
    let guild = bot.discord.guild_id();
    let me = bot.discord.bot_id();

    let mine = bot.get("/users/@me/guilds").await;
    let member = bot.get(&format!("/guilds/{guild}/members/{me}")).await;
    let roles = bot.get(&format!("/guilds/{guild}/roles")).await;
    let channels = bot.get(&format!("/guilds/{guild}/channels")).await;

    assert_eq!(mine[0]["id"], guild.to_string());
    assert_eq!(member["roles"], json!([roles[1]["id"]]));
    assert_eq!(
        (&roles[0]["id"], &roles[1]["tags"]["bot_id"]),
        (&json!(guild.to_string()), &json!(me.to_string()))
    );
    assert_eq!(channels[0]["name"], "ops");
    assert_eq!(
        bot.get(&format!("/channels/{}", ops.id())).await["guild_id"],
        guild.to_string()
    );
    assert_eq!(bot.get(&format!("/users/{}", far.id())).await["username"], "far");
    for (path, status, code) in [
        (format!("/guilds/{guild}/members/{}", far.id()), 404, 10007),
        (format!("/guilds/{guild}/members/1"), 404, 10013),
        ("/guilds/1".to_owned(), 404, 10004),
        ("/users/1".to_owned(), 404, 10013),
        (format!("/users/@me/guilds/{guild}/member"), 403, 20001),
    ] {
        let Refused {
            status: found,
            code: why,
            ..
        } = bot.refused("GET", &path, Value::Null).await;
        assert_eq!((found, why), (status, code), "{path}");
    }
    bot.discord.set_in_guild(false);
    assert_eq!(
        bot.refused("GET", &format!("/guilds/{guild}"), Value::Null)
            .await
            .code,
        50001
    );
    assert_eq!(bot.get("/users/@me/guilds").await, json!([]));
}

#[tokio::test]
async fn the_transcript_tells_what_everybody_said_saw_and_pressed() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let ops = bot.discord.channel("ops", &[&sara]);
    let mut gateway = bot.connects().await;
    let heard = async |gateway: &mut super::bot::Gateway| loop {
        let event = gateway.next().await.unwrap();
        if event["t"] == "INTERACTION_CREATE" {
            break event["d"].clone();
        }
    };
    let nobody = json!({"parse": []});
    let prompt = bot
        .sends_with(
            &sara.direct(),
            json!({
                "content": "**Target**: Where should this go\\?\nuntil <t:1796118300:t>",
                "components": rows(&[&["Staging"], &["Other…", "Skip"]]),
            }),
        )
        .await;
    sara.presses(&sara.direct(), "Other…");
    let other = heard(&mut gateway).await;
    let input = json!({"type": 4, "custom_id": "text", "style": 2, "label": "Own words"});
    let modal =
        json!({"custom_id": "m", "title": "Target", "components": [{"type": 1, "components": [input]}]});
    bot.answers(&other, json!({"type": 9, "data": modal})).await;
    sara.fills("2 weeks from now");
    let filled = heard(&mut gateway).await;
    let settled =
        json!({"content": "**Target**: Sara, in own words", "components": [], "allowed_mentions": nobody});
    bot.answers(&filled, json!({"type": 7, "data": settled})).await;
    sara.presses_data(prompt, "Staging", "Staging");
    let late = heard(&mut gateway).await;
    let told = json!({"content": "It is over", "flags": 64, "allowed_mentions": nobody});
    bot.answers(&late, json!({"type": 4, "data": told})).await;
    let thread = sara.opens_thread(&ops, "Deploy");
    let said = sara.says(&thread, "which is cheaper?");
    let reference = json!({"message_id": said.id.to_string()});
    bot.sends_with(
        &thread,
        json!({"content": "Mention me", "flags": 4096, "message_reference": reference}),
    )
    .await;
    let press = sara.presses_data(prompt, "Skip", "Skip");
    bot.clock.advance(std::time::Duration::from_secs(4));
    let refused = bot
        .refused("POST", &callback(&heard(&mut gateway).await), json!({"type": 6}))
        .await;

    let expected = "\
== Sara, alone with askd ==

#1 askd (rings)
  | *Target*: Where should this go?
  | until 09:45
  [Staging]
  [Other…] [Skip]

Sara presses [Other…] below #1

A form opens before Sara: \"Target\"
  Own words: ___

Sara sends the form in
  | 2 weeks from now

#1 askd, changed
  | *Target*: Sara, in own words

Sara presses [Staging] below #1

#2 askd, replying to #1, to Sara alone
  | It is over


== #ops ==

#3 Sara
  | (begins the thread Deploy)


== #ops / Deploy ==

#4 Sara
  | which is cheaper?

#5 askd, replying to #4
  | Mention me


== Sara, alone with askd ==

Sara presses [Skip] below #1

Sara alone reads: \"This interaction failed\"

";
    assert_eq!(bot.discord.transcript(), expected);
    assert_eq!(refused.code, 10062);
    assert!(press.settled().is_some());
}
