/** A moment in time, or the reason why a text is not one. */
export type InstantResult =
  | { readonly ok: true; readonly value: number }
  | { readonly ok: false; readonly detail: string };

/** An RFC 3339 date and time with offset (section 5.6); the source of a regular expression, anchored. */
export const RFC3339_PATTERN =
  "^\\d{4}-\\d{2}-\\d{2}[Tt]\\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)?(?:[Zz]|[+-]\\d{2}:\\d{2})$";

/** TOML 1.1 allows a space for the `T`, and no seconds. */
const PARTS =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d+))?)?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

const DAY = 86_400_000;
/** 0000-01-01T00:00Z and 10000-01-01T00:00Z. */
const FIRST = -62_167_219_200_000;
const BEHIND_LAST = 253_402_300_800_000;

/** Parses an RFC 3339 string, in ms since 1970-01-01T00:00Z; fractions of a millisecond are cut. */
export function parseInstant(text: string): InstantResult {
  if (!new RegExp(RFC3339_PATTERN).test(text)) {
    return { ok: false, detail: 'expected a date, time and zone such as "2027-01-01T00:00:00Z"' };
  }
  return parseTomlInstant(text);
}

/** Parses a TOML offset date-time likewise. */
export function parseTomlInstant(text: string): InstantResult {
  const parts = PARTS.exec(text);
  if (parts === null) {
    return { ok: false, detail: "it has no time zone; end it in Z or an offset such as +02:00" };
  }
  const [year, month, day, hour, minute] = parts.slice(1, 6).map(Number) as FiveNumbers;
  const second = Number(parts[6] ?? 0);
  const offsetHour = Number(parts[9] ?? 0);
  const offsetMinute = Number(parts[10] ?? 0);
  if (month < 1 || month > 12) return { ok: false, detail: "there is no such month" };
  if (day < 1 || day > daysInMonth(year, month)) {
    return { ok: false, detail: "there is no such day" };
  }
  if (hour > 23 || minute > 59 || second > 59) {
    return { ok: false, detail: "there is no such time" };
  }
  if (offsetHour > 23 || offsetMinute > 59) return { ok: false, detail: "there is no such offset" };
  const offset = (offsetHour * 60 + offsetMinute) * (parts[8] === "-" ? -1 : 1);
  const minutes = hour * 60 + minute - offset;
  const ms = Number((parts[7] ?? "").padEnd(3, "0").slice(0, 3));
  const value = daysFromCivil({ year, month, day }) * DAY + minutes * 60_000 + second * 1000 + ms;
  const inRange = value >= FIRST && value < BEHIND_LAST;
  return inRange
    ? { ok: true, value }
    : { ok: false, detail: "it is outside of the years 0 to 9999" };
}

/** Formats a moment of the years 0 to 9999 as RFC 3339 in UTC. Throws RangeError for any other. */
export function formatInstant(ms: number): string {
  if (!(ms >= FIRST && ms < BEHIND_LAST)) {
    throw new RangeError(`Cannot write ${ms} as a date: it is outside of the years 0 to 9999`);
  }
  return new Date(ms).toISOString().replace(".000Z", "Z");
}

type FiveNumbers = [number, number, number, number, number];

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** Days from 1970-01-01 to a date of the Gregorian calendar (Howard Hinnant, chrono-compatible date algorithms). */
function daysFromCivil(date: { year: number; month: number; day: number }): number {
  const year = date.month <= 2 ? date.year - 1 : date.year;
  const era = Math.floor(year / 400);
  const yearOfEra = year - era * 400;
  const monthFromMarch = (date.month + 9) % 12;
  const dayOfYear = Math.floor((153 * monthFromMarch + 2) / 5) + date.day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) +
    dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}
