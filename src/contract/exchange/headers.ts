// The headers that name a request so that it can be repeated: `Idempotency-Key` and `X-Request-Id` (D3 §2.1).
import { isUuid } from '#kit/crypto/id.ts'
import { invalid } from '#kit/http/refusal.ts'

type Headers = Record<string, string | string[] | undefined>

/** Passes when `Idempotency-Key`, bare or quoted, is the `request_id` or `event_id` of the body. */
export function requireIdempotencyKey(headers: Headers, id: string): void {
  const key = headers['idempotency-key']
  if (typeof key !== 'string' || key === '') throw invalid({ path: 'Idempotency-Key', message: 'is required' })
  const bare = /^"(.*)"$/.exec(key)?.[1] ?? key
  if (bare.toLowerCase() !== id.toLowerCase())
    throw invalid({ path: 'Idempotency-Key', message: 'must be the request_id, or the event_id of an event' })
}

/** The UUID of a read request. */
export function requireRequestId(headers: Headers): string {
  const id = headers['x-request-id']
  if (typeof id !== 'string' || !isUuid(id)) throw invalid({ path: 'X-Request-Id', message: 'must be a UUID' })
  return id
}
