// Calls to the platform's console API. A call whose session has ended waits until the person has signed in again.
import { setClock } from './ui/clock.ts'

/** A field's fault, by its path. */
export interface FieldError {
  path: string
  message: string
}

/** An error answer, or none at all (`status` 0). */
export class ApiError extends Error {
  readonly status: number
  /** One of the platform's error codes; `OFFLINE` without an answer. */
  readonly code: string
  /** The faults by field. */
  readonly fields: FieldError[]
  readonly retryAfterSeconds: number | null
  /** Identifies the failure in a question to the operators. */
  readonly correlationId: string | null

  constructor(
    message: string,
    known: {
      status: number
      code: string
      fields?: FieldError[]
      retryAfterSeconds?: number | null
      correlationId?: string | null
    },
  ) {
    super(message)
    this.status = known.status
    this.code = known.code
    this.fields = known.fields ?? []
    this.retryAfterSeconds = known.retryAfterSeconds ?? null
    this.correlationId = known.correlationId ?? null
  }
}

let whenExpired = async (): Promise<boolean> => false

/** Sets how to wait after a session ended: true once the call may be repeated. */
export function onExpiry(wait: () => Promise<boolean>): void {
  whenExpired = wait
}

type Query = Record<string, string | number | undefined>
const patienceMs = 30_000

/** `GET /api/console{path}`; parameters that are empty are left out. Throws `ApiError`. */
export const get = <T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> =>
  call<T>('GET', path + queryText(query), undefined, signal)

export const post = <T>(path: string, body: object = {}): Promise<T> => call<T>('POST', path, body)
/** An answer as a file. */
export const postForFile = (path: string, body: object): Promise<Blob> =>
  again(async () => (await answered('POST', path, body)).blob(), path)
export const put = <T>(path: string, body: object = {}): Promise<T> => call<T>('PUT', path, body)
export const patch = <T>(path: string, body: object): Promise<T> => call<T>('PATCH', path, body)
export const remove = <T>(path: string, body?: object): Promise<T> => call<T>('DELETE', path, body)

export function queryText(query: Query): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== '') params.set(name, String(value))
  const text = params.toString()
  return text && `?${text}`
}

/** For acts without an answer: their result is ignored. */
const call = <T>(method: string, path: string, body?: object, signal?: AbortSignal): Promise<T> =>
  again(async () => JSON.parse((await (await answered(method, path, body, signal)).text()) || 'null'), path)

async function again<T>(once: () => Promise<T>, path: string): Promise<T> {
  try {
    return await once()
  } catch (error) {
    const isOver = error instanceof ApiError && error.status === 401 && !path.startsWith('/sign-in') && path !== '/me'
    if (!isOver || !(await whenExpired())) throw error
    return once()
  }
}

async function answered(method: string, path: string, body?: object, signal?: AbortSignal): Promise<Response> {
  const patience = AbortSignal.timeout(patienceMs)
  const sentAt = Date.now()
  let response: Response
  try {
    response = await fetch(`/api/console${path}`, {
      method,
      cache: 'no-store',
      credentials: 'same-origin',
      signal: signal ? AbortSignal.any([signal, patience]) : patience,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
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

interface Envelope {
  correlationID?: string
  error?: { code?: string; message?: string; details?: { fields?: FieldError[]; field?: string } }
}

function errorOf({ status, headers }: Response, text: string): ApiError {
  let envelope: Envelope = {}
  try {
    envelope = JSON.parse(text)
  } catch {
    // A proxy answered with its own page.
  }
  const { code = 'INTERNAL', message = 'The platform did not respond.', details = {} } = envelope.error ?? {}
  const fields = details.fields ?? (details.field ? [{ path: details.field, message }] : [])
  const retryAfter = headers.get('retry-after')
  return new ApiError(sentence(message), {
    status,
    code,
    fields,
    retryAfterSeconds: retryAfter === null ? null : Number(retryAfter),
    correlationId: envelope.correlationID ?? null,
  })
}

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`
