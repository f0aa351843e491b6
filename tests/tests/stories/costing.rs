//! How many calls of the platform an ask costs. A call more for every ask is a decision, so it is made here and in the
//! guide.

use std::{collections::BTreeMap, fmt::Write as _};

use super::{
    expiring::{self, since},
    guide,
};
use crate::stage::{Person, Stage, Telling, asks, deploy, result, stories, until_delivered};

stories! {
    the_guide_tells_what_an_ask_costs,
}

fn the_guide_tells_what_an_ask_costs(telling: &Telling) {
    let rows = [
        ("by a tap", costs(*telling, taps)),
        ("by a typed reply", costs(*telling, replies)),
        ("by Other…", costs(*telling, uses_other)),
        ("not at all: it expires", expiring::costs(*telling)),
    ];

    let guide = guide::text(telling.platform());
    let columns = guide.lines().find(|line| line.starts_with("| answered | "));
    let columns: Vec<&str> = columns.expect("the guide has the table").split(" | ").collect();
    let [_, methods @ .., _] = &columns[..] else {
        panic!("a table has columns");
    };
    let mut table = String::new();
    for (how, counts) in rows {
        write!(table, "| {how} |").unwrap();
        let mut named = 0;
        for method in methods {
            let count = counts.get(*method).copied().unwrap_or(0);
            named += count;
            write!(table, " {count} |").unwrap();
        }
        let all: usize = counts.values().sum();
        assert_eq!(named, all, "{how}, what the guide has no column for: {counts:?}");
        writeln!(table, " {all} |").unwrap();
    }
    assert!(
        guide.contains(&table),
        "the guide has other numbers than\n\n{table}"
    );
}

fn taps(sara: Person<'_>) {
    sara.taps("Production").is_told("Production");
}

fn replies(sara: Person<'_>) {
    sara.says("2").is_told("Thank you");
}

fn uses_other(sara: Person<'_>) {
    let input = sara.taps("Other…");
    input.and_fills_in("after five").is_told("after five");
}

/// What one ask costs that Sara answers so, after her first.
fn costs(telling: Telling, answer: fn(Person<'_>)) -> BTreeMap<String, usize> {
    let stage = Stage::from(telling);
    let (sara, platform) = (stage.sara(), &stage.scene.platform);
    stage.configure(&sara.section());
    let askd = stage.home.serve();
    // What is found out about a person once does not count.
    let first = asks(&askd, &deploy());
    sara.reads("Where should this go?");
    replies(sara);
    until_delivered(&askd, &first, |deliveries| deliveries.all_are("settled"));
    stage.scene.rests();
    let before = platform.counts();
    let ask = asks(&askd, &deploy());
    answer(sara);
    assert_eq!(result(&askd, &ask)["status"], "answered");
    // Also an edit that changes nothing which people see.
    until_delivered(&askd, &ask, |deliveries| deliveries.all_are("settled"));
    stage.scene.rests();
    since(&before, platform.counts())
}
