//! New messages: texts, spans, keyboards, threads, and who can be reached.

use askd_testkit::telegram::{Fault, Kind};
use serde_json::{Value, json};

use super::bot::{Bot, Refused, keyboard};

/// Sends each and compares what becomes of it: the text, or the description of the refusal.
async fn all(bot: &Bot, cases: Vec<(Value, Result<&str, &str>)>) {
    for (arguments, expected) in cases {
        let outcome = bot.try_call("sendMessage", arguments.clone()).await;
        let outcome = outcome.expect("an answer");

        let shown: String = arguments.to_string().chars().take(200).collect();
        match (outcome, expected) {
            (Ok(message), Ok(text)) => assert_eq!(message["text"], text, "{shown}"),
            (Err(refused), Err(says)) => {
                assert_eq!(
                    refused,
                    Refused::new(400, &format!("Bad Request: {says}")),
                    "{shown}"
                );
            }
            (outcome, expected) => panic!("{shown}: {outcome:?}, not {expected:?}"),
        }
    }
}

#[tokio::test]
async fn a_text_has_1_to_4096_utf_16_units_once_it_is_parsed_and_trimmed() {
    let bot = Bot::start().await;
    let chat = bot.sara().id();
    let text = |text: &str| json!({"chat_id": chat, "text": text});
    let html = |text: &str| json!({"chat_id": chat, "text": text, "parse_mode": "HTML"});
    let full = "x".repeat(4096);
    let thumbs = "👍".repeat(2048);

    all(
        &bot,
        vec![
            (text("x"), Ok("x")),
            (text(&full), Ok(&full)),
            (text(&thumbs), Ok(&thumbs)),
            (text(&format!(" \n {full}\n\n")), Ok(&full)),
            (html(&format!("<b>{full}</b>")), Ok(&full)),
            (text(&format!("{full}x")), Err("message is too long")),
            (text(&format!("{thumbs}x")), Err("message is too long")),
            (text(&"x".repeat(32_769)), Err("text is too long")),
            (json!({"chat_id": chat}), Err("message text is empty")),
            (text(""), Err("message text is empty")),
            (text(" \n\t "), Err("text must be non-empty")),
            (html("<b> </b>"), Err("text must be non-empty")),
        ],
    )
    .await;
}

#[tokio::test]
async fn control_characters_and_bidi_overrides_do_not_arrive_and_isolates_do() {
    let bot = Bot::start().await;
    let chat = bot.sara().id();
    let text = |text: &str| json!({"chat_id": chat, "text": text});

    all(
        &bot,
        vec![
            (text("a\tb\u{7}c\r\nd"), Ok("a b c\nd")),
            (text("a\u{202e}b\u{202c}\u{2028}c"), Ok("abc")),
            (text("\u{2068}سلام\u{2069}"), Ok("\u{2068}سلام\u{2069}")),
        ],
    )
    .await;
}

