// Senders that repeat each request until it is accepted, as partners and integrators do, and record what was accepted and when.
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Request {
  /** Identifies what the request stores. */
  id: string
  /** The whole request as sent over the wire, with the same bytes at each attempt. */
  bytes: Uint8Array | string
}

export interface Traffic {
  /** IDs of the requests answered with a 2xx status. */
  accepted: Set<string>
  /** When each was answered, in milliseconds since 1970. */
  acceptedAt: Map<string, number>
  /** The longest time without an accepted request, in milliseconds. */
  longestGapMs(): number
  /** Responses that were neither a 2xx status nor a request to retry later. */
  refused: Map<number, number>
  /** Number of attempts that were answered with a server error, or not at all, and repeated. */
  failed(): number
  /** Waits until each sender's current request is accepted, and sends nothing more. */
  finish(): Promise<void>
  /** Sends nothing more and does not wait for current requests. */
  abandon(): void
}

const retryMs = 100

export interface Senders {
  senders: number
  next(): Request
  /** How long each sender waits between two requests. */
  pauseMs?: number
}

export function send(port: number, { senders, next, pauseMs = 0 }: Senders): Traffic {
  const accepted = new Set<string>()
  const acceptedAt = new Map<string, number>()
  const refused = new Map<number, number>()
  let lastAt = performance.now()
  let gapMs = 0
  let isOver = false
  let isAbandoned = false
  let failed = 0
  const one = async () => {
    while (!isOver) {
      const request = next()
      for (let done = false; !done && !isAbandoned; ) {
        const status = await answerOf(port, request.bytes)
        if (status >= 200 && status < 300) {
          accepted.add(request.id)
          acceptedAt.set(request.id, Date.now())
          gapMs = Math.max(gapMs, performance.now() - lastAt)
          lastAt = performance.now()
          done = true
          continue
        }
        if (status === 0 || status >= 500) failed++
        if (status !== 0 && status !== 429 && status < 500) refused.set(status, (refused.get(status) ?? 0) + 1)
        await sleep(retryMs)
      }
      if (pauseMs > 0) await sleep(pauseMs)
    }
  }
  const all = Promise.all(Array.from({ length: senders }, one))
  return {
    accepted,
    acceptedAt,
    refused,
    longestGapMs: () => gapMs,
    failed: () => failed,
    async finish() {
      isOver = true
      await all
    },
    abandon() {
      isOver = true
      isAbandoned = true
    },
  }
}

/** The status of the response; 0 if none arrived within the sender's deadline (D3 §4.2). */
function answerOf(port: number, bytes: Uint8Array | string): Promise<number> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true })
    const end = (status: number) => {
      socket.destroy()
      resolve(status)
    }
    socket.setTimeout(deadlineMs, () => end(0))
    socket.once('error', () => end(0))
    socket.once('close', () => end(0))
    socket.once('connect', () => socket.write(bytes))
    socket.once('data', (chunk) => end(Number(/^HTTP\/1\.1 (\d{3}) /.exec(chunk.toString('latin1'))?.[1] ?? 0)))
  })
}
const deadlineMs = 10_000
