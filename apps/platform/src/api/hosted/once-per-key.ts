// Runs an integrator's act in one transaction, and only once for each Idempotency-Key.

import type { Answer, Arrival } from '@lendloom/http/server'
import type { Tx } from '@lendloom/postgres/sql'
import type { Context } from '#platform/context.ts'
import type { Integrator } from '#platform/integrators/access/api-key.ts'
import { idempotencyKey, runOnceForKey } from '#platform/integrators/access/idempotency.ts'

interface IntegratorRequest extends Arrival {
  who: Integrator
  body: unknown
}

interface IdempotentAct {
  operation: string
  replaySeconds?: number | null
}

/**
 * Runs `act`; `operation` names its method and route. A repeated request must have the same path and body. Its response
 * is replayed for `replaySeconds`, or without limit if null.
 */
export function runOncePerKey(
  ctx: Context,
  { operation, replaySeconds = null }: IdempotentAct,
  { who, body, headers, path, at }: IntegratorRequest,
  act: (tx: Tx) => Promise<Answer>,
): Promise<Answer> {
  const key = idempotencyKey(headers)
  if (key === null) return ctx.db.tx(act)
  const { tenantId, keyId: principal } = who
  const content = { path, body: body ?? null }
  return runOnceForKey(ctx, { tenantId, principal, operation, key, content, replaySeconds }, at, act)
}
