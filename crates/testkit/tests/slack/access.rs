//! Tokens, scopes, and who is who.

use askd_testkit::slack::Setup;
use serde_json::json;

use super::app::App;

#[tokio::test]
async fn without_a_good_token_nothing_is_done_and_the_status_is_200() {
    let app = App::start().await;
    let call = |token: &str| {
        let request = app.http.post(app.url("auth.test")).bearer_auth(token);
        async move {
            let response = request.send().await.unwrap();
            let status = response.status().as_u16();
            (
                status,
                response.json::<serde_json::Value>().await.unwrap()["error"].clone(),
            )
        }
    };

    let bare = app.http.post(app.url("auth.test")).send().await.unwrap();
    let bare: serde_json::Value = bare.json().await.unwrap();

    assert_eq!(bare["error"], "not_authed");
    assert_eq!(call("xoxb-wrong").await, (200, json!("invalid_auth")));
    app.slack.revoke_bot_token();
    assert_eq!(call(&app.slack.bot_token()).await, (200, json!("token_revoked")));
    app.slack.refuse_bot_token("account_inactive");
    assert_eq!(
        call(&app.slack.bot_token()).await,
        (200, json!("account_inactive"))
    );
}

#[tokio::test]
async fn the_scopes_of_a_token_stand_in_a_header() {
    let app = App::start_as(Setup {
        scopes: vec!["users:read".to_owned(), "chat:write".to_owned()],
        ..Setup::default()
    })
    .await;

    let request = app
        .http
        .post(app.url("auth.test"))
        .bearer_auth(app.slack.bot_token());
    let response = request.send().await.unwrap();
    let scopes = response.headers()["x-oauth-scopes"].to_str().unwrap().to_owned();
    let me: serde_json::Value = response.json().await.unwrap();

    assert_eq!(scopes, "chat:write,users:read");
    assert_eq!(me["user_id"], app.slack.bot_user());
    assert_eq!(
        (me["user"].as_str(), me["ok"].as_bool()),
        (Some("askd"), Some(true))
    );
    assert!(me["bot_id"].is_string() && me["team_id"].is_string());
}

#[tokio::test]
async fn a_missing_scope_is_named_with_those_that_are_there() {
    let app = App::start_as(Setup {
        scopes: vec!["users:read".to_owned()],
        ..Setup::default()
    })
    .await;
    let (sara, ops) = app.ops();

    let post = json!({"channel": sara.id(), "text": "x"});
    let answer = app.try_call("chat.postMessage", post).await.unwrap();
    let info = app
        .try_call("conversations.info", json!({"channel": ops.id()}))
        .await
        .unwrap();
    let open = app
        .try_call("conversations.open", json!({"users": sara.id()}))
        .await
        .unwrap();

    assert_eq!(answer["error"], "missing_scope");
    assert_eq!(answer["needed"], "chat:write");
    assert_eq!(answer["provided"], "users:read");
    assert_eq!(info["needed"], "groups:read");
    assert_eq!(open["needed"], "im:write");
    assert_eq!(
        app.slack.violations(),
        [""; 0],
        "that is the administrator's fault"
    );
}

#[tokio::test]
async fn each_token_is_for_its_own_methods() {
    let app = App::start().await;
    let with = |method: &str, token: String| {
        let request = app.http.post(app.url(method)).bearer_auth(token);
        async move {
            request
                .send()
                .await
                .unwrap()
                .json::<serde_json::Value>()
                .await
                .unwrap()
        }
    };

    let socket = with("apps.connections.open", app.slack.bot_token()).await;
    let user = with("users.info", app.slack.app_token()).await;
    let who = with("auth.test", app.slack.app_token()).await;
    app.slack.take_scope("connections:write");
    let scopeless = with("apps.connections.open", app.slack.app_token()).await;
    app.slack.revoke_app_token();
    let revoked = with("apps.connections.open", app.slack.app_token()).await;

    assert_eq!(socket["error"], "not_allowed_token_type");
    assert_eq!(user["error"], "not_allowed_token_type");
    assert_eq!(who["ok"], true);
    assert_eq!(scopeless["needed"], "connections:write");
    assert_eq!(revoked["error"], "token_revoked");
}

#[tokio::test]
async fn a_token_may_stand_in_a_form_but_not_in_a_json_body() {
    let app = App::start().await;
    let form = app
        .http
        .post(app.url("auth.test"))
        .form(&[("token", app.slack.bot_token())]);
    let json = app
        .http
        .post(app.url("auth.test"))
        .json(&json!({"token": app.slack.bot_token()}));

    let form: serde_json::Value = form.send().await.unwrap().json().await.unwrap();
    let json: serde_json::Value = json.send().await.unwrap().json().await.unwrap();

    assert_eq!(form["ok"], true);
    assert_eq!(json["error"], "not_authed");
}

#[tokio::test]
async fn a_direct_conversation_is_opened_by_the_account_and_only_with_people() {
    let app = App::start().await;
    let (sara, robot) = (app.sara(), app.slack.machine("Robot"));

    let opened = app
        .call(
            "conversations.open",
            json!({"users": sara.id(), "return_im": true}),
        )
        .await;
    let again = app.call("conversations.open", json!({"users": sara.id()})).await;
    let id = opened["channel"]["id"].as_str().unwrap();

    assert!(id.starts_with('D'), "{opened}");
    assert_eq!(opened["channel"]["user"], sara.id());
    assert!(opened.get("already_open").is_none());
    assert_eq!(
        (again["already_open"].as_bool(), again["channel"]["id"].as_str()),
        (Some(true), Some(id))
    );
    assert_eq!(sara.direct().id(), id);
    for (users, error) in [
        ("U0NOBODY00", "user_not_found"),
        (robot.id(), "cannot_dm_bot"),
        (&app.slack.bot_user(), "cannot_dm_bot"),
        ("", "users_list_not_supplied"),
    ] {
        assert_eq!(
            app.error("conversations.open", json!({"users": users})).await,
            error
        );
    }
    sara.is_deactivated();
    assert_eq!(
        app.error("conversations.open", json!({"users": sara.id()})).await,
        "user_disabled"
    );
}

#[tokio::test]
async fn an_address_of_a_socket_works_once_and_for_a_while() {
    let app = App::start().await;
    let url = |answer: serde_json::Value| answer["url"].as_str().unwrap().to_owned();
    let first = url(app.call("apps.connections.open", json!({})).await);
    let second = url(app.call("apps.connections.open", json!({})).await);

    assert!(first.starts_with("ws://127.0.0.1:"), "{first}");
    assert!(tokio_tungstenite::connect_async(&first).await.is_ok());
    assert!(tokio_tungstenite::connect_async(&first).await.is_err());
    app.clock.advance(std::time::Duration::from_secs(31));
    assert!(tokio_tungstenite::connect_async(&second).await.is_err());
    assert_eq!(
        app.slack.violations(),
        ["socket: opened with a ticket that is used or too old"; 2]
    );
}
