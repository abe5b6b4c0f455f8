// Calls to the console API. A call whose session has expired waits until the user has signed in again.
import { sentenceOf } from '@lendloom/foundation/text'
import { setClock } from './ui/clock.ts'

export interface FieldError {
  path: string
  message: string
}

/** An error response, or a missing response (`status` 0). */
export class ApiError extends Error {
  readonly status: number
  /** One of the platform's error codes; `OFFLINE` without a response. */
  readonly code: string
  readonly fields: FieldError[]
  readonly retryAfterSeconds: number | null
  /** Identifies the failure when the user contacts the operators. */
  readonly correlationId: string | null

  constructor(
    message: string,
    details: {
      status: number
      code: string
      fields?: FieldError[]
      retryAfterSeconds?: number | null
      correlationId?: string | null
    },
  ) {
    super(message)
    this.status = details.status
    this.code = details.code
    this.fields = details.fields ?? []
    this.retryAfterSeconds = details.retryAfterSeconds ?? null
    this.correlationId = details.correlationId ?? null
  }
}

let waitForSignIn = async (): Promise<boolean> => false

/** Sets the function that waits for a new sign-in after a session has expired. It returns whether to repeat the call. */
export function onExpiry(wait: () => Promise<boolean>): void {
  waitForSignIn = wait
}

type Query = Record<string, string | number | undefined>
/** A call without an answer by then has failed. */
const timeoutMs = 30_000
/** A slow connection may need this long for several files. */
const filesTimeoutMs = 120_000

/** Sends `GET /api/console{path}`; empty parameters are omitted. Throws `ApiError`. */
export const get = <T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> =>
  call<T>('GET', path + queryText(query), undefined, signal)

/** Sends a POST request as `get` sends a GET request. */
export const post = <T>(path: string, body: object = {}): Promise<T> => call<T>('POST', path, body)
/** Sends the body in a form with files, under the name that the route expects. */
export function postWithFiles<T>(path: string, body: object, field: string, files: readonly File[]): Promise<T> {
  const form = new FormData()
  form.append('body', JSON.stringify(body))
  for (const file of files) form.append(field, file)
  return call<T>('POST', path, form)
}
/** Sends a POST request whose answer is a file. */
export const postForFile = (path: string, body: object): Promise<Blob> =>
  retryAfterSignIn(async () => (await send('POST', path, body)).blob(), path)
/** Gets a file. */
export const getFile = (path: string): Promise<Blob> =>
  retryAfterSignIn(async () => (await send('GET', path)).blob(), path)
/** Sends a PUT request. */
export const put = <T>(path: string, body: object = {}): Promise<T> => call<T>('PUT', path, body)
/** Sends a PATCH request. */
export const patch = <T>(path: string, body: object): Promise<T> => call<T>('PATCH', path, body)
/** Sends a DELETE request. */
export const remove = <T>(path: string, body?: object): Promise<T> => call<T>('DELETE', path, body)

/** Formats a query with its question mark; empty parameters are omitted. */
export function queryText(query: Query): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') params.set(name, String(value))
  const text = params.toString()
  return text && `?${text}`
}

/** Calls a route and returns the JSON of its answer; null for an empty body. */
const call = <T>(method: string, path: string, body?: object, signal?: AbortSignal): Promise<T> =>
  retryAfterSignIn(async () => JSON.parse((await (await send(method, path, body, signal)).text()) || 'null'), path)

/** Sends a call, and once more after a new sign-in if the session had expired. */
async function retryAfterSignIn<T>(sendCall: () => Promise<T>, path: string): Promise<T> {
  try {
    return await sendCall()
  } catch (error) {
    const isExpired =
      error instanceof ApiError && error.status === 401 && !path.startsWith('/sign-in') && path !== '/me'
    if (!isExpired || !(await waitForSignIn())) throw error
    return sendCall()
  }
}

/** Sends a request. Throws `ApiError` for an error answer and without an answer. */
async function send(method: string, path: string, body?: object, signal?: AbortSignal): Promise<Response> {
  requireOwnPath(path)
  const isForm = body instanceof FormData
  const timeout = AbortSignal.timeout(isForm ? filesTimeoutMs : timeoutMs)
  const sentAt = Date.now()
  let response: Response
  try {
    response = await fetch(`/api/console${path}`, {
      method,
      cache: 'no-store',
      credentials: 'same-origin',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      ...(isForm && { body }),
      ...(body && !isForm && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiError('We cannot reach the platform. Check your connection and try again.', {
      status: 0,
      code: 'OFFLINE',
    })
  }
  setClock(response.headers.get('x-platform-time'), sentAt)
  if (response.ok) return response
  throw errorOf(response, await response.text())
}

/** Throws for a path that a part of the address bar changed into another one, such as `/endpoints/../sign-out`. */
function requireOwnPath(path: string): void {
  const { pathname, search, hash } = new URL(path, 'https://console.invalid')
  if (`${pathname}${search}` !== path || hash || search.includes('?', 1))
    throw new ApiError('This address is not valid. Go to the overview and try again.', {
      status: 0,
      code: 'INVALID_ADDRESS',
    })
}

interface Envelope {
  correlationID?: string
  error?: { code?: string; message?: string; details?: { fields?: FieldError[]; field?: string } }
}

/** Returns the error that an answer contains. */
function errorOf({ status, headers }: Response, text: string): ApiError {
  let envelope: Envelope = {}
  try {
    envelope = JSON.parse(text)
  } catch {
    // A proxy may respond with an HTML page.
  }
  const { code = 'INTERNAL', message = 'The platform did not respond.', details = {} } = envelope.error ?? {}
  const fields = details.fields ?? (details.field ? [{ path: details.field, message }] : [])
  const retryAfter = headers.get('retry-after')
  return new ApiError(sentenceOf(message), {
    status,
    code,
    fields,
    retryAfterSeconds: retryAfter === null ? null : Number(retryAfter),
    correlationId: envelope.correlationID ?? null,
  })
}
