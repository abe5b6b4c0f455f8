// POST /gateway/search: stores a buyer app's broadcast search and forwards it to every lender.

import { fieldsOf } from '@lendloom/foundation/record'
import { invalid, Refusal } from '@lendloom/foundation/refusal'
import { doublingPauses } from '@lendloom/foundation/schedule'
import { readJson } from '@lendloom/http/body'
import { call } from '@lendloom/http/client'
import type { Api } from '@lendloom/http/server'
import { enqueue, type Job, type Worker, work } from '@lendloom/queue/queue'
import { uuidv7 } from '@lendloom/seal/id'
import {
  ack,
  actionUrl,
  contextFaults,
  dialectIn,
  expiresAt,
  type MessageContext,
  requireContext,
} from '@lendloom/wire/network/context'
import { nackCodes, refusedAs } from '@lendloom/wire/network/errors'
import { signatureHeader } from '@lendloom/wire/network/signing'
import { type Context, partyOf, route } from '#sandbox/core/context.ts'
import { verifySender } from '#sandbox/registry/lookup-route.ts'
import { findParticipants, isCurrent } from '#sandbox/registry/store.ts'
import { broadcastOf, storeBroadcast } from './store.ts'

const search = route({
  method: 'POST',
  path: '/gateway/search',
  section: 'FIS12 §2',
  summary: 'Forwards a signed search to every lender of the domain',
  accepts: 'raw',
  async handle({ raw, headers, at }, { db }) {
    const context = searchContext(readJson(raw))
    const { bap_id: buyer, domain } = context
    const claim = { raw, header: headers.authorization, at, sender: buyer, role: 'BAP' as const, domain }
    const sender = await verifySender(db, claim)
    if ('fault' in sender) throw new Refusal('bad-credential', `the signature is not valid: ${sender.fault}`)
    const expiry = expiresAt(context)
    if (expiry <= at) {
      const why = `the search is stale: its ttl ended at ${expiry.toISOString()}`
      throw new Refusal('wrong-state', why, { code: nackCodes.BG.stale, field: 'context.ttl' })
    }

    const lenders = (await findParticipants(db, { type: 'BPP', domain })).filter((each) => isCurrent(each, at))
    // A lender with several keys gets the search once, at its newest address.
    const addresses = new Map(lenders.map(({ subscriberId, subscriberUrl }) => [subscriberId, subscriberUrl]))
    await db.tx(async (tx) => {
      const broadcastId = uuidv7(at.getTime())
      const isNew = await storeBroadcast(tx, {
        broadcastId,
        bapId: context.bap_id,
        transactionId: context.transaction_id,
        messageId: context.message_id,
        authorizationHeader: String(headers.authorization),
        body: raw,
        expiresAt: expiry,
        receivedAt: at,
      })
      if (!isNew) return
      for (const [subscriberId, subscriberUrl] of addresses) {
        const payload = { broadcastId, subscriberUrl }
        await enqueue(tx, { tenantId: broadcastId, kind: forwardKind(subscriberId), payload, dueAt: at })
      }
    })
    return ack
  },
})

/** The valid context of a broadcast search. Throws `invalid` otherwise. */
function searchContext(body: unknown): MessageContext {
  const [first, ...more] = contextFaults(fieldsOf(body).context, 'context', dialectIn(body))
  if (first) throw invalid(first, ...more)
  const context = requireContext(body)
  if (context.action !== 'search') throw invalid({ path: 'context.action', message: 'must be search' })
  return context
}

export const gatewayId = 'gateway.sandbox.example'

/** Each lender has its own queue, so that a slow lender does not delay the others. */
const forwardKind = (subscriberId: string): string => `forward ${subscriberId}`

interface ForwardJob {
  broadcastId: string
  subscriberUrl: string
}

/**
 * Runs a worker per lender and adds one within seconds when a lender joins. A search that could not be delivered
 * within its TTL is dropped, because the buyer app no longer waits for answers.
 */
export function forwardWorker(ctx: Context): Worker {
  const workers = new Map<string, Worker>()
  const { db, log } = ctx

  async function addMissingWorkers(): Promise<void> {
    for (const { subscriberId } of await findParticipants(db, { type: 'BPP' }))
      if (!workers.has(subscriberId)) workers.set(subscriberId, forwardTo(ctx, subscriberId))
  }
  const addWorkersSafely = () =>
    addMissingWorkers().catch((error) => log.warn({ err: error }, 'could not read the list of lenders'))
  const initialRun = addWorkersSafely()
  const timer = setInterval(addWorkersSafely, 2000)
  return {
    async stop() {
      clearInterval(timer)
      await initialRun
      await Promise.all([...workers.values()].map((worker) => worker.stop()))
    },
  }
}

/** The retry schedule for a search, until its TTL ends. */
export const forwardSchedule = doublingPauses(1, 8)

const forwardTo = (ctx: Context, subscriberId: string): Worker =>
  work<ForwardJob>({
    kind: forwardKind(subscriberId),
    db: ctx.db,
    clock: ctx.clock,
    log: ctx.log,
    concurrency: 8,
    schedule: forwardSchedule,
    handle: (job) => forward(ctx, subscriberId, job),
  })

async function forward(
  { db, clock, log, parties }: Context,
  lender: string,
  { payload }: Job<ForwardJob>,
): Promise<void> {
  const broadcast = await broadcastOf(db, payload.broadcastId)
  const at = clock()
  if (at > broadcast.expiresAt) return log.warn({ lender }, 'a search was not delivered within its TTL')
  const gateway = partyOf(parties, gatewayId)
  const gatewaySignature = signatureHeader(broadcast.body, {
    subscriberId: gatewayId,
    uniqueKeyId: gateway.uniqueKeyId,
    privateKey: gateway.signing.privateKey,
    at,
  })
  const { status } = await call({
    method: 'POST',
    url: actionUrl(payload.subscriberUrl, 'search'),
    headers: {
      'content-type': 'application/json',
      authorization: broadcast.authorizationHeader,
      'x-gateway-authorization': gatewaySignature,
    },
    body: broadcast.body,
  })
  if (status >= 500) throw new Error(`the lender answered ${status}`)
  if (status !== 200) log.warn({ lender, status }, 'a lender refused a search')
}

export const gatewayApi: Api<Context> = { prefix: '/gateway', routes: [search], refuse: refusedAs('BG') }
