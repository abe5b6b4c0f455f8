// The demo app's live log: keeps recent webhooks in memory and streams them to open pages.
import { EventEmitter } from 'node:events'
import { Readable } from 'node:stream'
import { isObject } from '@lendloom/foundation/record'
import type { DemoEvent } from './demo-page.ts'

const maxEvents = 200
const recent: DemoEvent[] = []
const emitter = new EventEmitter().setMaxListeners(0)

export function recordEvent(event: DemoEvent): void {
  recent.push(event)
  if (recent.length > maxEvents) recent.shift()
  emitter.emit('event', event)
}

/** The app's id of the borrower in an update; null for an update without a borrower. */
const borrowerOf = ({ payload }: DemoEvent): unknown =>
  isObject(payload) && isObject(payload.borrower) ? payload.borrower.provider_id : null

const messageOf = (event: DemoEvent): string => `event: update\ndata: ${JSON.stringify(event)}\n\n`

/** Streams a borrower's recent events, then new ones, as server-sent events. */
export function streamEvents(borrower: string): Readable {
  const stream = new Readable({ read() {} })
  const push = (event: DemoEvent): void => {
    if (borrowerOf(event) === borrower) stream.push(messageOf(event))
  }
  const heartbeat = setInterval(() => stream.push(': heartbeat\n\n'), 15_000)
  heartbeat.unref()
  stream.push(': open\n\n')
  for (const event of recent) push(event)
  const end = (): void => void stream.push(null)
  emitter.on('event', push)
  emitter.once('end', end)
  stream.once('close', () => {
    clearInterval(heartbeat)
    emitter.off('event', push)
    emitter.off('end', end)
  })
  return stream
}

/** Ends every stream. A stopping server waits for open responses. */
export const endEventStreams = (): void => void emitter.emit('end')
