// One attempt to deliver: the signed request to the destination, and what its response means.

import { retryAfter } from '@lendloom/foundation/schedule'
import { callForStart, isSuccess, UnreachableError } from '@lendloom/http/client'
import { TokenError, tokenKeeper } from '@lendloom/http/client-credentials'
import type { AttemptOutcome } from '@lendloom/queue/delivery-engine'
import { eventVersion } from '@lendloom/wire/hosted/lifecycle'
import { sign } from '@lendloom/wire/webhook/signature'
import {
  type EndpointAccess,
  noAccess,
  withoutSecrets,
} from '#platform/integrators/webhook/endpoint/endpoint-access.ts'
import type { DeliveryGap } from './delivery.ts'
import type { DeliveryPolicy } from './delivery-policy.ts'

/** An update as one attempt sends it. */
export interface WebhookRequest {
  url: string
  /** The same for every attempt of a logical event. */
  eventId: string
  /** Each signs the request, so that a receiver may verify with the old or the new secret during a rotation. */
  secrets: string[]
  body: Buffer
  correlationId: string | null
  gap?: DeliveryGap | null
  /** The version of the body; that of lifecycle updates by default. */
  version?: string
  /** What the receiver demands beside the signature. */
  access?: EndpointAccess
}

/** Number of bytes stored of a response body. */
const maxStoredBytes = 2048

/** Returns the headers of an attempt, signed with every secret; the HTTP client adds its own. */
export const headersOf = (
  { eventId, secrets, body, correlationId, gap = null, version = eventVersion }: Omit<WebhookRequest, 'url'>,
  at: Date,
): Record<string, string> => ({
  'content-type': 'application/json',
  'user-agent': 'Lendloom',
  'lendloom-event-version': version,
  ...sign(secrets, eventId, at, body),
  ...(correlationId !== null && { 'x-correlation-id': correlationId }),
  ...(gap && { 'lendloom-missing': gap.missing.join(' ') }),
  ...(typeof gap?.lastDelivered === 'number' && { 'lendloom-last-delivered': String(gap.lastDelivered) }),
})

const withoutResponse = { retryAfter: null, body: null }

/** Tokens are kept by the process: one for all deliveries to the servers of a client. */
const tokens = tokenKeeper()

/** Less than an attempt may take: token and update together must end before the lease of the delivery. */
const maxTokenMs = 5000

/** The headers that the receiver demands beside the signature. Throws `TokenError` if no token was issued. */
async function accessHeaders(
  { headers, clientCredentials }: EndpointAccess,
  limits: Pick<DeliveryPolicy, 'timeoutMs' | 'egress'>,
  at: Date,
): Promise<Record<string, string>> {
  const own = Object.fromEntries(headers.map(({ name, value }) => [name.toLowerCase(), value]))
  if (!clientCredentials) return own
  return { ...own, authorization: `Bearer ${await tokens.tokenOf(clientCredentials, limits, at)}` }
}

/**
 * What an answer without success means: 410, or `Lendloom-Stop: endpoint`, ends the endpoint, and `Lendloom-Stop: update`
 * gives up this update.
 */
function outcomeOf(
  status: number,
  headers: Record<string, string | string[] | undefined>,
): 'gone' | 'refused' | 'failed' {
  const stop = String(headers['lendloom-stop'] ?? '')
    .trim()
    .toLowerCase()
  if (status === 410 || stop === 'endpoint') return 'gone'
  return stop === 'update' ? 'refused' : 'failed'
}

/** Makes one attempt. Keeps the response body of a failure, and with `isTest` also of a success. */
export async function postSigned(
  request: WebhookRequest & { isTest?: boolean },
  policy: DeliveryPolicy,
  at: Date,
): Promise<AttemptOutcome> {
  const { url, body, access = noAccess, isTest = false } = request
  if (!policy.isHttpAllowed && URL.parse(url)?.protocol !== 'https:')
    return { outcome: 'failed', answer: 'not an https address', ...withoutResponse }
  let own: Record<string, string> = {}
  try {
    const { timeoutMs, egress, certificate = null } = policy
    own = await accessHeaders(access, { timeoutMs: Math.min(timeoutMs, maxTokenMs), egress }, at)
    const response = await callForStart(
      { method: 'POST', url, headers: { ...own, ...headersOf(request, at) }, body, timeoutMs, egress, certificate },
      (status) => (isTest || !isSuccess(status) ? maxStoredBytes : 0),
    )
    const { status, headers } = response
    const stored = {
      answer: String(status),
      body: response.body.length > 0 ? withoutSecrets(response.body, access, own) : null,
    }
    if (isSuccess(status)) return { outcome: 'delivered', retryAfter: null, ...stored }
    // A token that was withdrawn before its time is asked for again.
    if (status === 401 && access.clientCredentials) tokens.forget(access.clientCredentials)
    const outcome = outcomeOf(status, headers)
    if (outcome !== 'failed') return { outcome, retryAfter: null, ...stored }
    return { outcome, retryAfter: retryAfter(headers['retry-after'], at), ...stored }
  } catch (error) {
    if (!(error instanceof UnreachableError || error instanceof TokenError)) throw error
    const answer = withoutSecrets(Buffer.from(error.message), access, own).toString()
    return { outcome: 'failed', answer, ...withoutResponse }
  }
}
