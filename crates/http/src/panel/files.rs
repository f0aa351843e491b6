//! Files that stand in the program, as answers: their type, their entity tag, and 304 for who has them already.

use std::{
    borrow::Cow,
    fmt::Write as _,
    sync::{Arc, Mutex, PoisonError},
};

use askd_core::words::Language;
use axum::{
    body::Bytes,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse as _, Response},
};
use rust_embed::EmbeddedFile;
use sha2::{Digest as _, Sha256};

#[derive(rust_embed::Embed)]
#[folder = "web/"]
#[include = "index.html"]
#[include = "app/*"]
#[include = "icons/*"]
#[include = "manifest.webmanifest"]
#[include = "style/*"]
#[include = "sw.js"]
#[include = "vendor/*"]
// For who checks the types of the page.
#[exclude = "*.d.ts"]
struct Web;

/// A file on its way out.
pub(super) struct File {
    media_type: String,
    content: Bytes,
    /// Of the content.
    sha256: [u8; 32],
}

/// The file at this path below `web/`.
pub(super) fn embedded(path: &str) -> Option<File> {
    let EmbeddedFile { data, metadata } = Web::get(path)?;
    let media_type = metadata.mimetype();
    // All our texts are UTF-8, and a type without it leaves a browser to guess.
    let media_type = if media_type.starts_with("text/") {
        format!("{media_type}; charset=utf-8")
    } else {
        media_type.to_owned()
    };
    Some(File {
        media_type,
        sha256: metadata.sha256_hash(),
        content: match data {
            Cow::Borrowed(in_the_program) => Bytes::from_static(in_the_program),
            Cow::Owned(read) => read.into(),
        },
    })
}

/// How the page names its parts in the tree; what it gets has the edition in between.
const ASSETS: &str = "\"/assets/";
/// Folders that the page names below the edition. Icons stay where they are, because what was installed keeps naming them.
const IN_EDITION: [&str; 3] = ["app/", "style/", "vendor/"];
/// What an edition begins with, so that no folder is taken for one.
const EDITION: &str = "v-";
/// Hexadecimal digits of an edition: 64 bits of a hash.
const DIGITS: usize = 16;

/// The page, which names its parts below the present edition.
pub(super) fn page() -> Option<File> {
    let page = Web::get("index.html")?;
    let mut text = String::from_utf8_lossy(&page.data).into_owned();
    let edition = edition();
    for folder in IN_EDITION {
        let there = format!("{ASSETS}{edition}/{folder}");
        text = text.replace(&format!("{ASSETS}{folder}"), &there);
    }
    Some(File {
        media_type: "text/html; charset=utf-8".to_owned(),
        sha256: Sha256::digest(text.as_bytes()).into(),
        content: text.into(),
    })
}

/// Whether this is the edition that pages name at present.
pub(super) fn is_edition(name: &str) -> bool {
    let mut present = PRESENT.lock().unwrap_or_else(PoisonError::into_inner);
    **present.get_or_insert_with(edition_of_files) == *name
}

/// Whether this may be an edition, of whichever version of askd.
pub(super) fn looks_like_edition(name: &str) -> bool {
    let digits = name.strip_prefix(EDITION).unwrap_or_default();
    digits.len() == DIGITS && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
}

/// The edition that pages name.
static PRESENT: Mutex<Option<Arc<str>>> = Mutex::new(None);

fn edition() -> Arc<str> {
    let mut present = PRESENT.lock().unwrap_or_else(PoisonError::into_inner);
    // In a debug build the files may have changed since the last page.
    if cfg!(debug_assertions) {
        *present = None;
    }
    Arc::clone(present.get_or_insert_with(edition_of_files))
}

fn edition_of_files() -> Arc<str> {
    let mut names: Vec<_> = Web::iter().collect();
    names.sort();
    let mut all = Sha256::new();
    for name in names {
        all.update(name.as_bytes());
        if let Some(file) = Web::get(&name) {
            all.update(file.metadata.sha256_hash());
        }
    }
    let mut edition = EDITION.to_owned();
    push_hex(&mut edition, &all.finalize()[..DIGITS / 2]);
    edition.into()
}

fn push_hex(text: &mut String, bytes: &[u8]) {
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
}

/// The words of a language.
pub(super) fn catalogue(language: Language) -> File {
    let content = language.catalogue();
    File {
        media_type: "text/plain; charset=utf-8".to_owned(),
        sha256: Sha256::digest(content.as_bytes()).into(),
        content: content.into(),
    }
}

/// What a browser that has a file does when it needs it again.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kept {
    /// It asks whether the file is still the same.
    AskedForAgain,
    /// It takes what it has: under this address there is never anything else.
    ForGood,
}

impl Kept {
    fn cache_control(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::AskedForAgain => "no-cache",
            // A year in seconds, the longest that caches heed.
            Self::ForGood => "public, max-age=31536000, immutable",
        })
    }
}

impl File {
    /// The whole file, or 304 to a client that holds it as it is.
    pub(super) fn answer(self, kept: Kept, asked: &HeaderMap) -> Response {
        let tag = self.tag();
        let known = asked.get_all(header::IF_NONE_MATCH).iter();
        let status = if known
            .filter_map(|value| value.to_str().ok())
            .any(|known| names(known, &tag))
        {
            StatusCode::NOT_MODIFIED
        } else {
            StatusCode::OK
        };
        let tag = HeaderValue::try_from(tag).expect("a tag is quoted hexadecimal digits");
        let headers = [(header::ETAG, tag), (header::CACHE_CONTROL, kept.cache_control())];
        if status == StatusCode::NOT_MODIFIED {
            return (status, headers).into_response();
        }
        let media_type = HeaderValue::try_from(self.media_type)
            .unwrap_or(HeaderValue::from_static("application/octet-stream"));
        (
            status,
            headers,
            [(header::CONTENT_TYPE, media_type)],
            self.content,
        )
            .into_response()
    }

    /// An entity tag of 128 bits of the content's hash. A weak one, because the same content travels compressed and not
    /// (RFC 9110 section 8.8.1).
    fn tag(&self) -> String {
        let mut tag = String::with_capacity(36);
        tag.push_str("W/\"");
        push_hex(&mut tag, &self.sha256[..16]);
        tag.push('"');
        tag
    }
}

/// Whether `If-None-Match` names the tag. RFC 9110 section 13.1.2: a list or `*`, compared weakly.
fn names(known: &str, tag: &str) -> bool {
    let opaque = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    known.trim() == "*" || known.split(',').any(|one| opaque(one) == opaque(tag))
}
