//! What the channel knows without asking: who it is, and which groups have a new id.
//!
//! A basic group that becomes a supergroup gets a new id and starts to count its messages anew; the old id is dead. What
//! the store and the configuration hold keeps the old one, so:
//!
//! * **Calls** to the old id go to the new one. A post tells the new id as its conversation, which is the one that events
//!   name from then on, also after a restart.
//! * **Events** of the new id count for the old one as long as nothing has been posted under the new: the asks that are
//!   open there were shown under the old id.
//! * **Messages** keep the id they were posted under. What stands in the old chat cannot be edited; the core follows up,
//!   and that goes to the new one.
//!
//! Both are forgotten with the process. Then the first post learns the new id again from the refusal of the old.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use serde::Deserialize;

/// The bot itself.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Me {
    /// Its account.
    pub id: i64,
    /// Its name in mentions and links, without `@`.
    pub username: String,
    /// Whether privacy mode is off, so that it hears every text in a group.
    #[serde(default, rename = "can_read_all_group_messages")]
    pub hears_groups: bool,
}

/// Groups that moved.
#[derive(Clone, Debug, Default)]
pub struct Moved {
    to: BTreeMap<i64, i64>,
    /// By their new id, groups whose open asks were all shown under the old.
    still: BTreeMap<i64, i64>,
}

impl Moved {
    /// A group is called `new` now.
    pub fn learn(&mut self, old: i64, new: i64) {
        if self.to.insert(old, new) != Some(new) {
            self.still.insert(new, old);
        }
    }

    /// Where calls for this chat go.
    pub(crate) fn now(&self, chat: i64) -> i64 {
        self.to.get(&chat).copied().unwrap_or(chat)
    }

    /// Whether the chat is dead because it has a new id.
    pub(crate) fn has_left(&self, chat: i64) -> bool {
        self.to.contains_key(&chat)
    }

    /// Under which id the events of this chat are known to the core.
    pub(crate) fn stored(&self, chat: i64) -> i64 {
        self.still.get(&chat).copied().unwrap_or(chat)
    }

    /// Something was posted in this chat, under its own id.
    pub fn posted(&mut self, chat: i64) {
        self.still.remove(&chat);
    }
}

/// What is known, shared by the calls and the connection.
#[derive(Debug, Default)]
pub(crate) struct Known {
    me: Mutex<Option<Arc<Me>>>,
    moved: Mutex<Moved>,
}

impl Known {
    pub(crate) fn me(&self) -> Option<Arc<Me>> {
        lock(&self.me).clone()
    }

    pub(crate) fn introduce(&self, me: Me) -> Arc<Me> {
        let me = Arc::new(me);
        *lock(&self.me) = Some(Arc::clone(&me));
        me
    }

    pub(crate) fn moved(&self) -> MutexGuard<'_, Moved> {
        lock(&self.moved)
    }
}

/// A panic while one of these is held leaves a whole value behind: each is changed in one step.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_of_a_moved_group_count_for_the_old_id_until_something_is_posted_under_the_new() {
        let mut moved = Moved::default();
        moved.learn(-5, -1005);
        assert_eq!(moved.now(-5), -1005, "calls follow");
        assert_eq!(moved.stored(-1005), -5, "what is open was shown under the old id");

        moved.posted(-1005);
        moved.learn(-5, -1005);

        assert_eq!(
            moved.stored(-1005),
            -1005,
            "also when the move is told a second time"
        );
        assert_eq!(moved.now(-5), -1005);
        assert_eq!(moved.stored(-7), -7, "other groups stay what they are");
    }
}
