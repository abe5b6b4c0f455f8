// Applies what was received: case by case, each object's versions in their order, each message and its effect exactly once.

import type { Seal } from '#kit/crypto/seal.ts'
import { isPassing } from '#kit/db/sql.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import type { Alert } from '#kit/runtime/mail.ts'
import { gauge } from '#kit/runtime/metrics.ts'
import { grouped } from '#kit/runtime/pairs.ts'
import { type CaseRows, type CaseWork, inspectCase, type Known, type Left } from './inbox-case.ts'
import {
  applyQueue,
  claimWaiting,
  type Inspection,
  messageReader,
  nameOf,
  nextReader,
  nextWaiting,
  recordInspection,
  type Stuck,
  type Waiting,
} from './inbox-rows.ts'
import { apart, loop, type Worker } from './loop.ts'
import { nobody } from './queue.ts'
import { doubling, pauseSeconds } from './schedule.ts'

export interface ApplyingOptions extends Omit<CaseWork, 'open'> {
  seal: Seal
  /** Told of what is stuck for longer than `alertAfterSeconds`, once each. */
  alert: Alert
  /** The owner of the case; nobody by default. */
  tenantOf?(partitionKey: string): Promise<string>
  /** 15 minutes unless told. */
  alertAfterSeconds?: number
}

/** Cases of this process that are worked on at once, each on a connection of its own. */
const concurrency = 3
const casesAtOnce = 3
/** The oldest messages whose cases are taken at once. */
const most = 512
/** What a process that died had in its hands comes back then. */
const leaseSeconds = 30
/** The distance of claims: under load each takes several messages of a case. */
const gatherMs = 10

const oldest = gauge('inbox_oldest_seconds', 'How long the oldest message that could be applied has been waiting')

/** Nothing depends on this process: any number of them share the work, and what it holds when it dies comes back. */
export function applying(options: ApplyingOptions): Worker {
  const { db, seal, log, clock } = options
  const work: CaseWork = { ...options, open: messageReader(db, seal) }
  const inTurn = turns(reader(options))

  const claim = apart(gatherMs, async (): Promise<Waiting[][]> => {
    const at = clock()
    const taken = await claimWaiting(db, at, secondsAfter(at, leaseSeconds), most)
    const began = taken.map((one) => (one.stuckSince === null ? one.receivedAt.getTime() : at.getTime()))
    oldest.set((at.getTime() - Math.min(at.getTime(), ...began)) / 1000)
    return taken.length === 0 ? [] : [taken]
  })

  async function handle(taken: Waiting[]): Promise<void> {
    const cases = [...grouped(taken, ({ sender, partitionKey }) => `${sender}/${partitionKey}`)].map(inTurn)
    const looked: Inspection = { settled: [], stuck: [], advanced: [] }
    const slot = async (): Promise<void> => {
      for (let next = cases.pop(); next; next = cases.pop()) {
        const { settled, left } = await inspectCase(work, next)
        next.end()
        looked.settled.push(...settled)
        looked.stuck.push(...left.map((each) => stuckOf(options, each)))
        if (settled.length > 0) looked.advanced.push(next.rows[0])
      }
    }
    await Promise.all(Array.from({ length: casesAtOnce }, slot))
    if (await recorded(options, looked)) db.wake(applyQueue)
  }

  const due = { clock, next: nextWaiting }
  return loop<Waiting[]>({ queue: applyQueue, db, log, due, concurrency, claim, handle })
}

type KnownOf = (rows: CaseRows['rows']) => Promise<Known>

/** Reads what is known of a case. Asked for all cases of a batch at once, so one statement for all. */
function reader({ db, tenantOf = async () => nobody }: ApplyingOptions): KnownOf {
  const nextOf = nextReader(db)
  return async (rows) => {
    const [{ sender, partitionKey }] = rows
    const line = { tenantId: await tenantOf(partitionKey), partitionKey, sender }
    const entities = [...new Map(rows.map((row) => [nameOf(row), row]))]
    const versions = await Promise.all(
      entities.map(([, { entityType, entityId }]) => nextOf({ ...line, entityType, entityId })),
    )
    return { line, next: new Map(entities.map(([name], i) => [name, versions[i] ?? 1])) }
  }
}

/** Gives each case its turn: what another batch of this process holds of it comes first, as its versions may be those before. */
function turns(knownOf: KnownOf): (entry: [name: string, rows: CaseRows['rows']]) => CaseRows & { end(): void } {
  /** Cases that are being looked at, and when that will be over. */
  const inHand = new Map<string, Promise<void>>()
  return ([name, rows]) => {
    const before = inHand.get(name)
    const known = before ? before.then(() => knownOf(rows)) : knownOf(rows)
    known.catch(() => {})
    const { promise, resolve } = Promise.withResolvers<void>()
    inHand.set(name, promise)
    const end = () => {
      resolve()
      if (inHand.get(name) === promise) inHand.delete(name)
    }
    return { rows, known, end }
  }
}

/** The effects are there; where the database was away just now, that they are is worth another try. */
async function recorded({ db, clock }: ApplyingOptions, looked: Inspection): Promise<boolean> {
  try {
    return await recordInspection(db, looked, clock())
  } catch (error) {
    if (!isPassing(error)) throw error
    return db.tx((tx) => recordInspection(tx, looked, clock()))
  }
}

/** When a message whose effect failed is tried again. */
export const failedSchedule = doubling(2, 300)
const [shortestLookSeconds, longestLookSeconds] = [0.1, 60]

/**
 * When a message that did not go on is looked at again. One that failed has its own time: after 2, 4, 8 … seconds, at most
 * five minutes. One that waits is looked at whenever its case goes on, and after as long as it has waited: at first at
 * once, in the end every minute. Of one about which nothing is known, nothing changes.
 */
function stuckOf(options: ApplyingOptions, { waiting, why, because, isTelling }: Left): Stuck {
  const at = options.clock()
  if (why === 'unknown') {
    const { tries, stuckSince, alertedAt } = waiting
    return { waiting, because, tries, stuckSince, alertedAt, dueAt: secondsAfter(at, 1) }
  }
  const stuckSince = waiting.stuckSince ?? at
  const age = (at.getTime() - stuckSince.getTime()) / 1000
  const tries = why === 'failed' ? waiting.tries + 1 : 0
  const seconds =
    why === 'failed'
      ? pauseSeconds(failedSchedule, tries)
      : Math.min(Math.max(age, shortestLookSeconds), longestLookSeconds)
  const isLate = isTelling && waiting.alertedAt === null && age >= (options.alertAfterSeconds ?? 900)
  if (isLate) alertOperators(options, waiting, because, stuckSince)
  return {
    waiting,
    because: because.slice(0, 500),
    tries,
    dueAt: secondsAfter(at, seconds),
    stuckSince,
    alertedAt: isLate ? at : waiting.alertedAt,
  }
}

function alertOperators({ alert }: ApplyingOptions, waiting: Waiting, because: string, stuckSince: Date): void {
  const { sender, partitionKey, entityType, entityId, entityVersion, eventId } = waiting
  const facts = { sender, partitionKey, entityType, entityId, entityVersion, eventId, stuckSince, because }
  alert('an event that was received cannot be applied', facts)
}
