//! Interactions and their answers.

use std::time::Duration;

use askd_testkit::discord::{Outcome, Person, Place, Press};
use serde_json::{Value, json};

use super::bot::{Bot, Gateway, Refused, callback, rows, webhook};

/// A bot that listens, a person, and a prompt with buttons before them.
pub(super) struct Scene {
    pub(super) bot: Bot,
    pub(super) gateway: Gateway,
    pub(super) sara: Person,
    place: Place,
}

impl Scene {
    pub(super) async fn direct() -> Self {
        let bot = Bot::start().await;
        let sara = bot.sara();
        let place = sara.direct();
        Self::at(bot, sara, place).await
    }

    async fn in_guild() -> Self {
        let bot = Bot::start().await;
        let sara = bot.sara();
        let place = bot.discord.channel("ops", &[&sara]);
        Self::at(bot, sara, place).await
    }

    async fn at(bot: Bot, sara: Person, place: Place) -> Self {
        let mut gateway = bot.connects().await;
        let buttons = rows(&[&["Staging", "Production"], &["Other…", "Skip"]]);
        bot.sends_with(&place, json!({"content": "Where?", "components": buttons}))
            .await;
        gateway.hears("MESSAGE_CREATE").await;
        Self {
            bot,
            gateway,
            sara,
            place,
        }
    }

    /// A press, and the interaction that the bot hears of it.
    pub(super) async fn presses(&mut self, label: &str) -> (Press, Value) {
        let prompt = self.sara.sees_last(&self.place).expect("a prompt").at;
        let press = self.sara.presses_data(prompt, label, label);
        (press, self.gateway.hears("INTERACTION_CREATE").await)
    }

    /// A press after an event that is passed over.
    pub(super) async fn presses_after(&mut self, event: &str, label: &str) -> (Press, Value) {
        self.gateway.hears(event).await;
        self.presses(label).await
    }

    /// A slash command, and the interaction that the bot hears of it.
    async fn uses_skip(&mut self) -> (Press, Value) {
        let path = format!("/applications/{}/commands", self.bot.discord.bot_id());
        let commands = json!([{"name": "skip", "description": "Skip the question"}]);
        self.bot.call("PUT", &path, commands).await;
        let press = self.sara.uses(&self.place, "skip", None);
        (press, self.gateway.hears("INTERACTION_CREATE").await)
    }
}

pub(super) fn text(content: &str) -> Value {
    json!({"content": content, "allowed_mentions": {"parse": []}})
}

fn ephemeral(content: &str) -> Value {
    let mut data = text(content);
    data["flags"] = 64.into();
    data
}

