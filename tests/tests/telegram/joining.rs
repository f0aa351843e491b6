//! Pairing: from an account that nobody knows to an answer.

use super::bench::{Bench, answers, asks, deploy, result};
use serde_json::json;

#[test]
fn a_code_by_a_link_ties_the_account() {
    let bench = Bench::new();
    bench.configure("[people.sara]\nname = \"Sara\"\n");
    let sara = bench.telegram.stranger("Sara");
    let askd = bench.home.serve();
    bench.rests();

    let offer = bench.home.run(&["pair", "sara"]);
    let (code, rest) = offer.stdout.split_once('\n').unwrap();
    let link = format!(
        "telegram: https://t.me/{}?start={code}\n",
        bench.telegram.username()
    );
    assert!(rest.ends_with(&link), "{offer:?}");
    sara.starts_with(code);
    bench.reads(&sara, &sara.direct(), "Hello Sara");
    let people = bench.home.run(&["people"]);
    let ask = asks(&askd, &deploy());
    bench.reads(&sara, &sara.direct(), "Where should this go?");
    bench.told(&sara.taps(&sara.direct(), "Production"));

    assert!(
        people
            .stdout
            .contains(&format!("telegram:{} (paired)", sara.id())),
        "{people:?}"
    );
    assert_eq!(
        answers(&result(&askd, &ask)),
        &json!({ "deploy_target": ["Production"] })
    );
    bench.reads(&sara, &sara.direct(), "on Telegram");
    insta::assert_snapshot!(bench.transcript());
}

#[test]
fn who_is_not_paired_is_told_how_and_a_code_works_once() {
    let bench = Bench::new();
    bench.configure("[people.sara]\nname = \"Sara\"\n");
    let (sara, omid) = (bench.telegram.stranger("Sara"), bench.telegram.stranger("Omid"));
    let _askd = bench.home.serve();
    bench.rests();
    let code = bench.home.run(&["pair", "sara", "--json"]).json()["code"]
        .as_str()
        .unwrap()
        .to_owned();

    sara.starts();
    bench.reads(&sara, &sara.direct(), "pairing code");
    sara.says(&sara.direct(), &code);
    bench.reads(&sara, &sara.direct(), "Hello Sara");
    omid.starts_with(&code);
    bench.reads(&omid, &omid.direct(), "This code does not work");

    let people = bench.home.run(&["people"]);
    assert!(!people.stdout.contains(&omid.id().to_string()), "{people:?}");
    insta::assert_snapshot!(bench.transcript());
}
