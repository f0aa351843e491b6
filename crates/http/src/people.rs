//! People and their accounts, for operators.
//!
//! Tests: `tests/people.rs`.

use std::sync::Arc;

use askd_core::id::{Address, PersonName};
use axum::{Json, extract::State};
use serde_json::Value;

use crate::{
    Api,
    auth::Caller,
    body,
    problem::Problem,
    schema::Unpair,
    view::{FaultView, OfferView, PeopleView, PersonView, UnpairedView},
};

/// List everybody
///
/// People of the configuration, with their accounts from there and from pairing.
#[utoipa::path(
    get,
    path = "/v1/people",
    operation_id = "people",
    tag = "people",
    responses((status = 200, description = "Everybody.", body = PeopleView)),
)]
pub(crate) async fn people(State(api): State<Arc<Api>>, caller: Caller) -> Result<Json<PeopleView>, Problem> {
    let people = api.broker.people(&caller.principal).await?;
    Ok(Json(PeopleView {
        people: people.into_iter().map(PersonView::from).collect(),
    }))
}

/// Make a pairing code
///
/// The person sends it to the bot in a direct conversation, within ten minutes; that ties the account to them.
#[utoipa::path(
    post,
    path = "/v1/people/{name}/pair",
    operation_id = "pair",
    tag = "people",
    params(("name" = String, Path, description = "The name in `[people.NAME]`.")),
    responses(
        (status = 200, description = "The code, shown this once.", body = OfferView),
        (status = 404, description = "There is no such person (`no-person`)."),
    ),
)]
pub(crate) async fn pair(
    State(api): State<Arc<Api>>,
    caller: Caller,
    body::InPath(name): body::InPath,
) -> Result<Json<OfferView>, Problem> {
    let offer = api.broker.pair(&caller.principal, &PersonName::new(name)).await?;
    Ok(Json(OfferView::from(offer)))
}

/// Cut accounts off
///
/// The one named, or all of this person's, and with all of them every browser in which they are signed in to the panel:
/// a lost phone. Accounts count again once they are paired again.
#[utoipa::path(
    post,
    path = "/v1/people/{name}/unpair",
    operation_id = "unpair",
    tag = "people",
    params(("name" = String, Path, description = "The name in `[people.NAME]`.")),
    request_body(content = Option<Unpair>, description = "Without a body all accounts are cut off."),
    responses(
        (status = 200, description = "What was cut off.", body = UnpairedView),
        (status = 404, description = "There is no such person (`no-person`) or account (`no-account`)."),
        (status = 422, description = "The body breaks rules (`invalid`)."),
    ),
)]
pub(crate) async fn unpair(
    State(api): State<Arc<Api>>,
    caller: Caller,
    body::InPath(name): body::InPath,
    body::OptionalJson(body): body::OptionalJson,
) -> Result<Json<UnpairedView>, Problem> {
    // Rights before faults: who may not operate learns nothing about bodies.
    caller.principal.may_operate()?;
    let account = match body {
        None | Some(Value::Null) => None,
        Some(body) => account(&body).map_err(Problem::invalid)?,
    };
    let person = PersonName::new(name);
    let cut_off = api
        .broker
        .unpair(&caller.principal, &person, account.as_ref())
        .await?;
    Ok(Json(UnpairedView {
        person: person.to_string(),
        unpaired: cut_off.accounts.iter().map(ToString::to_string).collect(),
        signed_out: cut_off.signed_out,
    }))
}

/// `{}` or `{"account": "telegram:12345"}`.
fn account(body: &Value) -> Result<Option<Address>, Vec<FaultView>> {
    let mut faults = Vec::new();
    let mut account = None;
    match body::only_field(body, "account", false, &mut faults) {
        None | Some(Value::Null) => {}
        Some(sent @ Value::String(text)) => {
            account = Address::split(text);
            if account.is_none() {
                faults.push(FaultView::not_address("/account", sent));
            }
        }
        Some(other) => faults.push(FaultView::not_text("/account", other)),
    }
    if faults.is_empty() {
        Ok(account)
    } else {
        Err(faults)
    }
}
