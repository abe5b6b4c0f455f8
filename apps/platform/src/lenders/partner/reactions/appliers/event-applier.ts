// The type of a function that applies the partner's events of one type.
import type { EventOf, EventType } from '@lendloom/wire/exchange/envelope'
import type { TxContext } from '#platform/context.ts'
import type { CaseAndJourney } from '#platform/lenders/partner/reactions/lock-case.ts'

/** Throws a `Refusal` for a faulty event, and a `PrerequisiteError` if an earlier event may still arrive. */
export type EventApplier<T extends EventType> = (
  ctx: TxContext,
  caseAndJourney: CaseAndJourney,
  event: EventOf<T>,
) => Promise<void>
