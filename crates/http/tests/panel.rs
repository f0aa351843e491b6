//! The panel's files: who may have them, what browsers are told of them, and what is not served.

use std::{fs, path::Path};

use askd_core::words::Language;
use askd_http::HttpOptions;
use axum::{
    http::{HeaderMap, StatusCode},
    response::Response,
};
use http_body_util::BodyExt as _;

use crate::world::World;

struct File {
    status: StatusCode,
    headers: HeaderMap,
    text: String,
    /// In bytes; the text of a picture is none.
    length: usize,
}

impl File {
    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

async fn whole(response: Response) -> File {
    let (parts, body) = response.into_parts();
    let bytes = body.collect().await.unwrap().to_bytes();
    File {
        status: parts.status,
        headers: parts.headers,
        text: String::from_utf8_lossy(&bytes).into_owned(),
        length: bytes.len(),
    }
}

async fn get(path: &str) -> File {
    whole(World::new().get(path).open().await).await
}

/// What stands below `web/`, by its path there.
fn in_the_tree(folder: &str) -> Vec<String> {
    fn below(folder: &Path, root: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                below(&path, root, found);
            } else {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap();
                found.push(name.to_owned());
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("web");
    let mut found = Vec::new();
    below(&root.join(folder), &root, &mut found);
    found
}

/// Every path that is served without a token, beside probes and the API's description.
fn public() -> Vec<String> {
    let mut paths = ["/", "/sign-in", "/ask/01940000-0000-7000-8000-000000000000"]
        .map(str::to_owned)
        .to_vec();
    for folder in ["app", "icons", "style", "vendor"] {
        let files = in_the_tree(folder).into_iter();
        let files = files.filter(|path| !path.ends_with(".d.ts"));
        paths.extend(files.map(|path| format!("/assets/{path}")));
    }
    let at_root = ["/sw.js", "/manifest.webmanifest", "/favicon.svg"];
    paths.extend(at_root.map(str::to_owned));
    let words = Language::ALL.map(|language| format!("/words/{}.ftl", language.tag()));
    paths.extend(words);
    paths
}

#[tokio::test]
async fn the_page_is_the_same_at_each_of_its_addresses_and_needs_no_token() {
    let page = get("/").await;

    assert_eq!(page.status, StatusCode::OK);
    assert_eq!(page.header("content-type"), "text/html; charset=utf-8");
    assert!(page.text.starts_with("<!doctype html>"), "{}", page.text);
    for path in ["/sign-in", "/ask/01940000-0000-7000-8000-000000000000", "/ask/x"] {
        assert_eq!(get(path).await.text, page.text, "{path}");
    }
}

#[tokio::test]
async fn every_file_comes_with_the_policy_that_keeps_it_to_itself() {
    for path in public() {
        let file = get(&path).await;

        assert_eq!(file.status, StatusCode::OK, "{path}");
        assert_eq!(
            file.header("content-security-policy"),
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
             manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
             require-trusted-types-for 'script'",
            "{path}"
        );
        for (name, value) in [
            ("referrer-policy", "no-referrer"),
            ("x-content-type-options", "nosniff"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
            ("cache-control", "no-cache"),
        ] {
            assert_eq!(file.header(name), value, "{path} {name}");
        }
        assert!(file.header("permissions-policy").contains("camera=()"), "{path}");
        assert_eq!(file.header("set-cookie"), "", "{path}");
    }
}

#[tokio::test]
async fn what_a_client_holds_already_is_not_sent_again() {
    let world = World::new();
    for path in public() {
        let first = get(&path).await;
        let tag = first.header("etag");
        let opaque = tag.strip_prefix("W/").unwrap();
        assert!(opaque.len() == 34 && opaque.starts_with('"'), "{path}: {tag}");

        for known in [
            tag.to_owned(),
            opaque.to_owned(),
            format!("\"old\", {tag}"),
            "*".to_owned(),
        ] {
            let call = world.get(&path).header("if-none-match", &known);
            let again = whole(call.open().await).await;
            assert_eq!(again.status, StatusCode::NOT_MODIFIED, "{path} {known}");
            assert_eq!(again.text, "", "{path}");
            assert_eq!(again.header("etag"), tag, "{path}");
            assert_eq!(again.header("cache-control"), "no-cache", "{path}");
        }
        let call = world
            .get(&path)
            .header("if-none-match", "\"00000000000000000000000000000000\"");
        assert_eq!(call.open().await.status(), StatusCode::OK, "{path}");
    }
}

/// The addresses of scripts and styles that the page names.
async fn named_by_the_page() -> Vec<String> {
    let page = get("/").await.text;
    let named = page.split('"').filter(|word| word.starts_with("/assets/v-"));
    named.map(str::to_owned).collect()
}

#[tokio::test]
async fn the_parts_of_the_page_are_kept_for_good_under_addresses_of_their_edition() {
    let parts = named_by_the_page().await;

    assert!(parts.len() > 50, "{parts:?}");
    for path in parts {
        let part = get(&path).await;
        assert_eq!(part.status, StatusCode::OK, "{path}");
        assert_eq!(
            part.header("cache-control"),
            "public, max-age=31536000, immutable",
            "{path}"
        );
        let (_, below) = path["/assets/".len()..].split_once('/').unwrap();
        assert_eq!(part.text, get(&format!("/assets/{below}")).await.text, "{path}");
    }
}

#[tokio::test]
async fn a_page_of_another_edition_gets_what_there_is_and_keeps_it_not_for_good() {
    let old = get("/assets/v-0123456789abcdef/app/main.js").await;

    assert_eq!(old.status, StatusCode::OK);
    assert_eq!(old.header("cache-control"), "no-cache");
}

#[tokio::test]
async fn files_travel_compressed_to_who_can_read_that() {
    let world = World::new();
    for path in [
        "/",
        "/assets/app/main.js",
        "/assets/style/base.css",
        "/words/fa.ftl",
    ] {
        let plain = get(path).await;
        let call = world.get(path).header("accept-encoding", "gzip, br");
        let compressed = whole(call.open().await).await;

        assert_eq!(compressed.header("content-encoding"), "gzip", "{path}");
        assert_eq!(compressed.header("vary"), "accept-encoding", "{path}");
        assert_eq!(compressed.header("etag"), plain.header("etag"), "{path}");
        assert!(compressed.length * 4 < plain.length * 3, "{path}");
        assert_eq!(plain.header("content-encoding"), "", "{path}");
    }
}

#[tokio::test]
async fn answers_of_the_api_do_not_travel_compressed() {
    // What is secret and what a stranger can choose never share a compressed answer.
    let world = World::new();
    let call = world.get("/openapi.json").header("accept-encoding", "gzip");

    assert_eq!(whole(call.open().await).await.header("content-encoding"), "");
}

#[tokio::test]
async fn head_tells_the_same_without_the_content() {
    let world = World::new();
    for path in public() {
        let whole_file = get(&path).await;
        let head = whole(world.call("HEAD", &path).open().await).await;

        assert_eq!(head.status, StatusCode::OK, "{path}");
        assert_eq!(head.text, "", "{path}");
        for name in ["content-type", "etag", "content-security-policy"] {
            assert_eq!(head.header(name), whole_file.header(name), "{path} {name}");
        }
        assert_eq!(
            head.header("content-length"),
            whole_file.length.to_string(),
            "{path}"
        );
    }
}

#[tokio::test]
async fn scripts_and_styles_have_types_that_browsers_run() {
    for path in public() {
        let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
        let expected = match extension {
            "js" => "text/javascript; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            "ftl" => "text/plain; charset=utf-8",
            "svg" => "image/svg+xml",
            "png" => "image/png",
            "webmanifest" => "application/manifest+json",
            _ => continue,
        };
        assert_eq!(get(&path).await.header("content-type"), expected, "{path}");
    }
}

#[tokio::test]
async fn what_is_not_of_the_panel_is_not_served() {
    for path in [
        "/assets/",
        "/assets/app",
        "/assets/app/",
        "/assets/index.html",
        "/assets/README.md",
        "/assets/tests/ask.test.js",
        "/assets/vendor/htm/standalone.module.d.ts",
        "/assets/nothing.js",
        "/assets/app/nothing.js",
        "/assets/app/../index.html",
        "/assets/app/../../Cargo.toml",
        "/assets/app/%2e%2e/%2e%2e/Cargo.toml",
        "/assets/app/..%2f..%2fCargo.toml",
        "/assets/..%2fapp/..%2f..%2fCargo.toml",
        "/assets//etc/passwd",
        "/assets/app//etc/passwd",
        "/assets/%ff",
        "/assets/v-0123456789abcdef",
        "/assets/v-0123456789abcdef/",
        "/assets/v-0123456789abcdef/index.html",
        "/assets/v-0123456789abcdef/app/../index.html",
        "/assets/v-0123456789abcdef/v-0123456789abcdef/app/main.js",
        "/assets/v-0123/app/main.js",
        "/index.html",
        "/words/de.ftl",
        "/words/en",
        "/words/fa_IR.ftl",
        "/words/..%2fen.ftl",
    ] {
        let file = get(path).await;

        assert!(
            file.status == StatusCode::NOT_FOUND || file.status == StatusCode::BAD_REQUEST,
            "{path}: {}",
            file.status
        );
        assert!(!file.text.contains("[package]"), "{path}");
    }
}

#[tokio::test]
async fn files_are_read_and_never_written() {
    let world = World::new();
    for method in ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"] {
        for path in ["/", "/sign-in", "/words/en.ftl"] {
            let response = world.call(method, path).open().await;
            assert_eq!(
                response.status(),
                StatusCode::METHOD_NOT_ALLOWED,
                "{method} {path}"
            );
        }
    }
}

#[tokio::test]
async fn the_words_are_those_of_the_channels() {
    for language in Language::ALL {
        let words = get(&format!("/words/{}.ftl", language.tag())).await;

        assert_eq!(words.text, language.catalogue());
        for id in ["prompt-skip", "receipt-not-taken", "settled-expired"] {
            assert!(
                words
                    .text
                    .lines()
                    .any(|line| line.starts_with(&format!("{id} ="))),
                "{id}"
            );
        }
    }
}

#[tokio::test]
async fn a_name_that_was_made_to_point_here_gets_no_page() {
    let world = World::with(HttpOptions::default());
    for path in ["/", "/sw.js", "/words/en.ftl", "/assets/app/main.js"] {
        let call = world.get(path).replaced("host", Some("evil.example:7373"));
        assert_eq!(call.open().await.status(), StatusCode::FORBIDDEN, "{path}");
    }
}
