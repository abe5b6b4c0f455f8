// Sets up tests of webhook deliveries: a database, one application, and a worker with short intervals.

import { randomInt } from 'node:crypto'
import { after } from 'node:test'
import { systemClock } from '@lendloom/foundation/clock'
import { quietLog } from '@lendloom/foundation/log'
import { doublingPauses, schedule } from '@lendloom/foundation/schedule'
import type { WorkerDeps } from '@lendloom/platform/src/integrators/webhook/deliver-updates.ts'
import {
  type DeliveryRow,
  deliveryOf,
  deliveryQueue,
  noFilter,
} from '@lendloom/platform/src/integrators/webhook/delivery.ts'
import { type DeliveryPolicy, sandboxPolicy } from '@lendloom/platform/src/integrators/webhook/delivery-policy.ts'
import { registerEndpoint } from '@lendloom/platform/src/integrators/webhook/manage-endpoints.ts'
import { insertDeliveries, listDeliveries, type Owner } from '@lendloom/platform/src/integrators/webhook/store.ts'
import { connect } from '@lendloom/postgres/sql'
import { isTransient } from '@lendloom/postgres/src/transaction.ts'
import { bucketOf, buckets, uuidv4, uuidv7 } from '@lendloom/seal/id'
import { newSealKey, sealWith } from '@lendloom/seal/seal'
import type { LifecycleStatus } from '@lendloom/wire/hosted/lifecycle'
import { testDatabase } from './database.ts'
import { deadlineMs } from './deadline.ts'
import { until } from './programs.ts'

/** As in the sandbox, with attempts in immediate succession. */
export const immediateRetries = {
  ...sandboxPolicy,
  schedule: schedule(Array<string>(4).fill('PT0.02S'), 'give up'),
  pauseSchedule: doublingPauses(0.05, 0.1),
} satisfies DeliveryPolicy

export interface Webhooks extends WorkerDeps {
  /** A journey with an existing row, which is locked when an update is added. */
  journey(): Promise<string>
  databaseUrl: string
  keys: string
  owner: Owner
  /** Commits a journey update as `advance` would. */
  update(
    journeyId: string,
    sequence: number,
    options?: { status?: LifecycleStatus; callbackUrl?: string; at?: Date },
  ): Promise<string>
  endpoint(url: string, statuses?: LifecycleStatus[]): Promise<{ endpointId: string; secret: string }>
  deliveries(): Promise<DeliveryRow[]>
  /** Removes every endpoint and delivery. */
  clear(): Promise<void>
  /** Wakes the delivery worker, and resolves when it has looked for due deliveries. */
  poll(): Promise<void>
  /** Resolves when no delivery is pending. */
  waitUntilSettled(): Promise<DeliveryRow[]>
}

/** Called at the start of a test file. */
export async function webhookFixture(): Promise<Webhooks> {
  const databaseUrl = await testDatabase('platform')
  const keys = newSealKey('t1')
  const db = connect(databaseUrl, { connections: 4 })
  after(() => db.close())
  const deps: WorkerDeps = { db, seal: sealWith(keys), clock: systemClock, log: quietLog }
  const owner = { tenantId: uuidv4(), applicationId: uuidv4() }
  const deliveries = async () => (await listDeliveries(db, owner, noFilter, 1000)).reverse()
  return {
    ...deps,
    databaseUrl,
    keys,
    owner,
    deliveries,
    async clear() {
      await db`truncate webhook_delivery, webhook_endpoint, webhook_try, webhook_replay, webhook_replay_journey`
    },
    async journey() {
      const journeyId = uuidv7(Date.now(), randomInt(buckets))
      const at = new Date()
      await db`insert into journey ${db({ bucket: bucketOf(journeyId), ...owner, journeyId, borrowerId: uuidv4(bucketOf(journeyId)), type: 'ANY', status: 'STARTED', active: true, networkTransactionId: uuidv4(bucketOf(journeyId)), lastBorrowerActAt: at, createdAt: at, updatedAt: at })}`
      return journeyId
    },
    async update(journeyId, sequence, { status = 'STARTED', callbackUrl, at = new Date() } = {}) {
      const eventId = uuidv7(Date.now(), bucketOf(journeyId))
      const body = Buffer.from(JSON.stringify({ journeyId, sequence, status }))
      const update = { ...owner, journeyId, sequence, status, eventId }
      await db.tx(async (tx) => {
        await tx`select 1 from journey where bucket = ${bucketOf(journeyId)} and tenant_id = ${owner.tenantId} and journey_id = ${journeyId} for update`
        await insertDeliveries(tx, deliveryOf(deps, update, body, callbackUrl ?? null), at)
      })
      return eventId
    },
    async endpoint(url, statuses) {
      const subscription = { url, statuses: statuses ?? null }
      const { endpoint, secret } = await db.tx((tx) =>
        registerEndpoint(tx, deps.seal, owner, { ...subscription, at: new Date() }),
      )
      return { endpointId: endpoint.endpointId, secret }
    },
    async poll() {
      // The second poll begins when the first has ended.
      for (let i = 0; i < 2; i++) {
        const before = db.statements
        db.wake(deliveryQueue)
        await until('the delivery worker to look for due deliveries', () => db.statements > before)
      }
    },
    async waitUntilSettled() {
      for (const deadline = Date.now() + deadlineMs; ; ) {
        // A test that cuts every connection may also cut this one.
        const all = await deliveries().catch((error) => (isTransient(error) ? null : Promise.reject(error)))
        if (all?.every(({ state }) => state !== 'PENDING')) return all
        if (Date.now() > deadline) throw new Error(`still pending after ${deadlineMs} ms`)
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    },
  }
}
