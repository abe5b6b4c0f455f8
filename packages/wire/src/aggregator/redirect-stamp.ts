// The time of a redirect to an account aggregator, which limits its validity and is part of the key.

/** How far a stamp may be from the reader's clock, either way. */
export const freshMs = 180_000

const twoDigits = (part: number): string => String(part).padStart(2, '0')

/** Writes the stamp of an instant: `ddMMyyyyHHmmss` and the tenth of the second, as running aggregators write it. */
export const stampOf = (at: Date): string =>
  twoDigits(at.getUTCDate()) +
  twoDigits(at.getUTCMonth() + 1) +
  String(at.getUTCFullYear()).padStart(4, '0') +
  twoDigits(at.getUTCHours()) +
  twoDigits(at.getUTCMinutes()) +
  twoDigits(at.getUTCSeconds()) +
  Math.floor(at.getUTCMilliseconds() / 100)

interface StampReading {
  at: number
  /** How much later the true instant may be: the format with milliseconds omits the seconds. */
  slackMs: number
}

/**
 * The possible instants of a stamp; empty for an invalid one. The specification's text means seconds and a tenth, its
 * example milliseconds of the minute: both have 15 digits, so both are accepted.
 */
export function readingsOf(stamp: string): StampReading[] {
  if (!/^\d{15}$/.test(stamp)) return []
  const numberAt = (from: number, to: number): number => Number(stamp.slice(from, to))
  const day = numberAt(0, 2)
  const month = numberAt(2, 4)
  const year = numberAt(4, 8)
  const hour = numberAt(8, 10)
  const minute = numberAt(10, 12)
  const rest = numberAt(12, 15)
  const base = new Date(0)
  base.setUTCFullYear(year, month - 1, day)
  base.setUTCHours(hour, minute)
  const isReal =
    base.getUTCDate() === day && base.getUTCMonth() === month - 1 && base.getUTCHours() === hour && minute <= 59
  if (!isReal) return []
  const inMilliseconds = { at: base.getTime() + rest, slackMs: 60_000 }
  const inSeconds = { at: base.getTime() + rest * 100, slackMs: 0 }
  return rest < 600 ? [inSeconds, inMilliseconds] : [inMilliseconds]
}

/** Whether any reading of a stamp is within three minutes of now. */
export const isFresh = (stamp: string, now: Date): boolean =>
  readingsOf(stamp).some(({ at, slackMs }) => now.getTime() >= at - freshMs && now.getTime() <= at + slackMs + freshMs)
