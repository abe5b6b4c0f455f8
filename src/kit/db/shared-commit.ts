// Transactions of different owners that come at the same time share one, and so one flush to disk; a failure is its own.

export interface Shared<Member, Outcome> {
  /** Of one owner only one member is under way at a time: what it does is never mixed with another effect on the same rows. */
  ownerOf(member: Member): string
  /** Does all of them in one transaction, in the order given; it rejects when one of them fails, and then none has taken effect. */
  together(members: Member[]): Promise<Outcome[]>
  /** Does one of them in a transaction of its own. */
  alone(member: Member): Promise<Outcome>
  /**
   * Whether a failure of a group is that of each member: it may have taken effect nevertheless, so that doing it again could
   * do it twice; or the database is away, and each would wait for it once more.
   */
  isForAll(error: unknown): boolean
  /** Groups under way at once, and members of one. */
  groups?: number
  most?: number
}

/**
 * Gives what does a member. One that comes while a group can begin goes at once; others wait, and go together, sorted by
 * their owners so that two groups lock in one order. When a group fails it has been rolled back whole, and each of its
 * members is done alone, to succeed or fail by itself.
 */
export function sharedCommit<Member, Outcome>({
  ownerOf,
  together,
  alone,
  isForAll,
  groups = 3,
  most = 16,
}: Shared<Member, Outcome>): (member: Member) => Promise<Outcome> {
  interface Waiting {
    member: Member
    owner: string
    resolve: (outcome: Outcome | Promise<Outcome>) => void
    reject: (error: unknown) => void
  }
  let waiting: Waiting[] = []
  const busy = new Set<string>()
  let underWay = 0
  let planned = false

  function go(): void {
    planned = false
    while (underWay < groups) {
      const group = next()
      if (group.length === 0) return
      void run(group)
    }
  }

  /** Those that came first, one of each owner that has none under way. */
  function next(): Waiting[] {
    const group: Waiting[] = []
    const left: Waiting[] = []
    for (const one of waiting) {
      if (group.length === most || busy.has(one.owner)) left.push(one)
      else {
        busy.add(one.owner)
        group.push(one)
      }
    }
    waiting = left
    return group.sort((a, b) => (a.owner < b.owner ? -1 : 1))
  }

  async function run(group: Waiting[]): Promise<void> {
    underWay++
    const tell = group.length === 1 ? await eachAlone(group) : await inOne(group)
    underWay--
    for (const { owner } of group) busy.delete(owner)
    const isAwaited = waiting.length > 0
    go()
    // The next statement leaves before those who waited for this one go on: the database works while they do.
    if (isAwaited) await new Promise(setImmediate)
    tell()
  }

  /** Gives what hands the outcomes out. */
  async function inOne(group: Waiting[]): Promise<() => void> {
    try {
      const outcomes = await together(group.map(({ member }) => member))
      return () => group.forEach(({ resolve }, i) => void resolve(outcomes[i]!))
    } catch (error) {
      if (!isForAll(error)) return eachAlone(group)
      return () => group.forEach(({ reject }) => void reject(error))
    }
  }

  async function eachAlone(group: Waiting[]): Promise<() => void> {
    await Promise.all(
      group.map(async ({ member, resolve, reject }) => {
        await alone(member).then(resolve, reject)
      }),
    )
    return () => {}
  }

  return (member) =>
    new Promise((resolve, reject) => {
      waiting.push({ member, owner: ownerOf(member), resolve, reject })
      if (planned || underWay >= groups) return
      planned = true
      // Those who ask in the same turn of the event loop come along.
      setImmediate(go)
    })
}
