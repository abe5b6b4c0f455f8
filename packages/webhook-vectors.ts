// Writes the webhooks that every helper must take or refuse, signed by the platform's own signer: packages/webhook-vectors.json.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { secretOf, sign } from '#contract/webhook/signature.ts'

/** A webhook as it arrives, and what becomes of it. */
export interface Vector {
  name: string
  /** What the receiver holds. */
  secrets: string[]
  headers: Record<string, string>
  /** Base64 of the raw bytes. */
  body: string
  /** Unix seconds at which it arrives. */
  at: number
  /** Null when it is genuine. */
  fault: string | null
}

const root = join(import.meta.dirname, '..')
const sentAt = new Date('2026-11-20T05:00:00.000Z')
const id = '01a1fcfb-52d0-753e-902f-ee50ac947d16'
const [current, former, foreign] = [1, 2, 3].map((fill) => secretOf(Buffer.alloc(32, fill))) as [string, string, string]

function changed(name: string, change: Partial<Vector>): Vector {
  const { lifecycleUpdate } = JSON.parse(readFileSync(join(root, 'src', 'platform', 'api-examples.json'), 'utf8'))
  // Indented, and with a letter beyond ASCII: what counts are the bytes, however they could be written otherwise.
  const update = structuredClone(lifecycleUpdate.request)
  update.borrower.profile.personal.panName = 'आशा Rao'
  const body = Buffer.from(JSON.stringify(update, null, 1))
  const headers = sign([current], id, sentAt, body)
  const at = sentAt.getTime() / 1000 + 2
  return { name, secrets: [current], headers, body: body.toString('base64'), at, fault: null, ...change }
}

/** All vectors. */
export function vectors(): Vector[] {
  const plain = changed('signed with the secret', {})
  const body = Buffer.from(plain.body, 'base64')
  const seconds = sentAt.getTime() / 1000
  const signedOver = (bytes: Buffer) => ({
    headers: sign([current], id, sentAt, bytes),
    body: bytes.toString('base64'),
  })
  const withHeader = (name: string, value: string) => ({ headers: { ...plain.headers, [name]: value } })
  const without = (name: string) => ({
    headers: Object.fromEntries(Object.entries(plain.headers).filter(([each]) => each !== name)),
    fault: 'missing-header',
  })
  const signature = plain.headers['webhook-signature']
  const published = Buffer.from('{"test": 2432232314}')
  return [
    plain,
    changed('signed with two secrets, and the receiver holds the former', {
      headers: sign([current, former], id, sentAt, body),
      secrets: [former],
    }),
    changed('signed with the former secret, and the receiver holds both', {
      headers: sign([former], id, sentAt, body),
      secrets: [current, former],
    }),
    changed('beside signatures of other versions', withHeader('webhook-signature', `v1a,abc ${signature} v2,x`)),
    changed('as late as is tolerated', { at: seconds + 300 }),
    changed('as early as is tolerated', { at: seconds - 300 }),
    changed('too late', { at: seconds + 301, fault: 'too-old' }),
    changed('too early', { at: seconds - 301, fault: 'too-old' }),
    changed('signed with the secret of somebody else', { secrets: [foreign], fault: 'wrong-signature' }),
    changed('one byte was added', {
      body: Buffer.concat([body, Buffer.from(' ')]).toString('base64'),
      fault: 'wrong-signature',
    }),
    changed('under another id', { ...withHeader('webhook-id', 'another'), fault: 'wrong-signature' }),
    changed('with another time', { ...withHeader('webhook-timestamp', String(seconds + 1)), fault: 'wrong-signature' }),
    changed('a signature without its version', {
      ...withHeader('webhook-signature', signature?.slice(3) ?? ''),
      fault: 'wrong-signature',
    }),
    changed('a signature that is cut off', {
      ...withHeader('webhook-signature', signature?.slice(0, -8) ?? ''),
      fault: 'wrong-signature',
    }),
    ...['1e9', '-5', 'now', '1763614800.5'].map((value) =>
      changed(`the time ${value}`, { ...withHeader('webhook-timestamp', value), fault: 'bad-timestamp' }),
    ),
    ...Object.keys(plain.headers).map((name) => changed(`without ${name}`, without(name))),
    changed('signed, but no update', { ...signedOver(published), fault: 'not-an-update' }),
    changed('signed, but no JSON', { ...signedOver(Buffer.from('not json')), fault: 'not-an-update' }),
    changed('signed, but no UTF-8', { ...signedOver(Buffer.from([0x22, 0xff, 0x22])), fault: 'not-an-update' }),
  ]
}

export const vectorFile = join(import.meta.dirname, 'webhook-vectors.json')
export const vectorText = (): string => `${JSON.stringify(vectors(), null, 2)}\n`

if (import.meta.main) writeFileSync(vectorFile, vectorText())
