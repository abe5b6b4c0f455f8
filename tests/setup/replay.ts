// Simulates a vendor from its documentation: a real HTTP server that replays recorded exchanges in order and checks the requests.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'

/** In a request, `*` matches any text. In a response, `{{origin}}` is the server's origin and `{{name}}` is the request's field of that name. */
export interface Recording {
  request: {
    method: string
    path: string
    query?: Record<string, string>
    /** Required headers; a header with the value null must be absent. */
    headers: Record<string, string | null>
    /** A JSON body, or the parts of a form: the headers of each part, with `*` as the content. */
    body?: unknown
    form?: string[]
  }
  response: { status: number; headers?: Record<string, string>; body?: unknown }
}

interface Replayed {
  path: string
  headers: IncomingHttpHeaders
  raw: Buffer
}

export interface Replay {
  origin: string
  requests: Replayed[]
  /** Adds exchanges to be played next. The server may also not respond, or close the connection. */
  expect(...exchanges: (Recording | 'silence' | 'hang-up')[]): void
  /** Fails unless exactly the expected requests were received, as recorded. */
  check(): void
}

export async function startReplay(): Promise<Replay> {
  const expected: (Recording | 'silence' | 'hang-up')[] = []
  const mismatches: string[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const raw = Buffer.concat(chunks)
    const { method = '', url = '/', headers } = request
    replay.requests.push({ path: url, headers, raw })
    const next = expected.shift()
    if (next === 'silence') return
    if (next === 'hang-up') return void response.destroy()
    if (next) return answer(next, { method, url, headers, raw }, response)
    mismatches.push(`unexpected request ${method} ${url}`)
    response.writeHead(500).end()
  })
  const answer = (
    { request, response }: Recording,
    { method, url, headers, raw }: { method: string; url: string; headers: IncomingHttpHeaders; raw: Buffer },
    reply: ServerResponse,
  ): void => {
    const { pathname, searchParams } = new URL(url, replay.origin)
    const query = Object.fromEntries(searchParams)
    const form = /boundary=(.+)$/.exec(headers['content-type'] ?? '')?.[1]
    const json = form || raw.length === 0 ? undefined : JSON.parse(raw.toString('utf8'))
    compare('method', request.method, method)
    compare('path', request.path, pathname)
    compare('query', request.query ?? {}, query)
    for (const [name, value] of Object.entries(request.headers)) compare(name, value ?? undefined, headers[name])
    compare('body', request.body, json)
    compare('form', request.form, form && partsOf(raw, form))
    const fields: Record<string, unknown> = { ...query, ...json, origin: replay.origin }
    const filled = JSON.stringify(response.body ?? '').replace(/\{\{(\w+)\}\}/g, (_, name) => String(fields[name]))
    const body = JSON.parse(filled)
    reply.writeHead(response.status, { 'content-type': 'application/json', ...response.headers })
    reply.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
  const compare = (what: string, recorded: unknown, given: unknown): void => {
    if (!fits(recorded, given))
      mismatches.push(`${what}: ${JSON.stringify(given)} instead of ${JSON.stringify(recorded)}`)
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const replay: Replay = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    expect: (...exchanges) => void expected.push(...exchanges),
    check() {
      assert.deepEqual(mismatches, [])
      assert.deepEqual(expected, [], 'every expected request was received')
    },
  }
  return replay
}

/** The headers of each part; the test itself checks the contents. */
const partsOf = (raw: Buffer, boundary: string): string[] =>
  raw
    .toString('latin1')
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => part.slice(2, part.indexOf('\r\n\r\n')).replaceAll('\r\n', '; '))

function fits(recorded: unknown, given: unknown): boolean {
  if (recorded === '*') return typeof given === 'string' && given !== ''
  if (typeof recorded !== 'object' || recorded === null) return recorded === given
  if (typeof given !== 'object' || given === null || Array.isArray(recorded) !== Array.isArray(given)) return false
  const recordedEntries = Object.entries(recorded)
  const givenEntries = new Map(Object.entries(given))
  return (
    recordedEntries.length === givenEntries.size &&
    recordedEntries.every(([key, value]) => givenEntries.has(key) && fits(value, givenEntries.get(key)))
  )
}
