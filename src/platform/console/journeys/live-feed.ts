// Notifies viewers of a journey about new entries: one database poll per process, triggered by a queue or a timer.

import { Readable } from 'node:stream'
import { timelineKinds } from '#contract/console/journey-lists.ts'
import type { Db } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { perDatabase } from '#kit/runtime/cache.ts'
import { readPositions } from './live-store.ts'
import { cursorOf } from './timeline-cursor.ts'
import { readTimeline, type TimelineKey } from './timeline-store.ts'

/** Job queues of this process that trigger a poll. */
type QueueNames = readonly string[]

/** Limits of open streams: in this process, and per session. */
const maxStreams = 100
const maxStreamsPerSession = 10
const debounceMs = 150
/** A reader with more unread bytes is disconnected. */
const maxUnreadBytes = 64 << 10

interface Watcher {
  key: TimelineKey
  sessionId: string
  /** Whether the session is still valid. */
  isSignedIn(): Promise<boolean>
  stream: Readable
  /** The last position that the reader received. */
  position: string | null
}

interface LiveFeed {
  /** A server-sent event stream whose event ids are positions. Throws `rate-limited` when too many are open. */
  watch(watcher: Omit<Watcher, 'stream'>, queues: QueueNames): Readable
  /** Ends every stream, because a stopping server waits for open responses. */
  end(): void
}

const keyOf = ({ tenantId, journeyId }: TimelineKey): string => `${tenantId} ${journeyId}`

export interface LivePace {
  /** Polling interval for changes of other processes; changes of this process are pushed at once. */
  pollMs: number
  /** Interval of session checks and of keep-alive lines, so that proxies do not end a silent stream. */
  beatMs: number
}
const defaultPace: LivePace = { pollMs: 2000, beatMs: 15_000 }

/** The feed of this process. */
export const liveFeedOf = perDatabase((ctx: { db: Db }) => liveFeed(ctx))

export function liveFeed({ db }: { db: Db }, { pollMs, beatMs }: LivePace = defaultPace): LiveFeed {
  const watchers = new Set<Watcher>()
  let stopListening: (() => void)[] = []
  const next = alarm(poll)
  let beatAt = performance.now() + beatMs

  async function poll(): Promise<void> {
    try {
      await pushNews(db, watchers)
      if (performance.now() >= beatAt) {
        beatAt = performance.now() + beatMs
        await keepAlive(watchers)
      }
    } catch {
      // The database is unavailable: clients reconnect with their last position and get the usual error.
      end()
    }
    if (watchers.size > 0) next.in(pollMs)
  }

  function end(): void {
    for (const { stream } of watchers) stream.push(null)
  }

  function removeWatcher(watcher: Watcher): void {
    watchers.delete(watcher)
    if (watchers.size > 0) return
    for (const stop of stopListening) stop()
    stopListening = []
    next.off()
  }

  return {
    watch(request, queues) {
      const sessionStreams = [...watchers].filter(({ sessionId }) => sessionId === request.sessionId).length
      if (watchers.size >= maxStreams || sessionStreams >= maxStreamsPerSession)
        throw new Refusal('rate-limited', 'too many pages are live at once', { retryAfterSeconds: 30 })
      const watcher = { ...request, stream: new Readable({ read() {} }) }
      watcher.stream.once('close', () => removeWatcher(watcher))
      if (watchers.size === 0) stopListening = queues.map((queue) => db.onWake(queue, () => next.in(debounceMs)))
      watchers.add(watcher)
      watcher.stream.push(': live\n\n')
      next.in(0)
      return watcher.stream
    },
    end,
  }
}

/** Calls back at the earliest requested time, one call at a time. */
function alarm(ring: () => Promise<void>) {
  let timer: NodeJS.Timeout | undefined
  let dueAt = Number.POSITIVE_INFINITY
  let isRinging = false
  const off = (): void => {
    clearTimeout(timer)
    dueAt = Number.POSITIVE_INFINITY
  }
  async function rung(): Promise<void> {
    dueAt = Number.POSITIVE_INFINITY
    if (isRinging) return set(debounceMs)
    isRinging = true
    await ring().finally(() => {
      isRinging = false
    })
  }
  function set(ms: number): void {
    const at = performance.now() + ms
    if (at >= dueAt) return
    off()
    dueAt = at
    timer = setTimeout(() => void rung(), ms).unref()
  }
  return { in: set, off }
}

async function pushNews(db: Db, watchers: Set<Watcher>): Promise<void> {
  const keys = new Map([...watchers].map(({ key }) => [keyOf(key), key]))
  if (keys.size === 0) return
  for (const { position, ...key } of await readPositions(db, [...keys.values()])) {
    const outdated = [...watchers].filter((each) => keyOf(each.key) === keyOf(key) && each.position !== position)
    if (outdated.length === 0) continue
    const [newest] = await readTimeline(db, key, { kinds: timelineKinds, order: 'newest', after: null, limit: 1 })
    const data = JSON.stringify({ newest: newest ? cursorOf(newest) : null })
    for (const watcher of outdated) {
      watcher.position = position
      push(watcher, `id: ${position}\nevent: news\ndata: ${data}\n\n`)
    }
  }
}

/** Ends the streams of sessions that have ended. */
async function keepAlive(watchers: Set<Watcher>): Promise<void> {
  for (const watcher of watchers) {
    if (await watcher.isSignedIn()) push(watcher, ': still here\n\n')
    else watcher.stream.push(null)
  }
}

function push({ stream }: Watcher, text: string): void {
  if (stream.readableLength > maxUnreadBytes) stream.destroy()
  else stream.push(text)
}
