// Notifies viewers of a journey of new entries: one database poll per process, on a wake or by time.

import { Readable } from 'node:stream'
import { timelineKinds } from '#contract/console/journey-lists.ts'
import type { Db } from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { perDatabase } from '#kit/runtime/cache.ts'
import { readPositions } from './live-store.ts'
import { cursorOf } from './timeline-cursor.ts'
import { readTimeline, type TimelineKey } from './timeline-store.ts'

/** Job queues of this process that trigger a poll. */
type Wakes = readonly string[]

/** Limits of open streams. */
const mostStreams = 100
const mostOfSession = 10
const gatherMs = 150
/** A reader with more unread bytes is disconnected. */
const mostUnreadBytes = 64 << 10

interface Watcher {
  of: TimelineKey
  sessionId: string
  /** Whether the session is still valid. */
  isSignedIn(): Promise<boolean>
  stream: Readable
  /** The last position that the reader received. */
  position: string | null
}

interface LiveFeed {
  /** A server-sent event stream whose event ids are positions. Throws `rate-limited` when too many are open. */
  watch(watcher: Omit<Watcher, 'stream'>, wakes: Wakes): Readable
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
const usualPace: LivePace = { pollMs: 2000, beatMs: 15_000 }

/** The feed of this process. */
export const liveFeedOf = perDatabase((ctx: { db: Db }) => liveFeed(ctx))

export function liveFeed({ db }: { db: Db }, { pollMs, beatMs }: LivePace = usualPace): LiveFeed {
  const watchers = new Set<Watcher>()
  let stopHearing: (() => void)[] = []
  const next = alarm(look)
  let beatAt = performance.now() + beatMs

  async function look(): Promise<void> {
    try {
      await tellNews(db, watchers)
      if (performance.now() >= beatAt) {
        beatAt = performance.now() + beatMs
        await beat(watchers)
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

  function forget(watcher: Watcher): void {
    watchers.delete(watcher)
    if (watchers.size > 0) return
    for (const stop of stopHearing) stop()
    stopHearing = []
    next.off()
  }

  return {
    watch(wanted, wakes) {
      const ofSession = [...watchers].filter(({ sessionId }) => sessionId === wanted.sessionId).length
      if (watchers.size >= mostStreams || ofSession >= mostOfSession)
        throw new Refusal('rate-limited', 'too many pages are live at once', { retryAfterSeconds: 30 })
      const watcher = { ...wanted, stream: new Readable({ read() {} }) }
      watcher.stream.once('close', () => forget(watcher))
      if (watchers.size === 0) stopHearing = wakes.map((queue) => db.onWake(queue, () => next.in(gatherMs)))
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
    if (isRinging) return set(gatherMs)
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

async function tellNews(db: Db, watchers: Set<Watcher>): Promise<void> {
  const places = new Map([...watchers].map(({ of }) => [keyOf(of), of]))
  if (places.size === 0) return
  for (const { position, ...of } of await readPositions(db, [...places.values()])) {
    const behind = [...watchers].filter((each) => keyOf(each.of) === keyOf(of) && each.position !== position)
    if (behind.length === 0) continue
    const [newest] = await readTimeline(db, of, { kinds: timelineKinds, order: 'newest', after: null, limit: 1 })
    const data = JSON.stringify({ newest: newest ? cursorOf(newest) : null })
    for (const watcher of behind) {
      watcher.position = position
      push(watcher, `id: ${position}\nevent: news\ndata: ${data}\n\n`)
    }
  }
}

/** Ends the streams of sessions that have ended. */
async function beat(watchers: Set<Watcher>): Promise<void> {
  for (const watcher of watchers) {
    if (await watcher.isSignedIn()) push(watcher, ': still here\n\n')
    else watcher.stream.push(null)
  }
}

function push({ stream }: Watcher, text: string): void {
  if (stream.readableLength > mostUnreadBytes) stream.destroy()
  else stream.push(text)
}
