// The count of a day's messages by the state of their reports, for the console and the metrics.

import { businessDate, plusDays, startOf } from '@lendloom/lending/calendar'
import type { Run } from '@lendloom/postgres/sql'
import { countReports } from './store.ts'

export const periodOf = (day: string) => ({ from: startOf(day), until: startOf(plusDays(day, 1)) })

/** Today and yesterday in India: reports of a day are due in the next night. */
export function recentDays(at: Date): string[] {
  const today = businessDate(at)
  return [today, plusDays(today, -1)]
}

export const countDays = (db: Run, days: readonly string[], at: Date) =>
  Promise.all(days.map(async (day) => ({ day, ...(await countReports(db, periodOf(day), at)) })))
