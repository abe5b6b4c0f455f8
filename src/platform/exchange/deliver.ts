// Delivers our events, each to the partner of its case: the stored bytes, signed afresh for each try (D3 §5, §8).
import { eventTimeoutMs, isReceipt } from '#contract/exchange/envelope.ts'
import { eventSchedule } from '#contract/exchange/schedule.ts'
import { signedHeaders } from '#contract/exchange/signature.ts'
import { Unreached } from '#kit/http/client.ts'
import { type Answer, delivering, type OutboundEvent } from '#kit/messaging/outbox.ts'
import type { Worker } from '#kit/messaging/queue.ts'
import { alerting } from '#kit/runtime/mail.ts'
import { required } from '#kit/runtime/required.ts'
import type { Context } from '#platform/context.ts'
import { askPartner, type ExchangeContext, withPartner } from './call.ts'
import { placeOfCase } from './known-case.ts'
import { outgoingAt } from './partner.ts'

/** At once, to all partners together; to one of them half as many. */
const mostTries = 64

export const deliveringEvents = (ctx: Context): Worker =>
  delivering({
    ...ctx,
    alert: alerting('platform', ctx.config, ctx.log),
    schedule: eventSchedule,
    timeScale: ctx.config.LENDLOOM_TIME_SCALE,
    concurrency: mostTries,
    post: async (event) => {
      const place = required(await placeOfCase(ctx, event.partitionKey), 'the case of an event')
      return postEvent(await withPartner(ctx, place), event)
    },
  })

/** One try. Throws `Unreached` when no whole answer came in time, or a success that is no receipt of this event. */
export async function postEvent(ctx: ExchangeContext, { eventId, raw }: OutboundEvent): Promise<Answer> {
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
  if (status < 300 && !isReceipt(answer, eventId)) throw new Unreached(`answered ${status} without a receipt`)
  return { status, headers }
}
