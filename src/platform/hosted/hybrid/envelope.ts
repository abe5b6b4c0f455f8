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

/** What it carries may hold a link that is good for minutes: nobody keeps it on the way. */
export const framed = (status: number, ids: Ids, data: unknown): Answer =>
  answer(status, { ...frame(ids), data, error: null }, { 'cache-control': 'no-store' })

/** An answer that holds a link which is good for two minutes is given again to the same Idempotency-Key so long. */
export const replaySeconds = 60

/** The codes and statuses are those of every other API (D2 §7). */
export function hybridRefused(refusal: Refusal | 'bug', ids: Ids): Answer {
  const { status, body, headers } = refused(refusal, ids)
  const error = isObject(body) ? body.error : null
  return new Answer(status, { ...frame(ids), data: null, error }, headers)
}
