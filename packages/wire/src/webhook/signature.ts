// Signatures of lifecycle updates (Standard Webhooks 1.0.0): HMAC-SHA256 over id, time and the exact bytes.
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import { Refusal } from '@lendloom/foundation/refusal'

/** The maximum age of a message, and clock difference; prevents later replays. */
export const toleranceSeconds = 300

const prefix = 'whsec_'
const fewestBytes = 24
const mostBytes = 64

/** Encodes 24 to 64 random bytes as the secret that an integrator is shown. */
export function secretOf(bytes: Uint8Array): string {
  if (bytes.length < fewestBytes || bytes.length > mostBytes)
    throw new Error(`a webhook secret has ${fewestBytes} to ${mostBytes} bytes, not ${bytes.length}`)
  return prefix + Buffer.from(bytes).toString('base64')
}

/** Decodes a secret with or without prefix. Throws if it is invalid. */
function keyOf(secret: string): KeyObject {
  const text = secret.startsWith(prefix) ? secret.slice(prefix.length) : secret
  const key = Buffer.from(text, 'base64')
  const isWhole = key.toString('base64').replace(/(?<!=)=+$/, '') === text.replace(/(?<!=)=+$/, '')
  if (!isWhole || key.length < fewestBytes || key.length > mostBytes)
    throw new Error(`a webhook secret is ${prefix} and base64 of ${fewestBytes} to ${mostBytes} bytes`)
  // With a KeyObject instead of bytes, an HMAC costs less than half.
  return createSecretKey(key)
}

/**
 * The headers of one attempt. `id` is the same for every attempt of a logical event, `at` is the attempt's own time.
 * One signature per secret: during a rotation a receiver may have either. Without a secret there is no signature.
 */
export function sign(secrets: readonly string[], id: string, at: Date, body: Uint8Array): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signatures = secrets.map((secret) => `v1,${macOf(keyOf(secret), id, timestamp, body).toString('base64')}`)
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    ...(signatures.length > 0 && { 'webhook-signature': signatures.join(' ') }),
  }
}

type SignatureHeaders = Record<string, string | string[] | undefined>

/**
 * Throws `bad-credential` unless a signature by `secret` matches these bytes and the message is recent. The message does
 * not reveal the expected signature.
 */
export function verify(secret: string, headers: SignatureHeaders, body: Uint8Array, at: Date): void {
  if (!isSignedBy(secret, requireRecent(headers, at), body))
    throw new Refusal('bad-credential', 'no signature matches this message')
}

/** Throws `bad-credential` unless the headers are those of a recent signed message, whose body need not be read. */
export function requireRecent(headers: SignatureHeaders, at: Date): SignedHeaders {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string')
    throw new Refusal('bad-credential', 'webhook-id, webhook-timestamp and webhook-signature are required')
  if (!/^\d{1,12}$/.test(timestamp)) throw new Refusal('bad-credential', 'webhook-timestamp is not in Unix seconds')
  if (Math.abs(at.getTime() / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new Refusal('bad-credential', `webhook-timestamp is more than ${toleranceSeconds} s away`)
  return { id, timestamp, signatures }
}

/** The three headers of a message, as texts. */
export interface SignedHeaders {
  id: string
  timestamp: string
  signatures: string
}

/** Whether a signature by `secret` matches these bytes, regardless of the message's age. */
export function isSignedBy(secret: string, { id, timestamp, signatures }: SignedHeaders, body: Uint8Array): boolean {
  const expected = macOf(keyOf(secret), id, timestamp, body)
  return signatures.split(' ').some((signature) => isMac(signature, expected))
}

/** Ignores signatures of other versions. */
function isMac(signature: string, expected: Buffer): boolean {
  if (!signature.startsWith('v1,')) return false
  const actual = Buffer.from(signature.slice(3), 'base64')
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

const macOf = (key: KeyObject, id: string, timestamp: string, body: Uint8Array): Buffer =>
  createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
