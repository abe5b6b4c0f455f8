// Forwards kept searches: the same bytes with the gateway's own signature beside the sender's, one queue for each lender.

import { endpoint } from '#contract/network/context.ts'
import { signatureHeader } from '#contract/network/signing.ts'
import { call } from '#kit/http/client.ts'
import { type Job, type Worker, work } from '#kit/messaging/queue.ts'
import { doubling } from '#kit/messaging/schedule.ts'
import { type Context, partyOf } from '#sandbox/core/context.ts'
import { networkDomain } from '#sandbox/registry/participant.ts'
import { findParticipants } from '#sandbox/registry/store.ts'
import { broadcastOf } from './store.ts'

export const gatewayId = 'gateway.sandbox.example'

/** A lender's own queue: however slow it is, the others' searches do not wait behind it. */
export const forwardKind = (subscriberId: string): string => `forward ${subscriberId}`

interface Forward {
  broadcastId: string
  subscriberUrl: string
}

/**
 * Works the queues of all lenders; a lender that joins later gets its queue within seconds. The ttl of a search is the
 * time in which answers are waited for, so a search that could not be delivered by then is dropped.
 */
export function forwarding(ctx: Context): Worker {
  const workers = new Map<string, Worker>()
  const { db, log } = ctx

  async function collectDue(): Promise<void> {
    for (const { subscriberId } of await findParticipants(db, { type: 'BPP', domain: networkDomain }))
      if (!workers.has(subscriberId)) workers.set(subscriberId, forwardTo(ctx, subscriberId))
  }
  const lookSafely = () => collectDue().catch((error) => log.warn({ err: error }, 'could not look for new lenders'))
  const first = lookSafely()
  const timer = setInterval(lookSafely, 2000)
  return {
    async stop() {
      clearInterval(timer)
      await first
      await Promise.all([...workers.values()].map((worker) => worker.stop()))
    },
  }
}

const forwardTo = (ctx: Context, subscriberId: string): Worker =>
  work<Forward>({
    kind: forwardKind(subscriberId),
    db: ctx.db,
    clock: ctx.clock,
    log: ctx.log,
    concurrency: 8,
    schedule: doubling(1, 8),
    handle: (job) => forward(ctx, subscriberId, job),
  })

async function forward({ db, clock, log, parties }: Context, lender: string, { payload }: Job<Forward>): Promise<void> {
  const broadcast = await broadcastOf(db, payload.broadcastId)
  const at = clock()
  if (at > broadcast.expiresAt) return log.warn({ lender }, 'a search was not delivered in its time')
  const gateway = partyOf(parties, gatewayId)
  const signed = signatureHeader(broadcast.body, {
    subscriberId: gatewayId,
    uniqueKeyId: gateway.uniqueKeyId,
    privateKey: gateway.signing.privateKey,
    at,
  })
  const { status } = await call({
    method: 'POST',
    url: endpoint(payload.subscriberUrl, 'search'),
    headers: {
      'content-type': 'application/json',
      authorization: broadcast.authorizationHeader,
      'x-gateway-authorization': signed,
    },
    body: broadcast.body,
  })
  if (status >= 500) throw new Error(`the lender answered ${status}`)
  if (status !== 200) log.warn({ lender, status }, 'a lender turned a search away')
}
