// @ts-check
/**
 * Times as people read them: what is left, and when something was.
 *
 * Pure but for Intl. Does not know what time it is; `now` comes in, in milliseconds.
 */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * Milliseconds until `deadline`, never below 0.
 *
 * @param {string} deadline RFC 3339
 * @param {number} now
 */
export function left(deadline, now) {
  return Math.max(0, Date.parse(deadline) - now);
}

/**
 * What is left as a clock shows it: 4:05, 1:00:00. Seconds are rounded up, so that 0:00 means over.
 *
 * @param {number} ms
 * @param {string} language
 */
export function clock(ms, language) {
  const seconds = Math.ceil(ms / SECOND);
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor(seconds / 60) % 60;
  const plain = new Intl.NumberFormat(language, { useGrouping: false });
  const padded = new Intl.NumberFormat(language, { useGrouping: false, minimumIntegerDigits: 2 });
  const tail = padded.format(seconds % 60);
  return hours > 0
    ? `${plain.format(hours)}:${padded.format(minutes)}:${tail}`
    : `${plain.format(minutes)}:${tail}`;
}

/**
 * Whole minutes that are left, at least 1, for a sentence that does not count seconds.
 *
 * @param {number} ms
 */
export function minutes(ms) {
  return Math.max(1, Math.round(ms / MINUTE));
}

/**
 * Whether little time is left.
 *
 * @param {number} ms
 */
export function isUrgent(ms) {
  return ms <= MINUTE;
}

/**
 * The point between two readings of the clock at which somebody who only listens is told of the time: a minute before
 * the end. Each point is passed once.
 *
 * @param {number} before ms left at the reading before
 * @param {number} after ms left now
 */
export function passesLastMinute(before, after) {
  return before > MINUTE && after <= MINUTE && after > 0;
}

/**
 * The time of day; with the day where that is another one.
 *
 * @param {string} at RFC 3339
 * @param {{language: string, zone: string | undefined, now: number}} reader
 */
export function moment(at, { language, zone, now }) {
  const date = new Date(at);
  const time = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: zone });
  if (day(at, zone) === day(new Date(now).toISOString(), zone)) return time.format(date);
  const full = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: zone };
  return new Intl.DateTimeFormat(language, /** @type {Intl.DateTimeFormatOptions} */ (full)).format(date);
}

/**
 * A name for the day, equal for times of the same day.
 *
 * @param {string} at RFC 3339
 * @param {string | undefined} zone
 */
export function day(at, zone) {
  return new Intl.DateTimeFormat("en-CA", { dateStyle: "short", timeZone: zone }).format(new Date(at));
}

/**
 * The day in words: today and yesterday by name.
 *
 * @param {string} at RFC 3339
 * @param {{language: string, zone: string | undefined, now: number}} reader
 */
export function dayName(at, { language, zone, now }) {
  const of = day(at, zone);
  const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  if (of === day(new Date(now).toISOString(), zone)) return relative.format(0, "day");
  if (of === day(new Date(now - 24 * HOUR).toISOString(), zone)) return relative.format(-1, "day");
  const written = { weekday: "long", day: "numeric", month: "long", timeZone: zone };
  return new Intl.DateTimeFormat(language, /** @type {Intl.DateTimeFormatOptions} */ (written)).format(new Date(at));
}

/**
 * A time zone that this browser knows, or undefined for its own.
 *
 * @param {string | null | undefined} zone
 */
export function knownZone(zone) {
  if (!zone) return undefined;
  try {
    new Intl.DateTimeFormat("en", { timeZone: zone });
    return zone;
  } catch {
    return undefined;
  }
}
