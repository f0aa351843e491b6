//! New messages.

use std::time::Duration;

use askd_testkit::discord::{Permission, Setup};
use serde_json::{Value, json};

use super::bot::{Bot, Refused, rows};

fn nobody() -> Value {
    json!({"parse": []})
}

/// The code of the first fault below this path.
fn fault(refused: &Refused, path: &[&str]) -> String {
    assert_eq!((refused.status, refused.code), (400, 50035), "{refused:?}");
    let mut at = &refused.errors;
    for name in path {
        at = &at[*name];
    }
    let code = at["_errors"][0]["code"].as_str();
    code.unwrap_or_else(|| panic!("nothing at {path:?} in {}", refused.errors))
        .to_owned()
}

#[tokio::test]
async fn a_content_has_at_most_2000_characters_once_its_ends_are_trimmed() {
    let bot = Bot::start().await;
    let direct = bot.sara().direct();
    let path = format!("/channels/{}/messages", direct.id());

    for (content, fits) in [
        ("x".repeat(2000), true),
        (format!("  {}\n", "x".repeat(2000)), true),
        ("👍".repeat(2000), true),
        ("x".repeat(2001), false),
    ] {
        let body = json!({"content": content, "allowed_mentions": nobody()});
        match bot.try_call("POST", &path, body).await.unwrap() {
            Ok(message) => assert!(fits && message["content"] == content.trim()),
            Err(refused) => {
                assert!(!fits);
                assert_eq!(fault(&refused, &["content"]), "BASE_TYPE_MAX_LENGTH");
            }
        }
    }
    assert_eq!(bot.discord.violations().len(), 1);
}

#[tokio::test]
async fn an_empty_message_is_refused() {
    let bot = Bot::start().await;
    let direct = bot.sara().direct();
    let path = format!("/channels/{}/messages", direct.id());

    for body in [
        json!({}),
        json!({"content": " \n "}),
        json!({"content": null, "embeds": []}),
    ] {
        let refused = bot.refused("POST", &path, body).await;

        assert_eq!(refused, Refused::new(400, 50006, "Cannot send an empty message"));
    }
}

#[tokio::test]
async fn components_keep_to_their_limits_and_every_fault_is_named() {
    let bot = Bot::start().await;
    let direct = bot.sara().direct();
    let path = format!("/channels/{}/messages", direct.id());
    let button = |with: Value| {
        let mut button = json!({"type": 2, "style": 1, "label": "A", "custom_id": "a"});
        for (name, value) in with.as_object().unwrap() {
            button[name] = value.clone();
        }
        json!([{"type": 1, "components": [button]}])
    };
    let at = |name: &'static str| vec!["components", "0", "components", "0", name];
    let six: Vec<&[&str]> = vec![&["1"], &["2"], &["3"], &["4"], &["5"], &["6"]];

    for (components, path_of_fault, code) in [
        (rows(&six), vec!["components"], "BASE_TYPE_MAX_LENGTH"),
        (
            rows(&[&["1", "2", "3", "4", "5", "6"]]),
            vec!["components", "0", "components"],
            "BASE_TYPE_BAD_LENGTH",
        ),
        (
            rows(&[&[]]),
            vec!["components", "0", "components"],
            "BASE_TYPE_BAD_LENGTH",
        ),
        (
            button(json!({"label": "x".repeat(81)})),
            at("label"),
            "BASE_TYPE_MAX_LENGTH",
        ),
        (
            button(json!({"label": ""})),
            at("label"),
            "BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED",
        ),
        (
            button(json!({"custom_id": "x".repeat(101)})),
            at("custom_id"),
            "BASE_TYPE_BAD_LENGTH",
        ),
        (
            button(json!({"custom_id": ""})),
            at("custom_id"),
            "BASE_TYPE_BAD_LENGTH",
        ),
        (
            button(json!({"custom_id": null})),
            at("custom_id"),
            "BASE_TYPE_REQUIRED",
        ),
        (button(json!({"style": 9})), at("style"), "BASE_TYPE_CHOICES"),
        (
            button(json!({"style": 5, "url": "https://example.org"})),
            at("custom_id"),
            "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE",
        ),
        (
            rows(&[&["a"], &["a"]]),
            vec!["components", "1", "components", "0", "custom_id"],
            "COMPONENT_CUSTOM_ID_DUPLICATED",
        ),
    ] {
        let body = json!({"content": "Where?", "components": components, "allowed_mentions": nobody()});
        let refused = bot.refused("POST", &path, body).await;

        assert_eq!(fault(&refused, &path_of_fault), code);
    }
    bot.sends_with(
        &direct,
        json!({"content": "Where?", "components": rows(&[&["1", "2", "3", "4", "5"]])}),
    )
    .await;
}

