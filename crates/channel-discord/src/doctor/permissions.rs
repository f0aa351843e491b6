//! What the bot may do in a channel, worked out as Discord does it.
//!
//! Source: reference, "Permissions", "Permission Overwrites": what the roles allow, then what the channel takes and gives
//! everybody, the roles together, and the bot itself, in this order. A thread has its channel's.

use std::collections::BTreeSet;

use serde::{Deserialize, Deserializer};
use serenity::model::id::{GuildId, RoleId, UserId};

/// What the bot needs, as it is called in Discord's settings. Source: reference, "Permissions".
pub(crate) const VIEW: Permission = Permission(1 << 10, "View Channel");
pub(crate) const SEND: Permission = Permission(1 << 11, "Send Messages");
pub(crate) const HISTORY: Permission = Permission(1 << 16, "Read Message History");
pub(crate) const SEND_IN_THREADS: Permission = Permission(1 << 38, "Send Messages in Threads");

/// The number in the link by which the bot is invited.
pub(crate) const INVITED_WITH: u64 = VIEW.0 | SEND.0 | HISTORY.0 | SEND_IN_THREADS.0;

/// Who has it may do everything.
const ADMINISTRATOR: u64 = 1 << 3;

/// A permission, with its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Permission(u64, pub(crate) &'static str);

/// What is looked at of a server.
#[derive(Debug, Deserialize)]
pub(crate) struct Guild {
    pub(crate) id: GuildId,
    pub(crate) owner_id: Option<UserId>,
    #[serde(default)]
    pub(crate) roles: Vec<Role>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Role {
    pub(crate) id: RoleId,
    #[serde(deserialize_with = "bits")]
    pub(crate) permissions: u64,
}

/// What is looked at of the bot as a member of a server.
#[derive(Debug, Deserialize)]
pub(crate) struct Member {
    #[serde(default)]
    pub(crate) roles: BTreeSet<RoleId>,
    /// Until when it may say nothing, if somebody has timed it out.
    pub(crate) communication_disabled_until: Option<String>,
}

/// What a channel gives and takes.
#[derive(Debug, Deserialize)]
pub(crate) struct Overwrite {
    /// A role's number or a member's. The server's own stands for everybody.
    id: RoleId,
    #[serde(rename = "type")]
    kind: u8,
    #[serde(deserialize_with = "bits")]
    allow: u64,
    #[serde(deserialize_with = "bits")]
    deny: u64,
}

/// Written as text, because they may have more than 53 bits.
fn bits<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map_err(serde::de::Error::custom)
}

/// Those of `needed` that the bot has not in a channel with these overwrites.
pub(crate) fn missing(
    needed: &[Permission],
    me: UserId,
    guild: &Guild,
    member: &Member,
    overwrites: &[Overwrite],
) -> Vec<&'static str> {
    let has = permissions(me, guild, member, overwrites);
    let lacks = needed.iter().filter(|permission| has & permission.0 == 0);
    lacks.map(|permission| permission.1).collect()
}

fn permissions(me: UserId, guild: &Guild, member: &Member, overwrites: &[Overwrite]) -> u64 {
    /// Source: reference, "Overwrite Structure".
    const OF_A_MEMBER: u8 = 1;
    let everybody = RoleId::new(guild.id.get());
    let mine = |role: RoleId| role != everybody && member.roles.contains(&role);
    let roles = guild
        .roles
        .iter()
        .filter(|role| role.id == everybody || mine(role.id));
    let mut has = roles.fold(0, |has, role| has | role.permissions);
    if guild.owner_id == Some(me) || has & ADMINISTRATOR != 0 {
        return u64::MAX;
    }
    let of = |applies: &dyn Fn(&Overwrite) -> bool| {
        let those = overwrites.iter().filter(|overwrite| applies(overwrite));
        those.fold((0, 0), |(allow, deny), overwrite| {
            (allow | overwrite.allow, deny | overwrite.deny)
        })
    };
    let of_role = |overwrite: &Overwrite| overwrite.kind != OF_A_MEMBER;
    for (allow, deny) in [
        of(&|overwrite| of_role(overwrite) && overwrite.id == everybody),
        of(&|overwrite| of_role(overwrite) && mine(overwrite.id)),
        of(&|overwrite| !of_role(overwrite) && overwrite.id.get() == me.get()),
    ] {
        has = has & !deny | allow;
    }
    has
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const NEEDED: [Permission; 3] = [VIEW, SEND, HISTORY];
    const ALL: u64 = VIEW.0 | SEND.0 | HISTORY.0;

    /// What the bot, 99, lacks: `everybody` and `mine` are what roles allow; overwrites are (whose, 1 for a member's,
    /// allow, deny).
    fn lacks(everybody: u64, mine: u64, overwrites: &[(u64, u8, u64, u64)]) -> Vec<&'static str> {
        let guild = json!({"id": "1", "owner_id": "5", "roles": [
            {"id": "1", "permissions": everybody.to_string()},
            {"id": "2", "permissions": mine.to_string()},
            {"id": "3", "permissions": u64::MAX.to_string()},
        ]});
        let overwrites = overwrites.iter().map(|(id, kind, allow, deny)| {
            json!({"id": id.to_string(), "type": kind, "allow": allow.to_string(), "deny": deny.to_string()})
        });
        let overwrites: Vec<_> = overwrites.collect();
        let overwrites: Vec<Overwrite> = serde_json::from_value(overwrites.into()).unwrap();
        let member = serde_json::from_value(json!({"roles": ["2"]})).unwrap();
        let guild = serde_json::from_value(guild).unwrap();
        missing(&NEEDED, UserId::new(99), &guild, &member, &overwrites)
    }

    #[test]
    fn what_any_of_its_roles_allows_it_may() {
        assert_eq!(lacks(VIEW.0, SEND.0 | HISTORY.0, &[]), [""; 0]);
        assert_eq!(lacks(VIEW.0, 0, &[]), ["Send Messages", "Read Message History"]);
        assert_eq!(lacks(0, ADMINISTRATOR, &[(1, 0, 0, ALL)]), [""; 0]);
    }

    #[test]
    fn the_narrower_overwrite_wins() {
        let everybody_not = (1, 0, 0, ALL);
        let role_may = (2, 0, ALL, 0);
        let bot_not = (99, 1, 0, SEND.0);
        let other_role_may = (3, 0, ALL, 0);
        let other_member_may = (98, 1, ALL, 0);

        assert_eq!(lacks(ALL, 0, &[everybody_not]).len(), 3);
        assert_eq!(lacks(ALL, 0, &[role_may, everybody_not]), [""; 0]);
        assert_eq!(
            lacks(ALL, 0, &[bot_not, role_may, everybody_not]),
            ["Send Messages"]
        );
        assert_eq!(
            lacks(ALL, 0, &[other_role_may, other_member_may, everybody_not]).len(),
            3
        );
    }
}
