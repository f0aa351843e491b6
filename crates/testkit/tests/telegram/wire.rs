//! Paths, tokens and bodies.

use askd_testkit::telegram::Setup;
use serde_json::{Value, json};

use super::bot::{Bot, Refused};

#[tokio::test]
async fn a_method_may_be_written_in_any_case() {
    let bot = Bot::start().await;

    for name in ["getMe", "GetMe", "getme"] {
        assert_eq!(bot.call(name, json!({})).await["username"], "askd_test_bot");
    }
}

#[tokio::test]
async fn the_api_may_stand_below_a_path() {
    let prefix = "/telegram/v1".to_owned();
    let bot = Bot::start_as(Setup {
        prefix,
        ..Setup::default()
    })
    .await;

    let me = bot.call("getMe", json!({})).await;
    let beside = bot.telegram.url().replace("/v1", "/v2");
    let beside = bot
        .http
        .get(format!("{beside}/bot{}/getMe", bot.telegram.token()));

    assert!(bot.telegram.url().ends_with("/telegram/v1"));
    assert_eq!(me["is_bot"], true);
    assert_eq!(beside.send().await.unwrap().status(), 404);
}

#[tokio::test]
async fn a_wrong_token_is_unauthorized_and_a_path_without_one_leads_nowhere() {
    let bot = Bot::start().await;

    for (path, code, description) in [
        ("/bot123:wrong/getMe", 401, "Unauthorized"),
        ("/bot123:wrong/noSuchMethod", 401, "Unauthorized"),
        ("/botwrong/getMe", 404, "Not Found"),
        ("/getMe", 404, "Not Found"),
        ("/", 404, "Not Found"),
    ] {
        let response = bot
            .http
            .get(format!("{}{path}", bot.telegram.url()))
            .send()
            .await
            .unwrap();
        let body: Value = response.json().await.unwrap();

        assert_eq!(
            body,
            json!({"ok": false, "error_code": code, "description": description}),
            "{path}"
        );
    }
}

#[tokio::test]
async fn a_revoked_token_is_unauthorized_from_then_on() {
    let bot = Bot::start().await;
    let old = bot.url("getMe");

    bot.telegram.revoke_token("7300000042:another");

    assert_eq!(bot.http.get(old).send().await.unwrap().status(), 401);
    assert_eq!(bot.call("getMe", json!({})).await["id"], 7_300_000_042_i64);
}

#[tokio::test]
async fn an_unknown_method_is_not_found() {
    let bot = Bot::start().await;

    assert_eq!(
        bot.refused("sendTelepathy", json!({})).await,
        Refused::new(404, "Not Found: method not found")
    );
}

#[tokio::test]
async fn parameters_come_in_a_query_a_form_or_json() {
    let bot = Bot::start().await;
    let sara = bot.sara();
    let chat = sara.id().to_string();
    let markup = r#"{"force_reply": true}"#;
    let fields = [
        ("chat_id", chat.as_str()),
        ("text", "hello"),
        ("reply_markup", markup),
    ];
    let boundary = "XoX";
    let multipart: String = fields
        .iter()
        .map(|(name, value)| {
            format!("--{boundary}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
        })
        .chain([format!("--{boundary}--\r\n")])
        .collect();
    let url = bot.url("sendMessage");

    for request in [
        bot.http.get(&url).query(&fields),
        bot.http.post(&url).form(&fields),
        bot.http
            .post(&url)
            .header(
                "content-type",
                format!("multipart/form-data; boundary={boundary}"),
            )
            .body(multipart),
        bot.http
            .post(&url)
            .json(&json!({"chat_id": chat, "text": "hello", "reply_markup": {"force_reply": true}})),
    ] {
        let body: Value = request.send().await.unwrap().json().await.unwrap();

        assert_eq!(body["result"]["text"], "hello", "{body}");
    }
    assert_eq!(sara.sees(&sara.direct()).len(), 4);
    assert!(sara.prompt(&sara.direct()).is_some());
}

#[tokio::test]
async fn what_the_fake_does_not_model_is_refused_and_noted() {
    let bot = Bot::start().await;
    let sara = bot.sara();

    let refused = bot
        .refused(
            "sendMessage",
            json!({"chat_id": sara.id(), "text": "x", "message_effect_id": "1"}),
        )
        .await;

    let says = "Bad Request: the fake does not model `message_effect_id` of sendMessage";
    assert_eq!(refused, Refused::new(400, says));
    assert_eq!(bot.telegram.violations(), [format!("sendMessage: {says}")]);
    assert!(sara.sees(&sara.direct()).is_empty());
}

#[tokio::test]
async fn calls_are_counted_by_method_with_what_they_carried() {
    let bot = Bot::start().await;
    let sara = bot.sara();

    bot.call("getMe", json!({})).await;
    bot.sends(sara.id(), "one").await;
    bot.sends(sara.id(), "two").await;

    let counts = bot.telegram.counts();
    assert_eq!((counts["getMe"], counts["sendMessage"]), (1, 2));
    let calls = bot.telegram.calls();
    assert_eq!(calls[2].arguments.text("text"), "two");
    assert!(matches!(calls[2].outcome, Some(Ok(_))));
    assert!(!format!("{calls:?}").contains(&bot.telegram.token()));
}
