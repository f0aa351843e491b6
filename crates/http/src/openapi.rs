//! The description of this API that it serves itself.
//!
//! Paths and answers are declared where the routes are; what holds for all of them is added here: the token, the
//! errors that any route can give, and the shape of every error.

use std::sync::Arc;

use axum::{extract::State, http::header, response::IntoResponse};
use utoipa::{
    PartialSchema as _, ToSchema,
    openapi::{
        ContentBuilder, InfoBuilder, OpenApi, OpenApiBuilder, Ref, RefOr, Response, ResponseBuilder,
        path::{Operation, PathItem},
        security::{ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme},
        tag::TagBuilder,
    },
};

use crate::{Api, problem::Code, view::ProblemView};

const DESCRIPTION: &str = "\
An agent asks one to three multiple-choice questions; people answer on Telegram, Discord, Slack, in the panel or here; \
the agent gets a structured result.

Every error is a problem (RFC 9457). Programs compare its `type`:
";

/// What the routes are added to.
pub(crate) fn base() -> OpenApi {
    let tag = |name: &str, description: &str| {
        TagBuilder::new()
            .name(name)
            .description(Some(description))
            .build()
    };
    let mut description = DESCRIPTION.to_owned();
    for code in Code::ALL {
        let line = format!(
            "\n* `{}` ({}): {}",
            code.urn(),
            code.status().as_u16(),
            code.title()
        );
        description.push_str(&line);
    }
    let mut api = OpenApiBuilder::new()
        .info(
            InfoBuilder::new()
                .title("askd")
                .version(env!("CARGO_PKG_VERSION"))
                .description(Some(description))
                .build(),
        )
        .tags(Some([
            tag(
                "asks",
                "For agents: ask, wait, take back. People and operators read.",
            ),
            tag(
                "answers",
                "For people and operators. No agent's token can answer.",
            ),
            tag("events", "For everybody with a token."),
            tag("panel", "For the web panel, and whoever is signed in there."),
            tag("people", "For operators."),
            tag(
                "operation",
                "For probes and tools; all but the metrics without a token.",
            ),
        ]))
        .build();
    let components = api.components.get_or_insert_default();
    components.add_security_scheme(
        "token",
        SecurityScheme::Http(
            HttpBuilder::new()
                .scheme(HttpAuthScheme::Bearer)
                .description(Some(
                    "The secret of a token from `[tokens]`. A connection may lower its role with the header \
                     `Askd-Role: subagent`, and can then do nothing.",
                ))
                .build(),
        ),
    );
    components.add_security_scheme(
        "signIn",
        SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::with_description(
            "askd",
            "The sign-in of a browser, from `POST /v1/sign-in`; `__Host-askd` where the panel is reached by TLS. A \
             request that changes something needs the header `Askd-Client: panel` beside it.",
        ))),
    );
    components
        .schemas
        .insert("Problem".to_owned(), ProblemView::schema());
    let mut parts = Vec::new();
    ProblemView::schemas(&mut parts);
    components.schemas.extend(parts);
    api
}

/// Completes what the routes declare: who may call, and the shape of every error.
pub(crate) fn complete(mut api: OpenApi) -> OpenApi {
    for item in api.paths.paths.values_mut() {
        for operation in operations(item) {
            let open = operation.security.is_some();
            if !open {
                operation.security = Some(
                    ["token", "signIn"]
                        .map(|scheme| SecurityRequirement::new(scheme, Vec::<String>::new()))
                        .to_vec(),
                );
                for (status, what) in [
                    (400, "A parameter, a header or the body cannot be read."),
                    (
                        401,
                        "No token, or none that is known, or a sign-in that has ended (`unauthorized`).",
                    ),
                    (
                        403,
                        "The caller may not do this (`role`, `subagent`), a web page of another origin called, or a \
                         sign-in was used outside the panel (`not-panel`).",
                    ),
                    (
                        429,
                        "Too many requests of this token (`too-many-requests`), or too many unknown tokens from this \
                         address (`too-many-unknown-tokens`); `Retry-After` says when to go on.",
                    ),
                    (
                        503,
                        "The store did not take it (`unavailable`, `store-full`), or too many are waiting \
                         (`overloaded`); try the same again.",
                    ),
                ] {
                    error(operation, status, what);
                }
            }
            if operation.request_body.is_some() {
                error(operation, 408, "The body did not arrive in time (`slow`).");
                error(operation, 413, "The body is too long (`too-large`).");
                error(operation, 415, "The body is not declared as JSON (`media-type`).");
            }
            operation
                .responses
                .responses
                .entry("default".to_owned())
                .or_insert_with(|| RefOr::T(Response::new("Any other error.")));
            for (status, response) in &mut operation.responses.responses {
                if let RefOr::T(response) = response
                    && !status.starts_with('2')
                {
                    shape(response);
                }
            }
        }
    }
    api
}

fn operations(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    [&mut item.get, &mut item.post, &mut item.delete]
        .into_iter()
        .flatten()
}

fn error(operation: &mut Operation, status: u16, what: &str) {
    let response = RefOr::T(ResponseBuilder::new().description(what).build());
    operation
        .responses
        .responses
        .entry(status.to_string())
        .or_insert(response);
}

fn shape(response: &mut Response) {
    let content = ContentBuilder::new()
        .schema(Some(Ref::from_schema_name("Problem")))
        .build();
    response
        .content
        .insert("application/problem+json".to_owned(), RefOr::T(content));
}

/// This description
#[utoipa::path(
    get,
    path = "/openapi.json",
    operation_id = "description",
    tag = "operation",
    security(()),
    responses((status = 200, description = "OpenAPI 3.1.", body = Value)),
)]
pub(crate) async fn openapi(State(api): State<Arc<Api>>) -> impl IntoResponse {
    (
        [(header::CONTENT_TYPE, "application/json")],
        api.description.clone(),
    )
}
