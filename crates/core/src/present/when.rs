//! Until when, in words.
//!
//! A time of day in the reader's zone; with the date where the deadline falls on another day than the ask. Persian
//! dates are of the Solar Hijri calendar.

use jiff::civil::Date;

use super::Reader;
use crate::{
    ask::Ask,
    words::{Arg, Language, say},
};

/// The deadline of `ask` for `reader`: `14:30`, or `00:15 on Wednesday, 2 December`. Seconds are dropped, so that it
/// never promises more time than there is.
pub(super) fn deadline(ask: &Ask, reader: &Reader) -> String {
    let language = reader.language;
    let asked = reader.time_zone.to_datetime(ask.created_at).date();
    let due = reader.time_zone.to_datetime(ask.deadline);
    let time = language.digits(&format!("{:02}:{:02}", due.hour(), due.minute()));
    if due.date() == asked {
        return time;
    }
    let (month, day) = match language {
        Language::English => (due.month(), due.day()),
        Language::Persian => solar_hijri(due.date()),
    };
    let count = |n: i8| Arg::Count(usize::try_from(n).unwrap_or_default());
    let weekday = say(
        language,
        "prompt-weekday",
        &[("weekday", count(due.weekday().to_monday_one_offset()))],
    );
    let month = say(language, "prompt-month", &[("month", count(month))]);
    say(
        language,
        "prompt-time-and-day",
        &[
            ("time", Arg::Text(&time)),
            ("weekday", Arg::Text(&weekday)),
            ("day", count(day)),
            ("month", Arg::Text(&month)),
        ],
    )
}

/// Month and day of the Solar Hijri calendar, by its cycle of 33 years with 8 leap years, which agrees with the
/// observed calendar in this century.
fn solar_hijri(date: Date) -> (i8, i8) {
    /// The first day of 1375, a leap year that begins a cycle.
    const CYCLE_START: Date = Date::constant(1996, 3, 20);
    const CYCLE_DAYS: i32 = 33 * 365 + 8;
    let days = (date - CYCLE_START).get_days().rem_euclid(CYCLE_DAYS);
    // Seven times four years, the first of each four a leap year, then five, likewise.
    let in_group = days % (4 * 365 + 1);
    let day_of_year = if in_group < 366 {
        in_group
    } else {
        (in_group - 366) % 365
    };
    // Six months of 31 days, then months of 30.
    let (month, day) = if day_of_year < 186 {
        (1 + day_of_year / 31, 1 + day_of_year % 31)
    } else {
        (7 + (day_of_year - 186) / 30, 1 + (day_of_year - 186) % 30)
    };
    let small = |n: i32| i8::try_from(n).expect("at most 31");
    (small(month), small(day))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn persian_dates_are_of_the_solar_hijri_calendar() {
        let cases = [
            (Date::constant(2026, 12, 2), (9, 11)),
            (Date::constant(2025, 3, 20), (12, 30)), // 1403 is a leap year
            (Date::constant(2025, 3, 21), (1, 1)),
            (Date::constant(2026, 3, 20), (12, 29)),
            (Date::constant(2029, 3, 20), (1, 1)), // five years between the leap years 1403 and 1408
            (Date::constant(2030, 3, 20), (12, 30)),
            (Date::constant(2026, 9, 22), (6, 31)),
            (Date::constant(2026, 9, 23), (7, 1)),
        ];
        for (date, expected) in cases {
            assert_eq!(solar_hijri(date), expected, "{date}");
        }
    }
}
