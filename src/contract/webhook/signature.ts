// Signatures of lifecycle updates, as Standard Webhooks 1.0.0 lays them down: HMAC-SHA256 over id, time and the exact bytes.
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
import { Refusal } from '#kit/http/refusal.ts'

/** A message older or newer than this is refused, so that a recorded one cannot be replayed later. */
export const toleranceSeconds = 300

const prefix = 'whsec_'
const fewestBytes = 24
const mostBytes = 64

/** The secret that an integrator is shown, made of 24 to 64 random bytes. */
export function secretOf(bytes: Uint8Array): string {
  if (bytes.length < fewestBytes || bytes.length > mostBytes)
    throw new Error(`a webhook secret has ${fewestBytes} to ${mostBytes} bytes, not ${bytes.length}`)
  return prefix + Buffer.from(bytes).toString('base64')
}

/** The key inside a secret, written with or without its prefix. Throws when it is not one. */
function keyOf(secret: string): KeyObject {
  const text = secret.startsWith(prefix) ? secret.slice(prefix.length) : secret
  const key = Buffer.from(text, 'base64')
  const isWhole = key.toString('base64').replace(/(?<!=)=+$/, '') === text.replace(/(?<!=)=+$/, '')
  if (!isWhole || key.length < fewestBytes || key.length > mostBytes)
    throw new Error(`a webhook secret is ${prefix} and base64 of ${fewestBytes} to ${mostBytes} bytes`)
  // Given to the HMAC as bytes, the key would make the whole signature more than twice as expensive.
  return createSecretKey(key)
}

/**
 * The headers of one attempt. `id` is the same for every attempt of a logical event, `at` is the attempt's own time.
 * One signature per secret: during a rotation a receiver may hold either. Without a secret there is no signature.
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

/**
 * Passes when one of the signatures was made with `secret` over exactly these bytes, recently. Refused as
 * `bad-credential` otherwise, without revealing the expected signature.
 */
export function verify(
  secret: string,
  headers: Record<string, string | string[] | undefined>,
  body: Uint8Array,
  at: Date,
): void {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string')
    throw new Refusal('bad-credential', 'webhook-id, webhook-timestamp and webhook-signature are all needed')
  if (!/^\d{1,12}$/.test(timestamp)) throw new Refusal('bad-credential', 'webhook-timestamp is not in Unix seconds')
  if (Math.abs(at.getTime() / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new Refusal('bad-credential', `webhook-timestamp is more than ${toleranceSeconds} s away`)
  if (!isSignedBy(secret, { id, timestamp, signatures }, body))
    throw new Refusal('bad-credential', 'no signature is that of this message')
}

/** The three headers of a message, as texts. */
export interface SignedHeaders {
  id: string
  timestamp: string
  signatures: string
}

/** Whether one of the signatures was made with `secret` over exactly these bytes, whenever that was. */
export function isSignedBy(secret: string, { id, timestamp, signatures }: SignedHeaders, body: Uint8Array): boolean {
  const expected = macOf(keyOf(secret), id, timestamp, body)
  return signatures.split(' ').some((signature) => isMac(signature, expected))
}

/** Signatures of other versions are not ours to judge: they are passed over. */
function isMac(signature: string, expected: Buffer): boolean {
  if (!signature.startsWith('v1,')) return false
  const given = Buffer.from(signature.slice(3), 'base64')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

const macOf = (key: KeyObject, id: string, timestamp: string, body: Uint8Array): Buffer =>
  createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
