//! Forms that an interaction opens.

use askd_testkit::discord::Outcome;
use serde_json::{Value, json};

use super::{
    answering::{Scene, text},
    bot::callback,
};

fn modal(title: &str, label: &str) -> Value {
    let input = json!({"type": 4, "custom_id": "text", "style": 2, "label": label});
    json!({"custom_id": "m", "title": title, "components": [{"type": 1, "components": [input]}]})
}

#[tokio::test]
async fn a_form_opens_as_the_first_answer_alone_and_comes_back_filled_in() {
    let mut scene = Scene::direct().await;
    let (press, interaction) = scene.presses("Other…").await;
    scene
        .bot
        .answers(
            &interaction,
            json!({"type": 9, "data": modal("Target", "Own words")}),
        )
        .await;
    let form = scene.sara.form().unwrap();
    let opened = press.outcome();

    let sent = scene.sara.fills("after lunch");
    let filled = scene.gateway.hears("INTERACTION_CREATE").await;
    let nested = scene
        .bot
        .refused(
            "POST",
            &callback(&filled),
            json!({"type": 9, "data": modal("Target", "x")}),
        )
        .await;
    scene
        .bot
        .answers(&filled, json!({"type": 7, "data": text("Own words: Sara")}))
        .await;

    assert_eq!(
        (form.title.as_str(), form.inputs[0].label.as_str()),
        ("Target", "Own words")
    );
    assert_eq!(opened, Outcome::Form(form));
    assert_eq!(
        (&filled["type"], &filled["data"]["custom_id"]),
        (&json!(5), &json!("m"))
    );
    let input = &filled["data"]["components"][0]["components"][0];
    assert_eq!(
        (&input["custom_id"], &input["value"]),
        (&json!("text"), &json!("after lunch"))
    );
    assert_eq!(filled["message"]["id"], interaction["message"]["id"]);
    assert_eq!(nested.code, 50035);
    assert_eq!(sent.outcome(), Outcome::Changed("Own words: Sara".to_owned()));
}

#[tokio::test]
async fn a_form_in_labels_comes_back_in_labels() {
    let mut scene = Scene::direct().await;
    let (_, interaction) = scene.presses("Other…").await;
    let input = json!({"type": 4, "custom_id": "text", "style": 2});
    let label = json!({"type": 18, "label": "Own words", "description": "As you like", "component": input});
    let modal = json!({"custom_id": "m", "title": "Target", "components": [label]});
    scene
        .bot
        .answers(&interaction, json!({"type": 9, "data": modal}))
        .await;

    scene.sara.fills("after lunch");
    let filled = scene.gateway.hears("INTERACTION_CREATE").await;

    let component = &filled["data"]["components"][0];
    assert_eq!(
        (&component["type"], &component["component"]["value"]),
        (&json!(18), &json!("after lunch"))
    );
}

#[tokio::test]
async fn a_form_keeps_to_its_limits() {
    let mut scene = Scene::direct().await;
    let (_, interaction) = scene.presses("Other…").await;
    let with = |name: &str, value: Value| {
        let mut modal = modal("Target", "Own words");
        modal["components"][0]["components"][0][name] = value;
        modal
    };
    let unnamed = json!({"custom_id": "", "title": "", "components": []});

    for (data, path, code) in [
        (modal(&"x".repeat(46), "y"), "/title", "BASE_TYPE_BAD_LENGTH"),
        (
            modal("x", &"y".repeat(46)),
            "/components/0/components/0/label",
            "BASE_TYPE_BAD_LENGTH",
        ),
        (
            with("placeholder", "x".repeat(101).into()),
            "/components/0/components/0/placeholder",
            "BASE_TYPE_MAX_LENGTH",
        ),
        (
            with("max_length", 4001.into()),
            "/components/0/components/0/max_length",
            "NUMBER_TYPE_MAX",
        ),
        (
            with("style", 3.into()),
            "/components/0/components/0/style",
            "BASE_TYPE_CHOICES",
        ),
        (unnamed, "/components", "BASE_TYPE_BAD_LENGTH"),
    ] {
        let refused = scene
            .bot
            .refused("POST", &callback(&interaction), json!({"type": 9, "data": data}))
            .await;

        let found = refused.errors["data"].pointer(&format!("{path}/_errors/0/code"));
        assert_eq!(found, Some(&json!(code)), "{refused:?}");
    }
    scene
        .bot
        .answers(
            &interaction,
            json!({"type": 9, "data": modal(&"x".repeat(45), &"y".repeat(45))}),
        )
        .await;
}

#[tokio::test]
#[should_panic(expected = "takes from 0 to 4000 characters")]
async fn a_form_takes_no_more_than_its_input_says() {
    let mut scene = Scene::direct().await;
    let (_, interaction) = scene.presses("Other…").await;
    scene
        .bot
        .answers(
            &interaction,
            json!({"type": 9, "data": modal("Target", "Own words")}),
        )
        .await;

    scene.sara.fills(&"x".repeat(4001));
}

#[tokio::test]
async fn a_form_that_is_closed_tells_nobody() {
    let mut scene = Scene::direct().await;
    let (_, interaction) = scene.presses("Other…").await;
    scene
        .bot
        .answers(
            &interaction,
            json!({"type": 9, "data": modal("Target", "Own words")}),
        )
        .await;

    scene.sara.closes_form();

    assert_eq!(scene.sara.form(), None);
    scene.gateway.hears_nothing_more().await;
}
