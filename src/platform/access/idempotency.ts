// The same request twice has one effect and one answer: the outcome is kept in the transaction of the effect (D2 §8).
import { createHash } from 'node:crypto'
import { Answer } from '#kit/http-server.ts'
import { Refusal } from '#kit/refusal.ts'
import { broke, type Tx } from '#kit/sql.ts'
import type { World } from '#platform/world.ts'
import { findRecorded, forgetRecorded, insertRecorded, type OperationKey } from './store.ts'

export interface Operation {
  tenantId: string
  principal: string
  /** Method and route, so that one key may serve two operations. */
  operation: string
  key: string
  /** Path, query and body: what must be the same the second time. */
  content: unknown
  /** How long an outcome that carries a short-lived secret can be given again; null for the life of the journey. */
  replaySeconds: number | null
}

const keyFormat = /^(?:"([\x21\x23-\x7e]{1,255})"|([\x21\x23-\x7e]{1,255}))$/

/** The `Idempotency-Key` of a request, quoted or bare; null when there is none. */
export function idempotencyKey(headers: Record<string, string | string[] | undefined>): string | null {
  const given = headers['idempotency-key']
  if (given === undefined) return null
  const [, quoted, bare] = typeof given === 'string' ? (keyFormat.exec(given) ?? []) : []
  const key = quoted ?? bare
  if (!key)
    throw new Refusal('invalid', 'Idempotency-Key must be 1 to 255 visible ASCII characters', {
      field: 'Idempotency-Key',
    })
  return key
}

/** What is kept of an answer, sealed: its headers are part of it (`no-store` on a secret, most of all). */
interface Outcome {
  body: unknown
  headers: Record<string, string>
}

/** Runs `effect` once per key. A second request with the same content gets the first answer; other content is refused. */
export async function once(
  world: World,
  operation: Operation,
  at: Date,
  effect: (tx: Tx) => Promise<Answer>,
): Promise<Answer> {
  const digest = createHash('sha256').update(canonical(operation.content)).digest()
  const row: OperationKey = {
    tenantId: operation.tenantId,
    principal: operation.principal,
    operation: operation.operation,
    key: operation.key,
  }
  const context = `idempotency:${row.tenantId}:${row.principal}:${row.operation}:${row.key}`
  for (;;) {
    try {
      return await world.db.tx(async (tx) => {
        const known = await findRecorded(tx, row)
        const stale =
          known &&
          operation.replaySeconds !== null &&
          known.recordedAt.getTime() + operation.replaySeconds * 1000 < at.getTime()
        if (known && !known.contentDigest.equals(digest))
          throw new Refusal('reused-key', 'this Idempotency-Key was used with other content', {
            field: 'Idempotency-Key',
          })
        if (known && !stale) {
          const { body, headers } = world.seal.openJson<Outcome>(known.outcomeSealed, context)
          return new Answer(known.status, body, { ...headers, 'idempotent-replayed': 'true' })
        }
        if (stale) await forgetRecorded(tx, row)
        const answer = await effect(tx)
        await insertRecorded(tx, row, {
          contentDigest: digest,
          status: answer.status,
          outcomeSealed: world.seal.json({ body: answer.body, headers: answer.headers } satisfies Outcome, context),
          recordedAt: at,
        })
        return answer
      })
    } catch (error) {
      // Somebody with the same key committed first: the next round finds what they recorded.
      if (!broke(error, 'idempotency_pkey')) throw error
    }
  }
}

/** JSON with its keys in order, so that equal content has equal text. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value)
    .filter(([, inner]) => inner !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${canonical(inner)}`).join(',')}}`
}
