//! The key by which push services know this askd, and its signatures: VAPID, RFC 8292.
//!
//! Signed here and not by web-push-native, whose feature for it brings a library of tokens with RSA and four curves more
//! (`docs/adr/0008`).

use base64ct::{Base64UrlUnpadded, Encoding as _};
use jiff::Timestamp;
use p256::{
    ecdsa::{Signature, SigningKey, signature::Signer as _},
    elliptic_curve::sec1::ToEncodedPoint as _,
};
use serde_json::json;

use crate::limits;

/// The key pair.
pub(crate) struct Key {
    signing: SigningKey,
    public: String,
}

impl Key {
    /// From its private half; `None` for the few numbers that are none.
    pub(crate) fn new(secret: &[u8; 32]) -> Option<Self> {
        let signing = SigningKey::from_slice(secret).ok()?;
        let point = signing.verifying_key().as_affine().to_encoded_point(false);
        let public = Base64UrlUnpadded::encode_string(point.as_bytes());
        Some(Self { signing, public })
    }

    /// Its public half: the point, uncompressed, in base64url. RFC 8292 section 3.2.
    pub(crate) fn public(&self) -> &str {
        &self.public
    }

    /// `Authorization` of a push to a service at `origin`. A token with ES256 (RFC 7515, RFC 7518 section 3.4).
    pub(crate) fn authorization(&self, origin: &str, contact: &str, now: Timestamp) -> String {
        let part = |value: serde_json::Value| Base64UrlUnpadded::encode_string(value.to_string().as_bytes());
        let until = now.saturating_add(limits::SIGNATURE).unwrap_or(Timestamp::MAX);
        let header = part(json!({ "typ": "JWT", "alg": "ES256" }));
        let claims = part(json!({ "aud": origin, "exp": until.as_second(), "sub": contact }));
        let signed = format!("{header}.{claims}");
        let signature: Signature = self.signing.sign(signed.as_bytes());
        let signature = Base64UrlUnpadded::encode_string(&signature.to_bytes());
        format!("vapid t={signed}.{signature}, k={}", self.public)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The private key of RFC 8291, appendix A, and its public half as it stands there.
    const PRIVATE: &str = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw";
    const PUBLIC: &str =
        "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8";

    #[test]
    fn the_public_half_is_the_one_that_the_rfc_has() {
        let mut secret = [0; 32];
        Base64UrlUnpadded::decode(PRIVATE, &mut secret).unwrap();

        assert_eq!(Key::new(&secret).unwrap().public(), PUBLIC);
    }

    #[test]
    fn what_is_no_number_of_the_curve_is_no_key() {
        assert!(Key::new(&[0; 32]).is_none());
        assert!(Key::new(&[255; 32]).is_none());
    }
}
