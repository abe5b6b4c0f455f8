// Claims due messages. Does not update messages that must wait, so that a long backlog causes no writes.
//
// A message is found by one of three reads:
// - recent: what fell due since the last read, of all destinations together (`seenUntil`);
// - backlog: the oldest messages of one destination that has more than were read (`hasMore`), when it has a free slot;
// - old: about once a second, beside the claims, which destinations have messages that fell due before the recent read,
//   such as those that a dead process left. It only marks the destinations; the read of their backlog finds the messages.

import { type Clock, secondsAfter } from '@lendloom/foundation/clock'
import type { Log } from '@lendloom/foundation/log'
import type { gauge } from '@lendloom/foundation/metrics'
import { type Db, type Fragment, join, oneRow, sql } from '@lendloom/postgres/sql'
import {
  beginAttempt,
  type Destination,
  type DestinationPolicy,
  freeSlots,
  isEvictable,
  newDestination,
  shouldReadBacklog,
} from './destination.ts'

/** The messages of one destination share a concurrency limit and pauses. */
export interface DestinationKey {
  tenantId: string
  destinationId: string
}

/** A due message whose predecessors have all finished. */
export interface DueMessage extends DestinationKey {
  dueAt: Date
}

/** A message that this worker holds until `leaseUntil`. */
export interface LeasedMessage extends DestinationKey {
  leaseUntil: Date
  /** The number of attempts since the message was created or replayed. */
  attempt: number
  createdAt: Date
}

/** A table of messages, with the alias `d` in statements. `due_at` is null when no attempt is left. */
export interface DeliveryTable {
  table: Fragment
  key: Fragment
  /** Condition: all predecessors of the message have finished. */
  isNext: Fragment
  matchesDestination(destination: DestinationKey): Fragment
}

export interface ClaimOptions<Due extends DueMessage, Held extends LeasedMessage> {
  db: Db
  queue: string
  log: Log
  clock: Clock
  rows: DeliveryTable
  policy: DestinationPolicy
  /** Must be longer than an attempt and its recording. After a crash, leased messages are due again after this time. */
  leaseSeconds: number
  oldest: ReturnType<typeof gauge>
  /** Claims messages by compare-and-set on `due_at`, so that only one worker gets each; returns the claimed ones. */
  leaseDue(due: Due[], leaseUntil: Date): Promise<Held[]>
}

/** Maximum number of messages that one statement reads or claims. */
const maxBatch = 512
/** Maximum number of messages that are read at once for a destination with a backlog. */
const maxPerDestination = 64
/** Maximum number of destinations whose backlog one statement reads. */
const destinationsPerStatement = 16
/** Incremental reads overlap by this time, to find messages of transactions that commit late. */
const lateCommitMs = 2000
/** The old messages are read once per second, or less often if the read takes more than a twentieth of the time. */
const oldEveryMs = 1000
const oldShare = 20

/** The destinations of a worker, and how far the worker has read. */
export interface Claims<Due> {
  destinations: Map<string, Destination<Due>>
  /** In milliseconds. Messages that were due until then are claimed, in `waiting`, or covered by `hasMore`. */
  seenUntil: number
  /** When the old messages are read again, in milliseconds of the monotonic clock. */
  readOldAt: number
  oldRead: Promise<void>
}

export const newClaims = <Due>(): Claims<Due> => ({
  destinations: new Map(),
  seenUntil: 0,
  readOldAt: 0,
  oldRead: Promise.resolve(),
})

/** Selects the earliest due time of all messages. */
export const nextMessage = ({ table }: DeliveryTable): Fragment =>
  sql`select due_at from ${table} where due_at is not null order by due_at limit 1`

interface Capacity {
  /** How many more attempts this process may begin. */
  free: number
  /** Whether the worker is near its limit, so that every destination gets only one attempt at a time. */
  isCrowded: boolean
}

/**
 * Reads until a message is claimed or no further message is due, so that the backlog of one destination does not hide
 * messages of others.
 */
export async function claim<Due extends DueMessage, Held extends LeasedMessage>(
  claiming: ClaimOptions<Due, Held>,
  claims: Claims<Due>,
  { free, isCrowded }: Capacity,
): Promise<Held[]> {
  const { clock, policy } = claiming
  for (;;) {
    const at = clock()
    const isExhausted = await inspectDue(claiming, claims, at, isCrowded)
    const slotsOf = (one: Destination) => freeSlots(one, at.getTime(), isCrowded, policy)
    const chosen = choose(claims, Math.min(maxBatch, free), slotsOf)
    const claimed = chosen.length === 0 ? [] : await leaseChosen(claiming, claims, chosen, at)
    if (claimed.length > 0 || (chosen.length === 0 && isExhausted)) return claimed
  }
}

/**
 * Reads backlogs by destination, and recent messages of all others together. Regularly also starts `readOld`. Returns
 * whether no further message is due.
 */
