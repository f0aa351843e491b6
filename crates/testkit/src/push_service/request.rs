//! What a push service asks of a request: RFC 8030, RFC 8188, RFC 8291 and RFC 8292.

use axum::http::{HeaderMap, Method, StatusCode, request::Parts};
use base64ct::{Base64UrlUnpadded, Encoding as _};
use jiff::{SignedDuration, Timestamp};
use p256::ecdsa::{Signature, VerifyingKey, signature::Verifier as _};
use serde_json::Value;

use super::Subscribed;

/// A push that was taken over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pushed {
    /// What its browser reads.
    pub content: Vec<u8>,
    /// How long it is worth keeping. Unit: seconds.
    pub ttl: u64,
    /// `very-low`, `low`, `normal` or `high`.
    pub urgency: String,
    /// What a later one of takes its place.
    pub topic: String,
    /// Whom the service may write to.
    pub contact: String,
    /// Names of all its headers.
    pub headers: Vec<String>,
}

/// Most bytes of a body that every service takes. RFC 8030 section 7.2.
const BODY: usize = 4096;

/// Longest topic. RFC 8030 section 5.4.
const TOPIC: usize = 32;

type Refused = (StatusCode, &'static str);

pub(super) fn read(
    parts: &Parts,
    body: &[u8],
    to: &Subscribed,
    origin: &str,
    now: Timestamp,
) -> Result<Pushed, Refused> {
    let bad = |rule| (StatusCode::BAD_REQUEST, rule);
    if parts.method != Method::POST {
        return Err((StatusCode::METHOD_NOT_ALLOWED, "a push is a POST"));
    }
    let header = |name| text(&parts.headers, name);
    let contact = authorized(header("authorization")?, to, origin, now)?;
    let ttl = header("ttl")?
        .parse()
        .map_err(|_| bad("TTL is a number of seconds"))?;
    let urgency = header("urgency")?;
    if !["very-low", "low", "normal", "high"].contains(&urgency) {
        return Err(bad("an urgency is one of four words"));
    }
    let topic = header("topic")?;
    let is_base64url = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if topic.is_empty() || topic.len() > TOPIC || !topic.chars().all(is_base64url) {
        return Err(bad("a topic is at most 32 characters of base64url"));
    }
    if body.len() > BODY {
        return Err((StatusCode::PAYLOAD_TOO_LARGE, "a body has at most 4096 bytes"));
    }
    if header("content-encoding")? != "aes128gcm" {
        return Err(bad("the content is encrypted as aes128gcm"));
    }
    // RFC 8188 section 2.1: salt (16), record size (4), then the key's id.
    let size = body.get(16..20).and_then(|bytes| bytes.try_into().ok());
    if size.map(u32::from_be_bytes).is_none_or(|size| size < 18) {
        return Err(bad("a record has at least 18 bytes"));
    }
    let content = to
        .device
        .decrypt(body)
        .map_err(|_| bad("the browser can read it"))?;
    let headers = parts.headers.keys().map(ToString::to_string).collect();
    Ok(Pushed {
        content,
        ttl,
        urgency: urgency.to_owned(),
        topic: topic.to_owned(),
        contact,
        headers,
    })
}

fn text<'a>(headers: &'a HeaderMap, name: &'static str) -> Result<&'a str, Refused> {
    let mut sent = headers.get_all(name).iter();
    match (sent.next().and_then(|value| value.to_str().ok()), sent.next()) {
        (Some(text), None) => Ok(text),
        _ => Err((StatusCode::BAD_REQUEST, name)),
    }
}

/// Checks the signature and gives the contact. RFC 8292.
fn authorized(header: &str, to: &Subscribed, origin: &str, now: Timestamp) -> Result<String, Refused> {
    let forbidden = |rule| (StatusCode::FORBIDDEN, rule);
    let fields = header.strip_prefix("vapid ").ok_or(forbidden("it is by vapid"))?;
    let field = |name: &str| {
        let mut fields = fields.split(',').filter_map(|field| field.trim().split_once('='));
        fields.find(|(key, _)| *key == name).map(|(_, value)| value)
    };
    let (token, key) = (field("t"), field("k"));
    let (token, key) = (
        token.ok_or(forbidden("there is a token"))?,
        key.ok_or(forbidden("there is a key"))?,
    );
    if key != to.server_key {
        return Err(forbidden("the key is the one that the browser subscribed with"));
    }
    let decoded = |text| Base64UrlUnpadded::decode_vec(text).map_err(|_| forbidden("it is base64url"));
    let verifying = VerifyingKey::from_sec1_bytes(&decoded(key)?).map_err(|_| forbidden("it is a key"))?;
    let (signed, signature) = token.rsplit_once('.').ok_or(forbidden("it is a token"))?;
    let signature = Signature::from_slice(&decoded(signature)?).map_err(|_| forbidden("it is signed"))?;
    verifying
        .verify(signed.as_bytes(), &signature)
        .map_err(|_| forbidden("the signature is right"))?;
    let (head, claims) = signed.split_once('.').ok_or(forbidden("it is a token"))?;
    let json = |part| -> Result<Value, Refused> {
        serde_json::from_slice(&decoded(part)?).map_err(|_| forbidden("it is JSON"))
    };
    let (head, claims) = (json(head)?, json(claims)?);
    if head["alg"] != "ES256" || head["typ"] != "JWT" {
        return Err(forbidden("it is a JWT by ES256"));
    }
    if claims["aud"] != origin {
        return Err(forbidden("it is for this service"));
    }
    let until = claims["exp"]
        .as_i64()
        .and_then(|exp| Timestamp::from_second(exp).ok());
    let until = until.ok_or(forbidden("it has an end"))?;
    if until <= now || until > now + SignedDuration::from_hours(24) {
        return Err(forbidden("it ends within 24 hours"));
    }
    let contact = claims["sub"].as_str().unwrap_or_default();
    if !(contact.starts_with("mailto:") || contact.starts_with("https:")) {
        return Err(forbidden("it says whom to write to"));
    }
    Ok(contact.to_owned())
}
