//! Views: opened once and at once, filled in, answered by the acknowledgement.

use std::time::Duration;

use serde_json::{Value, json};

use super::app::{App, Socket, buttons};

/// A form of one input.
fn view() -> Value {
    json!({
        "type": "modal", "callback_id": "own", "private_metadata": "kept",
        "title": {"type": "plain_text", "text": "Target"}, "submit": {"type": "plain_text", "text": "Send"},
        "blocks": [{
            "type": "input", "block_id": "own_words", "label": {"type": "plain_text", "text": "Your answer"},
            "element": {"type": "plain_text_input", "action_id": "text", "multiline": true, "max_length": 3000},
        }],
    })
}

/// Makes another form of one.
type Change<'a> = &'a dyn Fn(&mut Value);

/// Presses a button, and gives the trigger that comes with it.
async fn pressed(app: &App) -> (askd_testkit::slack::Person, Socket, String) {
    let sara = app.sara();
    let blocks = json!([buttons(&["Other"])]);
    app.posts_with(json!({"channel": sara.id(), "text": "Where?", "blocks": blocks}))
        .await;
    let mut socket = app.connects().await;
    socket.takes().await;
    sara.presses(&sara.direct(), "Other");
    let press = socket.takes().await;
    let trigger = press["payload"]["trigger_id"]
        .as_str()
        .expect("a text")
        .to_owned();
    (sara, socket, trigger)
}

#[tokio::test]
async fn a_form_opens_and_what_is_typed_comes_back() {
    let app = App::start().await;
    let (sara, mut socket, trigger) = pressed(&app).await;

    let opened = app
        .call("views.open", json!({"trigger_id": trigger, "view": view()}))
        .await;
    let form = sara.form().unwrap();
    sara.fills("a & b");
    let sent = socket.takes().await;
    app.slack
        .until("the form closes", || sara.form().is_none().then_some(()))
        .await;

    assert_eq!(
        (form.title.as_str(), form.labels, form.submit.as_deref()),
        ("Target", vec!["Your answer".to_owned()], Some("Send"))
    );
    assert_eq!(
        (sent["type"].as_str(), sent["accepts_response_payload"].as_bool()),
        (Some("interactive"), Some(true))
    );
    let payload = &sent["payload"];
    assert_eq!(payload["type"], "view_submission");
    assert_eq!(payload["user"]["id"], sara.id());
    assert_eq!(payload["view"]["id"], opened["view"]["id"]);
    assert_eq!(payload["view"]["private_metadata"], "kept");
    assert_eq!(payload["view"]["callback_id"], "own");
    let typed = &payload["view"]["state"]["values"]["own_words"]["text"];
    assert_eq!(
        *typed,
        json!({"type": "plain_text_input", "value": "a & b"}),
        "and no entities"
    );
    assert_eq!(app.slack.violations(), [""; 0]);
}

#[tokio::test]
async fn an_empty_input_is_null() {
    let app = App::start().await;
    let (sara, mut socket, trigger) = pressed(&app).await;
    let mut optional = view();
    optional["blocks"][0]["optional"] = true.into();
    app.call("views.open", json!({"trigger_id": trigger, "view": optional}))
        .await;

    sara.fills("");
    let sent = socket.takes().await;

    let typed = &sent["payload"]["view"]["state"]["values"]["own_words"]["text"];
    assert_eq!(*typed, json!({"type": "plain_text_input", "value": null}));
}

#[tokio::test]
#[should_panic(expected = "has to be filled in")]
async fn the_client_sends_no_empty_input_that_is_required() {
    let app = App::start().await;
    let (sara, _socket, trigger) = pressed(&app).await;
    app.call("views.open", json!({"trigger_id": trigger, "view": view()}))
        .await;

    sara.fills("");
}

#[tokio::test]
async fn a_trigger_works_once_and_for_three_seconds() {
    let app = App::start().await;
    let (_sara, socket, trigger) = pressed(&app).await;
    let open = |trigger: &str| json!({"trigger_id": trigger, "view": view()});

    app.clock.advance(Duration::from_secs(3));
    app.call("views.open", open(&trigger)).await;
    assert_eq!(
        app.error("views.open", open(&trigger)).await,
        "exchanged_trigger_id"
    );
    assert_eq!(
        app.error("views.open", open("1.2.made-up")).await,
        "invalid_trigger_id"
    );
    drop(socket);
    app.slack
        .until("the socket is gone", || (app.slack.sockets() == 0).then_some(()))
        .await;
    let (_omid, _socket, late) = pressed(&app).await;
    app.clock.advance(Duration::from_millis(3001));
    assert_eq!(app.error("views.open", open(&late)).await, "expired_trigger_id");
}

