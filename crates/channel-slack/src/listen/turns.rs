//! One receipt at a time in each conversation.
//!
//! After a gap, many texts of one conversation may be read again at once, and each gets an answer. All together they
//! would be refused for their pace, and again after the same pause. One after the other, the first pause is for all.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::sync::OwnedMutexGuard;

/// Whose turn it is, by conversation.
#[derive(Debug, Default)]
pub(super) struct Turns(Mutex<BTreeMap<String, Arc<tokio::sync::Mutex<()>>>>);

impl Turns {
    /// Waits for a turn in this conversation, in the order of asking; it ends when the guard is dropped.
    pub(super) async fn turn(&self, conversation: &str) -> OwnedMutexGuard<()> {
        let turn = {
            let mut turns = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            // Who waits or has the turn holds a clone.
            turns.retain(|_, turn| Arc::strong_count(turn) > 1);
            Arc::clone(turns.entry(conversation.to_owned()).or_default())
        };
        turn.lock_owned().await
    }
}

#[cfg(test)]
mod tests {
    use std::{pin::pin, task::Poll};

    use super::*;

    #[tokio::test]
    async fn the_second_waits_for_the_first_and_other_conversations_do_not() {
        let turns = Turns::default();
        let first = turns.turn("C1").await;
        let mut second = pin!(turns.turn("C1"));

        let early = std::future::poll_fn(|cx| Poll::Ready(second.as_mut().poll(cx).is_ready())).await;
        let elsewhere = turns.turn("C2").await;
        drop(first);
        let second = second.await;

        assert!(!early);
        drop((second, elsewhere));
        drop(turns.turn("C3").await);
        assert_eq!(
            turns.0.lock().unwrap().len(),
            1,
            "turns that are over are forgotten"
        );
    }
}
