//! What only the panel asks for, on the wire.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

/// Who calls.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Me)]
pub(crate) struct MeView {
    /// `person` or `operator`.
    pub(crate) role: &'static str,
    /// The name as others see it.
    pub(crate) name: String,
    /// The name in `[people.NAME]`; `null` for an operator.
    #[schema(required)]
    pub(crate) person: Option<String>,
    /// Their language in the configuration, if it names one.
    #[schema(required)]
    pub(crate) language: Option<&'static str>,
    /// Their time zone in the configuration (an IANA name), if it names one.
    #[schema(required)]
    pub(crate) time_zone: Option<String>,
    /// Every language that the panel speaks.
    pub(crate) languages: Vec<&'static str>,
    /// How to be notified while no page is open; `null` where web push is not configured.
    #[schema(required)]
    pub(crate) push: Option<PushView>,
}

/// What a browser subscribes with.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Push)]
pub(crate) struct PushView {
    /// The application server key (VAPID), in base64url.
    pub(crate) public_key: String,
}

/// A one-time code for signing in.
#[derive(Serialize, ToSchema)]
#[schema(as = SignInCode)]
pub(crate) struct SignInCodeView {
    /// Who it signs in; `null` for the operator who asked for it.
    #[schema(required)]
    pub(crate) person: Option<String>,
    /// To be put behind `/sign-in#` where the panel is reached. Shown this once.
    pub(crate) code: String,
    /// The whole link, where a public address is configured; as secret as the code.
    #[schema(required)]
    pub(crate) url: Option<String>,
    /// When it is worth nothing any more.
    #[schema(value_type = String, format = DateTime)]
    pub(crate) expires: Timestamp,
}

/// What a person has answered so far of an ask that was shown.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Seen)]
pub(crate) struct SeenView {
    /// `{question id: [values]}`.
    #[schema(value_type = BTreeMap<String, Vec<String>>)]
    pub(crate) stored: BTreeMap<String, Vec<String>>,
    /// Ids of questions this person has yet to answer, in declared order; empty once the ask is over.
    pub(crate) missing: Vec<String>,
}
