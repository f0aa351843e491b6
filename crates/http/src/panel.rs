//! The web panel's files.
//!
//! What is below `web/` stands in the program and is served as it is: the page works without any other host. (A debug
//! build reads the files anew from the source tree, so that a reload shows an edit.) The page is the same for everybody
//! and holds nothing secret: whoever opens it sees no more than that askd runs here. What it shows it fetches from
//! `/v1`, as the person who signed in.
//!
//! | path | is |
//! |---|---|
//! | `/`, `/ask/{id}`, `/sign-in` | the page |
//! | `/assets/{edition}/…` | its scripts and styles, as the page names them |
//! | `/assets/…` | the same and the icons, under addresses that stay |
//! | `/sw.js`, `/manifest.webmanifest`, `/favicon.svg` | what browsers look for at the root |
//! | `/words/{language}.ftl` | the catalogue of a language, the same that channels use |
//!
//! These paths are all that is public beside probes and the API's description: nothing else is served without a token
//! or a sign-in.
//!
//! An upgrade of askd is an upgrade of the page: browsers ask for the page each time (`no-cache`, with an entity tag), and
//! it names its parts below an edition, which is another one after every change to any file. Parts of the present edition
//! are kept for good and never asked for again. What has no edition in its address is asked for like the page. Offline is
//! the service worker's business.
//!
//! Files travel compressed. Nothing in them is secret, so their length tells nothing.
//!
//! Tests: `tests/panel.rs`.

mod files;

use askd_core::words::Language;
use axum::{
    Router,
    extract::Path,
    http::{HeaderMap, HeaderName, HeaderValue, header},
    response::{IntoResponse, Response},
    routing::get,
};
use tower_http::{compression::CompressionLayer, set_header::SetResponseHeaderLayer};

use self::files::{File, Kept};
use crate::problem::{Code, Problem};

/// What the page may do: run its own scripts and styles, talk to this askd, and nothing else. No inline script or
/// style, no frame around it, and no text made into markup by a script.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'; require-trusted-types-for 'script'";

/// Sent with every file. `x-frame-options` is not needed beside `frame-ancestors`, nor `nosniff` here: everything that
/// askd serves has it.
const HEADERS: [(HeaderName, &str); 5] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    // An ask's id is nobody else's to know.
    (header::REFERRER_POLICY, "no-referrer"),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    ),
    // Nobody opens the page and keeps a hold on its window, and no other page loads a file of it.
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
];

/// Folders below `web/` whose files are served; what stands beside them is for who works on the page.
const SERVED: [&str; 4] = ["app", "icons", "style", "vendor"];

/// The page and what belongs to it. Public.
pub(crate) fn router() -> Router {
    let routes = Router::new()
        .route("/", get(page))
        .route("/ask/{id}", get(page))
        .route("/sign-in", get(page))
        .route("/assets/{*path}", get(asset))
        .route("/sw.js", at_root("sw.js"))
        .route("/manifest.webmanifest", at_root("manifest.webmanifest"))
        .route("/favicon.svg", at_root("icons/favicon.svg"))
        .route("/words/{file}", get(words));
    let routes = HEADERS.into_iter().fold(routes, |routes, (name, value)| {
        routes.layer(SetResponseHeaderLayer::overriding(
            name,
            HeaderValue::from_static(value),
        ))
    });
    routes.layer(CompressionLayer::new())
}

async fn page(headers: HeaderMap) -> Response {
    answer(files::page(), Kept::AskedForAgain, &headers)
}

fn at_root(path: &'static str) -> axum::routing::MethodRouter {
    get(async move |headers: HeaderMap| answer(files::embedded(path), Kept::AskedForAgain, &headers))
}

async fn asset(Path(path): Path<String>, headers: HeaderMap) -> Response {
    let (kept, path) = match path.split_once('/') {
        Some((edition, path)) if files::is_edition(edition) => (Kept::ForGood, path),
        // A page that was open during an upgrade gets what there is now.
        Some((edition, path)) if files::looks_like_edition(edition) => (Kept::AskedForAgain, path),
        _ => (Kept::AskedForAgain, path.as_str()),
    };
    let in_folder = path
        .split_once('/')
        .is_some_and(|(folder, _)| SERVED.contains(&folder));
    // A debug build reads from the disk, where such a path leads out of the folder.
    let served = in_folder && path.split('/').all(|step| step != "..");
    answer(served.then(|| files::embedded(path)).flatten(), kept, &headers)
}

async fn words(Path(file): Path<String>, headers: HeaderMap) -> Response {
    let language = file
        .strip_suffix(".ftl")
        .and_then(|tag| Language::ALL.into_iter().find(|language| language.tag() == tag));
    answer(language.map(files::catalogue), Kept::AskedForAgain, &headers)
}

fn answer(file: Option<File>, kept: Kept, asked: &HeaderMap) -> Response {
    match file {
        Some(file) => file.answer(kept, asked),
        None => Problem::new(Code::UnknownPath, "the panel has no such file").into_response(),
    }
}
