//! Instants, which every reader sees in their own zone. Source: Discord docs, "Message Formatting", "Timestamp Styles".

use jiff::Timestamp;

use super::Reader;

/// Reads `t:<seconds>`, with a style behind it or none.
pub(super) fn read(reader: &Reader<'_>, inner: &str) -> Option<String> {
    let rest = inner.strip_prefix("t:")?;
    let (seconds, style) = rest.split_once(':').unwrap_or((rest, "f"));
    let instant = Timestamp::from_second(seconds.parse().ok()?).ok()?;
    if style == "R" {
        return Some(relative(instant.as_second() - reader.now.as_second()));
    }
    let format = match style {
        "t" => "%H:%M",
        "T" => "%H:%M:%S",
        "d" => "%d/%m/%Y",
        "D" => "%-d %B %Y",
        "f" => "%-d %B %Y %H:%M",
        "F" => "%A, %-d %B %Y %H:%M",
        _ => return None,
    };
    let there = reader.zone.to_datetime(instant);
    Some(there.strftime(format).to_string())
}

/// As from now, in the largest unit of which there is a whole one.
fn relative(seconds: i64) -> String {
    const UNITS: [(&str, u64); 6] = [
        ("year", 31_536_000),
        ("month", 2_592_000),
        ("day", 86_400),
        ("hour", 3600),
        ("minute", 60),
        ("second", 1),
    ];
    let length = seconds.unsigned_abs();
    let unit = UNITS.into_iter().find(|(_, unit)| length >= *unit);
    let (name, unit) = unit.unwrap_or(("second", 1));
    let count = length / unit;
    let plural = if count == 1 { "" } else { "s" };
    if seconds < 0 {
        format!("{count} {name}{plural} ago")
    } else {
        format!("in {count} {name}{plural}")
    }
}
