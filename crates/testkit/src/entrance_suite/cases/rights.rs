//! Who may do what.

use serde_json::{Value, json};

use super::target;
use crate::entrance_suite::{Caller, Case, Desk, Refusal, id, sentences};

pub(super) fn cases() -> Vec<Case> {
    sentences! {
        [Read, Cancel, Wait] an_agent_sees_its_own_asks_and_no_others;
        [Answer, Reply, Skip] no_agent_may_answer;
        [Read, Answer] a_person_sees_and_answers_what_the_routes_allow;
        [Read, Cancel] a_person_may_not_cancel;
        [Read, Cancel, Answer] an_operator_may_do_all_of_it;
        [Read, Wait, Cancel] a_sub_agent_may_do_nothing;
        [Read] asks_are_listed_newest_first_and_by_status;
    }
}

async fn an_agent_sees_its_own_asks_and_no_others(desk: &Desk) {
    let ask = desk.ask(&target()).await;
    let (entrance, other) = (&desk.entrance, Caller::OtherAgent);

    assert_eq!(entrance.get(other, &ask).await, Err(Refusal::NoAsk));
    assert_eq!(entrance.wait(other, &ask, 0).await, Err(Refusal::NoAsk));
    assert_eq!(entrance.cancel(other, &ask).await, Err(Refusal::NoAsk));
    assert_eq!(entrance.list(other, None).await, Ok(Vec::new()));
    let nonsense = "00000000-0000-7000-8000-000000000000";
    assert_eq!(entrance.get(Caller::Agent, nonsense).await, Err(Refusal::NoAsk));
    assert_eq!(
        id(&entrance.get(Caller::Agent, &ask).await.expect("it is its own")),
        ask
    );
}

async fn no_agent_may_answer(desk: &Desk) {
    let ask = desk.ask(&target()).await;
    let answers = json!({ "deploy_target": ["Production"] });

    let refusals = [
        desk.entrance.answer(Caller::Agent, &ask, &answers).await,
        desk.entrance.reply(Caller::Agent, &ask, "2").await,
        desk.entrance.skip(Caller::Agent, &ask).await,
    ];

    assert!(
        refusals.iter().all(|refusal| *refusal == Err(Refusal::Role)),
        "{refusals:?}"
    );
}

async fn a_person_sees_and_answers_what_the_routes_allow(desk: &Desk) {
    let ask = desk.ask(&target()).await;
    let (entrance, answers) = (&desk.entrance, json!({ "deploy_target": ["Production"] }));

    assert_eq!(entrance.get(Caller::Omid, &ask).await, Err(Refusal::NoAsk));
    assert_eq!(
        entrance.answer(Caller::Omid, &ask, &answers).await,
        Err(Refusal::NoAsk)
    );
    assert_eq!(entrance.list(Caller::Omid, None).await, Ok(Vec::new()));
    assert_eq!(entrance.list(Caller::Sara, None).await.expect("she may").len(), 1);
    let receipt = entrance
        .answer(Caller::Sara, &ask, &answers)
        .await
        .expect("she may");
    assert_eq!(receipt["receipt"], "settled");
}

async fn a_person_may_not_cancel(desk: &Desk) {
    let ask = desk.ask(&target()).await;

    let refused = desk.entrance.cancel(Caller::Sara, &ask).await;

    assert_eq!(refused, Err(Refusal::Role));
    assert_eq!(
        desk.entrance.get(Caller::Sara, &ask).await.expect("she may")["status"],
        "pending"
    );
}

async fn an_operator_may_do_all_of_it(desk: &Desk) {
    let (first, second) = (desk.ask(&target()).await, desk.ask(&target()).await);
    let (entrance, operator) = (&desk.entrance, Caller::Operator);

    assert_eq!(
        entrance
            .list(operator, None)
            .await
            .expect("an operator may")
            .len(),
        2
    );
    entrance.cancel(operator, &first).await.expect("an operator may");
    let answers = json!({ "deploy_target": ["Production"] });
    let receipt = entrance
        .answer(operator, &second, &answers)
        .await
        .expect("an operator may");

    assert_eq!(receipt["receipt"], "settled");
    let result = &entrance.get(operator, &second).await.expect("an operator may")["result"];
    assert_eq!(result["settledBy"]["name"], "root");
}

async fn a_sub_agent_may_do_nothing(desk: &Desk) {
    let ask = desk.ask(&target()).await;
    let (entrance, subagent) = (&desk.entrance, Caller::Subagent);

    assert_eq!(entrance.get(subagent, &ask).await, Err(Refusal::Subagent));
    assert_eq!(entrance.list(subagent, None).await, Err(Refusal::Subagent));
    assert_eq!(entrance.wait(subagent, &ask, 0).await, Err(Refusal::Subagent));
    assert_eq!(entrance.cancel(subagent, &ask).await, Err(Refusal::Subagent));
}

async fn asks_are_listed_newest_first_and_by_status(desk: &Desk) {
    let mut asked = Vec::new();
    for _ in 0..3 {
        asked.push(desk.ask(&target()).await);
        desk.askd.pass(std::time::Duration::from_millis(1)).await;
    }
    desk.askd.answered_elsewhere(Caller::Sara, &asked[1], "2").await;
    let ids = |asks: Vec<Value>| asks.iter().map(id).collect::<Vec<_>>();

    let all = desk.entrance.list(Caller::Agent, None).await.expect("its own");
    let pending = desk
        .entrance
        .list(Caller::Agent, Some("pending"))
        .await
        .expect("its own");

    assert_eq!(ids(all), [asked[2].clone(), asked[1].clone(), asked[0].clone()]);
    assert_eq!(ids(pending), [asked[2].clone(), asked[0].clone()]);
}
