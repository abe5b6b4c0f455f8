// The page's calls to the platform. Every outcome, including a network failure, is an `ApiAnswer`.

import type { offerReplaced } from '@lendloom/wire/hosted/embed-requests'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'

export interface FieldFault {
  path: string
  message: string
}

/**
 * `offline` and `busy` may be retried with the same key; `stale`: the journey's state no longer allows the call;
 * `pending`: an earlier request has to be settled first; `replaced`: the lender has replaced the offer that the page showed.
 */
export type ApiAnswer<T> =
  | { kind: 'ok'; body: T; tag: string | null }
  | { kind: 'same' }
  /** `isCut`: the browser says that it has no connection at all, so that another try can wait for the connection. */
  | { kind: 'offline'; isCut?: boolean }
  | { kind: 'busy'; afterMs: number | null }
  | { kind: 'expired' }
  | { kind: 'fields'; faults: FieldFault[] }
  | { kind: 'stale' }
  | { kind: 'pending' }
  | { kind: 'replaced' }

export interface ApiCall {
  method: 'GET' | 'POST' | 'PUT'
  path: string
  /** JSON, or a form with files. */
  body?: object | FormData
  /** Idempotency key, the same for every try of an action. */
  key?: string
  /** Only the page's memory has the tag, because the browser must not store a borrower's data. */
  tag?: string | null
  /** Whether the browser completes the call after the page is gone. */
  outlivesPage?: boolean
}

export type Send = <T = { view: EmbedView }>(call: ApiCall, token: string | null | undefined) => Promise<ApiAnswer<T>>

const timeoutMs = 20_000
/** A phone may need this long for several files. */
const formTimeoutMs = 120_000

export const sendTo =
  (base: string, fetch: typeof globalThis.fetch, pageId: string): Send =>
  async ({ method, path, body, key, tag, outlivesPage = false }, token) => {
    const controller = new AbortController()
    const isForm = body instanceof FormData
    const timer = setTimeout(() => controller.abort(), isForm ? formTimeoutMs : timeoutMs)
    try {
      const response = await fetch(base + path, {
        method,
        signal: controller.signal,
        credentials: 'omit',
        cache: 'no-store',
        keepalive: outlivesPage,
        headers: {
          'x-page-id': pageId,
          ...(token && { authorization: `Bearer ${token}` }),
          ...(body && !isForm && { 'content-type': 'application/json' }),
          ...(key && { 'idempotency-key': key }),
          ...(tag && { 'if-none-match': tag }),
        },
        ...(body && { body: isForm ? body : JSON.stringify(body) }),
      })
      if (response.status === 304) return { kind: 'same' }
      if (response.ok) return { kind: 'ok', body: await response.json(), tag: response.headers.get('etag') }
      return failureOf(response.status, response.headers.get('retry-after'), await response.json().catch(() => null))
    } catch {
      return { kind: 'offline', isCut: navigator.onLine === false }
    } finally {
      clearTimeout(timer)
    }
  }

/** The contract's value, without loading its schemas in the browser. */
const replaced: typeof offerReplaced = 'OFFER_REPLACED'

interface Envelope {
  error?: {
    code?: string
    details?: { fields?: FieldFault[]; field?: string; missingFields?: string[]; change?: string }
  }
}

function failureOf(
  status: number,
  retryAfter: string | null,
  envelope: Envelope | null,
): Exclude<ApiAnswer<never>, { kind: 'ok' }> {
  const { code, details = {} } = envelope?.error ?? {}
  if (status === 401) return { kind: 'expired' }
  const missing = details.missingFields?.map((path) => ({ path, message: '' }))
  const faults = details.fields ?? missing
  if (faults && faults.length > 0) return { kind: 'fields', faults }
  const isPending = code === 'ASYNC_OPERATION_PENDING'
  // What only runs at the same moment says when to try again; what waits for the lender or the borrower does not.
  if (isPending && retryAfter === null) return { kind: 'pending' }
  if (status === 429 || status >= 500 || isPending)
    return { kind: 'busy', afterMs: retryAfter === null ? null : Number(retryAfter) * 1000 || null }
  return { kind: details.change === replaced ? 'replaced' : 'stale' }
}

/** Creates a random key. `crypto.randomUUID` does not exist on a page served over plain http. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
