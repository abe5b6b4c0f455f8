// Notifies console pages about new timeline entries. A job queue or a timer triggers one poll for all open pages.

import { Readable } from 'node:stream'
import { perDatabase } from '@lendloom/foundation/cache'
import { Refusal } from '@lendloom/foundation/refusal'
import type { Db } from '@lendloom/postgres/sql'
import { timelineKinds } from '@lendloom/wire/console/journey-lists'
import { cursorOf } from './timeline-cursor.ts'
import { readDigests } from './timeline-digest-store.ts'
import { readTimeline, type TimelineKey } from './timeline-store.ts'

/** Job queues of this process that trigger a poll. */
type QueueNames = readonly string[]

/** Maximum numbers of open streams in this process and per session. */
const maxStreams = 100
const maxStreamsPerSession = 10
/** Work writes several rows within moments: one poll afterwards finds them all. */
const debounceMs = 150
/** A client with more unread bytes is disconnected. */
const maxUnreadBytes = 64 << 10

interface Watcher {
  key: TimelineKey
  sessionId: string
  isSignedIn(): Promise<boolean>
  stream: Readable
  lastDigest: string | null
}

interface LiveFeed {
  /** Returns server-sent events whose ids are digests. Throws `rate-limited` when too many streams are open. */
  watch(watcher: Omit<Watcher, 'stream'>, queues: QueueNames): Readable
  /** Ends all streams, because a stopping server waits for open responses. */
  end(): void
}

const keyOf = ({ tenantId, journeyId }: TimelineKey): string => `${tenantId} ${journeyId}`

export interface LiveIntervals {
  /** Interval of polls. They find changes of other processes; a change of this process triggers a poll at once. */
  pollMs: number
  /** Interval of session checks and of keep-alive lines, which stop proxies from closing a silent stream. */
  keepAliveMs: number
}
const defaultIntervals: LiveIntervals = { pollMs: 2000, keepAliveMs: 15_000 }

export const liveFeedOf = perDatabase((ctx: { db: Db }) => liveFeed(ctx))

export function liveFeed({ db }: { db: Db }, { pollMs, keepAliveMs }: LiveIntervals = defaultIntervals): LiveFeed {
  const watchers = new Set<Watcher>()
  let stopListening: (() => void)[] = []
  const pollTimer = newTimer(poll)
  let keepAliveAt = performance.now() + keepAliveMs

  async function poll(): Promise<void> {
    try {
      await pushNewEntries(db, watchers)
      if (performance.now() >= keepAliveAt) {
        keepAliveAt = performance.now() + keepAliveMs
        await checkSessions(watchers)
      }
    } catch {
      // The database is unavailable. Clients reconnect with their last digest, and that request fails.
      end()
    }
    if (watchers.size > 0) pollTimer.schedule(pollMs)
  }

  function end(): void {
    for (const { stream } of watchers) stream.push(null)
  }

  function removeWatcher(watcher: Watcher): void {
    watchers.delete(watcher)
    if (watchers.size > 0) return
    for (const stop of stopListening) stop()
    stopListening = []
    pollTimer.cancel()
  }

  return {
    watch(request, queues) {
      const sessionStreams = [...watchers].filter(({ sessionId }) => sessionId === request.sessionId).length
      if (watchers.size >= maxStreams || sessionStreams >= maxStreamsPerSession)
        throw new Refusal('rate-limited', 'too many console pages receive live updates', { retryAfterSeconds: 30 })
      const watcher = { ...request, stream: new Readable({ read() {} }) }
      watcher.stream.once('close', () => removeWatcher(watcher))
      if (watchers.size === 0)
        stopListening = queues.map((queue) => db.onWake(queue, () => pollTimer.schedule(debounceMs)))
      watchers.add(watcher)
      watcher.stream.push(': live\n\n')
      pollTimer.schedule(0)
      return watcher.stream
    },
    end,
  }
}

/** Runs the function at the earliest scheduled time, and never twice at once. */
function newTimer(run: () => Promise<void>) {
  let timer: NodeJS.Timeout | undefined
  let dueAt = Number.POSITIVE_INFINITY
  let isRunning = false
  const cancel = (): void => {
    clearTimeout(timer)
    dueAt = Number.POSITIVE_INFINITY
  }
  async function runScheduled(): Promise<void> {
    dueAt = Number.POSITIVE_INFINITY
    if (isRunning) return schedule(debounceMs)
    isRunning = true
    await run().finally(() => {
      isRunning = false
    })
  }
  function schedule(ms: number): void {
    const at = performance.now() + ms
    if (at >= dueAt) return
    cancel()
    dueAt = at
    timer = setTimeout(() => void runScheduled(), ms).unref()
  }
  return { schedule, cancel }
}

async function pushNewEntries(db: Db, watchers: Set<Watcher>): Promise<void> {
  const keys = new Map([...watchers].map(({ key }) => [keyOf(key), key]))
  if (keys.size === 0) return
  for (const { digest, ...key } of await readDigests(db, [...keys.values()])) {
    const outdated = [...watchers].filter((each) => keyOf(each.key) === keyOf(key) && each.lastDigest !== digest)
    if (outdated.length === 0) continue
    const [newest] = await readTimeline(db, key, { kinds: timelineKinds, order: 'newest', after: null, limit: 1 })
    const data = JSON.stringify({ newest: newest ? cursorOf(newest) : null })
    for (const watcher of outdated) {
      watcher.lastDigest = digest
      push(watcher, `id: ${digest}\nevent: news\ndata: ${data}\n\n`)
    }
  }
}

/** Sends a keep-alive line to each stream, or ends the stream if its session has ended. */
async function checkSessions(watchers: Set<Watcher>): Promise<void> {
  for (const watcher of watchers) {
    if (await watcher.isSignedIn()) push(watcher, ': still here\n\n')
    else watcher.stream.push(null)
  }
}

function push({ stream }: Watcher, text: string): void {
  if (stream.readableLength > maxUnreadBytes) stream.destroy()
  else stream.push(text)
}
