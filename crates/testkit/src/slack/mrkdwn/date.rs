//! `<!date^1392734382^{date_num} {time}|fallback>`: an instant that each reader sees in their own time zone.

use jiff::{Timestamp, tz::TimeZone};

/// The text of a date, given what stands behind `!date^`. None where it cannot be read.
///
/// Readers of this fake have chosen the 24-hour clock. Source: "Formatting text", "Date formatting".
pub(super) fn read(date: &str, now: Timestamp, zone: &TimeZone) -> Option<String> {
    let mut parts = date.split('^');
    let when = Timestamp::from_second(parts.next()?.parse().ok()?).ok()?;
    let format = parts.next()?;
    let local = when.to_zoned_datetime(zone.clone());
    let today = now.to_zoned_datetime(zone.clone()).date();
    let days = today.until(local.date()).ok()?.get_days();
    let pretty = |otherwise: &str| match days {
        -1 => "yesterday".to_owned(),
        0 => "today".to_owned(),
        1 => "tomorrow".to_owned(),
        _ => local.strftime(otherwise).to_string(),
    };
    let mut out = String::new();
    let mut rest = format;
    while let Some((before, tail)) = rest.split_once('{') {
        let (name, left) = tail.split_once('}')?;
        out.push_str(before);
        out.push_str(&match name {
            "date_num" => local.strftime("%Y-%m-%d").to_string(),
            "date_slash" => local.strftime("%d/%m/%Y").to_string(),
            "date" => local.strftime("%B %-d, %Y").to_string(),
            "date_short" => local.strftime("%b %-d, %Y").to_string(),
            "date_long" => local.strftime("%A, %B %-d, %Y").to_string(),
            "date_pretty" => pretty("%B %-d, %Y"),
            "date_short_pretty" => pretty("%b %-d, %Y"),
            "date_long_pretty" => pretty("%A, %B %-d, %Y"),
            "time" => local.strftime("%H:%M").to_string(),
            "time_secs" => local.strftime("%H:%M:%S").to_string(),
            "ago" => ago(when.duration_since(now).as_secs()),
            _ => return None,
        });
        rest = left;
    }
    out.push_str(rest);
    Some(out)
}

fn ago(seconds: i64) -> String {
    let (count, unit) = match seconds.unsigned_abs() {
        seconds @ 0..60 => (seconds, "second"),
        seconds @ 60..3600 => (seconds / 60, "minute"),
        seconds @ 3600..86_400 => (seconds / 3600, "hour"),
        seconds => (seconds / 86_400, "day"),
    };
    let plural = if count == 1 { "" } else { "s" };
    if seconds > 0 {
        format!("in {count} {unit}{plural}")
    } else {
        format!("{count} {unit}{plural} ago")
    }
}
