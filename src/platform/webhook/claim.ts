// Takes what may be tried now. What has to wait is not written to: a destination is woken once, not each of its rows.
import {
  type Destination as AnyDestination,
  begin,
  freeSlots,
  giveBack,
  isForgettable,
  newDestination,
  wantsMore,
} from '#kit/messaging/destination.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import { gauge } from '#kit/runtime/metrics.ts'
import type { Context } from '#platform/context.ts'
import type { DeliveryPolicy, DestinationKey, Due, Held } from './delivery.ts'
import { secretsOfApplications } from './endpoint/store.ts'
import type { SealedSecrets } from './endpoint.ts'
import { dueDeliveries, dueOf, type Owner, oldestDue, takeDeliveries } from './store.ts'

/** Longer than a try and the record of its answer together; after a crash, what was held comes back then. */
export const leaseSeconds = 20
/** So many are read and taken by one statement. */
const batch = 256
/** So many of one destination with a backlog are read at a time, and of so many destinations by one statement. */
const ofOneDestination = 64
const destinationsAtOnce = 16
/** A transaction that began so long before its commit is still seen by the next ordinary look. */
const lateCommitMs = 2000
/** Everything that is due is looked through so often, and seldom enough that this takes a twentieth of the time. */
const completeEveryMs = 1000
const completeShare = 20

export interface Claimed extends Held {
  /** When its try began, by the monotonic clock, in milliseconds. */
  began: number
  /** Of its endpoint; a callback, which has none, is signed with those of all endpoints of its application. */
  secrets: SealedSecrets[]
}

/** What a worker needs of the context. */
export type Means = Pick<Context, 'db' | 'seal' | 'clock' | 'log'>

type Destination = AnyDestination<Due>

/** What a worker knows of its destinations, and how far it has looked. */
export interface Claims {
  destinations: Map<string, Destination>
  /** All that was due by then, in milliseconds, is taken or belongs to a destination that has more. */
  seenUntil: number
  /** When everything is looked through again, by the monotonic clock. */
  completeAt: number
}

export const newClaims = (): Claims => ({ destinations: new Map(), seenUntil: 0, completeAt: 0 })

const oldest = gauge(
  'webhook_due_oldest_seconds',
  'How long the oldest update that could be sent has waited: since it was created, or since its next try was due',
)

/** Reads on until something could be taken or nothing more is due, so that a backlog of one hides nobody else. */
export async function claim(
  means: Means,
  claims: Claims,
  policy: DeliveryPolicy,
  crowded: boolean,
): Promise<Claimed[]> {
  const { db, clock } = means
  for (;;) {
    const at = clock()
    const isFree = (one: Destination) => freeSlots(one, at.getTime(), crowded, policy)
    const isExhausted = await inspectDue(db, claims, {
      at,
      wants: (one) => wantsMore(one, at.getTime(), crowded, policy),
      slotsOf: isFree,
    })
    const chosen = choose(claims, at, isFree)
    const taken = chosen.length === 0 ? [] : await take(db, chosen, claims, at)
    if (taken.length > 0 || (chosen.length === 0 && isExhausted)) return taken
  }
}

interface DueLook {
  at: Date
  wants: (destination: Destination) => boolean
  slotsOf: (destination: Destination) => number
}

/**
 * Reads what is due: of each destination with a backlog by itself, of the others together, what became due lately;
 * once a second also what is older, left by a process that died. Gives whether nothing more is due.
 */
async function inspectDue(db: Context['db'], claims: Claims, { at, wants, slotsOf }: DueLook): Promise<boolean> {
  const { destinations } = claims
  await readBacklogs(db, claims, [...destinations.values()].filter(wants), at)
  const began = performance.now()
  const isComplete = began >= claims.completeAt
  const busy = [...destinations.values()].filter((one) => one.waiting.length > 0 || one.hasMore || slotsOf(one) === 0)
  // What comes for these from now on is not seen by the look at the others.
  for (const one of busy) one.hasMore = true
  const after = isComplete ? new Date(0) : new Date(Math.min(claims.seenUntil, at.getTime()) - lateCommitMs)
  const except = busy.map(({ destinationId }) => destinationId)
  const found = await dueDeliveries(db, { after, at, except }, batch)
  for (const due of found) destinationOf(claims, due).waiting.push(due)
  if (found.length === batch) return false
  claims.seenUntil = at.getTime()
  if (isComplete) await completed(db, claims, at, began)
  return true
}

