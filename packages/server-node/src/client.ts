// Calls the platform with an API key. Retries temporary failures under one idempotency key.
import { LendloomError, NoAnswerError } from './error.ts'
import type { SessionRequest } from './sessions.ts'
import type { LifecycleStatus } from './updates.ts'

export interface ClientOptions {
  /** The URL of the platform, such as `https://lendloom.example`. */
  baseUrl: string
  /** `sk_live_…` or `sk_test_…`; keep it on your server. */
  apiKey: string
  /** Maximum number of tries of a call; 4 by default. */
  tries?: number
  /** Timeout of each try; 10,000 ms by default. */
  timeoutMs?: number
  /** Timeout of a call with tries and delays; 60,000 ms by default. A longer `Retry-After` ends the call at once. */
  deadlineMs?: number
  /** Called before the delay of each retry. */
  onRetry?(why: string, delayMs: number): void
  /** Waits for a delay; tests may replace it. */
  wait?(delayMs: number, signal?: AbortSignal): Promise<void>
}

export interface CallOptions {
  /** A call repeated with the same key has no second effect. By default a new key is generated for each call. */
  idempotencyKey?: string
  /** An id for the logs of both sides; 1 to 128 characters. */
  correlationId?: string
  /** Aborts the call, also during a delay between two tries. */
  signal?: AbortSignal
}

export interface Session {
  /** The URL for the page of your app, which works once, within two minutes. */
  embedUrl: string
  /** Whether a journey was created; otherwise an active one was resumed. */
  isNew: boolean
}

export interface WebhookEndpoint {
  id: string
  url: string
  /** `whsec_…`; store it, because it cannot be read again. */
  secret: string
}

export interface Client {
  /** Creates or resumes a borrower's journey (D1 §2.1). Throws a `LendloomError` if the platform refuses. */
  createSession(body: SessionRequest, options?: CallOptions): Promise<Session>
  /** Registers a URL for lifecycle updates, of all statuses by default (D1 §6). */
  createWebhookEndpoint(url: string, statuses?: LifecycleStatus[], options?: CallOptions): Promise<WebhookEndpoint>
  /** Makes any other call. Returns the parsed body, or null for a response without a body. */
  call<Answer>(method: string, path: string, body?: object, options?: CallOptions): Promise<Answer>
}

export function lendloom(options: ClientOptions): Client {
  if (!/^https?:\/\//.test(options.baseUrl)) throw new TypeError('lendloom: baseUrl must begin with https://')
  if (!options.apiKey) throw new TypeError('lendloom: apiKey is required')
  const send = (method: string, path: string, body?: object, given: CallOptions = {}) =>
    callWithRetries(options, given, (leftMs) => sendOnce(options, { method, path, body, ...given }, leftMs))
  return {
    async createSession(body, given) {
      const { status, text } = await send('POST', '/api/lab/sessions', body, withIdempotencyKey(given))
      return { embedUrl: JSON.parse(text).embedUrl, isNew: status === 201 }
    },
    async createWebhookEndpoint(url, statuses, given) {
      const body = { url, ...(statuses && { statuses }) }
      const { text } = await send('POST', '/api/lab/webhook-endpoints', body, withIdempotencyKey(given))
      return JSON.parse(text)
    },
    async call(method, path, body, given) {
      const { text } = await send(method, path, body, withIdempotencyKey(given))
      return text === '' ? null : JSON.parse(text)
    },
  }
}

const withIdempotencyKey = (given: CallOptions = {}): CallOptions => ({
  ...given,
  idempotencyKey: given.idempotencyKey ?? crypto.randomUUID(),
})

interface Call extends CallOptions {
  method: string
  path: string
  body: object | undefined
}

interface ReceivedReply {
  status: number
  text: string
}

/** Repeats retryable failures until the deadline. Throws the last refusal, or a `NoAnswerError`. */
async function callWithRetries(
  { tries = 4, deadlineMs = 60_000, onRetry, wait = sleep }: ClientOptions,
  { signal }: CallOptions,
  call: (leftMs: number) => Promise<ReceivedReply>,
): Promise<ReceivedReply> {
  const end = performance.now() + deadlineMs
  for (let attempt = 1; ; attempt++) {
    try {
      return await call(end - performance.now())
    } catch (error) {
      const isRefusal = error instanceof LendloomError
      if (signal?.aborted || (isRefusal && !error.retryable)) throw error
      const why = error instanceof Error ? error.message : String(error)
      const retryAfterMs = isRefusal ? (error.retryAfterSeconds ?? 0) * 1000 : 0
      // Exponential delay with jitter, so that many servers do not retry at the same time.
      const delayMs = Math.max(250 * 2 ** attempt * (0.75 + Math.random() / 2), retryAfterMs)
      if (attempt >= tries || performance.now() + delayMs > end)
        throw isRefusal ? error : new NoAnswerError(why, { cause: error })
      onRetry?.(why, delayMs)
      await wait(delayMs, signal)
    }
  }
}

/** Rejects with the signal's reason as soon as the signal is aborted. */
const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })

/** Sends the request once. Refuses redirects, because they would send the key to another server. */
async function sendOnce(
  { baseUrl, apiKey, timeoutMs = 10_000 }: ClientOptions,
  call: Call,
  leftMs: number,
): Promise<ReceivedReply> {
  const timeout = AbortSignal.timeout(Math.max(1, Math.ceil(Math.min(timeoutMs, leftMs))))
  const response = await fetch(baseUrl.replace(/\/+$/, '') + call.path, {
    method: call.method,
    redirect: 'manual',
    headers: {
      authorization: `Bearer ${apiKey}`,
      accept: 'application/json',
      ...(call.correlationId && { 'x-correlation-id': call.correlationId }),
      ...(call.method !== 'GET' && call.idempotencyKey && { 'idempotency-key': call.idempotencyKey }),
      ...(call.body && { 'content-type': 'application/json' }),
    },
    ...(call.body && { body: JSON.stringify(call.body) }),
    signal: call.signal ? AbortSignal.any([call.signal, timeout]) : timeout,
  })
  const text = await response.text()
  if (!response.ok) throw new LendloomError(response.status, text, response.headers.get('retry-after'))
  return { status: response.status, text }
}
