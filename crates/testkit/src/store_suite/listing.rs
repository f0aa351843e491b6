//! Lists: filters, order, pages.

use askd_core::{
    id::{AskId, PersonName, TokenName},
    stage::End,
    store::Filter,
};

use super::{Bench, Case, at, named, sara};
use crate::sample;

pub(super) fn cases() -> Vec<Case> {
    named![
        a_list_is_newest_first_and_whole,
        a_list_holds_what_matches_every_filter,
        each_status_lists_its_own,
        an_answerer_sees_what_they_may_answer,
        pages_follow_each_other_without_gap_or_repetition,
    ]
}

const EVERYTHING: Filter = Filter {
    owner: None,
    answerer: None,
    status: None,
    session: None,
    before: None,
    limit: 100,
};

async fn a_list_is_newest_first_and_whole(bench: Bench) {
    let mut records = Vec::new();
    for seconds in [1, 2, 3] {
        let to = ["telegram:1", "slack:C1"];
        records.insert(
            0,
            bench.shown(bench.samples.ask(at(seconds)).to(&to), &["m1"]).await,
        );
    }

    assert_eq!(bench.store.list(&EVERYTHING).await.unwrap(), records);
}

async fn a_list_holds_what_matches_every_filter(bench: Bench) {
    let wanted = bench
        .ask(bench.sample().owner("build-bot").session("web-7"))
        .await
        .ask
        .id;
    bench
        .ask(bench.sample().owner("build-bot").session("api-7"))
        .await;
    bench.ask(bench.sample().owner("build-bot")).await;
    bench.ask(bench.sample().owner("test-bot").session("web-7")).await;
    let over = bench
        .ask(bench.sample().owner("build-bot").session("web-7"))
        .await
        .ask
        .id;
    bench
        .store
        .close(over, End::Cancelled, None, at(1))
        .await
        .unwrap();

    let filter = Filter {
        owner: Some(TokenName::new("build-bot")),
        session: Some("web-7".to_owned()),
        status: Some("pending".to_owned()),
        ..EVERYTHING
    };
    assert_eq!(ids(&bench, &filter).await, [wanted]);
}

async fn each_status_lists_its_own(bench: Bench) {
    let pending = bench.shown(bench.sample(), &["m0"]).await.ask.id;
    let mut expected = vec![("pending", pending)];
    let ends = [
        sample::answered("sara", &sara()),
        End::Skipped {
            by: sample::by("sara", &sara()),
        },
        End::Cancelled,
    ];
    for end in ends {
        let id = bench.shown(bench.sample(), &["m1"]).await.ask.id;
        expected.push((end.status(), id));
        bench.store.close(id, end, None, at(1)).await.unwrap();
    }
    expected.push((
        "undelivered",
        bench.ask(bench.sample().unrouted().to(&[])).await.ask.id,
    ));

    for (status, id) in expected {
        let filter = Filter {
            status: Some(status.to_owned()),
            ..EVERYTHING
        };
        assert_eq!(ids(&bench, &filter).await, [id], "{status}");
    }
    let unknown = Filter {
        status: Some("lost".to_owned()),
        ..EVERYTHING
    };
    assert_eq!(ids(&bench, &unknown).await, []);
}

async fn an_answerer_sees_what_they_may_answer(bench: Bench) {
    let saras = bench
        .ask(bench.samples.ask(at(1)).answerers(&["sara"]))
        .await
        .ask
        .id;
    bench.ask(bench.samples.ask(at(2)).answerers(&["omid"])).await;
    let both = bench
        .ask(bench.samples.ask(at(3)).answerers(&["omid", "sara"]))
        .await
        .ask
        .id;

    let filter = Filter {
        answerer: Some(PersonName::new("sara")),
        ..EVERYTHING
    };

    assert_eq!(ids(&bench, &filter).await, [both, saras]);
}

async fn pages_follow_each_other_without_gap_or_repetition(bench: Bench) {
    let mut all = Vec::new();
    for seconds in 0..7 {
        all.insert(0, bench.ask(bench.samples.ask(at(seconds))).await.ask.id);
    }

    let mut seen = Vec::new();
    for page in [3, 3, 1, 0] {
        let filter = Filter {
            before: seen.last().copied(),
            limit: 3,
            ..EVERYTHING
        };
        let ids = ids(&bench, &filter).await;
        assert_eq!(ids.len(), page);
        seen.extend(ids);
    }

    assert_eq!(seen, all);
}

async fn ids(bench: &Bench, filter: &Filter) -> Vec<AskId> {
    bench
        .store
        .list(filter)
        .await
        .unwrap()
        .iter()
        .map(|record| record.ask.id)
        .collect()
}
