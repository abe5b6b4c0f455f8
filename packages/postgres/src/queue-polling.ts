// Wakes the workers of a process: polls all their queues with one statement a second, and receives notifications.
import { Client } from 'pg'
import { type Fragment, join, sql } from './statement.ts'

export interface WatchedQueue {
  queue: string
  /** A select of the time at which the next item of the queue is due; null without an item. */
  next: Fragment
  clock(): Date
}

interface QueueWatcher {
  /** Watches the queue until the returned function is called. */
  watch(watched: WatchedQueue): () => void
  end(): Promise<void>
}

interface QueueWatcherDeps {
  run<Row>(strings: TemplateStringsArray, ...values: unknown[]): Promise<Row[]>
  wake(queue: string): void
  onError(error: Error): void
  /** The database URL for the listening connection; null behind a pooler, which reassigns connections. */
  listenAt: string | null
}

/** The interval of the polls, and the longest delay of work whose notification was lost. */
export const pollIntervalMs = 1000

/** Notifications only save time: the next poll sees all due work. */
export function queueWatcher(deps: QueueWatcherDeps): QueueWatcher {
  const watching = new Set<WatchedQueue>()
  const timers = new Set<NodeJS.Timeout>()
  let isPolling = false
  let wakeListener: WakeListener | undefined

  function runAfter(ms: number, act: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer)
      act()
    }, ms).unref()
    timers.add(timer)
  }

  async function poll(): Promise<void> {
    try {
      const all = [...watching]
      const each = all.map(({ queue, next }) => sql`select ${queue}::text as queue, (${next})::timestamptz as due_at`)
      const found = await deps.run<{ queue: string; dueAt: Date | null }>`${join(each, ' union all ')}`
      const due = new Map(found.map(({ queue, dueAt }) => [queue, dueAt]))
      for (const { queue, clock } of all) {
        const dueAt = due.get(queue)
        const ms = dueAt ? dueAt.getTime() - clock().getTime() : Number.POSITIVE_INFINITY
        if (ms <= 0) deps.wake(queue)
        else if (ms < pollIntervalMs) runAfter(ms, () => deps.wake(queue))
      }
    } catch (error) {
      if (watching.size > 0) deps.onError(error instanceof Error ? error : new Error(String(error)))
    }
    isPolling = watching.size > 0
    if (isPolling) runAfter(pollIntervalMs, () => void poll())
  }

  return {
    watch(watched) {
      watching.add(watched)
      if (deps.listenAt !== null) wakeListener ??= listenForWakes(deps.listenAt, deps.wake)
      if (!isPolling) runAfter(pollIntervalMs, () => void poll())
      isPolling = true
      return () => void watching.delete(watched)
    },
    async end() {
      watching.clear()
      for (const timer of timers) clearTimeout(timer)
      await wakeListener?.end()
    },
  }
}

/** The channel of notifications between processes. The message is the name of the queue with new work. */
const channel = 'lendloom_wake'

interface WakeListener {
  end(): Promise<void>
}

/** Listens for notifications of other processes on a separate connection, which is reopened when it is lost. */
function listenForWakes(url: string, wake: (queue: string) => void): WakeListener {
  let isEnded = false
  let client: Client | undefined
  let reopenTimer: NodeJS.Timeout | undefined
  async function open(): Promise<void> {
    const connection = new Client({ connectionString: url, application_name: 'lendloom wakes', keepAlive: true })
    client = connection
    connection.on('error', () => {})
    connection.once('end', () => {
      if (!isEnded) reopenTimer = setTimeout(() => void open(), pollIntervalMs).unref()
    })
    connection.on('notification', ({ payload }) => payload && wake(payload))
    try {
      await connection.connect()
      await connection.query(`listen ${channel}`)
    } catch {
      await connection.end().catch(() => {})
    }
  }
  const opened = open()
  return {
    async end() {
      isEnded = true
      clearTimeout(reopenTimer)
      await opened
      await client?.end().catch(() => {})
    },
  }
}

interface Notifier {
  notify(queue: string): void
  end(): Promise<void>
}

/** Wakes within this time share one notification, because each notification is a commit. */
const gatherMs = 20

/**
 * Notifies other processes of queues that this process does not work on. A process that misses a notification finds the
 * work at its next poll.
 */
export function otherProcessNotifier(run: QueueWatcherDeps['run']): Notifier {
  const queues = new Set<string>()
  let isScheduled = false
  async function sendNotification(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, gatherMs))
    const names = [...queues]
    queues.clear()
    isScheduled = false
    await run`select pg_notify(${channel}, queue) from unnest(${names}::text[]) as queue`.catch(() => {})
  }
  let last: Promise<unknown> = Promise.resolve()
  return {
    notify(queue) {
      queues.add(queue)
      if (!isScheduled) last = sendNotification()
      isScheduled = true
    },
    end: async () => void (await last),
  }
}
