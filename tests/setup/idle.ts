// A wait that proves that nothing more happens: until everything that could act has run.

import type { Clock } from '@lendloom/foundation/clock'
import type { Run } from '@lendloom/postgres/sql'
import { until } from './programs.ts'

/** Waits until every due job of this kind has run. Jobs that wait for a later attempt do not count. */
export const untilJobsHaveRun = ({ db, clock }: { db: Run; clock: Clock }, kind: string): Promise<boolean> =>
  until(`every due job of ${kind} to have run`, async () => {
    const unfinished = await db`
      select from job where kind = ${kind} and (due_at <= ${clock()} or unanswered_claims > 0) limit 1`
    return unfinished.length === 0
  })
