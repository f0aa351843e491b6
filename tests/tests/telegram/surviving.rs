//! Telegram keeps taps for two and a half minutes while nobody fetches them.

use askd_stories::Home;
use serde_json::json;

use crate::stage::{Scene, answers, asks, deploy, golden, result, runtime, telegram};

#[test]
fn a_tap_while_askd_is_away_counts_when_it_is_back() {
    let (home, scene) = (Home::new(), Scene::open(telegram::start, &runtime()));
    let sara = scene.sara();
    home.configure(&(scene.section() + &sara.section()));
    let mut askd = home.serve();
    let ask = asks(&askd, &deploy());
    sara.reads("Where should this go?");
    askd.process.stop();

    let tap = sara.taps("Production");
    let askd = home.serve();

    tap.is_told("Production");
    assert_eq!(
        answers(&result(&askd, &ask)),
        &json!({ "deploy_target": ["Production"] })
    );
    sara.reads(&scene.here());
    let name = "surviving__a_tap_while_askd_is_away_counts_when_it_is_back";
    golden("telegram/snapshots", name, &scene.transcript());
}
