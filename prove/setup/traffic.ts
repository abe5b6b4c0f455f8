// Senders that repeat each request until it is accepted, as partners and integrators do, and keep what was accepted and when.
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Request {
  /** By which what it stores is found again. */
  id: string
  /** The whole request, as it goes over the wire. The same bytes at each try. */
  bytes: Uint8Array | string
}

export interface Traffic {
  /** Ids of the requests that were answered with a 2xx. */
  accepted: Set<string>
  /** The longest time in which nothing was accepted, in milliseconds. */
  longestGapMs(): number
  /** Answers that were neither a 2xx nor one that asks to try again later. */
  refused: Map<number, number>
  /** Waits until each sender has had its present request accepted; sends nothing more. */
  finish(): Promise<void>
  /** Sends nothing more, and does not wait for what is under way. */
  abandon(): void
}

const retryMs = 100

export interface Senders {
  senders: number
  next(): Request
  /** What each sender waits between two requests. */
  pauseMs?: number
}

export function send(port: number, { senders, next, pauseMs = 0 }: Senders): Traffic {
  const accepted = new Set<string>()
  const refused = new Map<number, number>()
  let [lastAt, gapMs, isOver, isAbandoned] = [performance.now(), 0, false, false]
  const one = async () => {
    while (!isOver) {
      const request = next()
      for (let done = false; !done && !isAbandoned; ) {
        const status = await answerOf(port, request.bytes)
        if (status >= 200 && status < 300) {
          accepted.add(request.id)
          gapMs = Math.max(gapMs, performance.now() - lastAt)
          lastAt = performance.now()
          done = true
          continue
        }
        if (status !== 0 && status !== 429 && status < 500) refused.set(status, (refused.get(status) ?? 0) + 1)
        await sleep(retryMs)
      }
      if (pauseMs > 0) await sleep(pauseMs)
    }
  }
  const all = Promise.all(Array.from({ length: senders }, one))
  return {
    accepted,
    refused,
    longestGapMs: () => gapMs,
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

/** The status of the answer; 0 when none came within the deadline that D3 §4.2 gives a sender. */
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
