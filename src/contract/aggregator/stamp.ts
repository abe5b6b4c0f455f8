// The timestamp of a redirection, which is also the salt of its key: 15 digits, UTC, good for three minutes (Sahamati redirection §reqdate).

/** How far a stamp may be from the reader's clock, either way. */
export const freshMs = 180_000

const two = (part: number): string => String(part).padStart(2, '0')

/** `ddMMyyyyHHmmss` and the tenth of the second, as running aggregators write it. */
export const stampOf = (at: Date): string =>
  two(at.getUTCDate()) +
  two(at.getUTCMonth() + 1) +
  String(at.getUTCFullYear()).padStart(4, '0') +
  two(at.getUTCHours()) +
  two(at.getUTCMinutes()) +
  two(at.getUTCSeconds()) +
  Math.floor(at.getUTCMilliseconds() / 100)

interface Reading {
  at: number
  /** How much later the true instant may be: the milliseconds reading leaves the seconds out. */
  slackMs: number
}

/**
 * The instants that a stamp may mean; empty when it is none. The specification's text reads as seconds and a tenth, its
 * example as milliseconds of the minute: both have 15 digits, so both are believed where both are possible.
 */
export function readingsOf(stamp: string): Reading[] {
  if (!/^\d{15}$/.test(stamp)) return []
  const numberAt = (from: number, to: number): number => Number(stamp.slice(from, to))
  const [day, month, year] = [numberAt(0, 2), numberAt(2, 4), numberAt(4, 8)] as const
  const [hour, minute, rest] = [numberAt(8, 10), numberAt(10, 12), numberAt(12, 15)] as const
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

/** Whether any reading of a stamp lies within three minutes of now. */
export const isFresh = (stamp: string, now: Date): boolean =>
  readingsOf(stamp).some(({ at, slackMs }) => now.getTime() >= at - freshMs && now.getTime() <= at + slackMs + freshMs)
