// Time comes in as an argument; this is where it comes from.

/** Gives the present instant. Programs pass one down; tests pass their own. */
export type Clock = () => Date

export const systemClock: Clock = () => new Date()

export const secondsAfter = (at: Date, seconds: number): Date => new Date(at.getTime() + seconds * 1000)

export const daysAfter = (at: Date, days: number): Date => secondsAfter(at, days * 86_400)

const centuryMs = 100 * 365 * 86_400_000

/**
 * Milliseconds of an ISO 8601 duration such as `PT30S`, `P15D` or `P1M` (30 days); null when it is not one, or longer than
 * a century: no instant may lie where a `Date` cannot reach.
 */
export function durationMs(text: string): number | null {
  const match =
    /^P(?=.)(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/.exec(
      text,
    )
  if (!match) return null
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0))
  const ms = ((((years * 365 + months * 30 + weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000
  return ms <= centuryMs ? ms : null
}
