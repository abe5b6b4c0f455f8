// How deliveries behave where: the schedule of tries, the patience with a dead endpoint, and what may be called at all.

import { type EgressPolicy, whyUnreachable } from '#kit/http/egress-policy.ts'
import type { FieldError } from '#kit/http/refusal.ts'
import { doubling, nextTryAt, type Schedule, schedule } from '#kit/messaging/schedule.ts'
import { type Config, number } from '#kit/runtime/config.ts'

export interface DeliveryPolicy {
  /** When a delivery that was not taken is tried again; after the last pause it is exhausted. */
  schedule: Schedule
  /** How long an endpoint that fails again and again is left alone. */
  rests: Schedule
  /** Requests that one destination may have in flight at once, however many wait and however slowly it answers. */
  mostInFlight: number
  timeoutMs: number
  egress: EgressPolicy
  /** Whether plain http will do. */
  http: boolean
}

export const live: DeliveryPolicy = {
  schedule: schedule(['PT5S', 'PT5M', 'PT30M', 'PT2H', 'PT5H', 'PT10H', 'PT14H', 'PT20H', 'PT24H'], 'give up'),
  rests: doubling(5, 60),
  mostInFlight: 64,
  timeoutMs: 10_000,
  egress: 'public',
  http: false,
}

export const sandbox: DeliveryPolicy = {
  schedule: schedule(['PT1S', 'PT2S', 'PT4S', 'PT8S', 'PT16S'], 'give up'),
  rests: doubling(1, 4),
  mostInFlight: 64,
  timeoutMs: 10_000,
  egress: 'public-or-loopback',
  http: true,
}

/** So many connections the HTTP client opens to one address at most. */
const mostConnections = 256

export const webhookSettings = {
  WEBHOOK_MOST_IN_FLIGHT: number(
    'Updates that this process may be posting to one destination at once; it begins with 4 and gets more while it answers well',
    live.mostInFlight,
    1,
    mostConnections,
  ),
}

/** Where nothing is delivered, as when an address is checked, the settings of deliveries may be left out. */
export const deliveryPolicyOf = (
  config: { SANDBOX: boolean } & Partial<Config<typeof webhookSettings>>,
): DeliveryPolicy => {
  const policy = config.SANDBOX ? sandbox : live
  return { ...policy, mostInFlight: config.WEBHOOK_MOST_IN_FLIGHT ?? policy.mostInFlight }
}

/** A tenth more at most, so that what failed together does not come back together. Never less: the schedule is a promise. */
const jitter = 0.1

/**
 * When to try again after `attempt` tries; null when that was the last one. `retryAfter` is what the receiver asked for,
 * `random` a number from 0 to 1.
 */
interface FailedTry {
  attempt: number
  at: Date
  retryAfter: Date | null
  random: number
}

export function nextTry(policy: DeliveryPolicy, { attempt, at, retryAfter, random }: FailedTry): Date | null {
  return nextTryAt(policy.schedule, { attempt, at, retryAfter, scale: 1 + jitter * random })
}

/** Why updates cannot be sent to `url`, for the field that carried it; null when they can, as far as its text tells. */
export function urlFault(url: string, policy: DeliveryPolicy, path: string): FieldError | null {
  const why = whyUnreachable(url, policy.egress)
  if (why) return { path, message: `cannot be called: it is ${why}` }
  if (!policy.http && new URL(url).protocol !== 'https:') return { path, message: 'must be an https URL' }
  return null
}

/** Why a callbackUrl, where there is one, could never be called (D1 §6). */
export function callbackFaults(url: string | undefined, policy: DeliveryPolicy): FieldError[] {
  const fault = url === undefined ? null : urlFault(url, policy, 'callbackUrl')
  return fault ? [fault] : []
}

/** Why a borrower could not be led back to a returnUrl, where there is one: https, or this machine in a sandbox. */
export function returnFaults(url: string | undefined, { http }: DeliveryPolicy): FieldError[] {
  if (url === undefined) return []
  const parsed = URL.canParse(url) ? new URL(url) : null
  const isSecure = parsed?.protocol === 'https:'
  const isLocal = http && parsed?.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(parsed.hostname)
  if ((isSecure || isLocal) && parsed.username === '' && parsed.password === '') return []
  return [{ path: 'returnUrl', message: 'must be an https URL' }]
}
