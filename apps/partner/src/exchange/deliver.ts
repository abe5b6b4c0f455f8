// Sends events to the platform that owns the case. Every attempt signs the same bytes again (D3 §5, §8).

import { type OutboundEvent, outboxWorker, type ReceiverAnswer } from '@lendloom/event-log/outbox'
import { call, UnreachableError } from '@lendloom/http/client'
import type { Worker } from '@lendloom/queue/queue'
import { eventTimeoutMs, isReceipt } from '@lendloom/wire/exchange/envelope'
import { eventSchedule } from '@lendloom/wire/exchange/schedule'
import { signedHeaders } from '@lendloom/wire/exchange/signature'
import type { Context } from '#partner/context.ts'
import type { Client } from './client.ts'
import { senderOfCase } from './store.ts'

export const eventDeliveryWorker = (ctx: Context): Worker =>
  outboxWorker({
    ...ctx,
    schedule: eventSchedule,
    timeScale: ctx.config.LENDLOOM_TIME_SCALE,
    post: (event) => post(ctx, event),
  })

/**
 * Sends an event once. Throws `UnreachableError` if there is no complete response in time, or if a success response is
 * not the receipt of this event.
 */
async function post(ctx: Context, { partitionKey: caseRef, eventId, raw }: OutboundEvent): Promise<ReceiverAnswer> {
  const client = await findRecipient(ctx, caseRef, raw)
  const { webhook } = client
  const answer = await call({
    method: 'POST',
    url: webhook.url ?? ctx.config.PLATFORM_WEBHOOK_URL,
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${webhook.bearer}`,
      'idempotency-key': eventId,
      ...signedHeaders({ keyId: webhook.keyId, secret: webhook.secret, at: ctx.clock(), raw }),
    },
    body: raw,
    timeoutMs: eventTimeoutMs,
  })
  const { status, headers } = answer
  if (status < 300 && !isReceipt(answer, eventId)) throw new UnreachableError(`answered ${status} without a receipt`)
  return { status, headers }
}

/**
 * Returns the platform that owns the case. Throws `UnreachableError`, which postpones the event, if the platform is not
 * in `PARTNER_CLIENTS`.
 */
async function findRecipient({ db, config }: Context, caseRef: string, raw: Buffer): Promise<Client> {
  const { data }: { data: { source_event_id?: string } } = JSON.parse(raw.toString('utf8'))
  const sender = await senderOfCase(db, caseRef, data.source_event_id ?? null)
  const client = config.PARTNER_CLIENTS.find((each) => each.sender === sender)
  if (!client) throw new UnreachableError(`the platform ${sender ?? 'of this case'} is not in PARTNER_CLIENTS`)
  return client
}
