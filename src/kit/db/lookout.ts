// Wakes the workers of a process: one statement a second reads all of its queues, and other processes send
// notifications.
import { Client } from 'pg'
import { type Fragment, join, sql } from './statement.ts'

/** A watched queue. */
export interface WatchedQueue {
  queue: string
  /** A select of one value: when the next thing of the queue is due; null when there is none. */
  next: Fragment
  clock(): Date
}

interface Lookout {
  /** Looks at the queue until the returned function is called. */
  watch(watched: WatchedQueue): () => void
  end(): Promise<void>
}

interface LookoutDeps {
  run<Row>(strings: TemplateStringsArray, ...values: unknown[]): Promise<Row[]>
  wake(queue: string): void
  onError(error: Error): void
  /** The address at which other processes notify; null behind a pooler, which reassigns the connection. */
  listenAt: string | null
}

/** The longest delay before work of another process is seen when its notification was lost. */
export const everyMs = 1000

/** Notifications only save time: the next poll sees all due work. */
export function lookoutOf(means: LookoutDeps): Lookout {
  const watching = new Set<WatchedQueue>()
  const timers = new Set<NodeJS.Timeout>()
  let isLooking = false
  let ear: Ear | undefined

  /** Runs once after a delay, unless stopped before. */
  function later(ms: number, act: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer)
      act()
    }, ms).unref()
    timers.add(timer)
  }

  async function look(): Promise<void> {
    try {
      const all = [...watching]
      const each = all.map(({ queue, next }) => sql`select ${queue}::text as queue, (${next})::timestamptz as due_at`)
      const found = await means.run<{ queue: string; dueAt: Date | null }>`${join(each, ' union all ')}`
      const due = new Map(found.map(({ queue, dueAt }) => [queue, dueAt]))
      for (const { queue, clock } of all) {
        const dueAt = due.get(queue)
        const ms = dueAt ? dueAt.getTime() - clock().getTime() : Number.POSITIVE_INFINITY
        if (ms <= 0) means.wake(queue)
        else if (ms < everyMs) later(ms, () => means.wake(queue))
      }
    } catch (error) {
      if (watching.size > 0) means.onError(error instanceof Error ? error : new Error(String(error)))
    }
    isLooking = watching.size > 0
    if (isLooking) later(everyMs, () => void look())
  }

  return {
    watch(watched) {
      watching.add(watched)
      if (means.listenAt !== null) ear ??= listening(means.listenAt, means.wake)
      if (!isLooking) later(everyMs, () => void look())
      isLooking = true
      return () => void watching.delete(watched)
    },
    async end() {
      watching.clear()
      for (const timer of timers) clearTimeout(timer)
      await ear?.end()
    },
  }
}

/** The channel on which processes tell each other that something is in a queue; the queue's name is the message. */
const channel = 'lendloom_wake'

interface Ear {
  end(): Promise<void>
}

/** Listens for notifications of other processes on a separate connection, which is reopened when it is lost. */
function listening(url: string, wake: (queue: string) => void): Ear {
  let isOver = false
  let client: Client | undefined
  let again: NodeJS.Timeout | undefined
  async function open(): Promise<void> {
    const own = new Client({ connectionString: url, application_name: 'lendloom wakes', keepAlive: true })
    client = own
    own.on('error', () => {})
    own.once('end', () => {
      if (!isOver) again = setTimeout(() => void open(), everyMs).unref()
    })
    own.on('notification', ({ payload }) => payload && wake(payload))
    try {
      await own.connect()
      await own.query(`listen ${channel}`)
    } catch {
      await own.end().catch(() => {})
    }
  }
  const opened = open()
  return {
    async end() {
      isOver = true
      clearTimeout(again)
      await opened
      await client?.end().catch(() => {})
    },
  }
}

interface Teller {
  tell(queue: string): void
  end(): Promise<void>
}

/** Wakes within this time share one notification, because each notification is a commit. */
const gatherMs = 20

/**
 * Notifies other processes of queues that this one does not work on. A process that misses a notification polls once a
 * second.
 */
export function otherProcessNotifier(run: LookoutDeps['run']): Teller {
  const queues = new Set<string>()
  let isTelling = false
  async function tell(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, gatherMs))
    const names = [...queues]
    queues.clear()
    isTelling = false
    await run`select pg_notify(${channel}, queue) from unnest(${names}::text[]) as queue`.catch(() => {})
  }
  let last: Promise<unknown> = Promise.resolve()
  return {
    tell(queue) {
      queues.add(queue)
      if (!isTelling) last = tell()
      isTelling = true
    },
    end: async () => void (await last),
  }
}
