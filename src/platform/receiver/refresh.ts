// Asks the partner where a case stands, and takes over what it says: an event that was lost is made good by it (D3 §4.4).
import { isFresh, type Status } from '#contract/exchange/status.ts'
import { type Job, Later, type Worker, work } from '#kit/queue.ts'
import type { Tx } from '#kit/sql.ts'
import { NotAnswered, WrongAnswer } from '#platform/exchange/call.ts'
import type { PartnerCase } from '#platform/exchange/case.ts'
import {
  chasePartner,
  fetchStatus,
  keepStatus,
  type StatusJob,
  staleBecause,
  statusKind,
} from '#platform/exchange/status.ts'
import { findCase } from '#platform/exchange/store.ts'
import type { World } from '#platform/world.ts'
import { type Concerned, underCase } from './case-job.ts'
import { takeStatus } from './take-status.ts'

export const refreshing = (world: World): Worker =>
  work<StatusJob>({ kind: statusKind, ...world, handle: (job) => refresh(world, job) })

async function refresh(world: World, job: Job<StatusJob>): Promise<void> {
  const { caseRef, chase } = job.payload
  const kase = await findCase(world.db, { tenantId: job.tenantId, caseRef })
  // Who has moved on since need not be chased.
  if (!kase || kase.stage === 'ENDED' || (chase && kase.stage !== chase.stage)) return
  const status = await asked(world, job, () => freshStatus(world, kase))
  await underCase(world, job, async (tx, concerned, at) => {
    const now = status === null ? concerned : await taken(tx, world, concerned, status, at)
    if (chase && now.kase.stage === chase.stage) await chasePartner(tx, world, now.kase, at, chase.round + 1)
  })
}

/** Where money has moved nothing older than fifteen minutes counts: a later snapshot is waited for (D3 §4.4, §8). */
async function freshStatus(world: World, kase: PartnerCase): Promise<Status | null> {
  const status = await fetchStatus(world, kase)
  if (status?.case_status === 'DISBURSED' && !isFresh(status, world.clock()))
    throw new WrongAnswer(`the snapshot is of ${status.snapshot_at}, which is too old for money`)
  return status
}

/** A snapshot that contradicts itself is not believed; a later one may be whole (D3 §4.4). */
async function asked<T>({ log, config }: World, job: Job<StatusJob>, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof NotAnswered || error instanceof WrongAnswer)) throw error
    log.warn({ caseRef: job.payload.caseRef, why: error.message }, 'the status of a case was not taken')
    const wish = error instanceof NotAnswered ? (error.retryAfterSeconds ?? 0) : 0
    const own = Math.min(config.PARTNER_STATUS_SECONDS * 2 ** (job.attempt - 1), 3600)
    throw new Later(Math.max(own, wish), error.message)
  }
}

async function taken(tx: Tx, world: World, { kase, journey }: Concerned, status: Status, at: Date): Promise<Concerned> {
  const stale = staleBecause(kase, status)
  if (stale !== null) {
    world.log.info({ caseRef: kase.caseRef, stale }, 'an older snapshot was not taken')
    return { kase, journey }
  }
  const kept = await keepStatus(tx, world, kase, status, at)
  return takeStatus(tx, world, { kase: kept, journey }, status, at)
}
