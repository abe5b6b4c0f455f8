// One try: signs an update freshly, posts it, and says what the answer means.
import { sign } from '#contract/webhook/signature.ts'
import { callForStart, Unreached } from '#kit/http/client.ts'
import type { AttemptOutcome } from '#kit/messaging/delivery.ts'
import { retryAfter } from '#kit/messaging/schedule.ts'
import type { DeliveryPolicy } from './delivery.ts'

export interface WebhookRequest {
  url: string
  /** The same for every try of a logical event. */
  eventId: string
  secrets: string[]
  body: Buffer
  correlationId: string | null
  /** Names the updates that were given up before this one: the number of the last that arrived, 0 when none did. */
  lastBeforeGap?: number | null
}

/** So much of an answer's body is kept. */
const keptBytes = 2048

/** The headers of one try, without those that the HTTP client adds; each of `secrets` signs. */
export const headersOf = (
  { eventId, secrets, body, correlationId, lastBeforeGap = null }: Omit<WebhookRequest, 'url'>,
  at: Date,
): Record<string, string> => ({
  'content-type': 'application/json',
  'user-agent': 'Lendloom',
  ...sign(secrets, eventId, at, body),
  ...(correlationId !== null && { 'x-correlation-id': correlationId }),
  ...(lastBeforeGap !== null && { 'lendloom-last-delivered': String(lastBeforeGap) }),
})

const isSuccess = (status: number): boolean => status >= 200 && status < 300
const nothing = { retryAfter: null, body: null }

/** `isTest` keeps the body of a success too; otherwise it is kept where the answer was none. */
export async function post(
  request: WebhookRequest & { isTest?: boolean },
  policy: DeliveryPolicy,
  at: Date,
): Promise<AttemptOutcome> {
  const { url, body, isTest = false } = request
  if (!policy.http && URL.parse(url)?.protocol !== 'https:')
    return { outcome: 'failed', words: 'not an https address', ...nothing }
  try {
    const { timeoutMs, egress } = policy
    const answered = await callForStart(
      { method: 'POST', url, headers: headersOf(request, at), body, timeoutMs, egress },
      (status) => (isTest || !isSuccess(status) ? keptBytes : 0),
    )
    const { status, headers } = answered
    const kept = { words: String(status), body: answered.body.length > 0 ? answered.body : null }
    if (isSuccess(status)) return { outcome: 'delivered', retryAfter: null, ...kept }
    if (status === 410) return { outcome: 'gone', retryAfter: null, ...kept }
    return { outcome: 'failed', retryAfter: retryAfter(headers['retry-after'], at), ...kept }
  } catch (error) {
    if (!(error instanceof Unreached)) throw error
    return { outcome: 'failed', words: error.message, ...nothing }
  }
}