#[tokio::test]
async fn a_link_needs_a_scheme_that_clients_open() {
    let bot = Bot::start().await;
    let direct = bot.sara().direct();
    let path = format!("/channels/{}/messages", direct.id());
    let link = |url: &str| {
        let button = json!({"type": 2, "style": 5, "label": "Open", "url": url});
        json!({"content": "x", "components": [{"type": 1, "components": [button]}], "allowed_mentions": nobody()})
    };

    for (url, code) in [
        ("https://askd.example.org/a/1?b#c", None),
        ("http://127.0.0.1:7373/", None),
        ("ftp://example.org", Some("URL_TYPE_INVALID_SCHEME")),
        ("example.org", Some("URL_TYPE_INVALID_URL")),
        ("https://", Some("URL_TYPE_INVALID_URL")),
    ] {
        let outcome = bot.try_call("POST", &path, link(url)).await.unwrap();
        let found = outcome
            .err()
            .map(|refused| fault(&refused, &["components", "0", "components", "0", "url"]));

        assert_eq!(found.as_deref(), code, "{url}");
    }
}

#[tokio::test]
async fn what_nobody_has_modelled_is_refused_and_noted() {
    let bot = Bot::start().await;
    let direct = bot.sara().direct();
    let path = format!("/channels/{}/messages", direct.id());
    let select = json!([{"type": 1, "components": [{"type": 3, "custom_id": "a", "options": []}]}]);

    for body in [
        json!({"content": "x", "poll": {}}),
        json!({"content": "x", "embeds": [{"title": "x"}]}),
        json!({"content": "x", "flags": 1 << 15}),
        json!({"content": "x", "components": select}),
        json!({"content": "x", "message_reference": {"message_id": "1", "type": 1}}),
    ] {
        let refused = bot.refused("POST", &path, body).await;

        assert_eq!(refused.status, 501, "{refused:?}");
        assert!(refused.message.contains("does not model"), "{refused:?}");
    }
    let elsewhere = bot.refused("GET", "/voice/regions", Value::Null).await;
    let wrong = bot.refused("PUT", "/users/@me", Value::Null).await;
    assert_eq!((elsewhere.status, wrong.status), (501, 405));
    assert_eq!(
        bot.discord.violations().len(),
        7,
        "{:?}",
        bot.discord.violations()
    );
}

#[tokio::test]
async fn a_content_says_whom_it_may_ping() {
    let bot = Bot::start().await;
    let (sara, omid) = (bot.sara(), bot.discord.person("Omid"));
    let ops = bot.discord.channel("ops", &[&sara, &omid]);
    let path = format!("/channels/{}/messages", ops.id());
    let content = format!("<@{}> <@!{}> @everyone", sara.id(), omid.id());
    let pinged = |message: &Value| {
        let mentions = message["mentions"].as_array().unwrap().iter();
        let ids: Vec<String> = mentions
            .map(|user| user["id"].as_str().unwrap().to_owned())
            .collect();
        ids
    };

    let silent = bot
        .call(
            "POST",
            &path,
            json!({"content": content, "allowed_mentions": {"parse": []}}),
        )
        .await;
    let one = json!({"parse": [], "users": [sara.id().to_string()]});
    let one = bot
        .call(
            "POST",
            &path,
            json!({"content": content, "allowed_mentions": one}),
        )
        .await;
    let before = bot.discord.violations();
    let all = bot.call("POST", &path, json!({"content": content})).await;

    assert_eq!(pinged(&silent), [""; 0]);
    assert_eq!(pinged(&one), [sara.id().to_string()]);
    assert_eq!(pinged(&all).len(), 2);
    assert_eq!(all["mention_everyone"], false, "the bot has no right to");
    assert_eq!(before, [""; 0]);
    assert_eq!(
        bot.discord.violations(),
        ["create_message: a content without allowed_mentions"]
    );
    let both = json!({"parse": ["users"], "users": ["1"]});
    let refused = bot
        .refused("POST", &path, json!({"content": "x", "allowed_mentions": both}))
        .await;
    assert_eq!(
        fault(&refused, &["allowed_mentions", "parse"]),
        "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE"
    );
}

