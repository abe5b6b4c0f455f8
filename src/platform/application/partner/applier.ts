// Type of the functions that apply one type of event.
import type { EventOf, EventType } from '#contract/exchange/envelope.ts'
import type { TxContext } from '#platform/context.ts'
import type { CaseAndJourney } from './case-job.ts'

/** Throws a `Refusal` for the sender's mistakes and `PrerequisiteError` while a prerequisite may still arrive. */
export type Applier<T extends EventType> = (
  ctx: TxContext,
  caseAndJourney: CaseAndJourney,
  event: EventOf<T>,
) => Promise<void>
