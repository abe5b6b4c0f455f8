// Idempotent writes of different borrowers of one tenant that come at the same time share a transaction and its commit.

import { sharedCommit } from '#kit/db/shared-commit.ts'
import { type Db, isCommitUnknown, isPassing, type Tx } from '#kit/db/sql.ts'
import type { Answer } from '#kit/http/server.ts'
import { type Cache, cache } from '#kit/runtime/cache.ts'
import { pairs } from '#kit/runtime/pairs.ts'
import { inThisTrace } from '#kit/runtime/trace.ts'
import { claimKeys, keepOutcomes, type OperationKey } from './store.ts'

/** What is kept of a write under its key. */
interface Kept {
  row: OperationKey
  digest: Buffer
  at: Date
  outcomeOf(answer: Answer): Parameters<typeof keepOutcomes>[2][number]['outcome']
}

export interface First {
  record: Kept
  /** No effect of another owner locks the same rows. */
  owner: string
  effect: (tx: Tx) => Promise<Answer>
  /** The same in a transaction of its own. */
  alone: () => Promise<Answer | undefined>
}

interface Member extends First {
  /** Runs work with the correlation of the request that it belongs to. */
  within: <T>(work: () => T) => T
}

type Begin = (member: Member) => Promise<Answer | undefined>

/** A row that is locked by another transaction holds up a whole group: after so long each waits for its own by itself. */
const patienceMs = 250

/** The groups of one process, by tenant. */
export type WriteGroups = Cache<Begin>

/** One that is forgotten while it works finishes its groups; the next write begins another. */
const ofTenants = { name: 'write-groups', mostBytes: 4 << 20, forMs: 600_000, weigh: () => 2000 }

export const writeGroups = (): WriteGroups => cache<Begin>(ofTenants)

/** Runs the effect and keeps its answer, if nobody has used its key; undefined, and nothing has happened, otherwise. */
export function beginShared(
  { db, writes }: { db: Db; writes: WriteGroups },
  tenantId: string,
  first: First,
): Promise<Answer | undefined> {
  const begin = writes.get(tenantId) ?? groupsOf(db, tenantId)
  writes.set(tenantId, begin)
  return begin({ ...first, within: inThisTrace() })
}

const groupsOf = (db: Db, tenantId: string): Begin =>
  sharedCommit<Member, Answer | undefined>({
    ownerOf: ({ owner }) => owner,
    together: (members) => db.tx((tx) => effects(tx, tenantId, members)),
    alone: ({ alone, within }) => within(alone),
    isForAll: (error) => isCommitUnknown(error) || isPassing(error),
  })

/** The effects of those whose key is new. Each waits for its own answers only, so their round trips are shared as well. */
async function effects(tx: Tx, tenantId: string, members: Member[]): Promise<(Answer | undefined)[]> {
  const claims = members.map(({ record: { row, digest, at } }) => ({ row, contentDigest: digest, at }))
  const claimed = new Set((await claimKeys(tx, tenantId, claims, patienceMs)).map(nameOf))
  const ended = await Promise.allSettled(
    members.map(async ({ record, effect, within }) =>
      claimed.has(nameOf(record.row)) ? within(() => effect(tx)) : undefined,
    ),
  )
  // None may still be at work when the transaction is rolled back.
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
