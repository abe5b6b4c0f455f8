// Texts and colours of webhooks, and API calls for the selected tenant.

import type { Health, ReplayFilter, SignatureResult } from '@lendloom/wire/console/webhooks'
import { statuses } from '@lendloom/wire/hosted/lifecycle-status'
import { type DeliveryState, deliveryStates } from '@lendloom/wire/webhook/delivery-state'
import { query } from '../router.ts'
import { hasRole, ofTenant } from '../session.ts'
import { minuteBefore } from '../ui/clock.ts'
import type { Tone } from '../ui/components.tsx'
import { number } from '../ui/format-figures.ts'

export const api = (path: string, tenant?: string): string => ofTenant(`/webhooks${path}`, tenant)

/** Whether the user may change endpoints and replay deliveries. */
export const mayAct = (): boolean => hasRole('developer', 'admin', 'operator')

export const healthWords: Record<Health, readonly [Tone, string]> = {
  delivering: ['good', 'Delivering'],
  failing: ['bad', 'Failing'],
  untried: ['warn', 'Not tried'],
  paused: ['warn', 'Paused'],
  disabled: ['bad', 'Disabled'],
  idle: ['plain', 'Nothing sent lately'],
}

export const stateWords: Record<DeliveryState, readonly [Tone, string]> = {
  PENDING: ['warn', 'Waiting'],
  DELIVERED: ['good', 'Delivered'],
  EXHAUSTED: ['bad', 'Given up'],
  STOPPED: ['bad', 'Stopped'],
}

/** Time windows of the filter: name and length in seconds. */
export const windows: Record<string, readonly [string, number]> = {
  '1h': ['Last hour', 3600],
  '1d': ['Last day', 86_400],
  '7d': ['Last 7 days', 7 * 86_400],
  '30d': ['Last 30 days', 30 * 86_400],
}

/** Start of a window, rounded to the minute, so that the list is not loaded again every second. */
function startOf(window: string): string | undefined {
  const seconds = windows[window]?.[1]
  if (seconds === undefined) return undefined
  return minuteBefore(seconds)
}

const filterNames = ['state', 'status', 'since', 'journey'] as const
type FilterName = (typeof filterNames)[number]
type Filters = Record<FilterName, string>

export const filtersNow = (): Filters => ({
  state: query.value('state'),
  status: query.value('status'),
  since: query.value('since'),
  journey: query.value('journey').trim(),
})

export const listQuery = ({ state, status, since, journey }: Filters, endpointId: string | undefined) => ({
  endpointId,
  state: state || undefined,
  status: status || undefined,
  journeyId: journey || undefined,
  from: startOf(since),
})

/** The filter that replays the displayed list; without a state, all deliveries that have not arrived. */
export function replayFilter({ state, status, since, journey }: Filters, endpointId: string | undefined): ReplayFilter {
  const from = startOf(since)
  return {
    ...(endpointId && { endpointId }),
    ...(journey && { journeyId: journey }),
    ...(from && { from }),
    ...(status && { statuses: statuses.filter((each) => each === status) }),
    states: state ? deliveryStates.filter((each) => each === state) : ['PENDING', 'EXHAUSTED', 'STOPPED'],
  }
}

type SignatureFinding = SignatureResult['finding']

const receiverFaults =
  'If your server rejected it, its check is wrong. Usually it parses the body before it verifies, uses the secret of another endpoint, or does not decode the secret: base64 after whsec_.'

const findings: Record<SignatureFinding, readonly [Tone, string, string]> = {
  right: [
    'good',
    'The signature is valid',
    `It was made with the secret of this endpoint over exactly this body. ${receiverFaults}`,
  ],
  'right-by-old-secret': [
    'good',
    'The signature is valid, with the previous secret',
    'The secret was rotated recently, and both sign for a day. Switch your receiver to the new secret.',
  ],
  'too-old': [
    'warn',
    'The signature is valid, but its time is too far from now',
    `Receivers reject a difference of more than 300 seconds. If the message had just arrived, your server’s clock is wrong. If it is an old message, its time is as expected. ${receiverFaults}`,
  ],
  'header-missing': [
    'bad',
    'A header is missing',
    'All three headers are needed: check what your framework or proxy removes.',
  ],
  'timestamp-unreadable': [
    'bad',
    'webhook-timestamp is not a timestamp',
    'It must be a whole number of seconds, as received.',
  ],
  'no-signature': [
    'bad',
    'webhook-signature has no signature of version 1',
    'It must be one or more v1,… values, separated by spaces.',
  ],
  'other-endpoint': [
    'bad',
    'The message was signed with the secret of another endpoint',
    'Your receiver uses the secret of one endpoint for messages of another.',
  ],
  'line-break-added': [
    'warn',
    'The signature is valid without the white space at the end',
    'White space was added after the body, perhaps by pasting. Verify exactly the bytes received.',
  ],
  'body-reformatted': [
    'bad',
    'The body was parsed and serialised again',
    'Its content is the same, its bytes are not. Verify over the raw body, before any JSON parser.',
  ],
  'body-changed': [
    'bad',
    'The body was changed',
    'The signature is valid for the body we sent, but this body is different. Find what changes it before your check: a proxy, a decoder, or a copy with masked data.',
  ],
  'wrong-secret': [
    'bad',
    'The message was signed with another secret',
    'The body is what we sent, but the signature matches no valid secret of this endpoint.',
  ],
  unknown: [
    'bad',
    'The signature is invalid',
    'Either the secret is different or the body was changed. We did not send a message with this ID, so we cannot tell which.',
  ],
}

/** The tone, title and explanation of a signature check's result. */
export function findingWords({ finding, header, secondsAway }: SignatureResult): readonly [Tone, string, string] {
  const [tone, title, text] = findings[finding]
  if (header !== null) return [tone, `The header ${header} is missing`, text]
  if (finding !== 'too-old' || secondsAway === null) return [tone, title, text]
  return [tone, title, `The timestamp is ${number(Math.abs(secondsAway))} seconds from now. ${text}`]
}
