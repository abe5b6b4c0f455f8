// The stored entry of one Idempotency-Key: its claim, its response, and the comparison of repeated requests (D2 §8).

import { canonicalJson } from '@lendloom/foundation/json'
import type { Answer } from '@lendloom/http/server'
import type { Db, Tx } from '@lendloom/postgres/sql'
import { contentDigest } from '@lendloom/seal/content-digest'
import type { Seal } from '@lendloom/seal/seal'
import {
  claimKey,
  digestsOfRequests,
  lockResponse,
  storeResponse,
} from '#platform/integrators/access/idempotency/store.ts'

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

/** The sealed content of a stored response; the headers include, for example, `cache-control`. */
interface StoredAnswer {
  body: unknown
  headers: Answer['headers']
}

/** Longest wait of a request for another request with the same key, or for the lock of its journey. */
const lockWaitMs = 3000

export interface StoreDeps {
  db: Db
  seal: Seal
}

export type KeyEntry = ReturnType<typeof keyEntryOf>

export function keyEntryOf(
  { seal }: StoreDeps,
  { content, replaySeconds, owner, ...row }: IdempotentOperation,
  at: Date,
) {
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
