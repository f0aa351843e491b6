//! How the time of reading grows with what is read.
//!
//! The time is that of this thread on a processor, so a machine that is busy with something else does not count. An
//! eighth of the largest input is compared with all of it: linear work takes eight times as long, quadratic work 64
//! times. The bound lies between, and what is over in a moment is not judged at all.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// By how much the larger input is larger.
const LARGER: usize = 8;

/// How many times as long it may take: three times what linear work takes.
const SLOWER: u32 = 24;

/// What is over so soon is not judged: allocations and caches would be measured. An input of the largest size that takes
/// no longer than this hurts nobody, however it grows.
const MOMENT: Duration = Duration::from_millis(40);

/// Stands in an input before and after what is to be repeated.
const AROUND: char = '⟲';

/// A text of which a part is repeated.
#[derive(Debug)]
pub(crate) struct Repeated<'a> {
    head: &'a str,
    piece: &'a str,
    tail: &'a str,
}

impl<'a> Repeated<'a> {
    /// Longest piece. Unit: characters.
    const PIECE: usize = 64;

    /// `head⟲piece⟲tail`; `None` for any other text.
    pub(crate) fn of(text: &'a str) -> Option<Self> {
        let (head, rest) = text.split_once(AROUND)?;
        let (piece, tail) = rest.split_once(AROUND)?;
        let fits = !piece.is_empty() && piece.chars().count() <= Self::PIECE && !tail.contains(AROUND);
        fits.then_some(Self { head, piece, tail })
    }

    /// Fails where reading a text of at most `most` characters takes far more than eight times as long as reading an
    /// eighth of it.
    pub(crate) fn is_read_in_linear_time(&self, most: usize, read: impl Fn(&str)) {
        self.is_linear(most, |text| text, |text| read(text));
    }

    /// The same, where `made` makes something of the text, which is not measured.
    pub(crate) fn is_linear<T>(&self, most: usize, made: impl Fn(String) -> T, read: impl Fn(&T)) {
        let around = self.head.chars().count() + self.tail.chars().count();
        let most = most.saturating_sub(around) / self.piece.chars().count();
        let cost = |input: &T| {
            let begin = on_processor();
            read(input);
            on_processor().saturating_sub(begin)
        };
        let large = made(self.text(most));
        let mut longest = cost(&large);
        if longest <= MOMENT {
            return;
        }
        let small = made(self.text(most / LARGER));
        let mut shortest = cost(&small);
        // Whatever disturbs makes it longer, so the least of several is nearest to the truth.
        for _ in 0..2 {
            shortest = shortest.min(cost(&small));
            longest = longest.min(cost(&large));
        }
        assert!(
            longest <= MOMENT || longest <= shortest * SLOWER,
            "{LARGER} times as much takes {} times as long ({shortest:?}, {longest:?}): {self:?}",
            longest.as_nanos() / shortest.as_nanos().max(1)
        );
    }

    fn text(&self, times: usize) -> String {
        format!("{}{}{}", self.head, self.piece.repeat(times), self.tail)
    }
}

/// Time that this thread has spent on a processor.
fn on_processor() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(
        time.tv_sec.try_into().unwrap_or_default(),
        time.tv_nsec.try_into().unwrap_or_default(),
    )
}
