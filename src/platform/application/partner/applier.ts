// The effect of one type of event, in the transaction that marks it as applied.
import type { EventOf, EventType } from '#contract/exchange/envelope.ts'
import type { Tx } from '#kit/db/sql.ts'
import type { Context } from '#platform/context.ts'
import type { Concerned } from './case-job.ts'

/** Throws a `Refusal` for what the sender got wrong, and `NotYet` for what may still come. */
export type Applier<T extends EventType> = (
  tx: Tx,
  ctx: Context,
  concerned: Concerned,
  event: EventOf<T>,
  at: Date,
) => Promise<void>
