//! How many calls of the platform an ask costs. A call more for every ask is a decision, so it is made here and in the
//! guide.

use std::{collections::BTreeMap, fmt::Write as _, fs};

use askd_testkit::telegram::Person;

use super::{
    bench::{Bench, asks, deploy, result},
    expiring,
    guide::GUIDE,
};

const METHODS: [&str; 3] = ["sendMessage", "editMessageText", "answerCallbackQuery"];

/// What one ask costs that Sara answers so.
fn costs(answer: fn(&Bench, &Person)) -> BTreeMap<String, usize> {
    let bench = Bench::new();
    let (sara, section) = bench.person("Sara");
    bench.configure(&section);
    let askd = bench.home.serve();
    bench.rests();
    let ask = asks(&askd, &deploy());
    bench.reads(&sara, &sara.direct(), "Where should this go?");
    answer(&bench, &sara);
    assert_eq!(result(&askd, &ask)["status"], "answered");
    bench.reads(&sara, &sara.direct(), "on Telegram");
    bench.rests();
    bench.counts()
}

fn tap(bench: &Bench, sara: &Person) {
    bench.told(&sara.taps(&sara.direct(), "Production"));
}

fn reply(bench: &Bench, sara: &Person) {
    sara.says(&sara.direct(), "2");
    bench.reads(sara, &sara.direct(), "Thank you");
}

fn other(bench: &Bench, sara: &Person) {
    bench.told(&sara.taps(&sara.direct(), "Other…"));
    let prompt = bench.until("an input", || sara.prompt(&sara.direct()));
    sara.replies(prompt.to, "after five");
    bench.reads(sara, &sara.direct(), "Thank you");
}

#[tokio::test]
async fn the_guide_tells_what_an_ask_costs() {
    let answered = tokio::task::spawn_blocking(|| [tap, reply, other].map(costs));
    let [tapped, typed, other] = answered.await.unwrap();
    let expired = expiring::costs().await;

    let rows = [
        ("by a tap", tapped),
        ("by a typed reply", typed),
        ("by Other…", other),
        ("not at all: it expires", expired),
    ];
    let mut table = format!(
        "| answered | {} | in all |\n|---|---|---|---|---|\n",
        METHODS.join(" | ")
    );
    for (how, counts) in rows {
        let each = METHODS.map(|method| counts.get(method).copied().unwrap_or(0));
        let all: usize = counts.values().sum();
        assert_eq!(each.iter().sum::<usize>(), all, "{how}: {counts:?}");
        let [sent, edited, told] = each;
        writeln!(table, "| {how} | {sent} | {edited} | {told} | {all} |").unwrap();
    }
    let guide = fs::read_to_string(GUIDE).unwrap();
    assert!(
        guide.contains(&table),
        "the guide has another table than\n\n{table}"
    );
}
