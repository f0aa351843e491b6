//! That a page which is not quiet is noticed: no other story could tell.

use askd_stories::{PATIENCE, Stopwatch};
use axum::{
    Router,
    http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE},
    routing::get,
};
use tokio::{net::TcpListener, runtime::Runtime};

use super::{Looks, Page, askd};

const POLICY: &str =
    "default-src 'none'; script-src 'self'; img-src https:; require-trusted-types-for 'script'";

const HTML: &str = "<!doctype html><button data-askd=press>Press</button><script src=/act.js></script>";

/// Does, when it is pressed, everything that the page may not.
const SCRIPT: &str = "document.querySelector('button').onclick = () => {
    setTimeout(() => { throw new Error('uncaught'); });
    setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<b>made</b>'));
    document.body.append(Object.assign(new Image(), { src: 'https://127.0.0.1:9/foreign.png' }));
    document.body.append(Object.assign(document.createElement('p'), { textContent: 'done' }));
};";

/// A page of our own, before the panel's. Returns where it is.
fn serve(runtime: &Runtime) -> String {
    let listener = runtime.block_on(TcpListener::bind("127.0.0.1:0")).unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let html = || async {
        (
            [(CONTENT_SECURITY_POLICY, POLICY), (CONTENT_TYPE, "text/html")],
            HTML,
        )
    };
    let script = || async { ([(CONTENT_TYPE, "text/javascript")], SCRIPT) };
    let router = Router::new().route("/", get(html)).route("/act.js", get(script));
    runtime.spawn(async { axum::serve(listener, router).await });
    url
}

#[test]
fn errors_and_foreign_requests_and_what_the_policy_stops_are_noticed() {
    let runtime = crate::stage::runtime();
    let page = Page::new(Looks::default(), &serve(&runtime));
    page.goes_to("/");
    assert_eq!(page.complaints(), [""; 0], "so far it was quiet");

    page.clicks(&askd("press"));
    page.reads("p", "done");

    // What is noted comes a moment after it happens, and each is told once.
    let wanted = [
        "Uncaught Error: uncaught",
        "TrustedHTML",
        "https://127.0.0.1:9/foreign.png",
    ];
    let since = Stopwatch::start();
    let mut noticed = String::new();
    while !wanted.iter().all(|wanted| noticed.contains(wanted)) {
        assert!(since.elapsed() < PATIENCE, "only noticed {noticed}");
        noticed += &page.complaints().join("\n");
    }
}

#[test]
#[should_panic(expected = "unexpected alert")]
fn a_dialog_fails_whatever_is_done_next() {
    let runtime = crate::stage::runtime();
    let page = Page::new(Looks::default(), &serve(&runtime));
    page.goes_to("/");

    page.now("setTimeout(() => alert('here'))", &[]);

    let since = Stopwatch::start();
    while since.elapsed() < PATIENCE {
        page.now("return 1", &[]);
    }
}
