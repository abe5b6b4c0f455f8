// A repeated request has one effect and one answer: the outcome is stored in the transaction of the effect (D2 §8).
import { createHash } from 'node:crypto'
import type { Seal } from '#kit/crypto/seal.ts'
import { sharedCommit } from '#kit/db/shared-commit.ts'
import {
  type Db,
  type Fragment,
  isCommitUnknown,
  isLockTimeout,
  isTemplate,
  isTransient,
  type Tx,
} from '#kit/db/sql.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { Answer } from '#kit/http/server.ts'
import { cache, perDatabase } from '#kit/runtime/cache.ts'
import { canonicalJson, pairs } from '#kit/runtime/record.ts'
import { inThisTrace } from '#kit/runtime/trace.ts'
import { claimKey, claimKeys, keepOutcome, keepOutcomes, lockRecorded, type OperationKey } from './store.ts'

export interface IdempotentOperation {
  tenantId: string
  principal: string
  /** Method and route, so that one key may serve two operations. */
  operation: string
  key: string
  /** Path, query and body: what must be the same the second time. */
  content: unknown
  /** How long an outcome that carries a short-lived secret can be given again; null for the life of the journey. */
  replaySeconds: number | null
  /**
   * The owner of all rows that the effect locks, such as a borrower: it may share its transaction with effects of other
   * owners of the tenant. Without one it runs alone.
   */
  owner?: string
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

/** The stored answer, sealed, with its headers (especially `no-store` on a secret). */
interface KeptAnswer {
  body: unknown
  headers: Answer['headers']
}

/** How long a request waits for another one with the same key, or for the lock of its journey. */
const patienceMs = 3000

/** The part of the context that is used. */
interface StoreDeps {
  db: Db
  seal: Seal
}

/**
 * Runs `effect` once per key. A second request with the same content gets the first answer, waiting for it if it must;
 * other content is refused as `reused-key`. Nothing is kept of a refusal. Refused as `pending` when the wait is too long.
 * `effect` may be begun and undone, so all that it does is done in the transaction that it is given.
 */
export async function once(
  ctx: StoreDeps,
  operation: IdempotentOperation,
  at: Date,
  effect: (tx: Tx) => Promise<Answer>,
): Promise<Answer> {
  const record = recordOf(ctx, operation, at)
  const alone = () => ctx.db.tx((tx) => first(tx, record, effect)).catch(unlessTaken)
  const { tenantId, owner } = operation
  try {
    const begun = await (owner === undefined ? alone() : beginShared(ctx, tenantId, { record, owner, effect, alone }))
    return begun ?? (await ctx.db.tx((tx) => again(tx, record, effect)))
  } catch (error) {
    if (!isLockTimeout(error)) throw error
    throw new Refusal('pending', 'the same operation, or another one on this journey, is still running', {
      retryAfterSeconds: 1,
    })
  }
}

/** Another request used this key first: the transaction rolls back. */
class KeyConflict extends Error {}

function unlessTaken(error: unknown): undefined {
  if (!(error instanceof KeyConflict)) throw error
}

type OperationRecord = ReturnType<typeof recordOf>

function recordOf({ seal }: StoreDeps, { content, replaySeconds, owner, ...row }: IdempotentOperation, at: Date) {
  const context = `idempotency:${row.tenantId}:${row.principal}:${row.operation}:${row.key}`
  const digest = createHash('sha256').update(canonicalJson(content)).digest()
  const outcomeOf = ({ status, body, headers }: Answer) => ({
    status,
    outcomeSealed: seal.json({ body, headers } satisfies KeptAnswer, context),
    recordedAt: at,
  })
  return {
    ...{ row, digest, at, outcomeOf },
    claim: (tx: Tx) => claimKey(tx, row, { contentDigest: digest, patienceMs, at }),
    find: (tx: Tx) => lockRecorded(tx, row, patienceMs),
    isStale: ({ recordedAt }: { recordedAt: Date }) =>
      replaySeconds !== null && recordedAt.getTime() + replaySeconds * 1000 < at.getTime(),
    open: (sealed: Buffer) => seal.openJson<KeptAnswer>(sealed, context),
    /** Travels with the commit, which fails if it does. */
    keep(tx: Tx, answer: Answer): Answer {
      keepOutcome(tx, row, outcomeOf(answer)).catch(() => {})
      return answer
    },
  }
}

/** Sends the claim and the effect's first statement together; the effect continues only after the claim succeeded. */
async function first(tx: Tx, record: OperationRecord, effect: (tx: Tx) => Promise<Answer>): Promise<Answer> {
  const claim = record.claim(tx)
  // Awaited below; prevents an unhandled rejection until then.
  claim.catch(() => {})
  const ended = await settled(effect(behind(tx, claim)))
  if (!(await claim)) throw new KeyConflict()
  return record.keep(tx, ended())
}

/** The recorded answer; or the effect again when the answer was valid only for a short time. */
async function again(tx: Tx, record: OperationRecord, effect: (tx: Tx) => Promise<Answer>): Promise<Answer> {
  const known = await record.find(tx)
  if (!known?.contentDigest.equals(record.digest))
    throw new Refusal('reused-key', 'this Idempotency-Key was used with other content', { field: 'Idempotency-Key' })
  if (record.isStale(known)) return record.keep(tx, await effect(tx))
  const { body, headers } = record.open(known.outcomeSealed)
  return new Answer(known.status, body, { ...headers, 'idempotent-replayed': 'true' })
}

/** The result of a promise for later: returns its value, or throws its error. */
export const settled = <T>(work: Promise<T>): Promise<() => T> =>
  work.then(
    (value) => () => value,
    (error) => () => {
      throw error
    },
  )

/** The same transaction, whose queries wait for the claim and throw `KeyConflict` when another request has the key. */
function behind(tx: Tx, claim: Promise<boolean>): Tx {
  let won = false
  function run<Row>(strings: TemplateStringsArray, ...values: unknown[]): Promise<Row[]>
  function run(row: Record<string, unknown>): Fragment
  function run(first: TemplateStringsArray | Record<string, unknown>, ...values: unknown[]) {
    if (!isTemplate(first)) return tx(first)
    const answer = tx(first, ...values)
    if (won) return answer
    return Promise.all([claim, answer]).then(([isOurs, rows]) => {
      won = isOurs
      if (!won) throw new KeyConflict()
      return rows
    })
  }
  return Object.assign(run, { isDistributed: tx.isDistributed, wake: tx.wake })
}

interface First {
  record: OperationRecord
  /** No effect of another owner locks the same rows. */
  owner: string
  effect: (tx: Tx) => Promise<Answer>
  /** The same alone, in its own transaction. */
  alone: () => Promise<Answer | undefined>
}

interface Member extends First {
  /** Runs work with the correlation of the request that it belongs to. */
  within: <T>(work: () => T) => T
}

type Begin = (member: Member) => Promise<Answer | undefined>

/** A row that another transaction has locked delays the whole group: after this time each member runs alone. */
const groupPatienceMs = 250

/** One that is forgotten while it works finishes its groups; the next write begins another. */
const ofTenants = { name: 'write-groups', mostBytes: 4 << 20, forMs: 600_000, weigh: () => 2000 }

const groupsOfTenants = perDatabase((_: { db: Db }) => cache<Begin>(ofTenants))

/**
 * Runs the effect and records its answer if the key is new; otherwise returns undefined and changes nothing. Concurrent
 * writes of other owners of the tenant share the transaction and its commit.
 */
function beginShared({ db }: Pick<StoreDeps, 'db'>, tenantId: string, first: First): Promise<Answer | undefined> {
  if (db.isDistributed) return first.alone()
  const groups = groupsOfTenants({ db })
  const begin = groups.get(tenantId) ?? groupsOf(db, tenantId)
  groups.set(tenantId, begin)
  return begin({ ...first, within: inThisTrace() })
}

const groupsOf = (db: Db, tenantId: string): Begin =>
  sharedCommit<Member, Answer | undefined>({
    ownerOf: ({ owner }) => owner,
    together: (members) => db.tx((tx) => effectsOf(tx, tenantId, members)),
    alone: ({ alone, within }) => within(alone),
    isForAll: (error) => isCommitUnknown(error) || isTransient(error),
  })

/** The effects of those whose key is new. Each waits for its own answers only, so their round trips are shared as well. */
async function effectsOf(tx: Tx, tenantId: string, members: Member[]): Promise<(Answer | undefined)[]> {
  const claims = members.map(({ record: { row, digest, at } }) => ({ row, contentDigest: digest, at }))
  const claimed = new Set((await claimKeys(tx, tenantId, claims, groupPatienceMs)).map(nameOf))
  const ended = await Promise.allSettled(
    members.map(async ({ record, effect, within }) =>
      claimed.has(nameOf(record.row)) ? within(() => effect(tx)) : undefined,
    ),
  )
  // All must have ended before the rollback.
  const answers = ended.map((each) => {
    if (each.status === 'rejected') throw each.reason
    return each.value
  })
  const kept = pairs(members, pairs(claims, answers)).flatMap(([{ record }, [claim, given]]) =>
    given ? [{ ...claim, outcome: record.outcomeOf(given) }] : [],
  )
  // Travels with the commit, which fails if it does.
  if (kept.length > 0) keepOutcomes(tx, tenantId, kept).catch(() => {})
  return answers
}

const nameOf = ({ principal, operation, key }: OperationKey): string => JSON.stringify([principal, operation, key])
