//! Restarts and kills in the middle of an answer.

use askd_testkit::telegram::Fault;
use serde_json::json;

use super::bench::{Bench, answers, asks, deploy, result};

#[test]
fn a_tap_while_askd_is_away_counts_when_it_is_back() {
    let bench = Bench::new();
    let (sara, section) = bench.person("Sara");
    bench.configure(&section);
    let mut askd = bench.home.serve();
    let ask = asks(&askd, &deploy());
    bench.reads(&sara, &sara.direct(), "Where should this go?");
    askd.process.stop();

    let tap = sara.taps(&sara.direct(), "Production");
    let askd = bench.home.serve();

    assert!(bench.told(&tap).text.unwrap_or_default().contains("Production"));
    assert_eq!(
        answers(&result(&askd, &ask)),
        &json!({ "deploy_target": ["Production"] })
    );
    bench.reads(&sara, &sara.direct(), "on Telegram");
    insta::assert_snapshot!(bench.transcript());
}

#[test]
fn killed_between_storing_and_editing_it_edits_after_the_restart() {
    let bench = Bench::new();
    let (sara, section) = bench.person("Sara");
    bench.configure(&section);
    let mut askd = bench.home.serve();
    let ask = asks(&askd, &deploy());
    bench
        .telegram
        .fail_until_mended("editMessageText", Fault::Hangs { done: false });

    let tap = sara.taps(&sara.direct(), "Production");
    bench.told(&tap);
    bench.until("an edit under way", || {
        (bench.telegram.hanging() > 0).then_some(())
    });
    askd.process.kill();
    bench.telegram.mend();
    let alive = sara.sees_last(&sara.direct()).unwrap();
    let askd = bench.home.serve();

    assert!(!alive.buttons.is_empty(), "nobody edited it before the restart");
    let edited = bench.reads(&sara, &sara.direct(), "on Telegram");
    assert!(edited.buttons.is_empty());
    assert_eq!(
        answers(&result(&askd, &ask)),
        &json!({ "deploy_target": ["Production"] })
    );
    insta::assert_snapshot!(bench.transcript());
}
