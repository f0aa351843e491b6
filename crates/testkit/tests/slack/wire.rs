//! Bodies: forms and JSON, what is not known, and what comes back.

use serde_json::{Value, json};

use super::app::{App, buttons, texts, with};

#[tokio::test]
async fn a_form_carries_structures_as_json_in_a_text() {
    let app = App::start().await;
    let sara = app.sara();
    let post = json!({"channel": sara.id(), "text": "Where?", "blocks": [buttons(&["A", "B"])]});
    let request = app
        .http
        .post(app.url("chat.postMessage"))
        .bearer_auth(app.slack.bot_token());

    let answer = request.form(&texts(&post)).send().await.unwrap();
    let answer: Value = answer.json().await.unwrap();

    assert_eq!(answer["ok"], true, "{answer}");
    assert_eq!(sara.sees_last(&sara.direct()).unwrap().labels(), ["A", "B"]);
}

#[tokio::test]
async fn methods_that_read_no_json_act_as_if_nothing_had_been_said() {
    let app = App::start().await;
    let (sara, ops) = app.ops();
    let json = |method: &str, body: Value| {
        let request = app.http.post(app.url(method)).bearer_auth(app.slack.bot_token());
        async move {
            request
                .json(&body)
                .send()
                .await
                .unwrap()
                .json::<Value>()
                .await
                .unwrap()
        }
    };

    let user = json("users.info", json!({"user": sara.id()})).await;
    let info = json("conversations.info", json!({"channel": ops.id()})).await;
    let query = app
        .http
        .get(app.url("users.info"))
        .bearer_auth(app.slack.bot_token());
    let query = query.query(&[("user", sara.id())]).send().await.unwrap();
    let query: Value = query.json().await.unwrap();

    for answer in [user, info] {
        assert_eq!(answer["error"], "invalid_arguments", "{answer}");
    }
    assert_eq!(query["user"]["real_name"], "Sara");
}

#[tokio::test]
async fn a_body_that_cannot_be_read_is_refused_by_what_is_wrong_with_it() {
    let app = App::start().await;
    let post = |kind: &str, body: &'static str| {
        let request = app
            .http
            .post(app.url("chat.postMessage"))
            .bearer_auth(app.slack.bot_token());
        let request = request.header("content-type", kind).body(body);
        async move { request.send().await.unwrap().json::<Value>().await.unwrap()["error"].clone() }
    };

    assert_eq!(post("application/json", "{").await, "invalid_json");
    assert_eq!(post("application/json", "[]").await, "json_not_object");
    assert_eq!(post("text/plain", "x").await, "invalid_post_type");
    assert_eq!(post("application/json", "").await, "invalid_arguments");
}

#[tokio::test]
async fn json_without_its_charset_is_taken_with_a_warning() {
    let app = App::start().await;
    let request = app
        .http
        .post(app.url("auth.test"))
        .bearer_auth(app.slack.bot_token());

    let answer = request.json(&json!({})).send().await.unwrap();
    let answer: Value = answer.json().await.unwrap();

    assert_eq!(answer["ok"], true);
    assert_eq!(answer["warning"], "missing_charset");
    assert_eq!(
        answer["response_metadata"]["warnings"],
        json!(["missing_charset"])
    );
}

#[tokio::test]
async fn what_is_not_modelled_is_refused_and_noted() {
    let app = App::start().await;
    let sara = app.sara();
    let post = |more: Value| with(json!({"channel": sara.id(), "text": "x"}), &more);

    let method = app.refused("chat.scheduleMessage", json!({})).await;
    let argument = app
        .refused("chat.postMessage", post(json!({"reply_broadcast": true})))
        .await;
    let value = app
        .refused("chat.postMessage", post(json!({"parse": "full"})))
        .await;
    let blocks = app
        .refused("chat.postMessage", post(json!({"blocks": [{"type": "video"}]})))
        .await;

    assert_eq!(method.0, "unknown_method");
    assert_eq!(
        argument.1,
        ["[ERROR] the fake does not model `reply_broadcast` of chat.postMessage"]
    );
    assert_eq!(
        value.1,
        ["[ERROR] the fake does not model `parse` other than none"]
    );
    assert_eq!(
        blocks.1,
        ["[ERROR] not modelled: a block of type video [json-pointer:/blocks/0]"]
    );
    assert_eq!(app.slack.violations().len(), 4, "{:?}", app.slack.violations());
}

#[tokio::test]
async fn texts_come_back_with_entities_and_names_of_emoji() {
    let app = App::start().await;
    let sara = app.sara();
    let blocks = json!([
        {"type": "section", "text": {"type": "plain_text", "text": "a & b < c"}},
        buttons(&["Yes & 2\u{fe0f}\u{20e3}"]),
    ]);

    let answer = app
        .call(
            "chat.postMessage",
            json!({"channel": sara.id(), "text": "a &amp; b \u{1f44d}", "blocks": blocks}),
        )
        .await;

    let message = &answer["message"];
    assert_eq!(message["text"], "a &amp; b :+1:");
    assert_eq!(message["blocks"][0]["text"]["text"], "a &amp; b &lt; c");
    assert!(message["blocks"][0]["block_id"].is_string());
    let button = &message["blocks"][1]["elements"][0];
    assert_eq!(
        button["text"],
        json!({"type": "plain_text", "text": "Yes &amp; :two:", "emoji": true})
    );
    let seen = sara.sees_last(&sara.direct()).unwrap();
    assert_eq!(seen.text, "a & b < c");
    assert_eq!(seen.labels(), ["Yes & 2\u{fe0f}\u{20e3}"]);
}

#[tokio::test]
async fn somebody_is_known_by_name_time_zone_and_locale() {
    let app = App::start().await;
    let (sara, robot) = (app.sara(), app.slack.machine("Robot"));
    sara.lives_in("Asia/Tehran");
    sara.speaks("fa-IR");

    let hers = app
        .call("users.info", json!({"user": sara.id(), "include_locale": true}))
        .await;
    let without = app.call("users.info", json!({"user": sara.id()})).await;
    let its = app.call("users.info", json!({"user": robot.id()})).await;
    let ours = app
        .call("users.info", json!({"user": app.slack.bot_user()}))
        .await;
    let bot = its["user"]["profile"]["bot_id"].as_str().unwrap();
    let bot = app.call("bots.info", json!({"bot": bot})).await;

    let user = &hers["user"];
    assert_eq!(user["name"], "sara");
    assert_eq!(
        (user["tz"].as_str(), user["tz_offset"].as_i64()),
        (Some("Asia/Tehran"), Some(12_600))
    );
    assert_eq!(user["locale"], "fa-IR");
    assert_eq!(
        (user["is_bot"].as_bool(), user["deleted"].as_bool()),
        (Some(false), Some(false))
    );
    assert!(without["user"].get("locale").is_none());
    assert_eq!(
        (its["user"]["is_bot"].as_bool(), ours["user"]["is_bot"].as_bool()),
        (Some(true), Some(true))
    );
    assert_eq!(bot["bot"]["name"], "Robot");
    assert_eq!(
        app.error("users.info", json!({"user": "U0NOBODY00"})).await,
        "user_not_found"
    );
    assert_eq!(
        app.error("bots.info", json!({"bot": "B0NOBODY00"})).await,
        "bot_not_found"
    );
}
