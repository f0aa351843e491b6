//! One receipt at a time in each chat.
//!
//! After a time without askd, many texts of one chat may be fetched at once, and each gets an answer. All together they
//! would be refused for their pace, and again after the same pause. One after the other, the first pause is for all.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::sync::OwnedMutexGuard;

/// Whose turn it is, by chat.
#[derive(Debug, Default)]
pub(super) struct Turns(Mutex<BTreeMap<i64, Arc<tokio::sync::Mutex<()>>>>);

impl Turns {
    /// Waits for a turn in this chat, in the order of asking; it ends when the guard is dropped.
    pub(super) async fn turn(&self, chat: i64) -> OwnedMutexGuard<()> {
        let turn = {
            let mut turns = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            // Who waits or has the turn holds a clone.
            turns.retain(|_, turn| Arc::strong_count(turn) > 1);
            Arc::clone(turns.entry(chat).or_default())
        };
        turn.lock_owned().await
    }
}

#[cfg(test)]
mod tests {
    use std::{pin::pin, task::Poll};

    use super::*;

    #[tokio::test]
    async fn the_second_waits_for_the_first_and_other_chats_do_not() {
        let turns = Turns::default();
        let first = turns.turn(1).await;
        let mut second = pin!(turns.turn(1));

        let early = std::future::poll_fn(|cx| Poll::Ready(second.as_mut().poll(cx).is_ready())).await;
        let elsewhere = turns.turn(2).await;
        drop(first);
        let second = second.await;

        assert!(!early);
        drop((second, elsewhere));
        drop(turns.turn(3).await);
        assert_eq!(
            turns.0.lock().unwrap().len(),
            1,
            "turns that are over are forgotten"
        );
    }
}