#[tokio::test]
async fn spans_are_counted_in_utf_16_units_and_have_to_lie_in_the_text() {
    let bot = Bot::start().await;
    let chat = bot.sara().id();
    let with = |entity: Value| json!({"chat_id": chat, "text": "👍 hello", "entities": [entity]});
    let bold = |offset: i64, length: i64| with(json!({"type": "bold", "offset": offset, "length": length}));
    let after = "entity beginning at UTF-16 offset 3 ends after the end of the text at UTF-16 offset 9";

    all(
        &bot,
        vec![
            (bold(3, 5), Ok("👍 hello")),
            (bold(0, 2), Ok("👍 hello")),
            (bold(3, 6), Err(after)),
            (
                bold(9, 1),
                Err("entity begins after the end of the text at UTF-16 offset 9"),
            ),
            (
                bold(1, 2),
                Err("entity begins in a middle of a UTF-16 symbol at byte offset 4"),
            ),
            (
                bold(0, 1),
                Err("entity beginning at UTF-16 offset 0 ends in a middle of a UTF-16 symbol at byte offset 4"),
            ),
            (bold(-1, 1), Err("receive an entity with incorrect offset -1")),
            (bold(0, -1), Err("receive an entity with incorrect length -1")),
            (
                with(json!({"type": "shiny", "offset": 0, "length": 2})),
                Err("can't parse MessageEntity: Unsupported type specified"),
            ),
            (
                with(json!({"type": "text_link", "offset": 0, "length": 2})),
                Err("can't parse MessageEntity: Can't find field \"url\""),
            ),
            (
                with(json!({"type": "text_link", "offset": 0, "length": 2, "url": "localhost"})),
                Err("entity URL 'localhost' is invalid: Wrong HTTP URL"),
            ),
            (
                json!({"chat_id": chat, "text": "x", "parse_mode": "fancy"}),
                Err("unsupported parse_mode"),
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn spans_move_with_the_text_when_its_ends_are_trimmed() {
    let bot = Bot::start().await;
    let sara = bot.sara();

    let message = bot
        .call(
            "sendMessage",
            json!({
                "chat_id": sara.id(), "text": "\n  hello  \n",
                "entities": [{"type": "bold", "offset": 0, "length": 11}, {"type": "code", "offset": 9, "length": 1}],
            }),
        )
        .await;

    assert_eq!(message["text"], "hello");
    assert_eq!(
        message["entities"],
        json!([{"type": "bold", "offset": 0, "length": 5}])
    );
    let seen = sara.sees_last(&sara.direct()).unwrap();
    assert_eq!(seen.entities[0].kind, Kind::Plain("bold"));
}

#[tokio::test]
async fn a_bare_angle_bracket_in_html_is_refused_and_an_escaped_one_is_text() {
    let bot = Bot::start().await;
    let chat = bot.sara().id();
    let html = |text: &str| json!({"chat_id": chat, "text": text, "parse_mode": "html"});

    all(
        &bot,
        vec![
            (html("a &lt; b &amp;&amp; <b>c</b>"), Ok("a < b && c")),
            (
                html("a < b"),
                Err("can't parse entities: Unsupported start tag \"\" at byte offset 2"),
            ),
            (
                html("<b>a"),
                Err("can't parse entities: Can't find end tag corresponding to start tag \"b\""),
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn a_keyboard_has_at_most_100_buttons_with_1_to_64_bytes_of_data() {
    let bot = Bot::start().await;
    let chat = bot.sara().id();
    let with = |markup: Value| json!({"chat_id": chat, "text": "Where?", "reply_markup": markup});
    let data = |data: &str| with(json!({"inline_keyboard": [[{"text": "A", "callback_data": data}]]}));
    let many = |n: usize| with(keyboard(&vec!["A"; n]));
    let url = |url: &str| with(json!({"inline_keyboard": [[{"text": "A", "url": url}]]}));
    let text_button = "can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard";

    all(
        &bot,
        vec![
            (data(&"x".repeat(64)), Ok("Where?")),
            (data(&"é".repeat(32)), Ok("Where?")),
            (many(100), Ok("Where?")),
            (url("https://askd.example.org/a"), Ok("Where?")),
            (data(&"x".repeat(65)), Err("BUTTON_DATA_INVALID")),
            (data(&"é".repeat(33)), Err("BUTTON_DATA_INVALID")),
            (data(""), Err(text_button)),
            (many(101), Err("reply markup is too long")),
            (with(json!({"inline_keyboard": []})), Ok("Where?")),
            (
                with(json!({"inline_keyboard": [[{"text": "x".repeat(11_000), "callback_data": "1"}]]})),
                Err("reply markup is too long"),
            ),
            (
                with(json!({"inline_keyboard": [[{"callback_data": "1"}]]})),
                Err("can't parse inline keyboard button: Can't find field \"text\""),
            ),
            (
                with(json!({"inline_keyboard": [[{"text": " ", "callback_data": "1"}]]})),
                Err("inline keyboard button text must be non-empty"),
            ),
            (
                with(json!({"inline_keyboard": [{"text": "A", "callback_data": "1"}]})),
                Err("field \"inline_keyboard\" of the InlineKeyboardMarkup must be an Array of Arrays"),
            ),
            (
                url("http://localhost:7373/"),
                Err("inline keyboard button URL 'http://localhost:7373/' is invalid: Wrong HTTP URL"),
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn nulls_in_a_keyboard_are_refused() {
    let bot = Bot::start().await;
    let chat = bot.sara().id();
    let with = |markup: Value| json!({"chat_id": chat, "text": "Where?", "reply_markup": markup});

    all(
        &bot,
        vec![
            (with(Value::Null), Err("object expected as reply markup")),
            (
                with(json!({"inline_keyboard": null})),
                Err("field \"inline_keyboard\" must be of type Array"),
            ),
            (
                with(json!({"force_reply": null})),
                Err("field \"force_reply\" must be of type Boolean"),
            ),
            (
                with(json!({"force_reply": true, "input_field_placeholder": null})),
                Err("field \"input_field_placeholder\" must be of type String"),
            ),
            (
                with(json!({"inline_keyboard": [[{"text": "A", "callback_data": "1", "url": null}]]})),
                Err("can't parse inline keyboard button: Field \"url\" must be of type String"),
            ),
            (
                json!({"chat_id": chat, "text": "x", "parse_mode": null}),
                Err("unsupported parse_mode"),
            ),
            (
                json!({"chat_id": chat, "text": "x", "message_thread_id": null}),
                Ok("x"),
            ),
        ],
    )
    .await;
}

#[tokio::test]
async fn a_forced_reply_opens_with_a_placeholder_of_at_most_64_units() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let with = |placeholder: &str| {
        let markup = json!({"force_reply": true, "input_field_placeholder": placeholder});
        json!({"chat_id": sara.id(), "text": "Write it", "reply_markup": markup})
    };

    all(
        &bot,
        vec![
            (with(&"x".repeat(64)), Ok("Write it")),
            (with(&"x".repeat(65)), Err("REPLY_MARKUP_INVALID")),
            (with(""), Err("REPLY_MARKUP_INVALID")),
        ],
    )
    .await;

    let prompt = sara.prompt(&sara.direct()).unwrap();
    assert_eq!(prompt.placeholder, Some("x".repeat(64)));
    sara.replies(prompt.to, "my own words");
    assert_eq!(sara.prompt(&sara.direct()), None, "a reply closes it");
    let heard = bot.hears("message").await;
    assert_eq!(heard["reply_to_message"]["message_id"], prompt.to.id);
    assert_eq!(heard["reply_to_message"]["from"]["is_bot"], true);
}

#[tokio::test]
async fn a_message_rings_unless_it_is_sent_silently() {
    let bot = Bot::start().await;
    let sara = bot.sara();

    bot.sends(sara.id(), "loud").await;
    bot.sends_with(json!({"chat_id": sara.id(), "text": "quiet", "disable_notification": true}))
        .await;

    let rang: Vec<bool> = sara.sees(&sara.direct()).iter().map(|seen| seen.rang).collect();
    assert_eq!(rang, [true, false]);
}

#[tokio::test]
async fn a_reply_needs_the_message_it_replies_to_unless_it_may_do_without() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let theirs = sara.says(&sara.direct(), "hello");
    let reply =
        |parameters: Value| json!({"chat_id": sara.id(), "text": "x", "reply_parameters": parameters});

    let replied = bot
        .call("sendMessage", reply(json!({"message_id": theirs.id})))
        .await;
    all(
        &bot,
        vec![
            (
                reply(json!({"message_id": 99})),
                Err("message to be replied not found"),
            ),
            (
                reply(json!({"message_id": 99, "allow_sending_without_reply": true})),
                Ok("x"),
            ),
            (reply(json!({})), Err("can't find field \"message_id\"")),
        ],
    )
    .await;

    assert_eq!(replied["reply_to_message"]["text"], "hello");
}

#[tokio::test]
async fn who_cannot_be_written_to_is_refused_with_the_reason() {
    let bot = Bot::start().await;
    let telegram = &bot.telegram;
    let unknown = telegram.stranger("Nobody");
    let shy = telegram.stranger("Shy");
    let _shared = telegram.group("Ops", &[&shy]);
    let angry = telegram.person("Angry");
    angry.blocks();
    let gone = telegram.person("Gone");
    gone.closes_account();
    let kicked = telegram.supergroup("Kicked", &[&shy]);
    kicked.kick_bot();
    let group = telegram.group("Small", &[&shy]);
    group.kick_bot();
    let channel = telegram.channel("News", &[&shy]);
    channel.kick_bot();

    for (chat, code, description) in [
        (unknown.id(), 400, "Bad Request: chat not found"),
        (1, 400, "Bad Request: chat not found"),
        (
            shy.id(),
            403,
            "Forbidden: bot can't initiate conversation with a user",
        ),
        (angry.id(), 403, "Forbidden: bot was blocked by the user"),
        (gone.id(), 403, "Forbidden: user is deactivated"),
        (
            kicked.id(),
            403,
            "Forbidden: bot was kicked from the supergroup chat",
        ),
        (group.id(), 403, "Forbidden: bot was kicked from the group chat"),
        (
            channel.id(),
            403,
            "Forbidden: bot was kicked from the channel chat",
        ),
    ] {
        for (method, arguments) in [
            ("sendMessage", json!({"chat_id": chat, "text": "x"})),
            ("sendChatAction", json!({"chat_id": chat, "action": "typing"})),
        ] {
            assert_eq!(
                bot.refused(method, arguments).await,
                Refused::new(code, description),
                "{method}"
            );
        }
    }
    assert!(
        bot.telegram.violations().is_empty(),
        "none of it is the bot's fault"
    );
    angry.unblocks();
    bot.sends(angry.id(), "welcome back").await;
}

#[tokio::test]
async fn the_general_topic_has_no_number_and_others_have_to_exist_and_be_open() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let forum = bot.telegram.forum("Ops", &[&sara]);
    let deploys = forum.open_topic("Deploys");
    let closed = forum.open_topic("Closed");
    closed.close_topic();
    let plain = bot.telegram.supergroup("Plain", &[&sara]);
    let there =
        |chat: i64, thread: Option<i64>| json!({"chat_id": chat, "text": "x", "message_thread_id": thread});

    all(
        &bot,
        vec![
            (there(forum.id(), deploys.topic_id()), Ok("x")),
            (json!({"chat_id": forum.id(), "text": "y"}), Ok("y")),
            (there(forum.id(), Some(1)), Err("message thread not found")),
            (there(forum.id(), Some(999)), Err("message thread not found")),
            (there(forum.id(), closed.topic_id()), Err("TOPIC_CLOSED")),
            (there(plain.id(), Some(2)), Err("message thread not found")),
        ],
    )
    .await;

    assert_eq!(sara.sees(&deploys).len(), 1);
    assert_eq!(sara.sees(&forum)[0].text, "y");
}

#[tokio::test]
async fn where_rates_are_enforced_a_second_message_to_a_chat_waits_a_second() {
    let bot = Bot::start().await;
    let (sara, omid) = (bot.sara(), bot.telegram.person("Omid"));
    bot.telegram.enforce_rates(true);

    bot.sends(sara.id(), "one").await;
    bot.sends(omid.id(), "another chat").await;
    let early = bot
        .refused("sendMessage", json!({"chat_id": sara.id(), "text": "two"}))
        .await;
    bot.clock.advance(std::time::Duration::from_secs(1));
    bot.sends(sara.id(), "two").await;

    assert_eq!((early.code, early.parameters), (429, json!({"retry_after": 1})));
    assert_eq!(early.description, "Too Many Requests: retry after 1");
    assert_eq!(bot.telegram.violations().len(), 1);
}

#[tokio::test]
async fn where_rates_are_enforced_a_group_takes_20_messages_a_minute() {
    let bot = Bot::start().await;
    let group = bot.telegram.group("Ops", &[&bot.sara()]);
    bot.telegram.enforce_rates(true);

    for n in 0..20 {
        bot.sends(group.id(), &format!("{n}")).await;
        bot.clock.advance(std::time::Duration::from_secs(2));
    }
    let refused = bot
        .refused("sendMessage", json!({"chat_id": group.id(), "text": "20"}))
        .await;
    bot.clock.advance(std::time::Duration::from_secs(20));
    bot.sends(group.id(), "20").await;

    assert_eq!(refused.parameters, json!({"retry_after": 20}));
}

#[tokio::test]
async fn a_throttled_answer_has_its_pause_in_the_header_too() {
    let bot = Bot::start().await;
    bot.telegram.fail("getMe", 1, Fault::Throttled { seconds: 7 });

    let response = bot.http.get(bot.url("getMe")).send().await.unwrap();

    assert_eq!(response.status(), 429);
    assert_eq!(response.headers()["retry-after"], "7");
}
