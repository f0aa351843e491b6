//! People on a platform. They answer what looks alive there, and again if it still does a while later.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use askd_core::clock::Chance as _;
use askd_testkit::{
    chance::SeededChance,
    channel_suite::{Place, Saying, SeenMessage, Who, world::bare},
};
use tokio::time::sleep;

use super::{
    model::{self, PEOPLE},
    world::Shared,
};
use crate::stage::Scenery;

/// How often they look.
const LOOK_EVERY: Duration = Duration::from_millis(90);

/// Looks after which somebody who got no answer does something again, at least.
const PATIENCE: u64 = 8;

/// Acts for the people of one place.
pub(super) async fn act(
    shared: Arc<Shared>,
    platform: Arc<dyn Scenery>,
    place: Place,
    readers: &'static [Who],
    chance: SeededChance,
) {
    // When each message is answered again, and how often it was.
    let mut again: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for look in 0_u64.. {
        sleep(LOOK_EVERY).await;
        let alive: Vec<SeenMessage> = platform
            .seen(place)
            .into_iter()
            .filter(|seen| !seen.buttons.is_empty())
            .collect();
        let ready: Vec<&SeenMessage> = alive
            .iter()
            .filter(|seen| {
                again
                    .get(seen.message.as_str())
                    .is_none_or(|(from, _)| *from <= look)
            })
            .collect();
        let Some(last) = u64::try_from(ready.len()).unwrap().checked_sub(1) else {
            continue;
        };
        let seen = ready[pick(&chance, last)];
        let Some(number) = model::marked(&bare(&seen.text)) else {
            continue;
        };
        let entry = again.entry(seen.message.as_str().to_owned()).or_default();
        entry.0 = look + PATIENCE + chance.up_to(PATIENCE);
        entry.1 += 1;
        let last = u64::try_from(readers.len() - 1).unwrap();
        let doing = Doing {
            shared: &shared,
            platform: platform.as_ref(),
            place,
            who: readers[pick(&chance, last)],
            seen,
            number,
        };
        if shared.model.is_two(number) {
            doing.types(entry.1);
        } else if entry.1 > 2 {
            doing.taps(pick(&chance, 2));
        } else {
            doing.anything(&chance);
        }
    }
}

/// One thing that somebody does about one message.
struct Doing<'a> {
    shared: &'a Shared,
    platform: &'a dyn Scenery,
    place: Place,
    who: Who,
    seen: &'a SeenMessage,
    number: usize,
}

impl Doing<'_> {
    fn anything(&self, chance: &SeededChance) {
        match chance.up_to(9) {
            0 => self.skips(),
            1 => self.says("first", &model::own(self.number), None),
            2..=3 => {
                let picked = pick(chance, 2);
                self.says(
                    "first",
                    &model::labels(self.number)[picked],
                    Some(&(picked + 1).to_string()),
                );
            }
            _ => self.taps(pick(chance, 2)),
        }
    }

    fn taps(&self, picked: usize) {
        let label = &model::labels(self.number)[picked];
        self.tries("first", label);
        self.presses(label);
    }

    fn skips(&self) {
        self.shared.model.skips(self.number, PEOPLE[self.person()]);
        self.presses("Skip");
    }

    fn presses(&self, label: &str) {
        let button = self
            .seen
            .buttons
            .iter()
            .find(|button| bare(&button.label) == label);
        match button {
            Some(button) => self.platform.press(self.who, button),
            None => self
                .shared
                .model
                .fault(format!("no button [{label}] below {:?}", self.seen)),
        }
    }

    /// Answers two questions, in one message or in two.
    fn types(&self, time: u64) {
        let (first, second) = model::choices(self.number, self.person());
        let in_two = self.number.is_multiple_of(2);
        if !in_two || time != 2 {
            self.tries("first", &model::labels(self.number)[first]);
        }
        if !in_two || time != 1 {
            self.tries("second", &model::second_labels(self.number)[second]);
        }
        let (first, second) = (first + 1, second + 1);
        self.replies(&match (in_two, time) {
            (true, 1) => format!("1: {first}"),
            (true, 2) => format!("2: {second}"),
            _ => format!("1: {first}; 2: {second}"),
        });
    }

    fn says(&self, question: &str, value: &str, as_text: Option<&str>) {
        self.tries(question, value);
        self.replies(as_text.unwrap_or(value));
    }

    fn replies(&self, text: &str) {
        let saying = Saying::text(text).reply_to(self.seen);
        self.platform.say(self.who, self.place, &saying);
    }

    fn tries(&self, question: &str, value: &str) {
        let model = &self.shared.model;
        model.tries(self.number, PEOPLE[self.person()], question, value);
    }

    fn person(&self) -> usize {
        usize::from(self.who != Who::Sara)
    }
}

fn pick(chance: &SeededChance, most: u64) -> usize {
    usize::try_from(chance.up_to(most)).unwrap()
}
