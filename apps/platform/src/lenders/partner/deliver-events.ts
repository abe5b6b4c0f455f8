// Stores outgoing events in the transaction that causes them, and delivers them to the case's partner (D3 §5, §8).

import { enqueueEvent, type OutboundEvent, outboxWorker, type ReceiverAnswer } from '@lendloom/event-log/outbox'
import { required } from '@lendloom/foundation/required'
import { UnreachableError } from '@lendloom/http/client'
import { operatorAlert } from '@lendloom/mail/mail'
import type { Worker } from '@lendloom/queue/queue'
import { bucketOf, uuidv7 } from '@lendloom/seal/id'
import { type DataOf, type EventType, entityOf, envelopeOf, eventTimeoutMs } from '@lendloom/wire/exchange/envelope'
import { isReceipt } from '@lendloom/wire/exchange/event-receipt'
import { eventSchedule } from '@lendloom/wire/exchange/retry-schedules'
import { signedHeaders } from '@lendloom/wire/exchange/signature'
import type { Context, TxContext } from '#platform/context.ts'
import { askPartner, type ExchangeContext, partnerOf, withPartner } from './call-partner.ts'
import { outgoingAt } from './directory/lending-partner.ts'
import type { PartnerCase } from './loan-case.ts'
import { keysOfCase } from './partner-look-ups.ts'

/** Concurrent deliveries to all partners; one partner gets at most half of them. */
const maxConcurrent = 64

export const eventDeliveryWorker = (ctx: Context): Worker =>
  outboxWorker({
    ...ctx,
    alert: operatorAlert('platform', ctx.config, ctx.log),
    schedule: eventSchedule,
    timeScale: ctx.config.LENDLOOM_TIME_SCALE,
    concurrency: maxConcurrent,
    post: async (event) => {
      const caseKey = required(await keysOfCase(ctx, event.partitionKey), 'the case of an event')
      return postEvent(await withPartner(ctx, caseKey), event)
    },
  })

/** Makes one delivery attempt. Throws `UnreachableError` on a timeout, and for a success without a receipt. */
export async function postEvent(ctx: ExchangeContext, { eventId, raw }: OutboundEvent): Promise<ReceiverAnswer> {
  const { keyId, secret } = outgoingAt(ctx.partner, ctx.clock())
  const answer = await askPartner(ctx, {
    method: 'POST',
    path: '/events',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': eventId,
      ...signedHeaders({ keyId, secret, at: ctx.clock(), raw }),
    },
    body: raw,
    timeoutMs: eventTimeoutMs,
  })
  const { status, headers } = answer
  if (status < 300 && !isReceipt(answer, eventId)) throw new UnreachableError(`answered ${status} without a receipt`)
  return { status, headers }
}

export interface EventContent<T extends EventType> {
  type: T
  data: DataOf<T>
}

type CaseKeys = Pick<PartnerCase, 'tenantId' | 'caseRef' | 'partnerId' | 'leadId' | 'loanId'>

/**
 * Enqueues an event with the case's next version and returns its id. The caller holds the journey's lock. Throws for an
 * invalid event, which is a bug.
 */
export async function sendEvent<T extends EventType>(
  ctx: TxContext,
  { tenantId, caseRef, partnerId, leadId, loanId }: CaseKeys,
  { type, data }: EventContent<T>,
): Promise<string> {
  const { tx, at } = ctx
  const eventId = uuidv7(at.getTime(), bucketOf(caseRef))
  const { ourSender: sender } = (await partnerOf(ctx, tx, { partnerId })).credentials
  const build = (entityVersion: number) =>
    envelopeOf({ type, eventId, occurredAt: at, sender, entityVersion, ids: { caseRef, leadId, loanId }, data })
  const event = { tenantId, partitionKey: caseRef, eventId, type, entityType: entityOf(type), entityId: caseRef }
  await enqueueEvent(tx, ctx.seal, { ...event, destinationId: partnerId, build }, at)
  return eventId
}
