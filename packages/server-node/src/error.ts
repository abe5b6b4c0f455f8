// What goes wrong between an integrator's server and the platform.

/** A refusal of the platform. `details` lets a program act: the field that is wrong, the state that is needed. */
export class LendloomError extends Error {
  override readonly name = 'LendloomError'
  readonly status: number
  /** Such as `VALIDATION_FAILED`; `HTTP_502` where the answer was not the platform's own. */
  readonly code: string
  /** Whether the same call may succeed later. */
  readonly retryable: boolean
  readonly details: Record<string, unknown>
  /** Name it when you ask for help. */
  readonly requestId: string | null
  /** The platform's `Retry-After`; null without one. */
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

interface Refused {
  code?: string
  message?: string
  retryable?: boolean
  details?: Record<string, unknown>
}

/** The answer's error, if it has one; a proxy may answer with anything. */
function refusalIn(text: string): { error: Refused; requestId: string | null } {
  try {
    const body = JSON.parse(text)
    return { error: body?.error ?? {}, requestId: body?.requestID ?? body?.request_id ?? null }
  } catch {
    return { error: {}, requestId: null }
  }
}

/** No answer came, however often it was tried: what was asked for may or may not have happened. */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError'
}

export type WebhookFault = 'missing-header' | 'bad-timestamp' | 'too-old' | 'wrong-signature' | 'not-an-update'

/** A request that is not a webhook of the platform: answer 400 and do nothing. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
  readonly code: WebhookFault

  constructor(code: WebhookFault, message: string) {
    super(message)
    this.code = code
  }
}
