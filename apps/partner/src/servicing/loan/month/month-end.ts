// Month-ends: the last days of the months, as calendar days.

import { plusDays } from '@lendloom/lending/calendar'

export const monthEndOf = (on: string): string => plusDays(firstOfNext(on), -1)

/** Returns the last day of the previous month. */
export const monthEndBefore = (on: string): string => plusDays(`${on.slice(0, 8)}01`, -1)

/** Returns the first day of the month that is `months` later, or earlier when negative. */
export function monthPlus(on: string, months: number): string {
  const at = new Date(Date.UTC(Number(on.slice(0, 4)), Number(on.slice(5, 7)) - 1 + months, 1))
  return at.toISOString().slice(0, 10)
}

const firstOfNext = (on: string): string => monthPlus(on, 1)
