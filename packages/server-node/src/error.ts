// Errors of calls to the platform and of webhooks.

/** A refusal of the platform. `details` has facts for programs, such as the invalid field or the required state. */
export class LendloomError extends Error {
  override readonly name = 'LendloomError'
  readonly status: number
  /** Such as `VALIDATION_FAILED`, or `HTTP_502` if another server, such as a proxy, responded. */
  readonly code: string
  /** Whether the same call may succeed later. */
  readonly retryable: boolean
  readonly details: Record<string, unknown>
  /** The id of the request, for support. */
  readonly requestId: string | null
  /** The `Retry-After` of the response; null if it has none. */
  readonly retryAfterSeconds: number | null

  constructor(status: number, text: string, retryAfter: string | null = null) {
    const { error, requestId } = refusalIn(text)
    super(`${status} ${error.code ?? `HTTP_${status}`}: ${error.message ?? 'no explanation'}`)
    this.status = status
    this.code = error.code ?? `HTTP_${status}`
    this.retryable = error.retryable ?? (status === 429 || status >= 500)
    this.details = error.details ?? {}
    this.requestId = requestId
    this.retryAfterSeconds = retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : null
  }
}

interface ErrorBody {
  code?: string
  message?: string
  retryable?: boolean
  details?: Record<string, unknown>
}

/** The error in a response; empty if the response, such as that of a proxy, has none. */
function refusalIn(text: string): { error: ErrorBody; requestId: string | null } {
  try {
    const body = JSON.parse(text)
    return { error: body?.error ?? {}, requestId: body?.requestID ?? body?.request_id ?? null }
  } catch {
    return { error: {}, requestId: null }
  }
}

/** No try got an answer: the call may or may not have had its effect. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
}

export type WebhookFault =
  | 'missing-header'
  | 'bad-timestamp'
  | 'too-old'
  | 'wrong-signature'
  | 'not-an-update'
  | 'not-an-event'

/** The request is not a valid webhook of the platform: respond with 400 and ignore it. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
  readonly code: WebhookFault

  constructor(code: WebhookFault, message: string) {
    super(message)
    this.code = code
  }
}
