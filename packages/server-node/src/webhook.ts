// Verifies a webhook by Standard Webhooks 1.0.0: the signature over the raw bytes, and the time. Also checks the body.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { WebhookError } from './error.ts'
import type { LifecycleUpdate, LoanEvent } from './schemas.ts'

interface AnyWebhook {
  /** The same for every delivery try of one event: ignore an id that you have processed. */
  id: string
  /** The time at which this try was sent. */
  sentAt: Date
  /** The version of the body, such as `2026-11-01`; null if the platform is older than this header. */
  version: string | null
  /**
   * The ids of earlier updates of the journey that this URL did not get and that are no longer tried. The header is not
   * signed, so confirm them by `listWebhookDeliveries` with `missing: 'true'`.
   */
  missing: string[]
}

export interface Webhook extends AnyWebhook {
  update: LifecycleUpdate
}

/** A webhook of an endpoint with `loanEvents`. */
export interface LoanWebhook extends AnyWebhook {
  event: LoanEvent
}

export interface VerifyOptions {
  /** The largest accepted difference between `at` and the time of the webhook; 300 s by default. */
  toleranceSeconds?: number
  /** The time of receipt; now by default. */
  at?: Date
}

export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>

/**
 * Verifies a webhook and returns its update. Throws `not-an-update` for an event of a loan, which `verifyLoanEvent` reads.
 * `secrets` is the endpoint's `whsec_…`, or several during a rotation, of
 * which one must match. `body` is the raw bytes before parsing. Throws a `WebhookError` if the webhook is not valid,
 * and a `TypeError` if a secret is malformed.
 */
export function verifyWebhook(
  secrets: string | readonly string[],
  headers: WebhookHeaders,
  body: Uint8Array | string,
  options: VerifyOptions = {},
): Webhook {
  const { bytes, webhook } = verified(secrets, headers, body, options)
  return { ...webhook, update: updateIn(bytes) }
}

/** Verifies a webhook as `verifyWebhook` does, and returns its event of a loan. Throws `not-an-event` for any other body. */
export function verifyLoanEvent(
  secrets: string | readonly string[],
  headers: WebhookHeaders,
  body: Uint8Array | string,
  options: VerifyOptions = {},
): LoanWebhook {
  const { bytes, webhook } = verified(secrets, headers, body, options)
  return { ...webhook, event: loanEventIn(bytes) }
}

function verified(
  secrets: string | readonly string[],
  headers: WebhookHeaders,
  body: Uint8Array | string,
  { toleranceSeconds = 300, at = new Date() }: VerifyOptions,
): { bytes: Uint8Array; webhook: AnyWebhook } {
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
  const missing =
    headerIn(headers, 'lendloom-missing')
      ?.split(' ')
      .filter((each) => uuid.test(each)) ?? []
  const version = headerIn(headers, 'lendloom-event-version') ?? null
  return { bytes, webhook: { id, sentAt: new Date(Number(timestamp) * 1000), version, missing } }
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
    throw new TypeError('verifyWebhook: a secret must be whsec_ and base64 of 24 to 64 bytes')
  return key
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = headerIn(headers, name)
  if (value === undefined) throw new WebhookError('missing-header', `${name} is required exactly once`)
  return value
}

/** Undefined if the header is absent, empty or repeated. Frameworks and gateways may keep the sender's case: `Webhook-Id`. */
function headerIn(headers: WebhookHeaders, name: string): string | undefined {
  const values =
    headers instanceof Headers
      ? [headers.get(name)]
      : Object.keys(headers).flatMap((key) => (key.toLowerCase() === name ? [headers[key]] : []))
  const [value, ...others] = values
  return typeof value === 'string' && value !== '' && others.length === 0 ? value : undefined
}

const jsonIn = (body: Uint8Array) => JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))

function loanEventIn(body: Uint8Array): LoanEvent {
  try {
    const event = jsonIn(body)
    if (/^loan\./.test(event?.type) && typeof event.loan?.journeyID === 'string') return event
  } catch {}
  throw new WebhookError('not-an-event', 'the body is not an event of a loan')
}

function updateIn(body: Uint8Array): LifecycleUpdate {
  try {
    const update = jsonIn(body)
    if (typeof update?.borrower?.journey?.status === 'string') return update
  } catch {}
  throw new WebhookError('not-an-update', 'the body is not a lifecycle update')
}
