// How calls travel: time limits, retries with growing delays for what passes by itself, one key for all tries of a call.

/** A refusal of the platform (D2 §7). `details` lets a program act: the field, the missing fields, the boundary state. */
export class HttpError extends Error {
  readonly status: number
  readonly code: string
  readonly retryable: boolean
  readonly details: Record<string, unknown>
  readonly requestID: string

  constructor(status: number, { error, requestID }: RefusedEnvelope) {
    super(`${error.code}: ${error.message}`)
    this.name = 'Answered'
    this.status = status
    this.code = error.code
    this.retryable = error.retryable
    this.details = error.details
    this.requestID = requestID
  }
}

/** No answer came, however often it was tried. */
export class Unanswered extends Error {}

interface RefusedEnvelope {
  requestID: string
  error: { code: string; message: string; retryable: boolean; details: Record<string, unknown> }
}
type Envelope<T> = RefusedEnvelope | { requestID: string; data: T; error: null }

export interface Sent {
  name: string
  token: string
  params?: Record<string, string>
  query?: Record<string, string | undefined>
  body?: unknown
  idempotencyKey?: string
  correlationId?: string
  signal?: AbortSignal
}

export interface Received<T> {
  status: number
  data: T
  headers: Headers
}

export interface Transport {
  send<T>(call: Sent): Promise<Received<T>>
  newKey(): string
}

export interface TransportOptions {
  /** Where the platform is, without the path of the API. */
  baseUrl: string
  /** Pins the contract to a dated version (D2 §9). */
  apiVersion?: string
  /** How often a call is tried in all; 4 when absent. */
  tries?: number
  timeoutMs?: number
  fetch?: typeof fetch
  /** Told of every try that will be repeated. */
  onRetry?(why: string, delayMs: number): void
}

const base = '/api/v1/headless'

export function transport(options: TransportOptions): Transport {
  const { tries = 4, onRetry = () => {} } = options
  const newKey = (): string => crypto.randomUUID()
  return {
    newKey,
    async send<T>(call: Sent): Promise<Received<T>> {
      const key = call.idempotencyKey ?? newKey()
      for (let attempt = 1; ; attempt++) {
        try {
          return await once<T>(options, call, key)
        } catch (error) {
          if (call.signal?.aborted) throw error
          const answered = error instanceof HttpError
          if (answered && !error.retryable) throw error
          const why = error instanceof Error ? error.message : String(error)
          if (attempt === tries) throw answered ? error : new Unanswered(`${call.name}: ${why}`, { cause: error })
          const delayMs = delayBefore(attempt, answered && 'retryAfter' in error ? error.retryAfter : null)
          onRetry(answered ? error.code : why, delayMs)
          await new Promise((resolve) => setTimeout(resolve, delayMs))
        }
      }
    },
  }
}

/** One try. Throws an `HttpError` for a refusal, which carries the platform's `retryAfter`, if it told one. */
async function once<T>(options: TransportOptions, call: Sent, key: string): Promise<Received<T>> {
  const { baseUrl, apiVersion, timeoutMs = 10_000, fetch: by = fetch } = options
  const [method = '', path = ''] = call.name.split(' ')
  const timeout = AbortSignal.timeout(timeoutMs)
  const response = await by(addressOf(baseUrl, path, call), {
    method,
    headers: {
      authorization: `Bearer ${call.token}`,
      accept: 'application/json',
      ...(apiVersion && { 'x-lendloom-api-version': apiVersion }),
      ...(call.correlationId && { 'x-correlation-id': call.correlationId }),
      ...(method !== 'GET' && { 'idempotency-key': key, 'content-type': 'application/json' }),
    },
    ...(method !== 'GET' && { body: JSON.stringify(call.body ?? {}) }),
    signal: call.signal ? AbortSignal.any([call.signal, timeout]) : timeout,
  })
  const envelope = (await response.json()) as Envelope<T>
  if (envelope.error !== null)
    throw Object.assign(new HttpError(response.status, envelope), { retryAfter: response.headers.get('retry-after') })
  return { status: response.status, data: envelope.data, headers: response.headers }
}

/** What the platform asks for, or a delay that doubles, never quite the same, so that many clients do not return at once. */
function delayBefore(attempt: number, retryAfter: unknown): number {
  const doubled = 250 * 2 ** attempt * (0.75 + Math.random() / 2)
  return Math.max(doubled, Number(retryAfter ?? 0) * 1000)
}

function addressOf(baseUrl: string, path: string, { params = {}, query = {} }: Sent): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const parameters = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return `${baseUrl.replace(/\/$/, '')}${base}${filled}${parameters.length > 0 ? `?${new URLSearchParams(parameters)}` : ''}`
}
