//! The panel's way: HTTP with the cookie of a sign-in, for everybody who answers. Agents have no panel, and ask with their
//! tokens.

use askd_core::{broker::Broker, id::PersonName};
use askd_testkit::entrance_suite::Caller;
use reqwest::{Client, StatusCode, header};
use serde_json::json;

use crate::{http::Http, served::Served};

/// Signs people and the operator in, each by a link of their own.
pub(crate) async fn signed_in(server: Served, broker: &Broker) -> Http {
    let client = Client::builder().no_proxy().build().expect("it needs nothing");
    let mut cookies = Vec::new();
    for caller in [Caller::Sara, Caller::Omid, Caller::Operator] {
        let person = (caller != Caller::Operator).then(|| PersonName::new(caller.name()));
        let offer = broker
            .offer_sign_in(&Caller::Operator.principal(), person.as_ref())
            .await
            .expect("an operator makes links");
        let answer = client
            .post(format!("{}/v1/sign-in", server.url))
            .json(&json!({ "code": offer.code }))
            .send()
            .await
            .expect("the server answers");
        assert_eq!(answer.status(), StatusCode::NO_CONTENT);
        let cookie = answer.headers()[header::SET_COOKIE].to_str().expect("it is text");
        let sent = cookie.split(';').next().unwrap_or_default();
        cookies.push((caller, sent.to_owned()));
    }
    Http::with_cookies(server, cookies)
}