#[tokio::test]
async fn a_message_rings_unless_it_is_told_not_to() {
    let bot = Bot::start().await;
    let sara = bot.sara();

    bot.sends(&sara.direct(), "loud").await;
    bot.sends_with(&sara.direct(), json!({"content": "quiet", "flags": 1 << 12}))
        .await;

    let rang: Vec<bool> = sara.sees(&sara.direct()).iter().map(|seen| seen.rang).collect();
    assert_eq!(rang, [true, false]);
}

#[tokio::test]
async fn a_repeated_nonce_shows_one_message_for_a_few_minutes_if_that_is_asked_for() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let send = async |nonce: &str, enforced: bool| {
        let body = json!({"content": "Where?", "nonce": nonce, "enforce_nonce": enforced});
        bot.sends_with(&sara.direct(), body).await
    };

    let first = send("n1", true).await;
    let again = send("n1", true).await;
    let other = send("n2", true).await;
    let unasked = send("n1", false).await;
    bot.clock.advance(Duration::from_mins(3));
    let later = send("n2", true).await;

    assert_eq!(first, again);
    assert!(other != first && unasked != first && later != other);
    assert_eq!(sara.sees(&sara.direct()).len(), 4);
    let path = format!("/channels/{}/messages", sara.direct().id());
    let long = json!({"content": "x", "nonce": "n".repeat(26), "allowed_mentions": nobody()});
    assert_eq!(
        fault(&bot.refused("POST", &path, long).await, &["nonce"]),
        "BASE_TYPE_MAX_LENGTH"
    );
}

#[tokio::test]
async fn a_nonce_whose_message_was_deleted_sends_nothing() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let body =
        json!({"content": "Where?", "nonce": "n1", "enforce_nonce": true, "allowed_mentions": nobody()});
    let path = format!("/channels/{}/messages", sara.direct().id());
    let first = bot.sends_with(&sara.direct(), body.clone()).await;
    sara.direct().delete(first);

    let refused = bot.refused("POST", &path, body).await;

    assert_eq!(refused, Refused::new(404, 10008, "Unknown Message"));
    assert!(sara.sees(&sara.direct()).is_empty());
}

#[tokio::test]
async fn a_reply_needs_its_message_unless_it_says_otherwise() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let said = sara.says(&sara.direct(), "hello");
    let path = format!("/channels/{}/messages", sara.direct().id());
    let reply = |id: u64, must_exist: bool| {
        let reference = json!({"message_id": id.to_string(), "fail_if_not_exists": must_exist});
        json!({"content": "x", "message_reference": reference, "allowed_mentions": nobody()})
    };

    let replied = bot.call("POST", &path, reply(said.id, true)).await;
    sara.deletes(said);
    let refused = bot.refused("POST", &path, reply(said.id, true)).await;
    let alone = bot.call("POST", &path, reply(said.id, false)).await;

    assert_eq!(
        (&replied["type"], &replied["referenced_message"]["content"]),
        (&json!(19), &json!("hello"))
    );
    assert_eq!(replied["mentions"], json!([]), "replied_user was not asked for");
    assert_eq!(fault(&refused, &["message_reference"]), "REPLIES_UNKNOWN_MESSAGE");
    assert_eq!(
        (&alone["type"], alone.get("message_reference")),
        (&json!(0), None)
    );
    assert_eq!(
        bot.discord.violations(),
        [""; 0],
        "it may have been deleted a moment ago"
    );
}

#[tokio::test]
async fn a_message_that_says_what_happened_cannot_be_replied_to() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let said = sara.says(&sara.direct(), "hello");
    let pinned = sara.pins(said);
    let path = format!("/channels/{}/messages", sara.direct().id());

    let reference = json!({"message_id": pinned.id.to_string()});
    let body = json!({"content": "x", "message_reference": reference, "allowed_mentions": nobody()});

    assert_eq!(
        fault(&bot.refused("POST", &path, body).await, &["message_reference"]),
        "REPLIES_CANNOT_REPLY_TO_SYSTEM_MESSAGE"
    );
}

