// Idempotent writes: a repeated request has one effect and one response, stored in the effect's transaction (D2 §8).

import { cache, perDatabase } from '@lendloom/foundation/cache'
import { canonicalJson } from '@lendloom/foundation/json'
import { pairs } from '@lendloom/foundation/lists'
import { Refusal } from '@lendloom/foundation/refusal'
import { bindTrace } from '@lendloom/foundation/trace'
import { Answer } from '@lendloom/http/server'
import { sharedCommit } from '@lendloom/postgres/shared-commit'
import {
  type Db,
  type Fragment,
  isCommitUnknown,
  isLockTimeout,
  isStatementCancelled,
  isTemplate,
  isTransient,
  type Tx,
} from '@lendloom/postgres/sql'
import { contentDigest, isSameContent } from '@lendloom/seal/content-digest'
import type { Seal } from '@lendloom/seal/seal'
import {
  claimKey,
  digestsOfRequests,
  insertResponses,
  isAnyTableLocked,
  lockResponse,
  type OperationKey,
  storeResponse,
  usedKeys,
} from './idempotency/store.ts'

export interface IdempotentOperation {
  tenantId: string
  principal: string
  /** Method and route, so that one key may serve two operations. */
  operation: string
  key: string
  /** Path, query and body, which a repeated request must match. */
  content: unknown
  /** Seconds for which a response with a short-lived secret is replayed; null means as long as the journey exists. */
  replaySeconds: number | null
  /**
   * The owner of all rows that the effect locks, such as a borrower. The effect may share its transaction with effects
   * of the tenant's other owners; without an owner, the effect has its own transaction.
   */
  owner?: string
}

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

/** The sealed content of a stored response; the headers include, for example, `cache-control`. */
interface StoredAnswer {
  body: unknown
  headers: Answer['headers']
}

/** Longest wait of a request for another request with the same key, or for the lock of its journey. */
const lockWaitMs = 3000

interface StoreDeps {
  db: Db
  seal: Seal
}

/**
 * Runs `effect` once per key. A repeated request waits for the first response and returns it. Throws `reused-key` if
 * the key was used with other content, and `pending` if the wait takes too long, but the lock timeout itself if a whole
 * table is locked, which no request does. Refusals are not stored. `effect` may be rolled back and repeated, so it may
 * write only in its transaction.
 */
export async function runOnceForKey(
  ctx: StoreDeps,
  operation: IdempotentOperation,
  at: Date,
  effect: (tx: Tx) => Promise<Answer>,
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

type KeyEntry = ReturnType<typeof keyEntryOf>

function keyEntryOf({ seal }: StoreDeps, { content, replaySeconds, owner, ...row }: IdempotentOperation, at: Date) {
  const context = `idempotency:${row.tenantId}:${row.principal}:${row.operation}:${row.key}`
  const digest = contentDigest(seal, canonicalJson(content), digestsOfRequests.purpose)
  const responseOf = ({ status, body, headers }: Answer) => ({
    status,
    outcomeSealed: seal.json({ body, headers } satisfies StoredAnswer, context),
    recordedAt: at,
  })
  return {
    row,
    digest,
    at,
    responseOf,
    claim: (tx: Tx) => claimKey(tx, row, { contentMac: digest.keyed, lockWaitMs, at }),
    find: (tx: Tx) => lockResponse(tx, row, lockWaitMs),
    isStale: ({ recordedAt }: { recordedAt: Date }) =>
      replaySeconds !== null && recordedAt.getTime() + replaySeconds * 1000 < at.getTime(),
    open: (sealed: Buffer) => seal.openJson<StoredAnswer>(sealed, context),
    /** The statement is sent with the commit, which fails if the statement fails. */
    store(tx: Tx, answer: Answer): Answer {
      storeResponse(tx, row, responseOf(answer)).catch(() => {})
      return answer
    },
  }
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
async function replay(tx: Tx, entry: KeyEntry, effect: (tx: Tx) => Promise<Answer>): Promise<Answer> {
  const stored = await entry.find(tx)
  if (!stored || !isSameContent(stored, entry.digest))
    throw new Refusal('reused-key', 'this Idempotency-Key was used with other content', { field: 'Idempotency-Key' })
  if (entry.isStale(stored)) return entry.store(tx, await effect(tx))
  const { body, headers } = entry.open(stored.outcomeSealed)
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

interface SharedWrite {
  entry: KeyEntry
  /** Effects of other owners never lock the same rows. */
  owner: string
  effect: (tx: Tx) => Promise<Answer>
  runAlone: () => Promise<Answer | undefined>
}

interface GroupMember extends SharedWrite {
  /** Runs work with the correlation id of the member's request. */
  runInTrace: <T>(work: () => T) => T
}

type BeginWrite = (member: GroupMember) => Promise<Answer | undefined>

/** Longest wait of a group for a locked row; after it, each member runs in its own transaction. */
const groupLockWaitMs = 250

/** An evicted group still completes; the next write starts a new group. */
const groupCache = { name: 'write-groups', maxBytes: 4 << 20, lifetimeMs: 600_000, weigh: () => 2000 }

const groupsOfTenants = perDatabase((_: { db: Db }) => cache<BeginWrite>(groupCache))

/**
 * Runs the effect and records its response if the key is new; otherwise returns undefined. Concurrent writes of the
 * tenant's other owners share the transaction and its commit.
 */
function beginShared({ db }: Pick<StoreDeps, 'db'>, tenantId: string, write: SharedWrite): Promise<Answer | undefined> {
  if (db.isDistributed) return write.runAlone()
  const groups = groupsOfTenants({ db })
  const begin = groups.get(tenantId) ?? groupsOf(db, tenantId)
  groups.set(tenantId, begin)
  return begin({ ...write, runInTrace: bindTrace() })
}

const groupsOf = (db: Db, tenantId: string): BeginWrite =>
  sharedCommit<GroupMember, Answer | undefined>({
    ownerOf: ({ owner }) => owner,
    runTogether: (members) => db.tx((tx) => effectsOf(tx, tenantId, members)),
    runAlone: ({ runAlone, runInTrace }) => runInTrace(runAlone),
    // A cancelled statement concerns its own member, for example at a locked row.
    isGroupFailure: (error) => isCommitUnknown(error) || (isTransient(error) && !isStatementCancelled(error)),
  })

/** Runs the effects whose key is new, concurrently. If another process uses a key meanwhile, each member runs alone. */
async function effectsOf(tx: Tx, tenantId: string, members: GroupMember[]): Promise<(Answer | undefined)[]> {
  const keys = members.map(({ entry }) => entry.row)
  const used = new Set((await usedKeys(tx, tenantId, keys, groupLockWaitMs)).map(textOfKey))
  const results = await Promise.allSettled(
    members.map(async ({ entry, effect, runInTrace }) =>
      used.has(textOfKey(entry.row)) ? undefined : runInTrace(() => effect(tx)),
    ),
  )
  // All effects must have ended before an error rolls the transaction back.
  const answers = results.map((each) => {
    if (each.status === 'rejected') throw each.reason
    return each.value
  })
  const responses = pairs(members, answers).flatMap(([{ entry }, response]) =>
    response
      ? [{ operationKey: entry.row, response: { contentMac: entry.digest.keyed, ...entry.responseOf(response) } }]
      : [],
  )
  // The statement is sent with the commit, which fails if the statement fails.
  if (responses.length > 0) insertResponses(tx, responses).catch(() => {})
  return answers
}

const textOfKey = ({ principal, operation, key }: OperationKey): string => JSON.stringify([principal, operation, key])
