// The frame of the hybrid calls: D1 §4 spells it in snake_case.

import { refused } from '#contract/headless/envelope.ts'
import type { Refusal } from '#kit/http/refusal.ts'
import { Answer, type Arrival, answer } from '#kit/http/server.ts'
import { isObject } from '#kit/runtime/record.ts'

type Ids = Pick<Arrival, 'requestId' | 'correlationId' | 'at'>

const frame = ({ requestId, correlationId, at }: Ids) => ({
  request_id: requestId,
  correlation_id: correlationId,
  timestamp: at.toISOString(),
})

/** The answer may hold a link that is valid for minutes, so it must not be cached. */
export const framed = (status: number, ids: Ids, data: unknown): Answer =>
  answer(status, { ...frame(ids), data, error: null }, { 'cache-control': 'no-store' })

/** How long an answer with a two-minute link is repeated for the same Idempotency-Key. */
export const replaySeconds = 60

/** The codes and statuses are those of every other API (D2 §7). */
export function hybridRefused(refusal: Refusal | 'bug', ids: Ids): Answer {
  const { status, body, headers } = refused(refusal, ids)
  const error = isObject(body) ? body.error : null
  return new Answer(status, { ...frame(ids), data: null, error }, headers)
}
