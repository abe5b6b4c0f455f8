// The same request twice has one effect and one answer: the outcome is kept in the transaction of the effect (D2 §8).
import { createHash } from 'node:crypto'
import { Answer } from '#kit/http-server.ts'
import { Refusal } from '#kit/refusal.ts'
import { isLockTimeout, type Tx } from '#kit/sql.ts'
import type { World } from '#platform/world.ts'
import { claimKey, keepOutcome, lockRecorded } from './store.ts'

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

/** How long a request waits for another one with its key, or for whoever holds its journey. */
const patienceMs = 3000

/**
 * Runs `effect` once per key. A second request with the same content gets the first answer, waiting for it if it must;
 * other content is refused as `reused-key`. Nothing is kept of a refusal. Refused as `pending` when the wait is too long.
 */
export async function once(
  world: World,
  operation: Operation,
  at: Date,
  effect: (tx: Tx) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await world.db.tx((tx) => claimed(tx, world, operation, at, effect))
  } catch (error) {
    if (!isLockTimeout(error)) throw error
    throw new Refusal('pending', 'the same operation, or another one on this journey, is still running', {
      retryAfterSeconds: 1,
    })
  }
}

async function claimed(
  tx: Tx,
  { seal }: World,
  { content, replaySeconds, ...row }: Operation,
  at: Date,
  effect: (tx: Tx) => Promise<Answer>,
): Promise<Answer> {
  const digest = createHash('sha256').update(canonical(content)).digest()
  const context = `idempotency:${row.tenantId}:${row.principal}:${row.operation}:${row.key}`
  if (!(await claimKey(tx, row, digest, patienceMs, at))) {
    const known = await lockRecorded(tx, row)
    if (!known?.contentDigest.equals(digest))
      throw new Refusal('reused-key', 'this Idempotency-Key was used with other content', { field: 'Idempotency-Key' })
    const stale = replaySeconds !== null && known.recordedAt.getTime() + replaySeconds * 1000 < at.getTime()
    if (!stale) {
      const { body, headers } = seal.openJson<Outcome>(known.outcomeSealed, context)
      return new Answer(known.status, body, { ...headers, 'idempotent-replayed': 'true' })
    }
  }
  const { status, body, headers } = await effect(tx)
  const outcomeSealed = seal.json({ body, headers } satisfies Outcome, context)
  await keepOutcome(tx, row, { status, outcomeSealed, recordedAt: at })
  return new Answer(status, body, headers)
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
