// Calls the platform with an API key: one idempotency key for all tries of a call, and tries for what passes by itself.
import { LendloomError, NoAnswerError } from './error.ts'
import type { SessionRequest } from './sessions.ts'
import type { LifecycleStatus } from './updates.ts'

export interface ClientOptions {
  /** Where the platform is, such as `https://lendloom.example`. */
  baseUrl: string
  /** `sk_live_…` or `sk_test_…`; it never leaves your server. */
  apiKey: string
  /** How often a call is tried in all; 4 when absent. */
  tries?: number
  /** How long a try may take; 10 000 when absent. */
  timeoutMs?: number
  /** How long a call may take in all, with its tries and waits; 60 000 when absent. A longer `Retry-After` is not waited for. */
  deadlineMs?: number
  /** Called for every attempt that will be repeated. */
  onRetry?(why: string, delayMs: number): void
  /** How a delay is waited for; a test may give its own. */
  wait?(delayMs: number, signal?: AbortSignal): Promise<void>
}

export interface CallOptions {
  /** Repeating a call under the key of the first one has no second effect; one is made for a call that has none. */
  idempotencyKey?: string
  /** Named in the log of both sides; 1 to 128 characters. */
  correlationId?: string
  /** Ends the call, a wait between two tries included. */
  signal?: AbortSignal
}

export interface Session {
  /** For the page of your app: it works once, within two minutes. */
  embedUrl: string
  /** Whether a journey was begun; an active one is resumed otherwise. */
  isNew: boolean
}

export interface WebhookEndpoint {
  id: string
  url: string
  /** `whsec_…`: keep it, it is not shown again. */
  secret: string
}

export interface Client {
  /** Creates or resumes a borrower's journey (D1 §2.1). Throws a `LendloomError` for a refusal. */
  createSession(body: SessionRequest, options?: CallOptions): Promise<Session>
  /** Registers an address for lifecycle updates, for all statuses by default (D1 §6). */
  createWebhookEndpoint(url: string, statuses?: LifecycleStatus[], options?: CallOptions): Promise<WebhookEndpoint>
  /** Any other call: answers the parsed body, or null for an answer without one. */
  call<Answer>(method: string, path: string, body?: object, options?: CallOptions): Promise<Answer>
}

export function lendloom(options: ClientOptions): Client {
  if (!/^https?:\/\//.test(options.baseUrl)) throw new TypeError('lendloom: baseUrl must begin with https://')
  if (!options.apiKey) throw new TypeError('lendloom: apiKey is needed')
  const send = (method: string, path: string, body?: object, given: CallOptions = {}) =>
    tried(options, given, (leftMs) => once(options, { method, path, body, ...given }, leftMs))
  return {
    async createSession(body, given) {
      const { status, text } = await send('POST', '/api/lab/sessions', body, keyed(given))
      return { embedUrl: JSON.parse(text).embedUrl, isNew: status === 201 }
    },
    async createWebhookEndpoint(url, statuses, given) {
      const body = { url, ...(statuses && { statuses }) }
      const { text } = await send('POST', '/api/lab/webhook-endpoints', body, keyed(given))
      return JSON.parse(text)
    },
    async call(method, path, body, given) {
      const { text } = await send(method, path, body, keyed(given))
      return text === '' ? null : JSON.parse(text)
    },
  }
}

const keyed = (given: CallOptions = {}): CallOptions => ({
  ...given,
  idempotencyKey: given.idempotencyKey ?? crypto.randomUUID(),
})

interface Call extends CallOptions {
  method: string
  path: string
  body: object | undefined
}

interface Answered {
  status: number
  text: string
}

/** Repeats what is worth repeating until the deadline; the last refusal is thrown. */
async function tried(
  { tries = 4, deadlineMs = 60_000, onRetry, wait = sleep }: ClientOptions,
  { signal }: CallOptions,
  call: (leftMs: number) => Promise<Answered>,
): Promise<Answered> {
  const end = performance.now() + deadlineMs
  for (let attempt = 1; ; attempt++) {
    try {
      return await call(end - performance.now())
    } catch (error) {
      const isRefusal = error instanceof LendloomError
      if (signal?.aborted || (isRefusal && !error.retryable)) throw error
      const why = error instanceof Error ? error.message : String(error)
      const retryAfterMs = isRefusal ? (error.retryAfterSeconds ?? 0) * 1000 : 0
      // Doubled each time, and never quite the same, so that many servers do not return at once.
      const delayMs = Math.max(250 * 2 ** attempt * (0.75 + Math.random() / 2), retryAfterMs)
      if (attempt >= tries || performance.now() + delayMs > end)
        throw isRefusal ? error : new NoAnswerError(why, { cause: error })
      onRetry?.(why, delayMs)
      await wait(delayMs, signal)
    }
  }
}

/** Rejects with the reason of the signal as soon as it is aborted. */
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

/** One try. A redirect is refused: the key would go along to wherever it leads. */
async function once(
  { baseUrl, apiKey, timeoutMs = 10_000 }: ClientOptions,
  call: Call,
  leftMs: number,
): Promise<Answered> {
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
