// POST /ondc/on_{action}: verifies, stores and acknowledges a callback, which a worker applies later (FIS12 §3, §5).

import { cache, perDatabase } from '@lendloom/foundation/cache'
import { required } from '@lendloom/foundation/required'
import { groupCommit } from '@lendloom/postgres/shared-commit'
import type { Db } from '@lendloom/postgres/sql'
import { ack, dialectIn } from '@lendloom/wire/network/context'
import { type Callback, callbacks } from '@lendloom/wire/network/sequence'
import { type Context, route } from '#platform/context.ts'
import { acceptedDialect, dialectReaders } from '#platform/lenders/network/dialect.ts'
import {
  type ReceivedCallback,
  type ReceiveResult,
  receiveCallback,
} from '#platform/lenders/network/receive-callback.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import { lockJourney } from '#platform/lending/journey/store.ts'
import {
  evidenceHeaders,
  lenderAuth,
  receiveSigned,
  type VerifiedCallback,
  validateCallback,
} from './verified-callback.ts'

export const onCallbacks = callbacks.map((action) =>
  route({
    method: 'POST',
    path: `/ondc/${action}`,
    section: 'FIS12 §3.1',
    summary: `Receives a lender's ${action}`,
    auth: lenderAuth,
    accepts: 'raw',
    maxBytes: 1 << 20,
    hidden: true,
    async handle({ who: sender, ...arrival }, ctx) {
      await receiveSigned(ctx, action, { sender, arrival }, (verified) => receiveLoanCallback(action, verified))
      return ack
    },
  }),
)

interface Arrived {
  received: ReceivedCallback
  at: Date
}

type CallbackStore = (arrived: Arrived) => Promise<ReceiveResult>

/** A callback has up to 1 MiB. */
const groupLimits = {
  concurrency: 1,
  maxItems: 64,
  weigh: ({ received }: Arrived) => received.raw.length,
  maxWeight: 4 << 20,
}

/** An evicted group still completes. The next callback of its journey starts a new group. */
const groupCache = { name: 'callback-groups', maxBytes: 4 << 20, lifetimeMs: 60_000, weigh: () => 2000 }

const groupsOfJourneys = perDatabase((_: { db: Db }) => cache<CallbackStore>(groupCache))

/**
 * Stores the callbacks that reach a journey at the same time in one transaction. Hundreds of lenders answer a search
 * within a second: each in a transaction of its own would wait for the journey's lock with a connection in its hands,
 * and leave none for other journeys. A callback that is refused is stored apart, so that it fails no other.
 */
function groupOf(ctx: Context, { tenantId, journeyId }: Journey): CallbackStore {
  const groups = groupsOfJourneys(ctx)
  const store =
    groups.get(journeyId) ??
    groupCommit(
      (arrivals: Arrived[]) =>
        ctx.db.tx(async (tx) => {
          const journey = required(await lockJourney(tx, tenantId, journeyId), 'the journey of a callback')
          const results: ReceiveResult[] = []
          for (const { received, at } of arrivals)
            results.push(await receiveCallback({ ...ctx, tx, at }, journey, received))
          return results
        }),
      groupLimits,
    )
  groups.set(journeyId, store)
  return store
}

async function receiveLoanCallback(action: Callback, verified: VerifiedCallback): Promise<ReceiveResult> {
  const { ctx, sender, body, arrival } = verified
  const { context, message, journey } = validateCallback(verified, (journey) =>
    // Without a journey the message is judged in its own version, so that the fault is named and not the version.
    dialectReaders[journey ? acceptedDialect(journey, body) : dialectIn(body)].bodyFaults(action, body),
  )
  const { raw, at } = arrival
  const received = { action, context, message, raw, headers: evidenceHeaders(arrival) }
  const receipt = await groupOf(ctx, journey)({ received, at })
  if (receipt === 'late') ctx.log.warn({ party: sender, action, code: '80214' }, 'a callback arrived after its ttl')
  return receipt
}
