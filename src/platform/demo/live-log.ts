// The demo app's live log: what its webhook received, passed on to the pages that watch; nothing is kept for long.
import { EventEmitter } from 'node:events'
import { Readable } from 'node:stream'
import { isObject } from '#kit/runtime/record.ts'
import type { DemoEvent } from './page.ts'

const kept = 200
const recent: DemoEvent[] = []
const news = new EventEmitter().setMaxListeners(0)

export function record(event: DemoEvent): void {
  recent.push(event)
  if (recent.length > kept) recent.shift()
  news.emit('event', event)
}

/** The update's borrower, by the app's own id; null for an event without one. */
const borrowerOf = ({ payload }: DemoEvent): unknown =>
  isObject(payload) && isObject(payload.borrower) ? payload.borrower.provider_id : null

const line = (event: DemoEvent): string => `event: update\ndata: ${JSON.stringify(event)}\n\n`

/** A stream of server-sent events: a borrower's recent events, then new ones. */
export function watch(borrower: string): Readable {
  const stream = new Readable({ read() {} })
  const push = (event: DemoEvent): void => {
    if (borrowerOf(event) === borrower) stream.push(line(event))
  }
  const beat = setInterval(() => stream.push(': still here\n\n'), 15_000)
  beat.unref()
  stream.push(': open\n\n')
  for (const event of recent) push(event)
  const end = (): void => void stream.push(null)
  news.on('event', push)
  news.once('end', end)
  stream.once('close', () => {
    clearInterval(beat)
    news.off('event', push)
    news.off('end', end)
  })
  return stream
}

/** Ends every stream: a server that stops waits for those who are being answered. */
export const endWatching = (): void => void news.emit('end')