#[tokio::test]
async fn a_press_tells_who_where_and_what() {
    let mut direct = Scene::direct().await;
    direct.sara.speaks("de");
    let (press, alone) = direct.presses("Staging").await;
    let mut guild = Scene::in_guild().await;
    let (_, there) = guild.presses("Staging").await;

    assert_eq!(
        (&alone["type"], &alone["data"]["custom_id"]),
        (&json!(3), &json!("Staging"))
    );
    assert_eq!(alone["user"]["id"], direct.sara.id().to_string());
    assert!(alone.get("member").is_none() && alone.get("guild_id").is_none());
    assert_eq!(
        (&alone["channel"]["type"], &alone["context"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(
        (&alone["locale"], &alone["message"]["content"]),
        (&json!("de"), &json!("Where?"))
    );
    assert_eq!(there["member"]["user"]["id"], guild.sara.id().to_string());
    assert!(there.get("user").is_none() && there["guild_id"].is_string());
    assert_eq!(
        (&there["channel"]["type"], &there["context"]),
        (&json!(0), &json!(0))
    );
    assert_eq!(press.outcome(), Outcome::Waiting);
}

#[tokio::test]
async fn each_answer_shows_what_it_is_for() {
    let mut scene = Scene::direct().await;
    let answers = [
        (
            json!({"type": 4, "data": text("Hello")}),
            Outcome::Said("Hello".to_owned()),
        ),
        (
            json!({"type": 4, "data": ephemeral("Not yours")}),
            Outcome::Alone("Not yours".to_owned()),
        ),
        (json!({"type": 5}), Outcome::Waiting),
        (
            json!({"type": 7, "data": text("Staging: Sara")}),
            Outcome::Changed("Staging: Sara".to_owned()),
        ),
        (json!({"type": 6}), Outcome::Stopped),
    ];

    for (answer, outcome) in answers {
        let prompt = scene.sara.sees(&scene.place)[0].at;
        let press = scene.sara.presses_data(prompt, "Staging", "Staging");
        let interaction = loop {
            let event = scene.gateway.next().await.unwrap();
            if event["t"] == "INTERACTION_CREATE" {
                break event["d"].clone();
            }
        };

        scene.bot.answers(&interaction, answer.clone()).await;

        assert_eq!(press.outcome(), outcome, "{answer}");
    }
    assert_eq!(scene.sara.told(), ["Not yours", "Staging: Sara"]);
    assert_eq!(scene.bot.discord.violations(), [""; 0]);
}

#[tokio::test]
async fn an_update_keeps_what_it_leaves_out() {
    let mut scene = Scene::direct().await;
    let (_, first) = scene.presses("Staging").await;
    scene
        .bot
        .answers(&first, json!({"type": 7, "data": text("Still open")}))
        .await;
    let kept = scene.sara.sees_last(&scene.place).unwrap();
    scene.gateway.hears("MESSAGE_UPDATE").await;
    let (_, second) = scene.presses("Staging").await;
    scene
        .bot
        .answers(&second, json!({"type": 7, "data": {"components": []}}))
        .await;
    let over = scene.sara.sees_last(&scene.place).unwrap();

    assert_eq!((kept.text.as_str(), kept.labels().len()), ("Still open", 4));
    assert_eq!((over.text.as_str(), over.labels().len()), ("Still open", 0));
}

#[tokio::test]
async fn an_update_without_data_changes_nothing_and_a_message_without_is_empty() {
    let mut scene = Scene::direct().await;
    let (press, first) = scene.presses("Staging").await;
    scene.bot.answers(&first, json!({"type": 7})).await;
    let (_, second) = scene.presses_after("MESSAGE_UPDATE", "Staging").await;

    let empty = scene
        .bot
        .refused("POST", &callback(&second), json!({"type": 4}))
        .await;

    assert_eq!(press.outcome(), Outcome::Changed("Where?".to_owned()));
    assert_eq!(empty.code, 50006);
}

#[tokio::test]
async fn a_reply_to_what_answers_an_interaction_pings_nobody() {
    let mut scene = Scene::direct().await;
    let (_, interaction) = scene.presses("Staging").await;
    scene
        .bot
        .answers(&interaction, json!({"type": 4, "data": text("Hello")}))
        .await;
    let answer = scene.gateway.hears("MESSAGE_CREATE").await;

    scene.sara.replies(super::bot::at(&answer), "2");
    let reply = scene.gateway.hears("MESSAGE_CREATE").await;

    assert_eq!((&reply["type"], &reply["mentions"]), (&json!(19), &json!([])));
    assert_eq!(answer["webhook_id"], scene.bot.discord.bot_id().to_string());
}

#[tokio::test]
async fn an_interaction_is_answered_within_three_seconds_or_it_has_failed() {
    let mut scene = Scene::direct().await;
    let (_, in_time) = scene.presses("Staging").await;
    scene.bot.clock.advance(Duration::from_secs(3));
    scene.bot.answers(&in_time, json!({"type": 6})).await;
    let (press, late) = scene.presses("Staging").await;
    scene.bot.clock.advance(Duration::from_millis(3001));

    let refused = scene
        .bot
        .refused("POST", &callback(&late), json!({"type": 6}))
        .await;

    assert_eq!(refused, Refused::new(404, 10062, "Unknown interaction"));
    assert_eq!(press.outcome(), Outcome::Failed("This interaction failed"));
    assert_eq!(scene.sara.told(), ["This interaction failed"]);
    assert_eq!(scene.bot.discord.violations(), [""; 0], "it was tried");
}

#[tokio::test]
async fn what_was_received_and_never_answered_is_noted() {
    let mut scene = Scene::direct().await;
    let (press, _) = scene.presses("Staging").await;
    scene.bot.clock.advance(Duration::from_secs(4));
    let (command, _) = scene.uses_skip().await;
    scene.bot.clock.advance(Duration::from_secs(4));

    assert_eq!(press.outcome(), Outcome::Failed("This interaction failed"));
    assert_eq!(
        command.outcome(),
        Outcome::Failed("The application did not respond")
    );
    assert_eq!(
        scene.bot.discord.violations(),
        ["an interaction was received and never answered"; 2]
    );
}

#[tokio::test]
async fn an_interaction_is_answered_once() {
    let mut scene = Scene::direct().await;
    let (_, interaction) = scene.presses("Staging").await;
    scene.bot.answers(&interaction, json!({"type": 6})).await;

    let twice = scene
        .bot
        .refused("POST", &callback(&interaction), json!({"type": 6}))
        .await;

    assert_eq!(
        twice,
        Refused::new(400, 40060, "Interaction has already been acknowledged.")
    );
    assert_eq!(scene.bot.discord.violations().len(), 1);
}

#[tokio::test]
async fn what_was_handed_out_twice_may_be_answered_twice_in_good_faith() {
    let mut scene = Scene::direct().await;
    let (_, interaction) = scene.presses("Staging").await;
    scene.bot.answers(&interaction, json!({"type": 6})).await;
    scene.bot.discord.redeliver_last();
    let again = scene.gateway.hears("INTERACTION_CREATE").await;

    let twice = scene
        .bot
        .refused("POST", &callback(&again), json!({"type": 6}))
        .await;

    assert_eq!((&interaction["id"], twice.code), (&again["id"], 40060));
    assert_eq!(scene.bot.discord.violations(), [""; 0]);
}

#[tokio::test]
async fn a_refused_answer_leaves_it_open() {
    let mut scene = Scene::direct().await;
    let (press, interaction) = scene.presses("Staging").await;
    let long = text(&"x".repeat(2001));

    let refused = scene
        .bot
        .refused("POST", &callback(&interaction), json!({"type": 4, "data": long}))
        .await;
    scene
        .bot
        .answers(&interaction, json!({"type": 4, "data": text("Hello")}))
        .await;

    assert!(refused.errors["data"]["content"].is_object(), "{refused:?}");
    assert_eq!(press.outcome(), Outcome::Said("Hello".to_owned()));
}

#[tokio::test]
async fn a_command_cannot_be_answered_by_changing_a_message() {
    let mut scene = Scene::direct().await;
    let (press, command) = scene.uses_skip().await;

    for kind in [6, 7] {
        let answer = json!({"type": kind, "data": text("x")});
        let refused = scene.bot.refused("POST", &callback(&command), answer).await;

        assert_eq!(refused.errors["type"]["_errors"][0]["code"], "BASE_TYPE_CHOICES");
    }
    scene
        .bot
        .answers(&command, json!({"type": 4, "data": text("Skipped")}))
        .await;

    assert_eq!(press.outcome(), Outcome::Said("Skipped".to_owned()));
    assert_eq!(
        (&command["type"], &command["data"]["name"]),
        (&json!(2), &json!("skip"))
    );
}

#[tokio::test]
async fn the_first_follow_up_fills_the_message_that_was_on_its_way() {
    let mut scene = Scene::in_guild().await;
    let (press, interaction) = scene.presses("Staging").await;
    let path = webhook(&interaction);
    let early = scene.bot.refused("POST", &path, text("x")).await;
    scene
        .bot
        .answers(&interaction, json!({"type": 5, "data": {"flags": 64}}))
        .await;
    let waits = press.outcome();

    scene.bot.call("POST", &path, text("Recorded")).await;
    scene.bot.call("POST", &path, ephemeral("And this")).await;

    assert_eq!(early.code, 10015);
    assert_eq!(waits, Outcome::Waiting);
    assert_eq!(press.outcome(), Outcome::Alone("Recorded".to_owned()));
    assert_eq!(press.followed(), ["And this"]);
    assert_eq!(scene.sara.told(), ["Recorded", "And this"]);
}

#[tokio::test]
async fn the_original_can_be_read_changed_and_taken_away() {
    let mut scene = Scene::direct().await;
    let (press, interaction) = scene.presses("Staging").await;
    scene
        .bot
        .answers(&interaction, json!({"type": 5, "data": {"flags": 64}}))
        .await;
    let original = format!("{}/messages/@original", webhook(&interaction));

    scene.bot.call("PATCH", &original, text("Recorded")).await;
    let filled = press.outcome();
    let read = scene.bot.get(&original).await;
    scene.bot.call("DELETE", &original, Value::Null).await;
    let gone = scene.bot.refused("GET", &original, Value::Null).await;

    assert_eq!(filled, Outcome::Alone("Recorded".to_owned()));
    assert_eq!(
        (&read["content"], &read["flags"]),
        (&json!("Recorded"), &json!(64))
    );
    assert_eq!((press.outcome(), gone.code), (Outcome::Gone, 10008));
}

#[tokio::test]
async fn after_a_silent_answer_the_original_is_the_message_itself() {
    let mut scene = Scene::direct().await;
    let (press, interaction) = scene.presses("Staging").await;
    scene.bot.answers(&interaction, json!({"type": 6})).await;
    let original = format!("{}/messages/@original", webhook(&interaction));

    let mut done = text("Done");
    done["components"] = json!([]);
    scene.bot.call("PATCH", &original, done).await;

    let seen = scene.sara.sees_last(&scene.place).unwrap();
    assert_eq!((seen.text.as_str(), seen.labels().len()), ("Done", 0));
    assert_eq!(press.outcome(), Outcome::Changed("Done".to_owned()));
}

#[tokio::test]
async fn follow_ups_are_taken_for_a_quarter_of_an_hour() {
    let mut scene = Scene::direct().await;
    let (_, interaction) = scene.presses("Staging").await;
    scene.bot.answers(&interaction, json!({"type": 6})).await;
    scene.bot.clock.advance(Duration::from_mins(15));
    scene.bot.call("POST", &webhook(&interaction), text("x")).await;
    scene.bot.clock.advance(Duration::from_millis(1));

    let late = scene.bot.refused("POST", &webhook(&interaction), text("x")).await;

    assert_eq!(late, Refused::new(401, 50027, "Invalid Webhook Token"));
}

#[tokio::test]
async fn what_one_alone_sees_is_no_message_of_the_channel() {
    let mut scene = Scene::in_guild().await;
    let omid = scene.bot.discord.person("Omid");
    let (_, interaction) = scene.presses("Staging").await;
    let path = format!("{}?with_response=true", callback(&interaction));
    let answer = json!({"type": 4, "data": ephemeral("Not yours")});
    let response = scene.bot.call("POST", &path, answer).await;
    let id = response["resource"]["message"]["id"].as_str().unwrap();

    let path = format!("/channels/{}/messages/{id}", scene.place.id());
    let refused = scene.bot.refused("PATCH", &path, text("x")).await;

    assert_eq!(refused.code, 10008);
    assert_eq!(
        (omid.sees(&scene.place).len(), scene.sara.sees(&scene.place).len()),
        (1, 2)
    );
    assert!(!scene.sara.sees(&scene.place)[1].rang);
    assert_eq!(response["interaction"]["response_message_ephemeral"], true);
    scene.gateway.hears_nothing_more().await;
}

#[tokio::test]
async fn a_button_that_is_gone_can_still_be_pressed() {
    let mut scene = Scene::direct().await;
    let prompt = scene.sara.sees_last(&scene.place).unwrap().at;
    scene.bot.edits(prompt, json!({"components": []})).await;
    scene.gateway.hears("MESSAGE_UPDATE").await;

    let (_, interaction) = scene.presses("Staging").await;

    assert_eq!(interaction["data"]["custom_id"], "Staging");
    assert_eq!(interaction["message"]["components"], json!([]));
}

#[tokio::test]
async fn a_token_opens_its_own_interaction_alone() {
    let mut scene = Scene::direct().await;
    let (_, first) = scene.presses("Staging").await;
    let (_, second) = scene.presses("Staging").await;
    let text_of = |value: &Value, name: &str| value[name].as_str().unwrap().to_owned();

    let mixed = format!(
        "/interactions/{}/{}/callback",
        text_of(&first, "id"),
        text_of(&second, "token")
    );
    let refused = scene.bot.refused("POST", &mixed, json!({"type": 6})).await;

    assert_eq!(refused.code, 10062);
}
