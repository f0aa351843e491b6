//! Pairing by a link: nobody types a code on a telephone, and nobody hunts for numbers.

use std::sync::Arc;

use askd_stories::Home;
use serde_json::json;

use crate::stage::{Scene, answers, asks, clock, deploy, golden, result, runtime, telegram};

#[test]
fn a_code_by_a_link_ties_the_account() {
    let home = Home::new();
    let runtime = runtime();
    let platform = Arc::new(runtime.block_on(telegram::platform(clock(&runtime))));
    let (scene, fake) = (Scene::on(platform.clone(), &runtime), platform.fake());
    home.configure(&format!("{}[people.sara]\nname = \"Sara\"\n", scene.section()));
    // She has never written to the bot.
    let sara = fake.stranger("Sara");
    let askd = home.serve();
    scene.rests();

    let offer = home.run(&["pair", "sara"]);
    let (code, rest) = offer.stdout.split_once('\n').unwrap();
    let link = format!("telegram: https://t.me/{}?start={code}\n", fake.username());
    assert!(rest.ends_with(&link), "{offer:?}");
    sara.starts_with(code);
    let reads = |text: &str| {
        scene.until(text, || {
            let mut seen = sara.sees(&sara.direct()).into_iter();
            seen.find(|seen| seen.by_bot && seen.text.contains(text))
        })
    };
    reads("Hello");
    let people = home.run(&["people"]);
    let ask = asks(&askd, &deploy());
    reads("Where should this go?");
    let tap = sara.taps(&sara.direct(), "Production");

    let paired = format!("telegram:{} (paired)", sara.id());
    assert!(people.stdout.contains(&paired), "{people:?}");
    assert_eq!(
        answers(&result(&askd, &ask)),
        &json!({ "deploy_target": ["Production"] })
    );
    reads("on Telegram");
    scene.until("the thanks", || tap.answer());
    golden(
        "telegram/snapshots",
        "joining__a_code_by_a_link_ties_the_account",
        &scene.transcript(),
    );
}
