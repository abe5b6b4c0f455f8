// Sends events to the platform that owns the case. Every attempt signs the same bytes again (D3 §5, §8).

import { type OutboundEvent, outboxWorker, type ReceiverAnswer } from '@lendloom/event-log/outbox'
import { call, UnreachableError } from '@lendloom/http/client'
import type { Run } from '@lendloom/postgres/sql'
import type { Worker } from '@lendloom/queue/queue'
import { eventTimeoutMs } from '@lendloom/wire/exchange/envelope'
import { isReceipt } from '@lendloom/wire/exchange/event-receipt'
import { eventSchedule } from '@lendloom/wire/exchange/retry-schedules'
import { signedHeaders } from '@lendloom/wire/exchange/signature'
import type { Context } from '#partner/context.ts'
import type { Client } from './clients-setting.ts'

/** Finds the platform that sent a case, or the event that is answered if the case does not exist. */
export type FindSender = (db: Run, caseRef: string, answeredEventId: string | null) => Promise<string | undefined>

export const eventDeliveryWorker = (ctx: Context, findSender: FindSender): Worker =>
  outboxWorker({
    ...ctx,
    schedule: eventSchedule,
    timeScale: ctx.config.LENDLOOM_TIME_SCALE,
    post: (event) => post(ctx, findSender, event),
  })

/**
 * Sends an event once. Throws `UnreachableError` if there is no complete response in time, or if a success response is
 * not the receipt of this event.
 */
async function post(
  ctx: Context,
  findSender: FindSender,
  { partitionKey: caseRef, eventId, raw }: OutboundEvent,
): Promise<ReceiverAnswer> {
  const client = await findRecipient(ctx, findSender, caseRef, raw)
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
async function findRecipient(
  { db, config }: Context,
  findSender: FindSender,
  caseRef: string,
  raw: Buffer,
): Promise<Client> {
  const { data }: { data: { source_event_id?: string } } = JSON.parse(raw.toString('utf8'))
  const sender = await findSender(db, caseRef, data.source_event_id ?? null)
  const client = config.PARTNER_CLIENTS.find((each) => each.sender === sender)
  if (!client) throw new UnreachableError(`the platform ${sender ?? 'of this case'} is not in PARTNER_CLIENTS`)
  return client
}
