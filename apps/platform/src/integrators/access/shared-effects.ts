// Runs the effects of concurrent requests of a tenant in one transaction, so that they share its commit.

import { cache, perDatabase } from '@lendloom/foundation/cache'
import { pairs } from '@lendloom/foundation/lists'
import { bindTrace } from '@lendloom/foundation/trace'
import type { Answer } from '@lendloom/http/server'
import { sharedCommit } from '@lendloom/postgres/shared-commit'
import { type Db, isCommitUnknown, isStatementCancelled, isTransient, type Tx } from '@lendloom/postgres/sql'
import { insertResponses, type OperationKey, usedKeys } from '#platform/integrators/access/idempotency/store.ts'
import type { KeyEntry, StoreDeps } from './idempotency-entry.ts'

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
export function beginShared(
  { db }: Pick<StoreDeps, 'db'>,
  tenantId: string,
  write: SharedWrite,
): Promise<Answer | undefined> {
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
