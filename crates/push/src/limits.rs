//! Every number, with unit and source.

use std::time::Duration;

use jiff::SignedDuration;

/// Longest address of a browser. Unit: bytes. Ours: the longest that browsers are given, Windows' own, have some 600.
pub(crate) const ENDPOINT: usize = 2048;

/// What a browser's public key is: an uncompressed point on P-256. Unit: bytes. RFC 8291 section 2.
pub(crate) const P256DH: usize = 65;

/// What a browser's secret is. Unit: bytes. RFC 8291 section 3.2.
pub(crate) const AUTH: usize = 16;

/// How long one signature is good for. RFC 8292 section 2 allows 24 hours; half of it leaves room for clocks that differ.
pub(crate) const SIGNATURE: SignedDuration = SignedDuration::from_hours(12);

/// How long a connection may take. Ours.
pub(crate) const CONNECT: Duration = Duration::from_secs(5);

/// How long a push may take in all. Within the 30 seconds that the seam allows.
pub(crate) const PUSH: Duration = Duration::from_secs(15);
