// Delivers lifecycle updates: signed at each attempt, in order per journey and destination.

import { secondsAfter } from '@lendloom/foundation/clock'
import { counter, gauge, histogram } from '@lendloom/foundation/metrics'
import { continueTrace, type SpanFacts } from '@lendloom/foundation/trace'
import type { Tx } from '@lendloom/postgres/sql'
import { type AttemptOutcome, type AttemptResult, deliverMessages } from '@lendloom/queue/delivery-engine'
import type { Worker } from '@lendloom/queue/worker-loop'
import type { Context } from '#platform/context.ts'
import { openAccess } from '#platform/integrators/webhook/endpoint/endpoint-access.ts'
import { type SealedSecrets, secretsOf } from '#platform/integrators/webhook/endpoint/endpoint-secret.ts'
import {
  bodyContext,
  callbackContext,
  type DueDelivery,
  deliveryQueue,
  type LeasedDelivery,
  leaseSeconds,
  nextTry,
  versionOf,
} from './delivery.ts'
import type { DeliveryPolicy } from './delivery-policy.ts'
import { disableEndpoint, secretsOfApplications } from './endpoint/store.ts'
import { postSigned } from './post-signed.ts'
import { claimDeliveries, deliveryTable, type Owner, recordAttempts, replayDelivery, stopDeliveries } from './store.ts'

export type WorkerDeps = Pick<Context, 'db' | 'seal' | 'clock' | 'log'>

interface ClaimedDelivery extends LeasedDelivery {
  /** The endpoint's secrets; for a callback, those of all endpoints of its application. */
  secrets: SealedSecrets[]
}

const oldest = gauge(
  'webhook_due_oldest_seconds',
  'How long the oldest update that could be sent has waited: since it was created, or since its next try was due',
)
const tries = counter('webhook_tries_total', 'Tries to deliver a lifecycle update', ['outcome'])
tries.inc({ outcome: 'EXHAUSTED' }, 0)
const firstTry = histogram(
  'webhook_first_try_seconds',
  'From the commit of an update to its first try',
  [],
  [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 60],
)

/** Starts the delivery worker. After a crash a delivery is repeated with the same `webhook-id`. */
export function webhookDeliveryWorker(deps: WorkerDeps, policy: DeliveryPolicy, graceMs?: number): Worker {
  const { db, seal } = deps
  return deliverMessages<DueDelivery, ClaimedDelivery>(
    {
      ...deps,
      policy,
      leaseSeconds,
      oldest,
      tries,
      queue: deliveryQueue,
      concurrency: 1024,
      givenUpState: 'EXHAUSTED',
      rows: deliveryTable,
      leaseDue: async (due, leaseUntil) => withSecrets(db, await claimDeliveries(db, due, leaseUntil)),
      attempt: (claimed, at) => continueTrace(claimed, spanOf(claimed), () => attempt(deps.seal, claimed, policy, at)),
      nextTry: (failedTry) => nextTry(policy, { ...failedTry, random: Math.random() }),
      record: (run, results) => recordAttempts(run, seal, results),
      stop,
      factsOf: ({ tenantId, eventId, journeyId, destinationId, sequence, status, correlationId }) => ({
        tenantId,
        eventId,
        journeyId,
        destinationId,
        sequence,
        status,
        correlationId,
      }),
    },
    graceMs,
  )
}

const spanOf = ({ eventId, status, attempt }: ClaimedDelivery): SpanFacts => ({
  name: `deliver ${status}`,
  kind: 'producer',
  attributes: { 'lendloom.event_id': eventId, 'lendloom.attempt': attempt + 1 },
})

async function withSecrets(db: Context['db'], claimed: LeasedDelivery[]): Promise<ClaimedDelivery[]> {
  const owners = new Map(claimed.filter((one) => one.callbackUrlSealed !== null).map((one) => [one.applicationId, one]))
  const shared = owners.size > 0 ? await secretsOfApplications(db, [...owners.values()]) : []
  return claimed.map((delivery) => ({
    ...delivery,
    secrets:
      delivery.callbackUrlSealed === null
        ? ownSecrets(delivery)
        : shared.filter((one) => isSameApplication(one, delivery)),
  }))
}

const isSameApplication = (owner: Owner, delivery: Owner): boolean =>
  owner.tenantId === delivery.tenantId && owner.applicationId === delivery.applicationId

export function ownSecrets({
  destinationId,
  secretSealed,
  oldSecretSealed,
  oldSecretUntil,
}: LeasedDelivery): SealedSecrets[] {
  return secretSealed === null ? [] : [{ endpointId: destinationId, secretSealed, oldSecretSealed, oldSecretUntil }]
}

async function attempt(
  seal: WorkerDeps['seal'],
  claimed: ClaimedDelivery,
  policy: DeliveryPolicy,
  at: Date,
): Promise<AttemptOutcome> {
  const url = addressOf(seal, claimed)
  if (url === null)
    return { outcome: 'absent', answer: 'the endpoint was removed or disabled', retryAfter: null, body: null }
  const { tenantId, eventId, correlationId, gap, status } = claimed
  if (claimed.attempt === 0) firstTry.observe({}, (at.getTime() - claimed.createdAt.getTime()) / 1000)
  const secrets = claimed.secrets.flatMap((each) => secretsOf(seal, tenantId, each, at))
  const body = seal.open(claimed.bodySealed, bodyContext(claimed))
  // A callback has no endpoint of which it could be.
  const access = openAccess(seal, { tenantId, endpointId: claimed.destinationId, accessSealed: claimed.accessSealed })
  return postSigned({ url, eventId, secrets, body, correlationId, gap, access, version: versionOf(status) }, policy, at)
}

function addressOf(seal: WorkerDeps['seal'], { url, callbackUrlSealed, ...update }: ClaimedDelivery): string | null {
  return callbackUrlSealed === null ? url : seal.open(callbackUrlSealed, callbackContext(update)).toString('utf8')
}

/**
 * After a 410 response, or if the endpoint is absent, stops its deliveries. For a callback, stops only the journey's.
 * If the endpoint was changed or resumed during the attempt, it stays enabled and retries the update.
 */
async function stop(tx: Tx, { message, wasSent, answer, at }: AttemptResult<LeasedDelivery>): Promise<void> {
  const { tenantId, destinationId, journeyId, callbackUrlSealed, url } = message
  const why = wasSent ? `answered ${answer}` : answer
  if (callbackUrlSealed !== null) return stopDeliveries(tx, { tenantId, destinationId, journeyId, why })
  if (wasSent) await disableEndpoint(tx, { tenantId, endpointId: destinationId, url, why, at })
  const isEnabled = (await replayDelivery(tx, message, at, secondsAfter(at, leaseSeconds))) !== undefined
  if (isEnabled) return tx.wake(deliveryQueue)
  await stopDeliveries(tx, { tenantId, destinationId, journeyId: null, why })
}
