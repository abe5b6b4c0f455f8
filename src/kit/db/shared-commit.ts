// Concurrent transactions of different owners share a commit and its flush to disk; each failure stays separate.
import { AsyncLocalStorage } from 'node:async_hooks'
import { pairs, required } from '#kit/runtime/record.ts'
import { type LoaderOptions, loader } from './loader.ts'
import { waitWithinPatience, withSharedPatience } from './patience.ts'
import { type Db, isCommitUnknown, isTransient, type Run } from './sql.ts'

interface SharedCommit<Member, Outcome> {
  /** Only one member of an owner is under way at a time: what it does is never mixed with another effect on the same rows. */
  ownerOf(member: Member): string
  /** Does all of them in one transaction, in the order given; it rejects when one of them fails, and then none has taken effect. */
  runTogether(members: Member[]): Promise<Outcome[]>
  /** Runs one member in a transaction of its own. */
  runAlone(member: Member): Promise<Outcome>
  /**
   * Whether the failure of a group applies to each member: the write may have taken effect, so a repetition could do it
   * twice; or the database is unavailable, and each member would wait for it again.
   */
  isGroupFailure(error: unknown): boolean
  /** Groups under way at once, and members of one. */
  groups?: number
  most?: number
}

interface WaitingMember<Member, Outcome> {
  member: Member
  owner: string
  /** Runs what is done for this member alone as its own request. */
  within: <T>(work: () => T) => T
  resolve: (outcome: Outcome | Promise<Outcome>) => void
  reject: (error: unknown) => void
}

/** The waiting members, the owners with a running member, and the number of running groups. */
interface CommitQueue<Member, Outcome> {
  waiting: WaitingMember<Member, Outcome>[]
  busy: Set<string>
  underWay: number
  /** Whether a start is planned for the end of this turn of the event loop. */
  isPlanned: boolean
}

/**
 * Returns a function that runs a member. A member starts at once when a group may begin; others wait and go together,
 * sorted by owner so that two groups lock in one order. A failed group is rolled back, and each of its members then
 * runs alone.
 */
export function sharedCommit<Member, Outcome>(
  shared: SharedCommit<Member, Outcome>,
): (member: Member) => Promise<Outcome> {
  const { groups = 3, most = 16 } = shared
  const gathered: CommitQueue<Member, Outcome> = { waiting: [], busy: new Set(), underWay: 0, isPlanned: false }

  function go(): void {
    gathered.isPlanned = false
    while (gathered.underWay < groups) {
      const group = nextGroup(gathered, most)
      if (group.length === 0) return
      void run(group)
    }
  }

  async function run(group: WaitingMember<Member, Outcome>[]): Promise<void> {
    gathered.underWay++
    const tell = group.length === 1 ? await eachAlone(shared, group) : await inOne(shared, group)
    gathered.underWay--
    for (const { owner } of group) gathered.busy.delete(owner)
    const isAwaited = gathered.waiting.length > 0
    go()
    // Sends the next statement before the callers of this one continue, so that the database works meanwhile.
    if (isAwaited) await new Promise(setImmediate)
    tell()
  }

  function plan(): void {
    if (gathered.isPlanned || gathered.underWay >= groups) return
    gathered.isPlanned = true
    // Members of the same turn of the event loop join.
    setImmediate(go)
  }

  return (member) => {
    const { promise, ...settle } = Promise.withResolvers<Outcome>()
    // The group may have been begun by another request, with less patience or already answered.
    const within = AsyncLocalStorage.snapshot()
    const own = { member, owner: shared.ownerOf(member), within, ...settle }
    gathered.waiting.push(own)
    plan()
    // A running member may still commit: the client's retry finds out.
    return waitWithinPatience(promise, () => {
      gathered.waiting = gathered.waiting.filter((each) => each !== own)
    })
  }
}

/** The longest waiting members, one per owner without a running one. */
function nextGroup<Member, Outcome>(
  gathered: CommitQueue<Member, Outcome>,
  most: number,
): WaitingMember<Member, Outcome>[] {
  const group: WaitingMember<Member, Outcome>[] = []
  const left: WaitingMember<Member, Outcome>[] = []
  for (const one of gathered.waiting) {
    if (group.length === most || gathered.busy.has(one.owner)) left.push(one)
    else {
      gathered.busy.add(one.owner)
      group.push(one)
    }
  }
  gathered.waiting = left
  return group.sort((a, b) => (a.owner < b.owner ? -1 : 1))
}

/** Distributes the outcomes to the members. */
async function inOne<Member, Outcome>(
  shared: SharedCommit<Member, Outcome>,
  group: WaitingMember<Member, Outcome>[],
): Promise<() => void> {
  try {
    const outcomes = await withSharedPatience(() => shared.runTogether(group.map(({ member }) => member)))
    const done = pairs(group, outcomes)
    return () => done.forEach(([{ resolve }, outcome]) => void resolve(outcome))
  } catch (error) {
    if (!shared.isGroupFailure(error)) return eachAlone(shared, group)
    return () => group.forEach(({ reject }) => void reject(error))
  }
}

async function eachAlone<Member, Outcome>(
  { runAlone }: SharedCommit<Member, Outcome>,
  group: WaitingMember<Member, Outcome>[],
): Promise<() => void> {
  await Promise.all(
    group.map(async ({ member, within, resolve, reject }) => {
      await within(() => runAlone(member)).then(resolve, reject)
    }),
  )
  return () => {}
}

/** Sends one statement as a transaction of its own; after an outage of the database it is repeated in a transaction. */
export const writeWithRetry = <T>(db: Db, write: (run: Run) => Promise<T>): Promise<T> =>
  write(db).catch((error) => {
    if (!isTransient(error)) throw error
    return db.tx(write)
  })

type MemberResult<Outcome> = { outcome: Outcome } | { error: unknown }

/**
 * Returns a batching write. Rows that arrive while `concurrency` statements run wait for the next one, `most` at a time
 * or as many as a statement carries; a single row on an idle connection is written at once. More concurrency only helps
 * with slow commits: about one statement per quarter of a millisecond. `write` answers in the order of its rows. A
 * refused row fails only its own caller: the rest of the batch is then written row by row.
 */
export function groupCommit<Row, Outcome>(
  write: (rows: Row[]) => Promise<Outcome[]>,
  { concurrency = 1, ...gathering }: LoaderOptions<Row> = {},
): (row: Row) => Promise<Outcome> {
  const gathered = loader<Row, MemberResult<Outcome>>((rows) => together(write, rows), { concurrency, ...gathering })
  return async (row) => {
    const settled = required(await gathered(row), 'what became of a row')
    if ('error' in settled) throw settled.error
    return settled.outcome
  }
}

async function together<Row, Outcome>(
  write: (rows: Row[]) => Promise<Outcome[]>,
  rows: Row[],
): Promise<MemberResult<Outcome>[]> {
  try {
    const outcomes = await write(rows)
    return outcomes.map((outcome) => ({ outcome }))
  } catch (error) {
    // When the answer to a commit was lost, the rows may exist: they are not written again.
    if (rows.length === 1 || isTransient(error) || isCommitUnknown(error)) return rows.map(() => ({ error }))
    const alone: MemberResult<Outcome>[] = []
    for (const row of rows) alone.push(...(await together(write, [row])))
    return alone
  }
}
