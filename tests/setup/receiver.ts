// An integrator's webhook receiver: a real HTTP server with configurable responses that records the requests.

import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { deadlineMs } from './deadline.ts'

export interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
  id: string
  /** Arrival time in milliseconds, by this process's monotonic clock. */
  at: number
}

/** A status, or a function that handles the response; `undefined` leaves the caller waiting. */
export type Reply = number | ((response: ServerResponse) => void) | undefined

export interface Receiver {
  url(path?: string): string
  readonly received: Received[]
  /** How to respond from now on. */
  answer: (request: Received) => Reply | Promise<Reply>
  /** Resolves when `count` requests have arrived; fails after `deadlineMs`. */
  waitForRequests(count: number): Promise<Received[]>
  stop(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const at = performance.now()
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { headers, url = '/' } = request
    const receivedRequest = { path: url, headers, body: Buffer.concat(chunks), id: String(headers['webhook-id']), at }
    received.push(receivedRequest)
    const reply = await receiver.answer(receivedRequest)
    if (typeof reply === 'number') response.writeHead(reply).end()
    else reply?.(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    url: (path = '/') => `http://127.0.0.1:${port}${path}`,
    received,
    answer: () => 204,
    async waitForRequests(count) {
      const deadline = performance.now() + deadlineMs
      while (received.length < count) {
        if (performance.now() > deadline)
          throw new Error(`${received.length} of ${count} requests arrived in ${deadlineMs} ms`)
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      return received
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return receiver
}
