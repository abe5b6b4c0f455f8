// Limits the time of request bodies, and reads the rest of refused bodies.
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Refusal } from './refusal.ts'
import type { Route } from './route.ts'

/** Time limit of a body that is read as a whole. */
const bufferedMs = 60_000
const streamedMs = 15 * 60_000
/** Time limit without a new byte of a streamed body. */
const stalledMs = 30_000

// biome-ignore lint/suspicious/noExplicitAny: a route of any program
export const isStreamed = ({ accepts }: Pick<Route<any>, 'accepts'>): boolean => accepts === 'stream'

/** Time limit of any request. */
export const longestArrivalMs = (hasStreams: boolean): number => (hasStreams ? streamedMs : bufferedMs)

/** Limits the time of a buffered body, because the limit of the server is long enough for streamed bodies. */
export function limitBodyTime(request: IncomingMessage): void {
  const timer = setTimeout(() => request.destroy(), bufferedMs).unref()
  request.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
}

/**
 * Returns the unread body of an authenticated request. Throws `too-large` when the declared length exceeds `maxBytes`.
 * The handler must count the bytes of a body without a declared length. A stalled body is cut off.
 */
export function bodyStream(request: IncomingMessage, maxBytes: number): Readable {
  if (Number(request.headers['content-length']) > maxBytes)
    throw new Refusal('too-large', `the upload has more than ${maxBytes >> 20} MB`)
  request.setTimeout(stalledMs)
  request.once('end', () => request.setTimeout(0))
  return request
}

const maxDrainedBytes = 16 << 20
const maxDrainMs = 10_000

/**
 * Reads and drops the rest of a refused body, because a client that writes everything before reading would otherwise
 * get a reset connection and no answer. Beyond the limits the connection is destroyed.
 */
export function drainBody(request: IncomingMessage): void {
  if (request.readableEnded || request.destroyed) return
  let bytes = 0
  const timer = setTimeout(() => request.destroy(), maxDrainMs).unref()
  request.unpipe()
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxDrainedBytes) request.destroy()
  })
  request.once('close', () => clearTimeout(timer)).on('error', () => {})
  request.resume()
}
