// Delivers our events to the partner: the stored bytes, signed afresh for each try (D3 §5, §8).
import { eventTimeoutMs } from '#contract/exchange/envelope.ts'
import { isReceipt } from '#contract/exchange/receipt.ts'
import { signedHeaders } from '#contract/exchange/signature.ts'
import { alerting } from '#kit/mail.ts'
import { type Answer, delivering, type Letter } from '#kit/outbox.ts'
import type { Worker } from '#kit/queue.ts'
import type { World } from '#platform/world.ts'
import { askPartner, credentialsOf } from './call.ts'

export const deliveringEvents = (world: World): Worker =>
  delivering({
    ...world,
    alert: alerting('platform', world.config, world.log),
    timeScale: world.config.LENDLOOM_TIME_SCALE,
    post: (letter) => postEvent(world, letter),
  })

/** One try. Throws when no whole answer came in time, or a success that is no receipt of this event. */
export async function postEvent(world: World, { eventId, raw }: Letter): Promise<Answer> {
  const { keyId, secret } = credentialsOf(world)
  const answer = await askPartner(world, {
    method: 'POST',
    path: '/events',
    headers: {
      'content-type': 'application/json',
      'idempotency-key': eventId,
      ...signedHeaders({ keyId, secret, at: world.clock(), raw }),
    },
    body: raw,
    timeoutMs: eventTimeoutMs,
  })
  const { status, headers } = answer
  if (status < 300 && !isReceipt(answer, eventId)) throw new Error(`answered ${status} without a receipt`)
  return { status, headers }
}
