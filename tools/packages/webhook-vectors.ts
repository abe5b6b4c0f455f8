// Generates packages/webhook-vectors.json: webhooks signed by the platform's code that clients must accept or reject.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { secretOf, sign } from '@lendloom/wire/webhook/signature'

/** A received webhook and the expected result of its verification. */
export interface Vector {
  name: string
  /** The receiver's secrets. */
  secrets: string[]
  headers: Record<string, string>
  /** Base64 of the raw bytes. */
  body: string
  /** The time of receipt, in Unix seconds. */
  at: number
  /** Null if the webhook is valid. */
  fault: string | null
  /** The ids that the header names as missing. */
  missing?: string[]
}

const root = join(import.meta.dirname, '..', '..')
const sentAt = new Date('2026-11-20T05:00:00.000Z')
const id = '01a1fcfb-52d0-753e-902f-ee50ac947d16'
const next = '01a1fcfb-7801-753e-9d11-0c2b1b8c7a40'
const [current, previous, foreign] = [1, 2, 3].map((fill) => secretOf(Buffer.alloc(32, fill))) as [
  string,
  string,
  string,
]

function vector(name: string, change: Partial<Vector>): Vector {
  const { lifecycleUpdate } = JSON.parse(
    readFileSync(join(root, 'apps', 'platform', 'src', 'api', 'reference', 'examples.json'), 'utf8'),
  )
  // Indented and with a non-ASCII letter: the signature covers the raw bytes, so re-serialized JSON must fail.
  const update = structuredClone(lifecycleUpdate.request)
  update.borrower.profile.personal.panName = 'आशा Rao'
  const body = Buffer.from(JSON.stringify(update, null, 1))
  const headers = sign([current], id, sentAt, body)
  const at = sentAt.getTime() / 1000 + 2
  return { name, secrets: [current], headers, body: body.toString('base64'), at, fault: null, ...change }
}

export function vectors(): Vector[] {
  const valid = vector('signed with the secret', {})
  const body = Buffer.from(valid.body, 'base64')
  const seconds = sentAt.getTime() / 1000
  const signedOver = (bytes: Buffer) => ({
    headers: sign([current], id, sentAt, bytes),
    body: bytes.toString('base64'),
  })
  const withHeader = (name: string, value: string) => ({ headers: { ...valid.headers, [name]: value } })
  const without = (name: string) => ({
    headers: Object.fromEntries(Object.entries(valid.headers).filter(([each]) => each !== name)),
    fault: 'missing-header',
  })
  const signature = valid.headers['webhook-signature']
  const unrelatedJson = Buffer.from('{"test": 2432232314}')
  return [
    valid,
    vector('signed with two secrets, and the receiver knows only the previous one', {
      headers: sign([current, previous], id, sentAt, body),
      secrets: [previous],
    }),
    vector('signed with the previous secret, and the receiver knows both', {
      headers: sign([previous], id, sentAt, body),
      secrets: [current, previous],
    }),
    vector('next to signatures of other versions', withHeader('webhook-signature', `v1a,abc ${signature} v2,x`)),
    vector('with the ids of updates that were given up', {
      ...withHeader('lendloom-missing', `${id} ${next}`),
      missing: [id, next],
    }),
    vector('with a damaged list of updates', {
      ...withHeader('lendloom-missing', `  ${id} ${id.slice(1)}, <script> ${'a'.repeat(4000)}`),
      missing: [id],
    }),
    vector('as late as is tolerated', { at: seconds + 300 }),
    vector('as early as is tolerated', { at: seconds - 300 }),
    vector('too late', { at: seconds + 301, fault: 'too-old' }),
    vector('too early', { at: seconds - 301, fault: 'too-old' }),
    vector('signed with an unknown secret', { secrets: [foreign], fault: 'wrong-signature' }),
    vector('one byte was added', {
      body: Buffer.concat([body, Buffer.from(' ')]).toString('base64'),
      fault: 'wrong-signature',
    }),
    vector('under another id', { ...withHeader('webhook-id', 'another'), fault: 'wrong-signature' }),
    vector('with another time', { ...withHeader('webhook-timestamp', String(seconds + 1)), fault: 'wrong-signature' }),
    vector('a signature without its version', {
      ...withHeader('webhook-signature', signature?.slice(3) ?? ''),
      fault: 'wrong-signature',
    }),
    vector('a signature that is cut off', {
      ...withHeader('webhook-signature', signature?.slice(0, -8) ?? ''),
      fault: 'wrong-signature',
    }),
    ...['1e9', '-5', 'now', '1763614800.5'].map((value) =>
      vector(`the time ${value}`, { ...withHeader('webhook-timestamp', value), fault: 'bad-timestamp' }),
    ),
    ...Object.keys(valid.headers).map((name) => vector(`without ${name}`, without(name))),
    vector('signed, but not an update', { ...signedOver(unrelatedJson), fault: 'not-an-update' }),
    vector('signed, but not JSON', { ...signedOver(Buffer.from('not json')), fault: 'not-an-update' }),
    vector('signed, but not UTF-8', { ...signedOver(Buffer.from([0x22, 0xff, 0x22])), fault: 'not-an-update' }),
  ]
}

export const vectorFile = join(root, 'packages', 'webhook-vectors.json')
export const vectorText = (): string => `${JSON.stringify(vectors(), null, 2)}\n`

if (import.meta.main) writeFileSync(vectorFile, vectorText())
