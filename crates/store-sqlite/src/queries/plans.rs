//! How SQLite finds the rows: by an index, or the store gets slower with every ask it has ever seen.

use std::{collections::BTreeSet, time::Duration};

use askd_core::{
    id::{EventId, MessageRef, PersonName, RunId, TokenName},
    people::Tie,
    push::{Browser, Subscription, SubscriptionId},
    stage::{End, Responder},
    store::{CodeHash, Failure, Filter, Forget, NewAsk, PairingCode, Record, SignInCode, Verdict},
    words::Language,
};
use askd_testkit::{
    clock::START,
    sample::{self, Samples},
};
use jiff::SignedDuration;
use rusqlite::Connection;

use super::{Tx, asking, claiming, finding, hearing, pairing, pruning, settling, signing_in, waking};
use crate::{rows, schema, sql::SEEN};

/// What reads a whole table or index, or sorts, and why that is fine.
const FINE: [(&str, &str); 9] = [
    (
        "SELECT body FROM ties",
        "all are wanted, and there are as many as paired accounts",
    ),
    (
        "SELECT DISTINCT channel FROM turns",
        "once at the start, over what has something to do",
    ),
    (
        "SELECT DISTINCT ask FROM turns",
        "when a channel stops or changes hands, over what it has to do",
    ),
    (
        "SELECT id FROM asks WHERE 1",
        "all are wanted, newest first: the end of an index up to the limit",
    ),
    (
        "SELECT id FROM asks WHERE run",
        "sorts the pending asks of one run",
    ),
    ("DELETE FROM codes", "as many as are good for ten minutes"),
    (
        "DELETE FROM sign_in_codes",
        "as many as are good for ten minutes, and those not pruned yet",
    ),
    (
        "DELETE FROM sign_ins WHERE secret IN",
        "as many as browsers in which somebody signed in",
    ),
    ("DELETE FROM leases", "as many as channels"),
];

#[test]
fn every_statement_finds_its_rows_by_an_index() {
    let mut db = Connection::open_in_memory().unwrap();
    schema::migrate(&mut db, 0).unwrap();
    run_everything(&db);

    let seen = SEEN.with_borrow(BTreeSet::clone);
    let slow = seen.iter().filter_map(|sql| Some((sql, slow_step(&db, sql)?)));
    let (fine, slow): (Vec<_>, Vec<_>) =
        slow.partition(|(sql, _)| FINE.iter().any(|(fine, _)| sql.starts_with(fine)));

    assert!(seen.len() > 40, "{} statements were run", seen.len());
    assert!(slow.is_empty(), "{slow:#?}");
    for (exception, _) in FINE {
        let needed = fine.iter().any(|(sql, _)| sql.starts_with(exception));
        assert!(needed, "an exception that is not needed any more: {exception}");
    }
}

/// The first step of the plan that reads a whole table or index, or sorts.
fn slow_step(db: &Connection, sql: &str) -> Option<String> {
    let mut plan = db.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
    // Parameters stay NULL: the plan is made without them.
    let mut steps = plan.raw_query();
    while let Some(step) = steps.next().unwrap() {
        let step: String = step.get("detail").unwrap();
        let one_row = step == "SCAN CONSTANT ROW";
        if (step.starts_with("SCAN") && !one_row) || step.starts_with("USE TEMP") {
            return Some(step);
        }
    }
    None
}

