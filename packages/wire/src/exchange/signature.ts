// The signature on every event, in both directions: HMAC-SHA256 over send time, newline and the exact bytes (D3 §5).

import { createHmac, timingSafeEqual } from 'node:crypto'
import { ownValue } from '@lendloom/foundation/record'
import { Refusal } from '@lendloom/foundation/refusal'

/** D3 §8. The maximum difference between `X-Sent-At` and the receiver's clock. */
export const toleranceSeconds = 300

export interface SigningInput {
  secret: string
  /** Unix seconds. */
  sentAt: number
  raw: Uint8Array
}

/** `X-Signature` of one try. */
export const sign = ({ secret, sentAt, raw }: SigningInput): string =>
  `sha256=${macOf(secret, String(sentAt), raw).toString('hex')}`

/** The three headers of one try. A later try of the same event is signed again, with its own time. */
export function signedHeaders({
  keyId,
  secret,
  at,
  raw,
}: {
  keyId: string
  secret: string
  at: Date
  raw: Uint8Array
}) {
  const sentAt = Math.floor(at.getTime() / 1000)
  return { 'x-key-id': keyId, 'x-sent-at': String(sentAt), 'x-signature': sign({ secret, sentAt, raw }) }
}

/** The currently valid signing secrets by key ID; two during a rotation. */
export type Secrets = Readonly<Record<string, string>>

export interface SignatureClaim {
  secrets: Secrets
  keyId: string
  sentAt: string
  signature: string
  raw: Uint8Array
  at: Date
}

export type Mismatch = 'unknown-key' | 'unreadable-time' | 'too-old' | 'too-early' | 'unreadable-signature' | 'wrong'

/** Returns null if the signature is valid for these bytes and the time is within the tolerance; else the reason. */
export function verify({ secrets, keyId, sentAt, signature, raw, at }: SignatureClaim): Mismatch | null {
  const secret = ownValue(secrets, keyId)
  if (secret === undefined) return 'unknown-key'
  if (!/^(?:0|[1-9]\d{0,11})$/.test(sentAt)) return 'unreadable-time'
  const age = Math.floor(at.getTime() / 1000) - Number(sentAt)
  if (age > toleranceSeconds) return 'too-old'
  if (age < -toleranceSeconds) return 'too-early'
  const [, hex] = /^sha256=([0-9a-f]{64})$/.exec(signature) ?? []
  if (!hex) return 'unreadable-signature'
  return timingSafeEqual(Buffer.from(hex, 'hex'), macOf(secret, sentAt, raw)) ? null : 'wrong'
}

type SignatureHeaders = Record<string, string | string[] | undefined>

/** Throws `bad-credential` unless the headers name a valid key: all that can be verified before the body is read. */
export function requireKnownKey(secrets: Secrets, headers: SignatureHeaders): void {
  const { 'x-key-id': keyId, 'x-sent-at': sentAt, 'x-signature': signature } = headers
  if (typeof keyId !== 'string' || typeof sentAt !== 'string' || typeof signature !== 'string') throw missingHeaders()
  if (ownValue(secrets, keyId) === undefined) throw new Refusal('bad-credential', messages['unknown-key'])
}

const missingHeaders = () => new Refusal('bad-credential', 'X-Key-Id, X-Sent-At and X-Signature are required')

/** Throws `bad-credential` unless the signature is valid. The message helps only an honest sender. */
export function requireSignature(secrets: Secrets, headers: SignatureHeaders, raw: Uint8Array, at: Date): void {
  const { 'x-key-id': keyId, 'x-sent-at': sentAt, 'x-signature': signature } = headers
  if (typeof keyId !== 'string' || typeof sentAt !== 'string' || typeof signature !== 'string') throw missingHeaders()
  const mismatch = verify({ secrets, keyId, sentAt, signature, raw, at })
  if (mismatch) throw new Refusal('bad-credential', messages[mismatch])
}

const messages: Record<Mismatch, string> = {
  'unknown-key': 'X-Key-Id is not a valid key',
  'unreadable-time': 'X-Sent-At is not in Unix seconds without a leading zero',
  'too-old': `X-Sent-At is more than ${toleranceSeconds} s ago`,
  'too-early': `X-Sent-At is more than ${toleranceSeconds} s ahead`,
  'unreadable-signature': 'X-Signature is not sha256= and 64 lower-case hexadecimal digits',
  wrong: 'X-Signature does not match the body',
}

const macOf = (secret: string, sentAt: string, raw: Uint8Array): Buffer =>
  createHmac('sha256', secret).update(`${sentAt}\n`).update(raw).digest()
