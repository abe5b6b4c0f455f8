// Lets concurrent transactions of different owners share a commit and its flush to disk; each fails on its own.
import { pairs } from '@lendloom/foundation/lists'
import { required } from '@lendloom/foundation/required'
import { bindTrace } from '@lendloom/foundation/trace'
import { type LoaderOptions, loader } from './batch-loader.ts'
import { type Db, isCommitUnknown, isTransient, type Run } from './sql.ts'
import { bindPatience, waitWithinPatience, withSharedPatience } from './wait-limit.ts'

interface SharedCommit<Member, Outcome> {
  /** Only one member per owner runs at a time, so that members never change the same rows concurrently. */
  ownerOf(member: Member): string
  /** Runs all members in one transaction, in the given order. Rejects when one fails; then none has taken effect. */
  runTogether(members: Member[]): Promise<Outcome[]>
  /** Runs one member in its own transaction. */
  runAlone(member: Member): Promise<Outcome>
  /**
   * Whether the failure of a group fails each member without a retry: the write may have taken effect, and a retry would
   * repeat it; or the database is unavailable, and each member would wait for it again.
   */
  isGroupFailure(error: unknown): boolean
  /** Maximum number of running groups; 3 by default. */
  groups?: number
  /** Maximum number of members of a group; 16 by default. */
  maxMembers?: number
}

interface WaitingMember<Member, Outcome> {
  member: Member
  owner: string
  /** Runs a function in the trace of the member's request, and within the time that the request has left. */
  within: <T>(work: () => T) => T
  resolve: (outcome: Outcome | Promise<Outcome>) => void
  reject: (error: unknown) => void
}

/** The waiting members, the owners with a running member, and the number of running groups. */
interface CommitQueue<Member, Outcome> {
  waiting: WaitingMember<Member, Outcome>[]
  busy: Set<string>
  runningCount: number
  /** Whether a start is scheduled for the end of this turn of the event loop. */
  isScheduled: boolean
}

/** A member that runs alone counts as a running group for this time, because it may wait much longer for a locked row. */
const aloneSlotMs = 250

/**
 * Returns a function that runs a member: at once while fewer than `groups` groups run, otherwise in the next group.
 * Members of a group are sorted by owner, so that two groups lock rows in the same order. A failed group is rolled
 * back, and each of its members then runs alone: a slow one delays neither other owners nor the next groups.
 */
export function sharedCommit<Member, Outcome>(
  shared: SharedCommit<Member, Outcome>,
): (member: Member) => Promise<Outcome> {
  const { groups = 3, maxMembers = 16 } = shared
  const queue: CommitQueue<Member, Outcome> = { waiting: [], busy: new Set(), runningCount: 0, isScheduled: false }

  function startGroups(): void {
    queue.isScheduled = false
    while (queue.runningCount < groups) {
      const group = nextGroup(queue, maxMembers)
      if (group.length === 0) return
      void runGroup(group)
    }
  }

  async function runGroup(group: WaitingMember<Member, Outcome>[]): Promise<void> {
    queue.runningCount++
    const settleMembers = group.length === 1 ? null : await runAsGroup(shared, group)
    if (!settleMembers) await runEachAlone(group)
    queue.runningCount--
    if (settleMembers) for (const { owner } of group) queue.busy.delete(owner)
    const isAwaited = queue.waiting.length > 0
    startGroups()
    // Lets the next group send its statements before these callers continue, so that the database is not idle.
    if (isAwaited) await new Promise(setImmediate)
    settleMembers?.()
  }

  /** Resolves when all members have ended, or when the time of their slot is over. */
  function runEachAlone(group: WaitingMember<Member, Outcome>[]): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, aloneSlotMs)
      void Promise.all(group.map(runMemberAlone)).then(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }

  async function runMemberAlone({ member, owner, within, resolve, reject }: WaitingMember<Member, Outcome>) {
    await within(() => shared.runAlone(member)).then(resolve, reject)
    queue.busy.delete(owner)
    planStart()
  }

  function planStart(): void {
    if (queue.isScheduled || queue.runningCount >= groups) return
    queue.isScheduled = true
    // Members that arrive in the same turn of the event loop join the group.
    setImmediate(startGroups)
  }

  return (member) => {
    const { promise, ...settle } = Promise.withResolvers<Outcome>()
    // Another request may start the group, one with less time left or already answered.
    const withinTrace = bindTrace()
    const withinPatience = bindPatience()
    const within = <T>(work: () => T): T => withinTrace(() => withinPatience(work))
    const entry = { member, owner: shared.ownerOf(member), within, ...settle }
    queue.waiting.push(entry)
    planStart()
    // A running member may still commit: the client's retry finds its outcome.
    return waitWithinPatience(promise, () => {
      queue.waiting = queue.waiting.filter((each) => each !== entry)
    })
  }
}

