//! What does not fit, and what is written to do harm.

use serde_json::{Value, json};

use super::{SARA, read, says};
use crate::channel_suite::{Case, Feature, Place, Saying, Who, World, asks, sentences};

pub(super) fn cases() -> Vec<Case> {
    sentences! {
        [] a_channel_says_what_its_platform_offers;
        [] a_channel_reads_the_addresses_of_the_configuration;
        [] a_long_prompt_is_split_and_nothing_of_the_questions_is_lost;
        [] of_a_split_prompt_every_part_is_settled;
        [Replies] a_reply_to_any_part_is_a_reply_to_the_ask;
        [] the_longest_own_words_are_passed_on_whole;
        [] own_words_that_are_too_long_get_a_hint;
        [] texts_are_data_and_never_markup;
        [] what_people_write_is_data_too;
    }
}

async fn a_channel_says_what_its_platform_offers(world: &mut World) {
    let mut places = vec![SARA];
    if world.has(Feature::Groups) {
        places.push(Place::Group);
    }
    for place in places {
        let can = world.capabilities(place);

        assert_eq!(can.buttons.is_some(), world.has(Feature::Buttons), "{place:?}");
        assert_eq!(can.forms.is_some(), world.has(Feature::Forms), "{place:?}");
        assert_eq!(can.edits, world.has(Feature::Edits), "{place:?}");
        assert_eq!(can.direct, place == SARA, "{place:?}");
        let hears = can.hears_groups == world.has(Feature::BareGroupTexts);
        assert!(hears || place == SARA, "{place:?}");
    }
}

async fn a_channel_reads_the_addresses_of_the_configuration(world: &mut World) {
    for who in Who::WITH_ACCOUNT {
        assert!(world.reads_address(Place::Direct(who)), "{who:?}");
    }
    assert!(!world.has(Feature::Groups) || world.reads_address(Place::Group));
}

/// As long as an ask can be, within a few characters.
fn longest() -> Value {
    let question = |n: usize| {
        let option = |o: usize| {
            json!({
                "label": format!("Label{n}{o} {}end", "l ".repeat(90)),
                "description": format!("Description{n}{o} {}end", "d ".repeat(480)),
            })
        };
        json!({
            "id": format!("q{n}"),
            "header": format!("Header{n}"),
            "question": format!("Question{n} {}end?", "q ".repeat(980)),
            "options": (1..=4).map(option).collect::<Vec<_>>(),
            "multiSelect": true,
        })
    };
    json!({ "questions": (1..=3).map(question).collect::<Vec<_>>(), "context": "c ".repeat(1900) })
}

async fn a_long_prompt_is_split_and_nothing_of_the_questions_is_lost(world: &mut World) {
    let ask = world.ask(longest()).await;

    let prompts = world.prompts(ask, SARA).await;
    let text = read(&prompts);
    let count = |wanted: &str| text.split_whitespace().filter(|word| *word == wanted).count();

    assert!(prompts.len() > 1, "{}", prompts.len());
    for n in 1..=3 {
        says(
            &text,
            &[
                &format!("Header{n}"),
                &format!("Question{n}"),
                &format!("Label{n}4"),
                &format!("Description{n}4"),
            ],
        );
    }
    assert_eq!((count("q"), count("l"), count("d")), (3 * 980, 12 * 90, 12 * 480));
    assert_eq!(prompts.iter().filter(|prompt| prompt.rang).count(), 1);
}

/// A label that no button has room for.
const LABEL: &str =
    "Yes, and this label is so long that no button has room for it; it goes on, and on, and on, and on";

/// One question that takes a few messages on every platform.
fn long() -> Value {
    let question = format!("Shall we? {}", "really ".repeat(270));
    let mut body = asks::single(&question, &[LABEL, "No", "Later"]);
    for option in 0..3 {
        body["questions"][0]["options"][option]["description"] = "why ".repeat(240).into();
    }
    body
}

async fn of_a_split_prompt_every_part_is_settled(world: &mut World) {
    let ask = world.ask(long()).await;
    let prompts = world.prompts(ask, SARA).await;
    let (last, others) = prompts.split_last().expect("the ask is shown");
    assert!(
        !others.is_empty() && others.iter().all(|part| part.buttons.is_empty()),
        "{others:?}"
    );
    assert_eq!(last.buttons.is_empty(), !world.has(Feature::Buttons));

    world.say(Who::Sara, SARA, "1").await.became("settled");

    assert_eq!(world.values(ask, "q").await, [LABEL]);
    if world.has(Feature::Edits) {
        let after = world.prompts(ask, SARA).await;
        assert_eq!(after.len(), prompts.len());
        assert!(
            after
                .iter()
                .zip(&prompts)
                .all(|(after, before)| after.text != before.text),
            "{after:?}"
        );
        assert!(after.iter().all(|part| part.buttons.is_empty()), "{after:?}");
        says(&world.ending(ask, SARA).await, &["Sara"]);
    }
}

async fn a_reply_to_any_part_is_a_reply_to_the_ask(world: &mut World) {
    world.ask(asks::target()).await;
    for part in [0, 1] {
        let ask = world.ask(long()).await;
        let prompts = world.prompts(ask, SARA).await;

        world
            .says(Who::Sara, SARA, &Saying::text("2").reply_to(&prompts[part]))
            .await
            .became("settled");

        assert_eq!(world.values(ask, "q").await, ["No"]);
    }
}

async fn the_longest_own_words_are_passed_on_whole(world: &mut World) {
    let ask = world.ask(asks::target()).await;
    let words = format!("{}end", "w ".repeat(1998));

    world.say(Who::Sara, SARA, &words).await.became("settled");

    assert_eq!(world.values(ask, "deploy_target").await, [words]);
}

async fn own_words_that_are_too_long_get_a_hint(world: &mut World) {
    let ask = world.ask(asks::target()).await;

    let told = world.say(Who::Sara, SARA, &"w".repeat(4001)).await;

    told.became("hint");
    assert_eq!(told.texts.len(), 1, "{told:?}");
    assert_eq!(world.status(ask).await, "pending");
}

/// Markup of many platforms, and mentions of everybody.
const HOSTILE: &str = "<!everyone> @everyone <b>x</b> &lt; & *a* _b_ `c` [d](https://example.org) ||e|| <@1>";

async fn texts_are_data_and_never_markup(world: &mut World) {
    let label = "</b><script> *1* & `2`";
    let mut body = asks::single(&format!("{HOSTILE} \u{202e}?"), &[label, "No"]);
    body["session"] = json!({ "id": "s", "title": "<i>t & t</i>" });
    let ask = world.ask(body).await;

    let text = read(&world.prompts(ask, SARA).await);
    world.say(Who::Sara, SARA, label).await.says(&[label]);

    says(&text, &[HOSTILE, label, "<i>t & t</i>"]);
    assert_eq!(world.values(ask, "q").await, [label]);
}

async fn what_people_write_is_data_too(world: &mut World) {
    let ask = world.ask(asks::target()).await;

    let told = world.say(Who::Sara, SARA, HOSTILE).await;

    told.became("settled");
    told.says(&[HOSTILE]);
    assert_eq!(world.values(ask, "deploy_target").await, [HOSTILE]);
}
