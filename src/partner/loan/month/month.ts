// Months of the business calendar, and how a loan stands at the end of one; pure.

import { plusDays } from '#kit/money/calendar.ts'

/** The last day of the month of a day. */
export const monthEndOf = (on: string): string => plusDays(firstOfNext(on), -1)

/** The last day of the month before. */
export const monthEndBefore = (on: string): string => plusDays(`${on.slice(0, 8)}01`, -1)

/** The first day of the month that is so many months later, or earlier when negative. */
export function monthPlus(on: string, months: number): string {
  const at = new Date(Date.UTC(Number(on.slice(0, 4)), Number(on.slice(5, 7)) - 1 + months, 1))
  return at.toISOString().slice(0, 10)
}

const firstOfNext = (on: string): string => monthPlus(on, 1)
