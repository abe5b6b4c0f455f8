// An event that was stored and cannot be applied: the partner is told why, and never in answer to such an answer (D3 §6 rule 6).

import { failureOf } from '#contract/exchange/failure.ts'
import type { Refusal } from '#kit/http/refusal.ts'
import type { Received } from '#kit/messaging/inbox.ts'
import { alerting } from '#kit/runtime/mail.ts'
import { required } from '#kit/runtime/required.ts'
import type { TxContext } from '#platform/context.ts'
import { sendEvent } from '#platform/exchange/send.ts'
import { findCase } from '#platform/exchange/store.ts'
import { lockJourney } from '#platform/journey/store.ts'

/**
 * Tells the partner, in the transaction that marks the event failed, and operators, who may have to ask it for a corrected
 * one. Before registration both of its ids are null.
 */
export async function reportFailure(ctx: TxContext, event: Received, refusal: Refusal): Promise<void> {
  const { tx, at } = ctx
  const { tenantId, partitionKey: caseRef, eventId, type } = event
  const alert = alerting('platform', ctx.config, ctx.log)
  alert('an event of the partner could not be applied', { caseRef, eventId, type, why: reasonOf(refusal) })
  if (type === 'EVENT_PROCESSING_FAILED') return
  const place = await findCase(tx, { tenantId, caseRef })
  if (!place) return
  await lockJourney(tx, tenantId, place.journeyId)
  // Read again under the lock: the ids may have been learned meanwhile.
  const application = required(await findCase(tx, place), 'the case of a locked journey')
  const data = failureOf(eventId, refusal, at)
  await sendEvent(ctx, application, { type: 'EVENT_PROCESSING_FAILED', data })
}

/** A refusal of fields names them. */
const reasonOf = ({ message, details: { fields = [] } }: Refusal): string =>
  fields.length === 0 ? message : fields.map(({ path, message }) => `${path} ${message}`).join('; ')
