// Looks after open sessions: asks the aggregator's server what became of the consent, often at first, then ever more rarely.
import { secondsAfter } from '#kit/clock.ts'
import { enqueue, finish, type Job, Later, type Worker, work } from '#kit/queue.ts'
import { Refusal } from '#kit/refusal.ts'
import type { Tx } from '#kit/sql.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { lockJourney, updateJourney } from '#platform/journey/store.ts'
import { consentStanding } from '#platform/provider/aggregator.ts'
import type { World } from '#platform/world.ts'
import { applyStanding, tellAgain } from './prove.ts'
import { type AaSession, after, isOver } from './session.ts'
import { changeAaSession, findAaSession } from './store.ts'

const kind = 'aa-look'

/** A series looks again and again until a newer link begins the next one; an occasion looks once. */
type Why = { series: number } | { occasion: string }
type Look = { journeyId: string; aaSessionId: string } & Why

type Place = Pick<AaSession, 'tenantId' | 'journeyId' | 'aaSessionId'>

export const scheduleLook = (tx: Tx, { tenantId, journeyId, aaSessionId }: Place, why: Why, at: Date): Promise<void> =>
  enqueue(tx, {
    tenantId,
    kind,
    key: `${aaSessionId}:${'series' in why ? why.series : why.occasion}`,
    payload: { journeyId, aaSessionId, ...why } satisfies Look,
    dueAt: at,
  })

/**
 * Asks at once whoever has the word, whatever is known (D2 §4 reconcile): the aggregator, or the lender that was told. A
 * session that is over stays as it is.
 */
export async function reconcileAaSession(tx: Tx, journey: Journey, session: AaSession, at: Date): Promise<AaSession> {
  if (isOver(session.state)) return session
  const asked = await changeAaSession(tx, session, { state: after(session.state, 'seen', 'doubted') }, at)
  await updateJourney(tx, journey, {}, at)
  await scheduleLook(tx, session, { occasion: at.toISOString() }, at)
  return asked
}

export const lookingAfterConsents = (world: World): Worker =>
  work<Look>({
    kind,
    db: world.db,
    clock: world.clock,
    log: world.log,
    handle: (job) => look(world, job),
  })

const secondsWhileAway = 10

async function look(world: World, job: Job<Look>): Promise<void> {
  const { journeyId, aaSessionId, ...why } = job.payload
  const place = { tenantId: job.tenantId, journeyId }
  const before = await findAaSession(world.db, place, aaSessionId)
  if (!before?.consentHandle || isOver(before.state)) return
  if (before.dispatchedAt !== null) return 'occasion' in why ? askTold(world, job) : undefined
  if ('series' in why && why.series !== before.redirects) return
  const standing = await consentStanding(world, before.consentHandle).catch((error) => {
    if (error instanceof Refusal) throw new Later(secondsWhileAway, error.message)
    throw error
  })
  const waits = await world.db.tx(async (tx) => {
    const at = world.clock()
    const journey = await lockJourney(tx, job.tenantId, journeyId)
    const session = journey?.active && (await findAaSession(tx, place, aaSessionId))
    const open = session && !isOver(session.state) && (await applyStanding(tx, world, journey, session, standing, at))
    if (open && 'series' in why && why.series === open.redirects) return secondsUntilNext(open, at)
    await finish(tx, job)
    return null
  })
  if (waits !== null) throw new Later(waits, 'the consent is not decided on')
}

async function askTold(world: World, job: Job<Look>): Promise<void> {
  const { journeyId, aaSessionId } = job.payload
  await world.db.tx(async (tx) => {
    const journey = await lockJourney(tx, job.tenantId, journeyId)
    const session = journey?.active && (await findAaSession(tx, journey, aaSessionId))
    if (session && !isOver(session.state)) await tellAgain(tx, world, session, world.clock())
    await finish(tx, job)
  })
}

/** Seconds between two looks: a borrower is at the aggregator for minutes, and may come back after days. */
export function secondsUntilNext({ createdAt, expiresAt }: AaSession, at: Date): number {
  const since = expiresAt ?? createdAt
  if (expiresAt !== null && at < since) return 2
  if (at < secondsAfter(since, 600)) return 10
  return at < secondsAfter(since, 3600) ? 60 : 1800
}
