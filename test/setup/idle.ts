// Waits that prove that nothing more happens: until everything that could act has run, or waits for a lock.

import type { Run } from '#kit/db/sql.ts'
import type { Clock } from '#kit/runtime/clock.ts'
import { until } from './programs.ts'

/** Waits until every due job of this kind has run. Jobs that wait for a later attempt do not count. */
export const untilJobsHaveRun = ({ db, clock }: { db: Run; clock: Clock }, kind: string): Promise<boolean> =>
  until(`every due job of ${kind} to have run`, async () => {
    const unfinished = await db`
      select from job where kind = ${kind} and (due_at <= ${clock()} or unanswered_claims > 0) limit 1`
    return unfinished.length === 0
  })

/** Waits until this many transactions wait for a lock, or until one of those that should wait has finished. */
export const untilLocked = (db: Run, count: number, isOver: () => boolean): Promise<boolean> =>
  until(`${count} transactions to wait for a lock`, async () => {
    const waiting = await db`
      select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`
    return isOver() || waiting.length >= count
  })
