// Transactions of different owners that come at the same time share one, and so one flush to disk; a failure is its own.
import { AsyncLocalStorage } from 'node:async_hooks'
import { pairs, required } from '#kit/runtime/record.ts'
import { type LoaderOptions, loader } from './loader.ts'
import { patiently, withSharedPatience } from './patience.ts'
import { type Db, isCommitUnknown, isPassing, type Run } from './sql.ts'

interface SharedCommit<Member, Outcome> {
  /** Only one member of an owner is under way at a time: what it does is never mixed with another effect on the same rows. */
  ownerOf(member: Member): string
  /** Does all of them in one transaction, in the order given; it rejects when one of them fails, and then none has taken effect. */
  together(members: Member[]): Promise<Outcome[]>
  /** Does one of them in a transaction of its own. */
  alone(member: Member): Promise<Outcome>
  /**
   * Whether the failure of a group applies to each member: the write may have taken effect, so a repetition could do it
   * twice; or the database is unavailable, and each member would wait for it again.
   */
  isForAll(error: unknown): boolean
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

/** Who waits, whose members are under way, and in how many groups. */
interface CommitQueue<Member, Outcome> {
  waiting: WaitingMember<Member, Outcome>[]
  busy: Set<string>
  underWay: number
  /** Whether a start is planned for the end of this turn of the event loop. */
  isPlanned: boolean
}

/**
 * Gives what does a member. One that comes while a group can begin goes at once; others wait, and go together, sorted by
 * their owners so that two groups lock in one order. When a group fails it has been rolled back whole, and each of its
 * members is done alone, to succeed or fail by itself.
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
    // Those who ask in the same turn of the event loop come along.
    setImmediate(go)
  }

  return (member) => {
    const { promise, ...settle } = Promise.withResolvers<Outcome>()
    // The group may have been begun by another request, with less patience or already answered.
    const within = AsyncLocalStorage.snapshot()
    const own = { member, owner: shared.ownerOf(member), within, ...settle }
    gathered.waiting.push(own)
    plan()
    // One that is under way may still be committed: its request finds out when it comes again.
    return patiently(promise, () => {
      gathered.waiting = gathered.waiting.filter((each) => each !== own)
    })
  }
}

/** Those that came first, one of each owner that has none under way. */
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

/** Gives what hands the outcomes out. */
async function inOne<Member, Outcome>(
  shared: SharedCommit<Member, Outcome>,
  group: WaitingMember<Member, Outcome>[],
): Promise<() => void> {
  try {
    const outcomes = await withSharedPatience(() => shared.together(group.map(({ member }) => member)))
    const done = pairs(group, outcomes)
    return () => done.forEach(([{ resolve }, outcome]) => void resolve(outcome))
  } catch (error) {
    if (!shared.isForAll(error)) return eachAlone(shared, group)
    return () => group.forEach(({ reject }) => void reject(error))
  }
}

async function eachAlone<Member, Outcome>(
  { alone }: SharedCommit<Member, Outcome>,
  group: WaitingMember<Member, Outcome>[],
): Promise<() => void> {
  await Promise.all(
    group.map(async ({ member, within, resolve, reject }) => {
      await within(() => alone(member)).then(resolve, reject)
    }),
  )
  return () => {}
}

/** Sends one statement, which is a transaction by itself; where the database was unavailable a whole transaction repeats it. */
export const writeWithRetry = <T>(db: Db, write: (run: Run) => Promise<T>): Promise<T> =>
  write(db).catch((error) => {
    if (!isPassing(error)) throw error
    return db.tx(write)
  })

type MemberResult<Outcome> = { outcome: Outcome } | { error: unknown }

/**
 * Gives a write that gathers. Rows that come while `concurrency` statements are under way wait and go together into the
 * next one, `most` at a time or as many as one statement carries; a single row on an idle connection goes at once. More
 * statements at once pay only where a commit is slow: about one for every quarter of a millisecond. `write` answers in
 * the order of its rows. A row that the database refuses fails its own writer alone: the others of its batch are then
 * written one by one.
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
    // Where the answer to a commit was lost, the rows may be there: they are not written again.
    if (rows.length === 1 || isPassing(error) || isCommitUnknown(error)) return rows.map(() => ({ error }))
    const alone: MemberResult<Outcome>[] = []
    for (const row of rows) alone.push(...(await together(write, [row])))
    return alone
  }
}
