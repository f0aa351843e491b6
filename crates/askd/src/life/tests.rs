use std::{
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use askd_testkit::{chance::SeededChance, clock::TestClock};
use tokio::sync::mpsc;

use super::*;

fn life(clock: &TestClock) -> Life {
    Life::new(
        CancellationToken::new(),
        Arc::new(clock.clone()),
        Arc::new(SeededChance::new(1)),
    )
}

/// A task that reports each attempt and then does what `then` says.
fn keep_reporting<F>(life: &mut Life, then: F) -> mpsc::UnboundedReceiver<u32>
where
    F: Fn(u32) -> Result<(), Failed> + Send + Sync + Clone + 'static,
{
    let (report, reports) = mpsc::unbounded_channel();
    let attempts = Arc::new(AtomicU32::new(0));
    life.keep("reporter", move |_| {
        let attempt = attempts.fetch_add(1, Ordering::SeqCst);
        report.send(attempt).expect("the test listens to the end");
        let then = then.clone();
        async move { then(attempt) }
    });
    reports
}

#[tokio::test]
async fn a_task_that_failed_or_panicked_is_made_anew_after_a_pause() {
    let clock = TestClock::new();
    let mut life = life(&clock);

    let mut attempts = keep_reporting(&mut life, |attempt| match attempt {
        0 => Err(Failed::Again(anyhow::anyhow!("first"))),
        1 => panic!("second"),
        _ => Ok(()),
    });

    assert_eq!(attempts.recv().await, Some(0));
    for expected in [1, 2] {
        tokio::task::yield_now().await;
        assert!(attempts.try_recv().is_err(), "not before the pause is over");
        while attempts.is_empty() && !attempts.is_closed() {
            clock.advance(Duration::from_millis(500));
            tokio::task::yield_now().await;
        }
        assert_eq!(attempts.recv().await, Some(expected));
    }
    assert_eq!(attempts.recv().await, None, "it came to its end and is gone");
}

#[tokio::test]
async fn a_failure_for_good_is_not_repeated() {
    let clock = TestClock::new();
    let mut life = life(&clock);

    let mut attempts = keep_reporting(&mut life, |_| Err(Failed::ForGood(anyhow::anyhow!("refused"))));

    assert_eq!(attempts.recv().await, Some(0));
    assert_eq!(attempts.recv().await, None);
}

#[tokio::test]
async fn the_end_stops_every_task_also_one_that_pauses() {
    let clock = TestClock::new();
    let mut life = life(&clock);
    life.keep("waits", |stop| async move {
        stop.cancelled().await;
        Ok(())
    });
    let mut attempts = keep_reporting(&mut life, |_| Err(Failed::Again(anyhow::anyhow!("again"))));
    assert_eq!(attempts.recv().await, Some(0));

    assert!(life.end().await);
}

#[tokio::test]
async fn a_task_that_does_not_stop_is_aborted_before_five_seconds_are_over() {
    let clock = TestClock::new();
    let mut life = life(&clock);
    let (report, mut reports) = mpsc::unbounded_channel();
    life.keep("deaf", move |_| {
        report.send(()).expect("the test listens to the end");
        std::future::pending()
    });
    reports.recv().await;

    let (in_time, ()) = tokio::join!(life.end(), async { clock.advance(Duration::from_millis(4_999)) });

    assert!(!in_time);
}