#[tokio::test]
async fn a_direct_conversation_opens_with_everybody_and_takes_messages_from_few() {
    let bot = Bot::start().await;
    let (sara, far) = (bot.sara(), bot.discord.stranger("Far"));
    let open = |id: u64| {
        bot.try_call(
            "POST",
            "/users/@me/channels",
            json!({"recipient_id": id.to_string()}),
        )
    };
    let cannot = Refused::new(403, 50007, "Cannot send messages to this user");
    let body = json!({"content": "x", "allowed_mentions": nobody()});

    let mut channels = Vec::new();
    for person in [&sara, &far] {
        let channel = open(person.id()).await.unwrap().unwrap();
        assert_eq!(channel["type"], 1);
        assert_eq!(channel["recipients"][0]["id"], person.id().to_string());
        channels.push(format!("/channels/{}/messages", channel["id"].as_str().unwrap()));
    }
    assert_eq!(open(1).await.unwrap().unwrap_err().code, 50033);
    bot.call("POST", &channels[0], body.clone()).await;
    assert_eq!(bot.refused("POST", &channels[1], body.clone()).await, cannot);
    sara.blocks();
    assert_eq!(bot.refused("POST", &channels[0], body.clone()).await, cannot);
    sara.unblocks();
    sara.leaves_guild();
    assert_eq!(bot.refused("POST", &channels[0], body).await, cannot);
}

#[tokio::test]
async fn rights_decide_what_the_bot_may_do_in_a_channel() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let ops = bot.discord.channel("ops", &[&sara]);
    let said = sara.says(&ops, "hello");
    let path = format!("/channels/{}/messages", ops.id());
    let body = json!({"content": "x", "allowed_mentions": nobody()});
    let mut reply = body.clone();
    reply["message_reference"] = json!({"message_id": said.id.to_string()});

    ops.denies(Permission::ReadMessageHistory);
    assert_eq!(bot.refused("POST", &path, reply).await.code, 160_002);
    assert_eq!(bot.get(&path).await, json!([]));
    bot.call("POST", &path, body.clone()).await;
    ops.denies(Permission::SendMessages);
    assert_eq!(
        bot.refused("POST", &path, body.clone()).await,
        Refused::new(403, 50013, "Missing Permissions")
    );
    ops.denies(Permission::ViewChannel);
    assert_eq!(
        bot.refused("POST", &path, body.clone()).await,
        Refused::new(403, 50001, "Missing Access")
    );
    ops.allows(Permission::ViewChannel);
    ops.allows(Permission::SendMessages);
    bot.call("POST", &path, body.clone()).await;
    bot.discord.set_in_guild(false);
    assert_eq!(bot.refused("POST", &path, body.clone()).await.code, 50001);
    assert_eq!(
        bot.refused("POST", "/channels/1/messages", body).await.code,
        10003
    );
}

#[tokio::test]
async fn writing_opens_an_archived_thread_and_not_a_locked_one() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let ops = bot.discord.channel("ops", &[&sara]);
    let thread = sara.opens_thread(&ops, "Deploy");
    let path = format!("/channels/{}", thread.id());
    let archived = async || bot.get(&path).await["thread_metadata"]["archived"].clone();

    thread.archive();
    assert_eq!(archived().await, true);
    bot.sends(&thread, "x").await;
    assert_eq!(archived().await, false);
    thread.lock();
    let body = json!({"content": "x", "allowed_mentions": nobody()});
    let refused = bot
        .refused("POST", &format!("{path}/messages"), body.clone())
        .await;
    assert_eq!(refused, Refused::new(400, 50083, "Thread is archived"));
    thread.reopen();
    thread.denies(Permission::SendMessagesInThreads);
    assert_eq!(
        bot.refused("POST", &format!("{path}/messages"), body).await.code,
        50013
    );
}

#[tokio::test]
async fn a_call_names_its_client_and_its_token() {
    let bot = Bot::start_as(Setup::default()).await;
    let anonymous = reqwest::Client::builder().build().unwrap();
    let path = bot.url("/users/@me");
    let token = bot.discord.token();

    let unnamed = anonymous
        .get(&path)
        .header("Authorization", format!("Bot {token}"));
    let unnamed = unnamed.send().await.unwrap().status().as_u16();
    let wrong = bot.http.get(&path).header("Authorization", token);
    let wrong: Value = wrong.send().await.unwrap().json().await.unwrap();
    bot.discord.revoke_token("another");
    let new = bot.get("/users/@me").await;

    assert_eq!(unnamed, 403);
    assert_eq!(wrong, json!({"message": "401: Unauthorized", "code": 0}));
    assert_eq!(new["bot"], true);
    assert_eq!(bot.discord.violations().len(), 1);
}
