// Claims the messages that may be tried now. Waiting messages are not updated: their destination is woken once instead
// of each row.
import { type Db, type Fragment, join, oneRow, sql } from '#kit/db/sql.ts'
import { type Clock, secondsAfter } from '#kit/runtime/clock.ts'
import type { gauge } from '#kit/runtime/metrics.ts'
import {
  beginAttempt,
  type Destination,
  type DestinationPolicy,
  freeSlots,
  isEvictable,
  newDestination,
  shouldReadBacklog,
} from './destination.ts'

/** Messages of one destination share its limit of requests in flight and its pauses. */
export interface DestinationKey {
  tenantId: string
  destinationId: string
}

/** A message that is due, and has no unfinished one before it. */
export interface DueMessage extends DestinationKey {
  dueAt: Date
}

/** A message that this worker holds until `leaseUntil`. */
export interface LeasedMessage extends DestinationKey {
  leaseUntil: Date
  /** Tries since it was created or replayed. */
  attempt: number
  createdAt: Date
}

/** A table of messages, whose `due_at` is null when nothing is left to try; the engine's alias for it is `d`. */
export interface DeliveryTable {
  table: Fragment
  key: Fragment
  /** All its predecessors have finished. Evaluated row by row, in the order of the index. */
  isNext: Fragment
  isOf(destination: DestinationKey): Fragment
}

/** The options of claiming. */
export interface ClaimOptions<Due extends DueMessage, Held extends LeasedMessage> {
  db: Db
  queue: string
  clock: Clock
  rows: DeliveryTable
  policy: DestinationPolicy
  /** Longer than an attempt and its record together; after a crash, held messages are due again then. */
  leaseSeconds: number
  oldest: ReturnType<typeof gauge>
  /** Claims messages by compare-and-set on `due_at`: the first worker to move it wins. Returns the claimed ones. */
  take(due: Due[], leaseUntil: Date): Promise<Held[]>
}

/** Messages that one statement reads and claims. */
const batch = 256
/** Messages of one backlogged destination that are read at a time, and destinations per statement. */
const maxPerDestination = 64
const destinationsPerStatement = 16
/** A message of a transaction that took up to this long to commit is still seen by the next ordinary read. */
const lateCommitMs = 2000
/** How often all due messages are read; rare enough to take a twentieth of the time. */
const completeEveryMs = 1000
const completeShare = 20

/** A worker's state of its destinations, and how far it has read. */
export interface Claims<Due> {
  destinations: Map<string, Destination<Due>>
  /** All messages due by then, in milliseconds, are claimed or belong to a destination with more. */
  seenUntil: number
  /** When all due messages are read again, by the monotonic clock. */
  completeAt: number
}

export const newClaims = <Due>(): Claims<Due> => ({ destinations: new Map(), seenUntil: 0, completeAt: 0 })

/** When the next message may be tried. */
export const nextMessage = ({ table }: DeliveryTable): Fragment =>
  sql`select due_at from ${table} where due_at is not null order by due_at limit 1`

interface Capacity {
  /** How many more tries this process may begin. */
  free: number
  /** Whether every destination gets one try at a time. */
  crowded: boolean
}

/**
 * Reads until it has claimed a message or nothing more is due, so that one destination's backlog does not hide the
 * others.
 */
export async function claim<Due extends DueMessage, Held extends LeasedMessage>(
  claiming: ClaimOptions<Due, Held>,
  claims: Claims<Due>,
  { free, crowded }: Capacity,
): Promise<Held[]> {
  const { clock, policy } = claiming
  for (;;) {
    const at = clock()
    const isExhausted = await inspectDue(claiming, claims, at, crowded)
    const slotsOf = (one: Destination) => freeSlots(one, at.getTime(), crowded, policy)
    const chosen = choose(claims, Math.min(batch, free), slotsOf)
    const claimed = chosen.length === 0 ? [] : await take(claiming, claims, chosen, at)
    if (claimed.length > 0 || (chosen.length === 0 && isExhausted)) return claimed
  }
}

/**
 * Reads due messages: of each backlogged destination separately, of the others recent ones together; once a second also
 * older ones, which a dead process left. Returns whether nothing more is due.
 */
