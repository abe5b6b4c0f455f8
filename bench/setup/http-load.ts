// A minimal load generator, because it shares two cores with the server under test.
import { connect, type Socket } from 'node:net'

export interface Load {
  /** Milliseconds from the first sent to the last received byte of each request. */
  latencies: number[]
  seconds: number
}

export interface Target {
  host: string
  port: number
  connections: number
  seconds: number
  /** Returns the bytes of the next request. */
  next(): string | Uint8Array
  /** Expected status or statuses. */
  status: number | number[]
}

/** The spelling of this header by the servers under test. */
const contentLength = '\r\ncontent-length: '

/** Keeps one request in flight on each connection for `seconds`. Rejects on the first unexpected status. */
export async function load({ host, port, connections, seconds, next, status }: Target): Promise<Load> {
  const latencies: number[] = []
  const end = performance.now() + seconds * 1000
  const expected = [status].flat().map((each) => `HTTP/1.1 ${each} `)
  const runConnection = () =>
    new Promise<void>((resolve, reject) => {
      const socket: Socket = connect({ host, port, noDelay: true })
      let began = 0
      let received = ''
      const send = (): void => {
        began = performance.now()
        received = ''
        if (began < end) socket.write(next())
        else socket.end(resolve)
      }
      socket.setEncoding('latin1')
      socket.on('connect', send)
      socket.on('error', reject)
      socket.on('data', (chunk) => {
        received += chunk
        const head = received.indexOf('\r\n\r\n')
        if (head < 0) return
        const lengthHeader = received.indexOf(contentLength)
        const length =
          lengthHeader < 0
            ? 0
            : Number.parseInt(received.slice(lengthHeader + contentLength.length, lengthHeader + 40), 10)
        if (received.length < head + 4 + length) return
        if (!expected.some((each) => received.startsWith(each))) {
          socket.destroy()
          return reject(new Error(`expected ${status}, got ${received.slice(0, 300)}`))
        }
        latencies.push(performance.now() - began)
        send()
      })
    })
  await Promise.all(Array.from({ length: connections }, runConnection))
  return { latencies, seconds }
}

/** Returns a request as text, with an optional JSON body. */
export function jsonRequest(
  method: string,
  path: string,
  host: string,
  headers: Record<string, string>,
  body?: unknown,
): string {
  const text = body === undefined ? '' : JSON.stringify(body)
  const bodyHeaders = text && { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }
  const lines = Object.entries({ host, ...(bodyHeaders || {}), ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`
}
