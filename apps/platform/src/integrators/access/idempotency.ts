// Idempotent writes: a repeated request has one effect and one response, stored in the effect's transaction (D2 §8).

import { Refusal } from '@lendloom/foundation/refusal'
import { Answer } from '@lendloom/http/server'
import { type Fragment, isLockTimeout, isTemplate, type Tx } from '@lendloom/postgres/sql'
import { isSameContent } from '@lendloom/seal/content-digest'
import { isAnyTableLocked } from './idempotency/store.ts'
import { type IdempotentOperation, type KeyEntry, keyEntryOf, type StoreDeps } from './idempotency-entry.ts'
import { beginShared } from './shared-effects.ts'

const keyFormat = /^(?:"([\x21\x23-\x7e]{1,255})"|([\x21\x23-\x7e]{1,255}))$/

/** Returns the request's `Idempotency-Key` without quotes; null if it is missing. Throws `invalid` if it is malformed. */
export function idempotencyKey(headers: Record<string, string | string[] | undefined>): string | null {
  const header = headers['idempotency-key']
  if (header === undefined) return null
  const [, quoted, bare] = typeof header === 'string' ? (keyFormat.exec(header) ?? []) : []
  const key = quoted ?? bare
  if (!key)
    throw new Refusal('invalid', 'Idempotency-Key must be 1 to 255 visible ASCII characters', {
      field: 'Idempotency-Key',
    })
  return key
}

/**
 * Runs `effect` once per key. A repeated request waits for the first response and returns it. Throws `reused-key` if
 * the key was used with other content, and `pending` if the wait takes too long, but the lock timeout itself if a whole
 * table is locked, which no request does. Refusals are not stored. `effect` may be rolled back and repeated, so it may
 * write only in its transaction. When the stored response is too old to be replayed, the effect gets its body.
 */
export async function runOnceForKey(
  ctx: StoreDeps,
  operation: IdempotentOperation,
  at: Date,
  effect: (tx: Tx, oldBody?: unknown) => Promise<Answer>,
): Promise<Answer> {
  const entry = keyEntryOf(ctx, operation, at)
  const runAlone = () => ctx.db.tx((tx) => runFirst(tx, entry, effect)).catch(ignoreKeyConflict)
  const { tenantId, owner } = operation
  try {
    const response = await (owner === undefined
      ? runAlone()
      : beginShared(ctx, tenantId, { entry, owner, effect, runAlone }))
    return response ?? (await ctx.db.tx((tx) => replay(tx, entry, effect)))
  } catch (error) {
    if (!isLockTimeout(error) || (await isAnyTableLocked(ctx.db))) throw error
    throw new Refusal('pending', 'the same operation, or another one on this journey, is still running', {
      retryAfterSeconds: 1,
    })
  }
}

/** Thrown to roll back when another request has used the key first. */
class KeyConflict extends Error {}

function ignoreKeyConflict(error: unknown): undefined {
  if (!(error instanceof KeyConflict)) throw error
}

/** Sends the claim and the effect's first statement together; the effect continues only after the claim succeeded. */
async function runFirst(tx: Tx, entry: KeyEntry, effect: (tx: Tx) => Promise<Answer>): Promise<Answer> {
  const claim = entry.claim(tx)
  // The claim is awaited below; until then, this prevents an unhandled rejection.
  claim.catch(() => {})
  const takeAnswer = await captureResult(effect(afterClaim(tx, claim)))
  if (!(await claim)) throw new KeyConflict()
  return entry.store(tx, takeAnswer())
}

/** Returns the stored response, or runs the effect again if the response has expired. */
async function replay(
  tx: Tx,
  entry: KeyEntry,
  effect: (tx: Tx, oldBody?: unknown) => Promise<Answer>,
): Promise<Answer> {
  const stored = await entry.find(tx)
  if (!stored || !isSameContent(stored, entry.digest))
    throw new Refusal('reused-key', 'this Idempotency-Key was used with other content', { field: 'Idempotency-Key' })
  const { body, headers } = entry.open(stored.outcomeSealed)
  if (entry.isStale(stored)) return entry.store(tx, await effect(tx, body))
  return new Answer(stored.status, body, { ...headers, 'idempotent-replayed': 'true' })
}

/** Waits for a promise and returns a function that returns its value or throws its error. */
export const captureResult = <T>(work: Promise<T>): Promise<() => T> =>
  work.then(
    (value) => () => value,
    (error) => () => {
      throw error
    },
  )

/** Returns the transaction with queries that wait for the claim and throw `KeyConflict` if another request has the key. */
function afterClaim(tx: Tx, claim: Promise<boolean>): Tx {
  let isClaimed = false
  function run<Row>(strings: TemplateStringsArray, ...values: unknown[]): Promise<Row[]>
  function run(row: Record<string, unknown>): Fragment
  function run(input: TemplateStringsArray | Record<string, unknown>, ...values: unknown[]) {
    if (!isTemplate(input)) return tx(input)
    const answer = tx(input, ...values)
    if (isClaimed) return answer
    return Promise.all([claim, answer]).then(([hasClaimed, rows]) => {
      isClaimed = hasClaimed
      if (!isClaimed) throw new KeyConflict()
      return rows
    })
  }
  return Object.assign(run, { isDistributed: tx.isDistributed, wake: tx.wake, reserve: tx.reserve })
}
