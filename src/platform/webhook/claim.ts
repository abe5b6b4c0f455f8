// Takes what may be tried now, and sends away, cheaply and for a while, what may not: behind another, or no room.
import { secondsAfter } from '#kit/clock.ts'
import { gauge } from '#kit/metrics.ts'
import type { World } from '#platform/world.ts'
import type { Due, Held } from './delivery.ts'
import type { SealedSecrets } from './endpoint.ts'
import { begin, comeBack, giveBack, type Lane, newLane, room } from './lane.ts'
import type { Manner } from './manner.ts'
import { dueDeliveries, moveDeliveries, type Owner, type Step, secretsOfApplications } from './store.ts'

/** Longer than a try and the record of its answer together; after a crash, what was held comes back then. */
export const leaseSeconds = 20
/** What waits behind one in flight is let go by its answer; this is for the answer that just missed it. */
const behindSeconds = 1
const batch = 256

export type Lanes = Map<string, Lane>

export interface Claimed extends Held {
  /** The instant its try entered the lane, in milliseconds. */
  began: number
  /** Of its endpoint; a callback, which has none, is signed with those of all endpoints of its application. */
  secrets: SealedSecrets[]
}

/** What a worker needs of the world. */
export type Means = Pick<World, 'db' | 'seal' | 'clock' | 'log'>

const oldestDue = gauge('webhook_due_oldest_seconds', 'How long the oldest delivery has been due')

/** Reads on until something could be taken or nothing more is due, so that a backlog of one hides nobody else. */
export async function claim({ db, clock }: Means, lanes: Lanes, manner: Manner, crowded: boolean): Promise<Claimed[]> {
  for (;;) {
    const at = clock()
    const due = await dueDeliveries(db, at, batch)
    oldestDue.set(due[0] ? (at.getTime() - due[0].dueAt.getTime()) / 1000 : 0)
    if (due.length === 0) return []
    const steps = due.map((one) => stepOf(one, laneOf(lanes, one.destinationId), at, manner, crowded))
    const taken = await take(db, steps, lanes, at)
    if (taken.length > 0 || due.length < batch) return taken
  }
}

async function take(db: World['db'], steps: Step[], lanes: Lanes, at: Date): Promise<Claimed[]> {
  let taken: Claimed[] = []
  try {
    taken = await withSecrets(db, await moveDeliveries(db, steps), at)
    return taken
  } finally {
    release(steps, taken, lanes, at)
  }
}

export function laneOf(lanes: Lanes, destinationId: string): Lane {
  const lane = lanes.get(destinationId) ?? newLane()
  lanes.set(destinationId, lane)
  return lane
}

function stepOf(due: Due, lane: Lane, at: Date, manner: Manner, crowded: boolean): Step {
  if (due.aheadDueAt !== null) return { due, until: behind(due.aheadDueAt, at), take: false }
  const now = at.getTime()
  if (room(lane, now, crowded) === 0) return { due, until: new Date(comeBack(lane, now, manner)), take: false }
  begin(lane, now)
  return { due, until: secondsAfter(at, leaseSeconds), take: true }
}

/** One that waits for its next try is waited for; one that is in flight or about to be is looked at again soon. */
const behind = (aheadDueAt: Date, at: Date): Date =>
  aheadDueAt > secondsAfter(at, leaseSeconds) ? aheadDueAt : secondsAfter(at, behindSeconds)

/** What another worker was quicker to take, or the database did not give, leaves its place in the lane. */
function release(steps: Step[], taken: Held[], lanes: Lanes, at: Date): void {
  const ours = new Set(taken.map(({ deliveryId }) => deliveryId))
  for (const { due, take } of steps)
    if (take && !ours.has(due.deliveryId)) giveBack(laneOf(lanes, due.destinationId), at.getTime())
}

async function withSecrets(db: World['db'], taken: Held[], at: Date): Promise<Claimed[]> {
  const owners = new Map(taken.filter((one) => one.callbackUrlSealed !== null).map((one) => [one.applicationId, one]))
  const shared = owners.size > 0 ? await secretsOfApplications(db, [...owners.values()]) : []
  return taken.map((held) => ({
    ...held,
    began: at.getTime(),
    secrets: held.callbackUrlSealed === null ? ownSecrets(held) : shared.filter((one) => isOf(one, held)),
  }))
}

const isOf = (one: Owner, held: Owner): boolean =>
  one.tenantId === held.tenantId && one.applicationId === held.applicationId

function ownSecrets({ destinationId, secretSealed, oldSecretSealed, oldSecretUntil }: Held): SealedSecrets[] {
  return secretSealed === null ? [] : [{ endpointId: destinationId, secretSealed, oldSecretSealed, oldSecretUntil }]
}
