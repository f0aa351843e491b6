//! People, their accounts and pairing, on the wire.

use askd_core::broker::{PairingOffer, PersonView as CorePerson};
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

/// Everybody in the configuration.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = People)]
pub(crate) struct PeopleView {
    /// By name.
    pub(crate) people: Vec<PersonView>,
}

/// One person.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Person)]
pub(crate) struct PersonView {
    /// The name in `[people.NAME]`.
    pub(crate) name: String,
    /// The name as others see it.
    pub(crate) display: String,
    /// Their accounts, those cut off included.
    pub(crate) accounts: Vec<AccountView>,
}

/// One account of a person.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Account)]
pub(crate) struct AccountView {
    /// The address, as the configuration writes it: `telegram:12345`.
    pub(crate) account: String,
    /// Whether pairing tied it; else it is from the configuration.
    pub(crate) paired: bool,
    /// Whether it was cut off.
    pub(crate) revoked: bool,
}

impl From<CorePerson> for PersonView {
    fn from(person: CorePerson) -> Self {
        let accounts = person.accounts.iter().map(|account| AccountView {
            account: account.account.to_string(),
            paired: account.paired,
            revoked: account.revoked,
        });
        Self {
            name: person.name.to_string(),
            display: person.display,
            accounts: accounts.collect(),
        }
    }
}

/// A one-time code that ties the account it is sent from to a person.
#[derive(Serialize, ToSchema)]
#[schema(as = PairingOffer)]
pub(crate) struct OfferView {
    /// Whose account it ties.
    pub(crate) person: String,
    /// To be sent to the bot in a direct conversation. Shown this once.
    pub(crate) code: String,
    /// When it is worth nothing any more.
    #[schema(value_type = String, format = DateTime)]
    pub(crate) expires: Timestamp,
    /// Links that hand it in with one tap, where the platform has such links.
    pub(crate) links: Vec<LinkView>,
}

/// A link that hands a pairing code in.
#[derive(Serialize, ToSchema)]
#[schema(as = PairingLink)]
pub(crate) struct LinkView {
    /// The channel's name in the configuration.
    pub(crate) channel: String,
    /// The link; as secret as the code.
    pub(crate) url: String,
}

impl From<PairingOffer> for OfferView {
    fn from(offer: PairingOffer) -> Self {
        let links = offer.links.into_iter().map(|(channel, url)| LinkView {
            channel: channel.to_string(),
            url,
        });
        Self {
            person: offer.person.to_string(),
            code: offer.code,
            expires: offer.expires,
            links: links.collect(),
        }
    }
}

/// Accounts that were cut off.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Unpaired)]
pub(crate) struct UnpairedView {
    /// Whose.
    pub(crate) person: String,
    /// The accounts.
    pub(crate) unpaired: Vec<String>,
    /// How many browsers were signed out of the panel.
    pub(crate) signed_out: usize,
}
