// One try: signs an update freshly, posts it, and says what the answer means.
import { sign } from '#contract/webhook/signature.ts'
import { callForStatus, Unreached } from '#kit/http/client.ts'
import { retryAfter } from '#kit/messaging/schedule.ts'
import type { DeliveryPolicy } from './delivery.ts'

export interface WebhookRequest {
  url: string
  /** The same for every try of a logical event. */
  eventId: string
  secrets: string[]
  body: Buffer
  correlationId: string | null
}

/**
 * `gone` is a receiver that never wants to hear again; `absent` an endpoint that was deleted or disabled since the
 * delivery was made; `interrupted` a try that this process could not wait for. `words` are fit for a log and for the
 * integrator.
 */
export interface AttemptOutcome {
  outcome: 'delivered' | 'failed' | 'gone' | 'absent' | 'interrupted'
  words: string
  /** When the receiver wishes to be asked again. */
  retryAfter: Date | null
}

export async function post(
  { url, eventId, secrets, body, correlationId }: WebhookRequest,
  policy: DeliveryPolicy,
  at: Date,
): Promise<AttemptOutcome> {
  if (!policy.http && URL.parse(url)?.protocol !== 'https:')
    return { outcome: 'failed', words: 'not an https address', retryAfter: null }
  try {
    const { status, headers } = await callForStatus({
      method: 'POST',
      url,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Lendloom',
        ...sign(secrets, eventId, at, body),
        ...(correlationId !== null && { 'x-correlation-id': correlationId }),
      },
      body,
      timeoutMs: policy.timeoutMs,
      egress: policy.egress,
    })
    if (status >= 200 && status < 300) return { outcome: 'delivered', words: String(status), retryAfter: null }
    if (status === 410) return { outcome: 'gone', words: '410', retryAfter: null }
    return { outcome: 'failed', words: String(status), retryAfter: retryAfter(headers['retry-after'], at) }
  } catch (error) {
    if (!(error instanceof Unreached)) throw error
    return { outcome: 'failed', words: error.message, retryAfter: null }
  }
}
