// Verifies a webhook: signature over the raw bytes, time, and shape, as Standard Webhooks 1.0.0 lays them down.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { WebhookError } from './error.ts'
import type { LifecycleUpdate } from './updates.ts'

export interface Webhook {
  /** The same for every try of one event: do nothing when you have seen it. */
  id: string
  /** When this try was sent. */
  sentAt: Date
  update: LifecycleUpdate
}

export interface VerifyOptions {
  /** How far from now the time of a webhook may be; 300 s when absent. */
  toleranceSeconds?: number
  /** The time to judge by; now when absent. */
  at?: Date
}

export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>

/**
 * The update in a webhook. `secrets` is the endpoint's `whsec_…`, or several while you change it: any of them will do.
 * `body` is the raw bytes, before anything parsed them. Throws a `WebhookError` when it is not genuine, and a TypeError when
 * a secret is none.
 */
export function verifyWebhook(
  secrets: string | readonly string[],
  headers: WebhookHeaders,
  body: Uint8Array | string,
  { toleranceSeconds = 300, at = new Date() }: VerifyOptions = {},
): Webhook {
  const keys = [secrets].flat().map(keyOf)
  if (keys.length === 0) throw new TypeError('verifyWebhook: no secret was given')
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature')
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookError('bad-timestamp', 'webhook-timestamp is not in Unix seconds')
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  if (!isSigned(keys, signatures, `${id}.${timestamp}.`, bytes))
    throw new WebhookError('wrong-signature', 'no signature matches this message')
  if (Math.abs(at.getTime() / 1000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookError('too-old', `webhook-timestamp is more than ${toleranceSeconds} s away`)
  return { id, sentAt: new Date(Number(timestamp) * 1000), update: updateIn(bytes) }
}

/** Compares every key with every signature in constant time. */
function isSigned(keys: Buffer[], signatures: string, prefix: string, body: Uint8Array): boolean {
  const given = signatures
    .split(' ')
    .filter((each) => each.startsWith('v1,'))
    .map((each) => Buffer.from(each.slice(3), 'base64'))
  const expected = keys.map((key) => createHmac('sha256', key).update(prefix).update(body).digest())
  return expected.some((mac) => given.some((each) => each.length === mac.length && timingSafeEqual(each, mac)))
}

/** The key inside `whsec_…`. */
function keyOf(secret: string): Buffer {
  const text = secret.replace(/^whsec_/, '')
  const key = Buffer.from(text, 'base64')
  const isWhole = key.toString('base64').replace(/=+$/, '') === text.replace(/=+$/, '')
  if (!isWhole || key.length < 24 || key.length > 64)
    throw new TypeError('verifyWebhook: a secret is whsec_ and base64 of 24 to 64 bytes')
  return key
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name]
  if (typeof value !== 'string' || value === '') throw new WebhookError('missing-header', `${name} is needed, once`)
  return value
}

function updateIn(body: Uint8Array): LifecycleUpdate {
  try {
    const update = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
    if (typeof update?.borrower?.journey?.status === 'string') return update
  } catch {}
  throw new WebhookError('not-an-update', 'the body is not a lifecycle update')
}
