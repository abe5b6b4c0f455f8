// A refusal for where the journey stands says so in D2's words, with what can be done instead (D2 §7).

import { Refusal } from '#kit/http/refusal.ts'
import { isObject } from '#kit/runtime/narrow.ts'
import type { BorrowerOfApplication } from '#platform/access/headless/caller.ts'
import type { Context } from '#platform/context.ts'
import { statusIn } from './journey-wire.ts'
import { findJourneyRow } from './store.ts'

/** What was thrown, with the status of the journey among its details where it is a refusal for that. */
export async function withJourneyStatus(
  error: unknown,
  { db }: Context,
  { who, params }: { who: BorrowerOfApplication; params: unknown },
): Promise<unknown> {
  const journeyID = isObject(params) ? params.journeyID : undefined
  if (!(error instanceof Refusal) || error.kind !== 'wrong-state' || typeof journeyID !== 'string') return error
  const row = await findJourneyRow(db, who, journeyID)
  if (!row) return error
  const { status, nextAction, pendingOperations } = statusIn(row)
  return new Refusal(error.kind, error.message, { ...error.details, status, nextAction, pendingOperations })
}