#[tokio::test]
async fn a_form_that_does_not_fit_is_refused_and_its_trigger_still_works() {
    let app = App::start().await;
    let (sara, _socket, trigger) = pressed(&app).await;
    let with = |change: &dyn Fn(&mut Value)| {
        let mut view = view();
        change(&mut view);
        json!({"trigger_id": trigger, "view": view})
    };
    let long = |n: usize| json!({"type": "plain_text", "text": "x".repeat(n)});

    let wrong: [(Change<'_>, &str); 8] = [
        (
            &|view| view["title"] = long(25),
            "must be less than 25 characters [json-pointer:/view/title/text]",
        ),
        (
            &|view| view["submit"] = long(25),
            "must be less than 25 characters [json-pointer:/view/submit/text]",
        ),
        (
            &|view| view["close"] = long(25),
            "must be less than 25 characters [json-pointer:/view/close/text]",
        ),
        (
            &|view| view["private_metadata"] = "x".repeat(3001).into(),
            "must be less than 3001 characters [json-pointer:/view/private_metadata]",
        ),
        (
            &|view| view["callback_id"] = "x".repeat(256).into(),
            "must be less than 256 characters [json-pointer:/view/callback_id]",
        ),
        (
            &|view| view["blocks"][0]["label"] = long(2001),
            "must be less than 2001 characters [json-pointer:/view/blocks/0/label/text]",
        ),
        (
            &|view| view["blocks"][0]["element"]["max_length"] = 3001.into(),
            "must be a whole number of 1 to 3000 [json-pointer:/view/blocks/0/element/max_length]",
        ),
        (
            &|view| {
                view.as_object_mut().unwrap().remove("submit");
            },
            "missing required field: submit [json-pointer:/view]",
        ),
    ];
    for (change, fault) in wrong {
        let (error, messages) = app.refused("views.open", with(change)).await;
        assert_eq!(
            (error.as_str(), messages),
            ("invalid_arguments", vec![format!("[ERROR] {fault}")])
        );
    }
    assert!(sara.form().is_none());
    app.call("views.open", with(&|view| view["title"] = long(24)))
        .await;
    assert!(sara.form().is_some());
}

#[tokio::test]
async fn the_acknowledgement_may_show_errors_or_another_form() {
    let app = App::start().await;
    let (sara, mut socket, trigger) = pressed(&app).await;
    app.call("views.open", json!({"trigger_id": trigger, "view": view()}))
        .await;
    let answer = |envelope: &Value, payload: Value| json!({"envelope_id": envelope["envelope_id"], "payload": payload});

    sara.fills("7");
    let sent = socket.hears().await;
    let errors = json!({"response_action": "errors", "errors": {"own_words": "too short"}});
    socket.says(answer(&sent, errors)).await;
    app.slack.until("an error", || sara.form()?.errors.pop()).await;
    sara.fills("8");
    let sent = socket.hears().await;
    let done = json!({"type": "modal", "title": {"type": "plain_text", "text": "Target"}, "blocks": [
        {"type": "section", "text": {"type": "mrkdwn", "text": "*Saved*"}},
    ]});
    socket
        .says(answer(&sent, json!({"response_action": "update", "view": done})))
        .await;
    let form = app
        .slack
        .until("another form", || sara.form().filter(|form| form.text == "Saved"))
        .await;
    sara.closes_form();

    assert_eq!(sara.told(), ["too short", "Saved"]);
    assert!(form.labels.is_empty());
    assert!(sara.form().is_none());
    assert_eq!(app.slack.violations(), [""; 0]);
}

#[tokio::test]
async fn errors_belong_to_inputs_and_a_press_takes_no_payload() {
    let app = App::start().await;
    let (sara, mut socket, trigger) = pressed(&app).await;
    app.call("views.open", json!({"trigger_id": trigger, "view": view()}))
        .await;
    sara.fills("7");
    let sent = socket.hears().await;
    let errors = json!({"response_action": "errors", "errors": {"another": "?"}});
    socket
        .says(json!({"envelope_id": sent["envelope_id"], "payload": errors}))
        .await;
    sara.presses(&sara.direct(), "Other");
    let press = socket.hears().await;
    socket
        .says(json!({"envelope_id": press["envelope_id"], "payload": {"text": "x"}}))
        .await;
    app.slack
        .until("three faults", || {
            (app.slack.violations().len() == 3).then_some(())
        })
        .await;

    assert_eq!(
        app.slack.violations(),
        [
            "view: errors for what is no input",
            "view: errors without any",
            "socket: acknowledged with a payload where none is taken"
        ]
    );
}

#[tokio::test]
async fn a_form_that_is_not_acknowledged_stays_open_and_says_that_there_was_trouble() {
    let app = App::start().await;
    let (sara, mut socket, trigger) = pressed(&app).await;
    app.call("views.open", json!({"trigger_id": trigger, "view": view()}))
        .await;

    sara.fills("7");
    socket.hears().await;
    app.clock.advance(Duration::from_secs(4));
    let trouble = || {
        app.slack
            .transcript()
            .contains("Sara is told that there was trouble")
            .then_some(())
    };
    app.slack.until("the trouble", trouble).await;

    assert!(sara.form().is_some());
    assert_eq!(
        app.slack.violations(),
        ["socket: a click or a form was not acknowledged within 3 s"]
    );
}

#[tokio::test]
async fn a_form_can_be_changed_while_it_is_open() {
    let app = App::start().await;
    let (sara, mut socket, trigger) = pressed(&app).await;
    let mut asked = view();
    asked["notify_on_close"] = true.into();
    let opened = app
        .call("views.open", json!({"trigger_id": trigger, "view": asked}))
        .await;
    let (id, hash) = (&opened["view"]["id"], &opened["view"]["hash"]);
    let mut other = view();
    other["title"]["text"] = "Alerts".into();
    other["notify_on_close"] = true.into();

    app.call(
        "views.update",
        json!({"view_id": id, "hash": hash, "view": other}),
    )
    .await;
    let stale = json!({"view_id": id, "hash": hash, "view": view()});
    assert_eq!(app.error("views.update", stale).await, "hash_conflict");
    assert_eq!(sara.form().unwrap().title, "Alerts");
    sara.closes_form();
    let closed = socket.takes().await;
    let gone = json!({"view_id": id, "view": view()});
    assert_eq!(app.error("views.update", gone).await, "not_found");
    assert_eq!(closed["payload"]["type"], "view_closed");
}

#[tokio::test]
async fn a_response_url_works_five_times_in_half_an_hour() {
    let app = App::start().await;
    let (sara, ops) = app.ops();
    let blocks = json!([buttons(&["A"])]);
    app.posts_with(json!({"channel": ops.id(), "text": "Where?", "blocks": blocks}))
        .await;
    let mut socket = app.connects().await;
    socket.takes().await;
    let mut urls = Vec::new();
    for _ in 0..2 {
        sara.presses(&ops, "A");
        urls.push(
            socket.takes().await["payload"]["response_url"]
                .as_str()
                .unwrap()
                .to_owned(),
        );
    }
    let respond = |url: &str, body: Value| {
        let request = app.http.post(url).json(&body);
        async move { request.send().await.unwrap().status().as_u16() }
    };

    for n in 0..5 {
        assert_eq!(respond(&urls[0], json!({"text": format!("n {n}")})).await, 200);
    }
    assert_eq!(respond(&urls[0], json!({"text": "once more"})).await, 404);
    assert_eq!(
        respond(
            &urls[1],
            json!({"text": "<!here>", "response_type": "in_channel"})
        )
        .await,
        200
    );
    assert_eq!(respond(&urls[1], json!({"text": ""})).await, 400);
    app.clock.advance(Duration::from_mins(31));
    assert_eq!(respond(&urls[1], json!({"text": "late"})).await, 404);

    assert_eq!(sara.told().len(), 5, "for them alone, unless it says otherwise");
    assert_eq!(sara.sees(&ops).len(), 2);
    assert_eq!(
        app.slack.violations(),
        [
            "response_url: used_url",
            "response_url: mentions many",
            "response_url: no_text",
            "response_url: expired_url"
        ]
    );
}
