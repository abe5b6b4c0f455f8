// The HTTP server of one side of the exchange: programmable answers, and a probe that verifies its public address.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { uuidv4 } from '#kit/crypto/id.ts'
import { messageOf } from '#kit/runtime/record.ts'
import { CannotBegin } from './outcome.ts'

/** A request that came in. */
export interface ListenerRequest {
  method: string
  /** The path with its query. */
  url: string
  path: string
  query: URLSearchParams
  headers: IncomingHttpHeaders
  raw: Buffer
}

export interface ListenerAnswer {
  status: number
  headers?: Record<string, string>
  /** What becomes JSON, or bytes; absent where there is none. */
  body?: unknown
}

/** Null leaves the request unanswered until the client gives up. */
export type AnswerHandler = (arriving: ListenerRequest) => ListenerAnswer | null | Promise<ListenerAnswer | null>

export interface Listener {
  /** Where it listens. */
  url: string
  /** A word that only this listener answers with, so that its public address can be tried. */
  nonce: string
  stop(): Promise<void>
}

/** Opens it. `CannotBegin` when the address is taken. */
export async function listen(host: string, port: number, answering: AnswerHandler): Promise<Listener> {
  const nonce = uuidv4()
  const server = createServer((request, response) => {
    answer({ nonce, answering }, request, response).catch((error) => {
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
  const bound = typeof address === 'object' && address ? address.port : port
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    nonce,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function answer(
  { nonce, answering }: { nonce: string; answering: AnswerHandler },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { method = 'GET', url = '/', headers } = request
  const { pathname: path, searchParams: query } = new URL(url, 'http://listener')
  const given = await answering({ method, url, path, query, headers, raw: Buffer.concat(chunks) })
  if (given) {
    const { status, headers: more = {}, body } = given
    const bytes = Buffer.isBuffer(body) ? body : JSON.stringify(body)
    return void response.writeHead(status, { 'content-type': 'application/json', ...more }).end(bytes)
  }
  if (method === 'GET') response.writeHead(200, { 'content-type': 'text/plain' }).end(nonce)
}

/** A refusal in the shape of D3 §7. */
export const refusal = (status: number, request_id: string, code: string, message: string): ListenerAnswer => ({
  status,
  body: { request_id, error: { code, message, retryable: status === 429 || status >= 500, fields: [] } },
})