/** Removes the members that wait longest from the queue, one per owner, if none of the owner's members runs. */
function nextGroup<Member, Outcome>(
  queue: CommitQueue<Member, Outcome>,
  maxMembers: number,
): WaitingMember<Member, Outcome>[] {
  const group: WaitingMember<Member, Outcome>[] = []
  const remaining: WaitingMember<Member, Outcome>[] = []
  for (const entry of queue.waiting) {
    if (group.length === maxMembers || queue.busy.has(entry.owner)) remaining.push(entry)
    else {
      queue.busy.add(entry.owner)
      group.push(entry)
    }
  }
  queue.waiting = remaining
  return group.sort((a, b) => (a.owner < b.owner ? -1 : 1))
}

/** Runs a group in one transaction. Returns a function that settles its members; null if each must run alone. */
async function runAsGroup<Member, Outcome>(
  shared: SharedCommit<Member, Outcome>,
  group: WaitingMember<Member, Outcome>[],
): Promise<(() => void) | null> {
  try {
    const outcomes = await withSharedPatience(() => shared.runTogether(group.map(({ member }) => member)))
    const done = pairs(group, outcomes)
    return () => done.forEach(([{ resolve }, outcome]) => void resolve(outcome))
  } catch (error) {
    if (!shared.isGroupFailure(error)) return null
    return () => group.forEach(({ reject }) => void reject(error))
  }
}

/** Sends one statement outside an explicit transaction; after a transient failure, repeats it by `tx`, which retries. */
export const writeWithRetry = <T>(db: Db, write: (run: Run) => Promise<T>): Promise<T> =>
  write(db).catch((error) => {
    if (!isTransient(error)) throw error
    return db.tx(write)
  })

type MemberResult<Outcome> = { outcome: Outcome } | { error: unknown }

/**
 * Returns a batching write. Rows that arrive while `concurrency` statements run wait for the next statement, up to the
 * limits of `LoaderOptions`; a single row on an idle connection is written at once. More concurrency helps only when
 * commits are slow: about four statements per millisecond of a commit. `write` returns outcomes in the order of its
 * rows. A refused row fails only its own caller: the rows of its batch are then written one by one.
 */
export function groupCommit<Row, Outcome>(
  write: (rows: Row[]) => Promise<Outcome[]>,
  { concurrency = 1, ...options }: LoaderOptions<Row> = {},
): (row: Row) => Promise<Outcome> {
  const writeBatched = loader<Row, MemberResult<Outcome>>((rows) => writeBatch(write, rows), {
    concurrency,
    ...options,
  })
  return async (row) => {
    const settled = required(await writeBatched(row), 'the outcome of a row')
    if ('error' in settled) throw settled.error
    return settled.outcome
  }
}

async function writeBatch<Row, Outcome>(
  write: (rows: Row[]) => Promise<Outcome[]>,
  rows: Row[],
): Promise<MemberResult<Outcome>[]> {
  try {
    const outcomes = await write(rows)
    return outcomes.map((outcome) => ({ outcome }))
  } catch (error) {
    // When the answer to a commit was lost, the rows may exist, so they are not written again.
    if (rows.length === 1 || isTransient(error) || isCommitUnknown(error)) return rows.map(() => ({ error }))
    const alone: MemberResult<Outcome>[] = []
    for (const row of rows) alone.push(...(await writeBatch(write, [row])))
    return alone
  }
}