async function inspectDue<Due extends DueMessage>(
  claiming: ClaimOptions<Due, LeasedMessage>,
  claims: Claims<Due>,
  at: Date,
  crowded: boolean,
): Promise<boolean> {
  const { rows, policy } = claiming
  const now = at.getTime()
  const destinations = [...claims.destinations.values()]
  const backlogged = destinations.filter((one) => shouldReadBacklog(one, now, crowded, policy))
  await readBacklogs(claiming, claims, backlogged, at)
  const began = performance.now()
  const isComplete = began >= claims.completeAt
  const busy = destinations.filter(
    (one) => one.waiting.length > 0 || one.hasMore || freeSlots(one, now, crowded, policy) === 0,
  )
  // Messages that become due for these destinations from now on are not part of the read of the others.
  for (const one of busy) one.hasMore = true
  const after = isComplete ? new Date(0) : new Date(Math.min(claims.seenUntil, now) - lateCommitMs)
  const except = busy.map(({ destinationId }) => destinationId)
  const { table, key, isNext } = rows
  const found = await claiming.db<Due>`
    select ${key}, destination_id, due_at from ${table} d
    where due_at > ${after} and due_at <= ${at} and destination_id not in (select unnest(${except}::uuid[])) and ${isNext}
    order by due_at limit ${batch}`
  for (const due of found) destinationOf(claims, due).waiting.push(due)
  if (found.length === batch) return false
  claims.seenUntil = now
  if (isComplete) await endCompleteRead(claiming, claims, at, began)
  return true
}

async function readBacklogs<Due extends DueMessage>(
  { db, rows: { table, key, isNext, isOf } }: ClaimOptions<Due, LeasedMessage>,
  claims: Claims<Due>,
  backlogged: Destination[],
  at: Date,
): Promise<void> {
  for (let i = 0; i < backlogged.length; i += destinationsPerStatement) {
    const some = backlogged.slice(i, i + destinationsPerStatement)
    const each = some.map(
      (one) => sql`
        (select ${key}, destination_id, due_at from ${table} d where ${isOf(one)} and due_at <= ${at} and ${isNext}
         order by due_at limit ${maxPerDestination})`,
    )
    for (const due of await db<Due>`${join(each, ' union all ')}`) destinationOf(claims, due).waiting.push(due)
    for (const one of some) one.hasMore = one.waiting.length === maxPerDestination
  }
}

/**
 * Sets the gauge of the oldest due message: since its creation if it was never tried, else since its due
 * time. While one waits, the next complete read takes place and reports when none is left.
 */
async function endCompleteRead<Due extends DueMessage>(
  { db, queue, oldest, rows: { table, isNext } }: ClaimOptions<Due, LeasedMessage>,
  claims: Claims<Due>,
  at: Date,
  began: number,
): Promise<void> {
  const { since } = oneRow(
    await db<{ since: Date | null }>`
      select min(case when attempt = 0 then created_at else due_at end) as since
      from (select attempt, created_at, due_at from ${table} d where due_at <= ${at} and ${isNext}
        order by due_at limit ${batch}) as due`,
  )
  oldest.set(since ? Math.max(0, at.getTime() - since.getTime()) / 1000 : 0)
  const { destinations } = claims
  for (const [id, one] of destinations) if (isEvictable(one, at.getTime())) destinations.delete(id)
  const now = performance.now()
  const pauseMs = Math.max(completeEveryMs, completeShare * (now - began))
  claims.completeAt = now + pauseMs
  if (since) setTimeout(() => db.wake(queue), pauseMs + 100).unref()
}

export function destinationOf<Due>(
  { destinations }: Claims<Due>,
  { tenantId, destinationId }: DestinationKey,
): Destination<Due> {
  const one = destinations.get(destinationId) ?? newDestination<Due>(tenantId, destinationId)
  destinations.set(destinationId, one)
  return one
}

/** Takes as many messages of each destination as it has slots for. */
function choose<Due>(
  { destinations }: Claims<Due>,
  limit: number,
  slotsOf: (destination: Destination) => number,
): Due[] {
  const chosen: Due[] = []
  for (const one of destinations.values())
    if (one.waiting.length > 0) chosen.push(...one.waiting.splice(0, Math.min(slotsOf(one), limit - chosen.length)))
  return chosen
}

/** Counts claimed messages as in flight. When not all were claimed, their destinations are read again. */
async function take<Due extends DueMessage, Held extends LeasedMessage>(
  { take, leaseSeconds }: ClaimOptions<Due, Held>,
  claims: Claims<Due>,
  chosen: Due[],
  at: Date,
): Promise<Held[]> {
  let claimed: Held[] = []
  try {
    claimed = await take(chosen, secondsAfter(at, leaseSeconds))
    for (const held of claimed) beginAttempt(destinationOf(claims, held), at.getTime())
    return claimed
  } finally {
    if (claimed.length < chosen.length) for (const due of chosen) destinationOf(claims, due).hasMore = true
  }
}
