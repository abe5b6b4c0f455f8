// Calls the platform with an API key, by operation. Retries temporary failures under one idempotency key.
import { type Borrower, type BorrowerOptions, borrowerClient } from './borrower.ts'
import { LendloomError, NoAnswerError } from './error.ts'
import { type AnyInput, type CallOptions, type MethodsWith, methodsFor, type OperationName } from './methods.ts'
import { operations, version } from './operations.ts'
import type {
  LifecycleStatus,
  SessionReply,
  SessionRequest,
  WebhookEndpointCreated,
  WebhookEndpointRequest,
} from './schemas.ts'

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
  /** Pins the headless API to a dated version, such as that of these types (`apiVersion`). */
  apiVersion?: string
  /** Called before the delay of each retry. */
  onRetry?(why: string, delayMs: number): void
  /** Waits for a delay; tests may replace it. */
  wait?(delayMs: number, signal?: AbortSignal): Promise<void>
}

export interface Session {
  /** The URL for the page of your app, which works once, within two minutes. */
  embedUrl: string
  /** The link that can be sent, if the request asks for one with `linkTtl`. */
  link?: SessionReply['link']
  /** Whether a journey was created; otherwise an active one was resumed. */
  isNew: boolean
}

type OwnMethods = {
  /** Creates or resumes a borrower's journey (D1 §2.1). Throws a `LendloomError` if the platform refuses. */
  createSession(body: SessionRequest, options?: CallOptions): Promise<Session>
  /**
   * Registers a URL for lifecycle updates, of all statuses by default (D1 §6). With a request instead of a URL, also for
   * events of loans (`loanEvents`), and with headers or client credentials that your server demands.
   */
  createWebhookEndpoint(
    endpoint: string | WebhookEndpointRequest,
    statuses?: LifecycleStatus[],
    options?: CallOptions,
  ): Promise<WebhookEndpointCreated>
  /** The operations of a borrower with your own screens (D2), with the tokens of `createHeadlessSession`. */
  borrower(options: BorrowerOptions): Borrower
  /** Makes a call by its path. Returns the parsed body, or null for a response without a body. */
  call<Answer>(method: string, path: string, body?: object, options?: CallOptions): Promise<Answer>
}

/** The operations that need the API key, by their names in the API reference. */
export type Client = OwnMethods & MethodsWith<'apiKey', keyof OwnMethods>

export function lendloom(options: ClientOptions): Client {
  if (!/^https?:\/\//.test(options.baseUrl)) throw new TypeError('lendloom: baseUrl must begin with https://')
  if (!options.apiKey) throw new TypeError('lendloom: apiKey is required')
  const send = (request: Request) => callWithRetries(options, request)
  const own: OwnMethods = {
    async createSession(body, given) {
      const { status, text } = await send({ method: 'POST', path: '/api/lab/sessions', body, ...given })
      const { embedUrl, link }: SessionReply = JSON.parse(text)
      return { embedUrl, ...(link && { link }), isNew: status === 201 }
    },
    async createWebhookEndpoint(endpoint, statuses, given) {
      const request = typeof endpoint === 'string' ? { url: endpoint } : endpoint
      const body = { ...request, ...(statuses && { statuses }) }
      return JSON.parse((await send({ method: 'POST', path: '/api/lab/webhook-endpoints', body, ...given })).text)
    },
    borrower: (given) => borrowerClient((name, input) => callOperation(options, name, input), given),
    async call(method, path, body, given) {
      const { text } = await send({ method, path, body, ...given })
      return text === '' ? null : JSON.parse(text)
    },
  }
  const others = methodsFor('apiKey', (name, input) => callOperation(options, name, input))
  return { ...others, ...own } as Client
}

/** Calls an operation and returns the `data` of its envelope, or the whole answer if it has none. */
async function callOperation(
  options: ClientOptions,
  name: OperationName,
  { params = {}, query = {}, ...input }: AnyInput,
): Promise<unknown> {
  const [method, template] = operations[name]
  const path = template.replace(/\{(\w+)\}/g, (_, field: string) => {
    const value = params[field]
    if (!value) throw new TypeError(`lendloom: ${name} needs params.${field}`)
    return encodeURIComponent(value)
  })
  const entries = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const search = entries.length > 0 ? `?${new URLSearchParams(entries)}` : ''
  const { text } = await callWithRetries(options, { method, path: path + search, ...input })
  const answer = text === '' ? null : JSON.parse(text)
  return answer !== null && typeof answer === 'object' && 'data' in answer ? answer.data : answer
}

interface Request extends CallOptions {
  method: string
  path: string
  body?: object | undefined
  token?: string
}

interface ReceivedReply {
  status: number
  text: string
}

/** Repeats retryable failures until the deadline. Throws the last refusal, or a `NoAnswerError`. */
async function callWithRetries(options: ClientOptions, given: Request): Promise<ReceivedReply> {
  const { tries = 4, deadlineMs = 60_000, onRetry, wait = sleep } = options
  const request = { ...given, idempotencyKey: given.idempotencyKey ?? crypto.randomUUID() }
  const { signal } = request
  const end = performance.now() + deadlineMs
  for (let attempt = 1; ; attempt++) {
    try {
      return await sendOnce(options, request, end - performance.now())
    } catch (error) {
      const isRefusal = error instanceof LendloomError
      if (signal?.aborted || (isRefusal && !error.retryable)) throw error
      const why = error instanceof Error ? error.message : String(error)
      const retryAfterMs = isRefusal ? (error.retryAfterSeconds ?? 0) * 1000 : 0
      // Exponential delay with jitter, so that many servers do not retry at the same time.
      const delayMs = Math.max(backoffMs(attempt) * (0.75 + Math.random() / 2), retryAfterMs)
      if (attempt >= tries || performance.now() + delayMs > end)
        throw isRefusal ? error : new NoAnswerError(why, { cause: error })
      onRetry?.(why, delayMs)
      await wait(delayMs, signal)
    }
  }
}

/** The pause after this many tries, in milliseconds. */
export const backoffMs = (attempt: number): number => 250 * 2 ** attempt

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
async function sendOnce(options: ClientOptions, call: Request, leftMs: number): Promise<ReceivedReply> {
  const { baseUrl, apiKey, timeoutMs = 10_000 } = options
  const timeout = AbortSignal.timeout(Math.max(1, Math.ceil(Math.min(timeoutMs, leftMs))))
  const response = await fetch(baseUrl.replace(/\/+$/, '') + call.path, {
    method: call.method,
    redirect: 'manual',
    headers: {
      authorization: `Bearer ${call.token ?? apiKey}`,
      accept: 'application/json',
      'user-agent': `lendloom-node/${version}`,
      ...(options.apiVersion && { 'x-lendloom-api-version': options.apiVersion }),
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
