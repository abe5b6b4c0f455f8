// Headers without a body: a caller without a credential must be refused before a byte of its body is read (D1 §5).
import { once } from 'node:events'
import { connect } from 'node:net'
import pLimit from 'p-limit'
import { type Gate, gateOf } from '../api/gates.ts'
import { type ApiOperation, operations, type ProgramName, pathWith } from '../api/operations.ts'

/** More than any route without a credential accepts, and never sent. */
const announcedBytes = 200 << 20
const answerMs = 5000
const concurrent = 16

/** Routes for which a caller needs no credential: they refuse the announced size instead. */
const openGates: Gate[] = ['public', 'sandbox']

const credentials: Record<string, Record<string, string>> = {
  'no credential': {},
  'a made-up bearer': { authorization: 'Bearer sk_test_0000000000000000000000000000000000000000000' },
  'a made-up signature': {
    authorization:
      'Signature keyId="nobody.example|1|ed25519",algorithm="ed25519",created="1",expires="2",headers="(created) (expires) digest",signature="AA=="',
  },
}

export interface HeadersAlone {
  calls: number
  /** Routes that answered otherwise, or waited for the body. */
  faults: string[]
}

export async function callWithHeadersAlone(urls: Record<ProgramName, string>): Promise<HeadersAlone> {
  const limit = pLimit(concurrent)
  const withBodies = operations.filter(({ route }) => route.method !== 'GET')
  const calls = withBodies.flatMap((operation) =>
    Object.entries(credentials).map(([name, headers]) =>
      limit(async () => {
        const status = await statusOf(urls[operation.program], operation, headers)
        return isExpected(operation, status) ? [] : [`${operation.name} with ${name}: ${status}`]
      }),
    ),
  )
  const faults = (await Promise.all(calls)).flat()
  return { calls: calls.length, faults }
}

function isExpected(operation: ApiOperation, status: string): boolean {
  const gate = gateOf(operation)
  // The mailbox and the sandbox's forms check their links after a small body.
  if (openGates.includes(gate)) return ['400', '401', '403', '404', '413'].includes(status)
  // A link in the body of a public route.
  if (!operation.route.path.includes('{token}') && gate === 'link') return status === '413'
  // The desk shows its sign-in page to a caller without a session.
  return ['401', '403', '404'].includes(status) || (operation.program === 'partner' && status === '303')
}

/** Sends the headers of a request with a body, and returns the status of the answer. */
async function statusOf(url: string, { route }: ApiOperation, credential: Record<string, string>): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).setEncoding('utf8')
  socket.on('error', () => {})
  const headers = {
    host: `${hostname}:${port}`,
    'content-type':
      route.accepts === 'form' || route.accepts === 'stream' ? 'multipart/form-data; boundary=a' : 'application/json',
    'content-length': String(announcedBytes),
    ...credential,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const path = pathWith(route.path, () => 'none')
  socket.write(`${route.method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
  try {
    const [text] = await once(socket, 'data', { signal: AbortSignal.timeout(answerMs) })
    return /^HTTP\/1\.1 (\d{3})/.exec(String(text))?.[1] ?? 'no status'
  } catch {
    return 'no answer'
  } finally {
    socket.destroy()
  }
}
