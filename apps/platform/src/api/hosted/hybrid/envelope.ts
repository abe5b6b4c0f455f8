// The envelope of the hybrid calls, in snake_case (D1 §4).

import { isObject } from '@lendloom/foundation/record'
import type { Refusal } from '@lendloom/foundation/refusal'
import { Answer, type Arrival, answer } from '@lendloom/http/server'
import { refused } from '@lendloom/wire/headless/envelope'

type Ids = Pick<Arrival, 'requestId' | 'correlationId' | 'at'>

const envelopeIds = ({ requestId, correlationId, at }: Ids) => ({
  request_id: requestId,
  correlation_id: correlationId,
  timestamp: at.toISOString(),
})

/** The response may contain a short-lived link, so it must not be cached. */
export const hybridAnswer = (status: number, ids: Ids, data: unknown): Answer =>
  answer(status, { ...envelopeIds(ids), data, error: null }, { 'cache-control': 'no-store' })

/** How long a response is replayed for its Idempotency-Key. The link in the response works for two minutes. */
export const replaySeconds = 60

/** Uses the codes and statuses of the other APIs (D2 §7). */
export function hybridRefusalAnswer(refusal: Refusal | 'bug', ids: Ids): Answer {
  const { status, body, headers } = refused(refusal, ids)
  const error = isObject(body) ? body.error : null
  return new Answer(status, { ...envelopeIds(ids), data: null, error }, headers)
}