async function readBacklogs(db: Context['db'], claims: Claims, wanting: Destination[], at: Date): Promise<void> {
  for (let i = 0; i < wanting.length; i += destinationsAtOnce) {
    const some = wanting.slice(i, i + destinationsAtOnce)
    for (const due of await dueOf(db, some, at, ofOneDestination)) destinationOf(claims, due).waiting.push(due)
    for (const one of some) one.hasMore = one.waiting.length === ofOneDestination
  }
}

async function completed(db: Context['db'], claims: Claims, at: Date, began: number): Promise<void> {
  const { destinations } = claims
  const since = await oldestDue(db, at, batch)
  oldest.set(since ? Math.max(0, at.getTime() - since.getTime()) / 1000 : 0)
  for (const [id, one] of destinations) if (isForgettable(one, at.getTime())) destinations.delete(id)
  const now = performance.now()
  claims.completeAt = now + Math.max(completeEveryMs, completeShare * (now - began))
}

export function destinationOf({ destinations }: Claims, { tenantId, destinationId }: DestinationKey): Destination {
  const one = destinations.get(destinationId) ?? newDestination<Due>(tenantId, destinationId)
  destinations.set(destinationId, one)
  return one
}

/** As many of each destination as it has slots for; their tries count as begun. */
function choose({ destinations }: Claims, at: Date, slotsOf: (destination: Destination) => number): Due[] {
  const chosen: Due[] = []
  for (const one of destinations.values()) {
    if (one.waiting.length === 0) continue
    const next = one.waiting.splice(0, Math.min(slotsOf(one), batch - chosen.length))
    for (let i = 0; i < next.length; i++) begin(one, at.getTime())
    chosen.push(...next)
  }
  return chosen
}

async function take(db: Context['db'], chosen: Due[], claims: Claims, at: Date): Promise<Claimed[]> {
  let taken: Claimed[] = []
  try {
    taken = await withSecrets(db, await takeDeliveries(db, chosen, secondsAfter(at, leaseSeconds)))
    return taken
  } finally {
    release(chosen, taken, claims)
  }
}

/** What another worker was quicker to take, or the database did not give, leaves its slot; it may be due again soon. */
function release(chosen: Due[], taken: Held[], claims: Claims): void {
  const ours = new Set(taken.map(({ deliveryId }) => deliveryId))
  for (const due of chosen) {
    if (ours.has(due.deliveryId)) continue
    const one = destinationOf(claims, due)
    giveBack(one)
    one.hasMore = true
  }
}

async function withSecrets(db: Context['db'], taken: Held[]): Promise<Claimed[]> {
  const owners = new Map(taken.filter((one) => one.callbackUrlSealed !== null).map((one) => [one.applicationId, one]))
  const shared = owners.size > 0 ? await secretsOfApplications(db, [...owners.values()]) : []
  const began = performance.now()
  return taken.map((held) => ({
    ...held,
    began,
    secrets: held.callbackUrlSealed === null ? ownSecrets(held) : shared.filter((one) => isOf(one, held)),
  }))
}

const isOf = (one: Owner, held: Owner): boolean =>
  one.tenantId === held.tenantId && one.applicationId === held.applicationId

function ownSecrets({ destinationId, secretSealed, oldSecretSealed, oldSecretUntil }: Held): SealedSecrets[] {
  return secretSealed === null ? [] : [{ endpointId: destinationId, secretSealed, oldSecretSealed, oldSecretUntil }]
}
