//! Files that stand in the program, as answers: their type, their entity tag, and 304 for who has them already.

use std::{borrow::Cow, fmt::Write as _};

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

/// The words of a language.
pub(super) fn catalogue(language: Language) -> File {
    let content = language.catalogue();
    File {
        media_type: "text/plain; charset=utf-8".to_owned(),
        sha256: Sha256::digest(content.as_bytes()).into(),
        content: content.into(),
    }
}

impl File {
    /// The whole file, or 304 to a client that holds it as it is.
    pub(super) fn answer(self, asked: &HeaderMap) -> Response {
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
        let headers = [
            (header::ETAG, tag),
            (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        ];
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

    /// A strong entity tag: 128 bits of the content's hash.
    fn tag(&self) -> String {
        let mut tag = String::with_capacity(34);
        tag.push('"');
        for byte in &self.sha256[..16] {
            let _ = write!(tag, "{byte:02x}");
        }
        tag.push('"');
        tag
    }
}

/// Whether `If-None-Match` names the tag. RFC 9110 section 13.1.2: a list or `*`, compared weakly.
fn names(known: &str, tag: &str) -> bool {
    known.trim() == "*"
        || known
            .split(',')
            .any(|one| one.trim().trim_start_matches("W/") == tag)
}
