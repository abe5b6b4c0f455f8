// The policy of deliveries: their limits, schedule and allowed addresses, by the settings.

import { type Config, number } from '@lendloom/foundation/config'
import type { FieldError } from '@lendloom/foundation/refusal'
import { doublingPauses, type Schedule, schedule } from '@lendloom/foundation/schedule'
import type { ClientCertificate } from '@lendloom/http/client-certificate'
import { type EgressPolicy, whyUnreachable } from '@lendloom/http/egress-policy'
import type { DestinationPolicy } from '@lendloom/queue/destination'

export interface DeliveryPolicy extends DestinationPolicy {
  /** Retry schedule; after the last pause a delivery is exhausted. */
  schedule: Schedule
  timeoutMs: number
  egress: EgressPolicy
  isHttpAllowed: boolean
  /** Presented to a receiver that demands one. */
  certificate?: ClientCertificate | null
}

/** Tries for some three days. `maxInFlight` is a default here and in the sandbox. */
export const livePolicy = {
  schedule: schedule(['PT5S', 'PT5M', 'PT30M', 'PT2H', 'PT5H', 'PT10H', 'PT14H', 'PT20H', 'PT24H'], 'give up'),
  pauseSchedule: doublingPauses(5, 60),
  maxInFlight: 64,
  timeoutMs: 10_000,
  egress: 'public',
  isHttpAllowed: false,
} satisfies DeliveryPolicy

/** Gives up after half a minute, so that a failure can be watched. */
export const sandboxPolicy = {
  schedule: schedule(['PT1S', 'PT2S', 'PT4S', 'PT8S', 'PT16S'], 'give up'),
  pauseSchedule: doublingPauses(1, 4),
  maxInFlight: 64,
  timeoutMs: 10_000,
  egress: 'public-or-loopback',
  isHttpAllowed: true,
} satisfies DeliveryPolicy

/** Connections that the HTTP client opens to one address. */
const maxConnections = 256

export const webhookSettings = {
  WEBHOOK_MOST_IN_FLIGHT: number(
    'Maximum number of updates that this process posts to one destination at once; it starts with 4 and posts more while the destination answers well',
    livePolicy.maxInFlight,
    1,
    maxConnections,
  ),
}

/** The policy of the installation; callers that do not deliver, such as URL checks, may omit the delivery settings. */
export const deliveryPolicyOf = (
  config: { SANDBOX: boolean; CLIENT_CERTIFICATE?: ClientCertificate | null } & Partial<Config<typeof webhookSettings>>,
): DeliveryPolicy => {
  const policy = config.SANDBOX ? sandboxPolicy : livePolicy
  return {
    ...policy,
    maxInFlight: config.WEBHOOK_MOST_IN_FLIGHT ?? policy.maxInFlight,
    certificate: config.CLIENT_CERTIFICATE ?? null,
  }
}

/** Returns a field error if the text of `url` shows that updates cannot be sent there, otherwise null. */
export function urlFault(url: string, policy: DeliveryPolicy, path: string): FieldError | null {
  const why = whyUnreachable(url, policy.egress)
  return why === null ? null : { path, message: `cannot be called: it is ${why}` }
}

/** Faults of an optional callback URL (D1 §6). */
export function callbackFaults(url: string | undefined, policy: DeliveryPolicy): FieldError[] {
  const fault = url === undefined ? null : urlFault(url, policy, 'callbackUrl')
  return fault ? [fault] : []
}

/** Faults of an optional return URL, which must be an https URL, or in the sandbox an http URL of this machine. */
export function returnFaults(url: string | undefined, { isHttpAllowed }: DeliveryPolicy): FieldError[] {
  if (url === undefined) return []
  const parsed = URL.canParse(url) ? new URL(url) : null
  const isSecure = parsed?.protocol === 'https:'
  const isLocal =
    isHttpAllowed && parsed?.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(parsed.hostname)
  if ((isSecure || isLocal) && parsed.username === '' && parsed.password === '') return []
  return [{ path: 'returnUrl', message: 'must be an https URL' }]
}