async function inspectDue<Due extends DueMessage>(
  claiming: ClaimOptions<Due, LeasedMessage>,
  claims: Claims<Due>,
  at: Date,
  isCrowded: boolean,
): Promise<boolean> {
  const { rows, policy } = claiming
  const now = at.getTime()
  const destinations = [...claims.destinations.values()]
  const backlogged = destinations.filter((one) => shouldReadBacklog(one, now, isCrowded, policy))
  await readBacklogs(claiming, claims, backlogged, at)
  const busy = destinations.filter(
    (one) => one.waiting.length > 0 || one.hasMore || freeSlots(one, now, isCrowded, policy) === 0,
  )
  // The following read excludes these destinations, so their backlog must be read later.
  for (const one of busy) one.hasMore = true
  const after = new Date(Math.min(claims.seenUntil, now) - lateCommitMs)
  const except = busy.map(({ destinationId }) => destinationId)
  if (performance.now() >= claims.readOldAt) claims.oldRead = readOld(claiming, claims, { at, before: after, except })
  const { table, key, isNext } = rows
  const found = await claiming.db<Due>`
    select ${key}, destination_id, due_at from ${table} d
    where due_at > ${after} and due_at <= ${at} and destination_id not in (select unnest(${except}::uuid[])) and ${isNext}
    order by due_at limit ${maxBatch}`
  for (const due of found) destinationOf(claims, due).waiting.push(due)
  if (found.length === maxBatch) return false
  claims.seenUntil = now
  return true
}

interface OldRead {
  at: Date
  before: Date
  except: string[]
}

/**
 * Marks the destinations that have old messages, sets the gauge of the oldest, and forgets idle destinations. While a
 * message is due, schedules the next read.
 */
async function readOld<Due extends DueMessage>(
  claiming: ClaimOptions<Due, LeasedMessage>,
  claims: Claims<Due>,
  { at, before, except }: OldRead,
): Promise<void> {
  const { db, log, queue, rows } = claiming
  const { table, isNext } = rows
  const began = performance.now()
  claims.readOldAt = Number.POSITIVE_INFINITY
  let isDue = true
  let tookMs = 0
  try {
    const found = await db<DestinationKey>`
      select tenant_id, destination_id from ${table} d
      where due_at <= ${before} and destination_id not in (select unnest(${except}::uuid[])) and ${isNext}
      order by due_at limit ${maxBatch}`
    for (const one of found) destinationOf(claims, one).hasMore = true
    if (found.length > 0) db.wake(queue)
    isDue = await measureOldest(claiming, at)
    evictIdle(claims, at)
    tookMs = performance.now() - began
  } catch (error) {
    log.warn({ err: error, queue }, 'could not read older messages; the database may be unavailable')
  }
  const pauseMs = Math.max(oldEveryMs, oldShare * tookMs)
  claims.readOldAt = performance.now() + pauseMs
  if (isDue) setTimeout(() => db.wake(queue), pauseMs + 100).unref()
}

async function readBacklogs<Due extends DueMessage>(
  { db, rows: { table, key, isNext, matchesDestination } }: ClaimOptions<Due, LeasedMessage>,
  claims: Claims<Due>,
  backlogged: Destination[],
  at: Date,
): Promise<void> {
  for (let i = 0; i < backlogged.length; i += destinationsPerStatement) {
    const some = backlogged.slice(i, i + destinationsPerStatement)
    const each = some.map(
      (one) => sql`
        (select ${key}, destination_id, due_at from ${table} d where ${matchesDestination(one)} and due_at <= ${at} and ${isNext}
         order by due_at limit ${maxPerDestination})`,
    )
    for (const due of await db<Due>`${join(each, ' union all ')}`) destinationOf(claims, due).waiting.push(due)
    for (const one of some) one.hasMore = one.waiting.length === maxPerDestination
  }
}

/**
 * Sets the gauge to the age of the oldest due message: since the creation if the message was never attempted, otherwise
 * since the due time. Returns whether a message is due.
 */
async function measureOldest<Due extends DueMessage>(
  { db, oldest, rows: { table, isNext } }: ClaimOptions<Due, LeasedMessage>,
  at: Date,
): Promise<boolean> {
  const { since } = oneRow(
    await db<{ since: Date | null }>`
      select min(case when attempt = 0 then created_at else due_at end) as since
      from (select attempt, created_at, due_at from ${table} d where due_at <= ${at} and ${isNext}
        order by due_at limit ${maxBatch}) as due`,
  )
  oldest.set(since ? Math.max(0, at.getTime() - since.getTime()) / 1000 : 0)
  return since !== null
}

function evictIdle({ destinations }: Claims<DueMessage>, at: Date): void {
  for (const [id, one] of destinations) if (isEvictable(one, at.getTime())) destinations.delete(id)
}

/** Returns what the worker knows of a destination, or starts a new one without requests in flight. */
export function destinationOf<Due>(
  { destinations }: Claims<Due>,
  { tenantId, destinationId }: DestinationKey,
): Destination<Due> {
  const one = destinations.get(destinationId) ?? newDestination<Due>(tenantId, destinationId)
  destinations.set(destinationId, one)
  return one
}

/** Removes waiting messages from each destination, at most as many as the destination has free slots. */
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

/** Claims messages and counts them as in flight. If not all were claimed, reads their destinations again. */
async function leaseChosen<Due extends DueMessage, Held extends LeasedMessage>(
  { leaseDue, leaseSeconds }: ClaimOptions<Due, Held>,
  claims: Claims<Due>,
  chosen: Due[],
  at: Date,
): Promise<Held[]> {
  let claimed: Held[] = []
  try {
    claimed = await leaseDue(chosen, secondsAfter(at, leaseSeconds))
    for (const held of claimed) beginAttempt(destinationOf(claims, held), at.getTime())
    return claimed
  } finally {
    if (claimed.length < chosen.length) for (const due of chosen) destinationOf(claims, due).hasMore = true
  }
}
