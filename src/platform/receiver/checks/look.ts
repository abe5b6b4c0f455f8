// Looks after sessions at providers: a callback may never come, so each is asked for ever more rarely until it has ended (D3 §6).
import { secondsAfter } from '#kit/clock.ts'
import { enqueue, type Job, type Worker, work } from '#kit/queue.ts'
import { Refusal } from '#kit/refusal.ts'
import type { Tx } from '#kit/sql.ts'
import type { CheckKind, PartnerCheck } from '#platform/exchange/check.ts'
import { findCase, listChecks } from '#platform/exchange/store.ts'
import { type Concerned, underCase } from '#platform/receiver/case-job.ts'
import type { World } from '#platform/world.ts'
import { standingAt } from './begin.ts'
import { endingOf } from './standing.ts'
import { takeStanding } from './take.ts'

const kind = 'partner-check'

interface Look {
  caseRef: string
  check: CheckKind
  attempt: number
  round: number
}

const waits = [5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600]

export function scheduleLook(
  tx: Tx,
  { tenantId, caseRef, kind: check, attempt }: PartnerCheck,
  round: number,
  at: Date,
): Promise<void> {
  const payload: Look = { caseRef, check, attempt, round }
  const dueAt = secondsAfter(at, waits[round - 1] ?? 21_600)
  return enqueue(tx, { tenantId, kind, key: `${caseRef}:${check}:${attempt}:${round}`, payload, dueAt })
}

export const lookingAfterChecks = (world: World): Worker =>
  work<Look>({ kind, ...world, handle: (job) => look(world, job) })

async function look(world: World, job: Job<Look>): Promise<void> {
  const { tenantId, payload } = job
  const kase = await findCase(world.db, { tenantId, caseRef: payload.caseRef })
  const check = await checkOf(world, job)
  if (!kase || !check || kase.stage === 'ENDED' || endingOf(check.kind, check) !== null) return
  const standing = await standingAt(world, check.kind, check.providerReference).catch((error) => {
    if (error instanceof Refusal) return null
    throw error
  })
  await underCase(world, job, async (tx, concerned, at) => {
    if (standing) await takeNewest(tx, world, concerned, check, standing, at)
    await scheduleLook(tx, check, payload.round + 1, at)
  })
}

const checkOf = async ({ db }: World, { tenantId, payload }: Job<Look>): Promise<PartnerCheck | undefined> =>
  (await listChecks(db, { tenantId, caseRef: payload.caseRef })).find(
    (check) => check.kind === payload.check && check.attempt === payload.attempt,
  )

/** Takes a look-up's word about a session as it is kept now, which may have changed since it was asked for. */
export async function takeNewest(
  tx: Tx,
  world: World,
  concerned: Concerned,
  { kind, attempt }: Pick<PartnerCheck, 'kind' | 'attempt'>,
  standing: Awaited<ReturnType<typeof standingAt>>,
  at: Date,
): Promise<void> {
  const now = (await listChecks(tx, concerned.kase)).find((each) => each.kind === kind && each.attempt === attempt)
  if (now) await takeStanding(tx, world, concerned, now, standing, null, at)
}