fn run_everything(db: &Connection) {
    let mut news = Vec::new();
    let tx = &mut Tx { db, news: &mut news };
    let samples = Samples::new(1);
    let at = sample::address("telegram:1");
    let channel = at.channel.clone();
    let full = || samples.ask(START).session("web-7").run("r1");
    let first = ask(tx, full().key("k", 1).max_pending(5).new_ask());
    let second = ask(tx, full().new_ask());
    asking::ask(tx, full().key("k", 1).new_ask()).unwrap();

    claiming::claim(tx, &channel, START, START + Duration::from_mins(1), 10).unwrap();
    claiming::next_due(db, &channel).unwrap();
    claiming::channels_with_work(db).unwrap();
    let delivery = first.deliveries[0].id;
    let posted = sample::posted(&at, &["m1"]);
    tx.change(first.ask.id, |record| record.posted(delivery, &posted, START))
        .unwrap();

    let (panel, by_panel) = (sample::address("panel:sara"), full().record().deliveries[0].id);
    tx.change(first.ask.id, |record| record.seen(&panel, None, by_panel, START))
        .unwrap();

    finding::by_action(db, first.ask.action).unwrap();
    finding::by_message(db, &channel, &MessageRef::new("m1")).unwrap();
    finding::open_at(db, &at).unwrap();
    finding::is_on_its_way(db, &at).unwrap();
    finding::ended_at(db, &at, START).unwrap();
    list_everything(db, &first);

    let heard = samples.heard(&at, Some(first.ask.id), "tap", Verdict::Settled, START);
    let (answers, by) = (sample::answers("deploy_target", 0, &at), sample::by("sara", &at));
    settling::keep(tx, first.ask.id, answers, &by, Some(&heard), START).unwrap();
    settling::close(tx, second.ask.id, End::Cancelled, None, START).unwrap();
    settling::cancel_run(tx, Some(&TokenName::new("build-bot")), &RunId::new("r1"), START).unwrap();
    settling::expire(tx, START).unwrap();
    claiming::let_go(tx, &channel, START).unwrap();
    claiming::set_back(tx, &channel, SignedDuration::from_hours(1), START).unwrap();
    settling::channel_stopped(tx, &channel, Failure::NoChannel, START).unwrap();
    settling::next_deadline(db).unwrap();

    hearing::heard(db, &channel, &EventId::new("event-0")).unwrap();
    hearing::heard_message(db, &channel, &MessageRef::new("tap")).unwrap();
    hearing::say_once(tx, "k", START, Duration::from_mins(10)).unwrap();
    hearing::probe(tx, START).unwrap();
    for what in [
        Forget::Ask(first.ask.id),
        Forget::Session("s".to_owned()),
        Forget::EndedBefore(START),
    ] {
        pruning::forget(tx, &what, 0).unwrap();
    }
    finding::count_pending(db).unwrap();

    pairing::put_language(tx, &at, Language::Persian).unwrap();
    pairing::language_of(db, &at).unwrap();

    let person = PersonName::new("sara");
    for (n, shown) in [(1, 1), (2, 9)] {
        let code = PairingCode {
            hash: CodeHash([n; 32]),
            person: person.clone(),
            expires: START + Duration::from_mins(1),
        };
        pairing::put_code(tx, &code).unwrap();
        pairing::redeem(tx, CodeHash([shown; 32]), &at, true, START, 5).unwrap();
    }
    pairing::tie(
        tx,
        &Tie {
            account: at,
            person,
            at: START,
            revoked: true,
        },
    )
    .unwrap();
    pairing::ties(db).unwrap();
    sign_in_and_out(tx);
    pairing::lease(tx, &channel, "a", START, START).unwrap();
    pruning::prune(tx, START + Duration::from_hours(1), 10).unwrap();
    assert_eq!(
        rows::load(db, first.ask.id).unwrap(),
        None,
        "all of the above was done to it"
    );
}

fn sign_in_and_out(tx: &mut Tx<'_>) {
    let who = Responder::Person(PersonName::new("sara"));
    let (code, secret) = (CodeHash([3; 32]), CodeHash([4; 32]));
    let offer = SignInCode {
        hash: code,
        who: who.clone(),
        expires: START + Duration::from_mins(1),
    };
    signing_in::put_code(tx, &offer).unwrap();
    signing_in::sign_in(tx, code, secret, START).unwrap();
    signing_in::signed_in(tx.db, secret, START).unwrap();
    signing_in::any_signed_in(tx.db, std::slice::from_ref(&who), START).unwrap();
    wake(tx, secret, &who);
    signing_in::sign_out(tx, secret).unwrap();
    signing_in::sign_out_all(tx, &who).unwrap();
}

fn wake(tx: &mut Tx<'_>, sign_in: CodeHash, who: &Responder) {
    let new = Subscription {
        id: SubscriptionId::of("https://push.example.org/1"),
        who: who.clone(),
        sign_in,
        browser: Browser {
            endpoint: "https://push.example.org/1".to_owned(),
            p256dh: String::new(),
            auth: String::new(),
        },
        since: START,
    };
    waking::subscribe(tx, &new, 5, START).unwrap();
    waking::one(tx.db, &new.id, START).unwrap();
    waking::of(tx.db, std::slice::from_ref(who), START).unwrap();
    waking::drop(tx, &new.id).unwrap();
    waking::unsubscribe(tx, sign_in).unwrap();
}

fn list_everything(db: &Connection, record: &Record) {
    let everything = Filter {
        owner: None,
        answerer: None,
        status: None,
        session: None,
        before: None,
        limit: 10,
    };
    let filters = [
        everything.clone(),
        Filter {
            owner: Some(record.ask.owner.clone()),
            ..everything.clone()
        },
        Filter {
            answerer: Some(PersonName::new("sara")),
            ..everything.clone()
        },
        Filter {
            status: Some("pending".to_owned()),
            ..everything.clone()
        },
        Filter {
            session: Some("web-7".to_owned()),
            ..everything.clone()
        },
        Filter {
            before: Some(record.ask.id),
            ..everything
        },
    ];
    for filter in &filters {
        finding::list(db, filter).unwrap();
    }
}

fn ask(tx: &mut Tx<'_>, new: NewAsk) -> Record {
    let record = new.record.clone();
    asking::ask(tx, new).unwrap();
    record
}
