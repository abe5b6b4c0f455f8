// The HTTP server of one side of the exchange: programmable answers, and a probe that verifies its public address.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { messageOf } from '@lendloom/foundation/thrown'
import { uuidv4 } from '@lendloom/seal/id'
import { CannotBegin } from './check-result.ts'

export interface ListenerRequest {
  method: string
  url: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  raw: Buffer
}

export interface ListenerAnswer {
  status: number
  headers?: Record<string, string>
  /** A Buffer is sent as it is, anything else as JSON; omit it for an empty body. */
  body?: unknown
}

/** Null answers a GET with the nonce, and leaves any other request unanswered. */
export type AnswerHandler = (request: ListenerRequest) => ListenerAnswer | null | Promise<ListenerAnswer | null>

export interface Listener {
  /** The address where it listens. */
  url: string
  /** A text that only this listener answers, so that its public URL can be verified. */
  nonce: string
  stop(): Promise<void>
}

/** Throws `CannotBegin` if the address is in use. */
export async function listen(host: string, port: number, handler: AnswerHandler): Promise<Listener> {
  const nonce = uuidv4()
  const server = createServer((request, response) => {
    answer({ nonce, handler }, request, response).catch((error) => {
      response.writeHead(500).end()
      process.stderr.write(`${messageOf(error)}\n`)
    })
  })
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new CannotBegin(`cannot listen on ${host}:${port}: ${messageOf(error)}`)
  }
  const address = server.address()
  const boundPort = typeof address === 'object' && address ? address.port : port
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${boundPort}`,
    nonce,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function answer(
  { nonce, handler }: { nonce: string; handler: AnswerHandler },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { method = 'GET', url = '/', headers } = request
  const { pathname: path, searchParams: query } = new URL(url, 'http://listener')
  const reply = await handler({ method, url, path, query, headers, raw: Buffer.concat(chunks) })
  if (reply) {
    const { status, headers: extraHeaders = {}, body } = reply
    const bytes = Buffer.isBuffer(body) ? body : JSON.stringify(body)
    return void response.writeHead(status, { 'content-type': 'application/json', ...extraHeaders }).end(bytes)
  }
  if (method === 'GET') response.writeHead(200, { 'content-type': 'text/plain' }).end(nonce)
}

/** A refusal in the shape of D3 §7. */
export const refusal = (status: number, request_id: string, code: string, message: string): ListenerAnswer => ({
  status,
  body: { request_id, error: { code, message, retryable: status === 429 || status >= 500, fields: [] } },
})
