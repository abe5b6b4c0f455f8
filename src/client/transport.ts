// Sends calls: time limits, retries of transient errors with exponential backoff, one idempotency key for all tries.

/** An error response of the platform (D2 §7). `details` has data for programs, such as the missing fields. */
export class HttpError extends Error {
  readonly status: number
  readonly code: string
  readonly retryable: boolean
  readonly details: Record<string, unknown>
  readonly requestID: string
  /** From the `Retry-After` header. */
  readonly retryAfterSeconds: number | null

  constructor(status: number, { error, requestID }: ErrorEnvelope, retryAfter: string | null) {
    super(`${error.code}: ${error.message}`)
    this.name = 'HttpError'
    this.status = status
    this.code = error.code
    this.retryable = error.retryable
    this.details = error.details
    this.requestID = requestID
    this.retryAfterSeconds = retryAfter !== null && /^\d+$/.test(retryAfter) ? Number(retryAfter) : null
  }
}

/** All attempts failed without a response. */
export class NoAnswerError extends Error {}

interface ErrorEnvelope {
  requestID: string
  error: { code: string; message: string; retryable: boolean; details: Record<string, unknown> }
}
type Envelope<T> = ErrorEnvelope | { requestID: string; data: T; error: null }

interface ClientRequest {
  name: string
  token: string
  params?: Record<string, string>
  query?: Record<string, string | undefined>
  body?: unknown
  idempotencyKey?: string
  correlationId?: string
  /** Aborts the call, also during a wait between two tries. */
  signal?: AbortSignal
}

interface ClientAnswer<T> {
  status: number
  data: T
  headers: Headers
}

export interface Transport {
  send<T>(call: ClientRequest): Promise<ClientAnswer<T>>
  newKey(): string
}

export interface TransportOptions {
  /** The platform's URL without the API path. */
  baseUrl: string
  /** Pins the contract to a dated version (D2 §9). */
  apiVersion?: string
  /** Maximum number of tries per call; 4 by default. */
  tries?: number
  /** Time limit of one try; 10 000 by default. */
  timeoutMs?: number
  /** Time limit of a call with its tries and waits; 60 000 by default. A longer `Retry-After` fails at once. */
  deadlineMs?: number
  fetch?: typeof fetch
  /** Called before each retry. */
  onRetry?(reason: string, delayMs: number): void
}

const base = '/api/v1/headless'

export function transport(options: TransportOptions): Transport {
  const { tries = 4, deadlineMs = 60_000, onRetry = () => {} } = options
  const newKey = (): string => crypto.randomUUID()
  return {
    newKey,
    async send<T>(call: ClientRequest): Promise<ClientAnswer<T>> {
      const key = call.idempotencyKey ?? newKey()
      const end = performance.now() + deadlineMs
      for (let attempt = 1; ; attempt++) {
        try {
          return await sendOnce<T>(options, { ...call, idempotencyKey: key }, end - performance.now())
        } catch (error) {
          if (call.signal?.aborted) throw error
          const isResponse = error instanceof HttpError
          if (isResponse && !error.retryable) throw error
          const reason = error instanceof Error ? error.message : String(error)
          const delayMs = delayBefore(attempt, isResponse ? error.retryAfterSeconds : null)
          if (attempt >= tries || performance.now() + delayMs > end)
            throw isResponse ? error : new NoAnswerError(`${call.name}: ${reason}`, { cause: error })
          onRetry(isResponse ? error.code : reason, delayMs)
          await wait(delayMs, call.signal)
        }
      }
    },
  }
}

/** Rejects with the signal's reason if it is aborted first. */
async function wait(ms: number, signal?: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))
  await unlessAborted(timeout, signal).finally(() => clearTimeout(timer))
}

/** Settles as the promise does; rejects with the signal's reason when the signal is aborted first. */
export function unlessAborted<T>(promise: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return promise
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}

/** Sends one try. Throws an `HttpError` for an error response. */
async function sendOnce<T>(
  options: TransportOptions,
  call: ClientRequest,
  remainingMs: number,
): Promise<ClientAnswer<T>> {
  const { baseUrl, apiVersion, timeoutMs = 10_000, fetch: fetchImpl = fetch } = options
  const [method = '', path = ''] = call.name.split(' ')
  const timeout = AbortSignal.timeout(Math.max(1, Math.ceil(Math.min(timeoutMs, remainingMs))))
  const response = await fetchImpl(addressOf(baseUrl, path, call), {
    method,
    headers: {
      authorization: `Bearer ${call.token}`,
      accept: 'application/json',
      ...(apiVersion && { 'x-lendloom-api-version': apiVersion }),
      ...(call.correlationId && { 'x-correlation-id': call.correlationId }),
      ...(method !== 'GET' && { 'idempotency-key': call.idempotencyKey, 'content-type': 'application/json' }),
    },
    ...(method !== 'GET' && { body: JSON.stringify(call.body ?? {}) }),
    signal: call.signal ? AbortSignal.any([call.signal, timeout]) : timeout,
  })
  const envelope = (await response.json()) as Envelope<T>
  if (envelope.error !== null) throw new HttpError(response.status, envelope, response.headers.get('retry-after'))
  return { status: response.status, data: envelope.data, headers: response.headers }
}

/** The pause after `attempt` tries, in milliseconds. */
export const backoffMs = (attempt: number): number => 250 * 2 ** attempt

/** Exponential backoff with jitter, at least the platform's `Retry-After`. */
const delayBefore = (attempt: number, retryAfterSeconds: number | null): number =>
  Math.max(backoffMs(attempt) * (0.75 + Math.random() / 2), (retryAfterSeconds ?? 0) * 1000)

function addressOf(baseUrl: string, path: string, { params = {}, query = {} }: ClientRequest): string {
  const filledPath = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const parameters = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
  return `${baseUrl.replace(/\/$/, '')}${base}${filledPath}${parameters.length > 0 ? `?${new URLSearchParams(parameters)}` : ''}`
}
