// Applies what was received: case by case, each object's versions in their order, each message and its effect exactly once.

import { setTimeout as sleep } from 'node:timers/promises'
import { isPassing } from '#kit/db/sql.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import { gauge } from '#kit/runtime/metrics.ts'
import { grouped } from '#kit/runtime/pairs.ts'
import { type CaseRows, inspectCase, type Known } from './inbox-case.ts'
import {
  applyQueue,
  bodyReader,
  claimWaiting,
  type Inspection,
  nextReader,
  recordInspection,
  type Waiting,
} from './inbox-rows.ts'
import { nameOf } from './inbox-turn.ts'
import type { CaseWork } from './inbox-work.ts'
import { loop, nobody, type Worker } from './queue.ts'

export interface ApplyingOptions extends Omit<CaseWork, 'alertAfterSeconds' | 'bodyOf'> {
  /** Whose case it is; nobody's unless told. */
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
/** How soon what another process stored is seen. */
const pollMs = 100
/** Claims keep this distance, so that under load each takes several of a case; the first one after a rest does not wait. */
const gatherMs = 10

const oldest = gauge('inbox_oldest_seconds', 'How long the oldest message that could be applied has been waiting')

/** Nothing depends on this process: any number of them share the work, and what it holds when it dies comes back. */
export function applying(options: ApplyingOptions): Worker {
  const { db, log, clock } = options
  const work: CaseWork = {
    ...options,
    alertAfterSeconds: options.alertAfterSeconds ?? 900,
    bodyOf: bodyReader(db),
  }
  const inTurn = turns(reader(options))

  let claimedAt = 0
  async function claim(): Promise<Waiting[][]> {
    const early = claimedAt + gatherMs - performance.now()
    if (early > 0) await sleep(early)
    claimedAt = performance.now()
    const at = clock()
    const taken = await claimWaiting(db, at, secondsAfter(at, leaseSeconds), most)
    const began = taken.map((one) => (one.stuckSince === null ? one.receivedAt.getTime() : at.getTime()))
    oldest.set((at.getTime() - Math.min(at.getTime(), ...began)) / 1000)
    return taken.length === 0 ? [] : [taken]
  }

  async function handle(taken: Waiting[]): Promise<void> {
    const cases = [...grouped(taken, ({ sender, partitionKey }) => `${sender}/${partitionKey}`)].map(inTurn)
    const looked: Inspection = { settled: [], stuck: [], advanced: [] }
    const slot = async (): Promise<void> => {
      for (let next = cases.pop(); next; next = cases.pop()) {
        const one = await inspectCase(work, next)
        next.end()
        looked.settled.push(...one.settled)
        looked.stuck.push(...one.stuck)
        looked.advanced.push(...one.advanced)
      }
    }
    await Promise.all(Array.from({ length: casesAtOnce }, slot))
    if (await recorded(options, looked)) db.wake(applyQueue)
  }

  return loop<Waiting[]>({ queue: applyQueue, db, log, pollMs, concurrency: concurrency, claim, handle })
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
