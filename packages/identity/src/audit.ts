// The audit log: one entry per act, written in the act's transaction. Each digest also covers the previous digest, so
// that changed, removed or inserted entries are detected.

import { canonicalJson } from '@lendloom/foundation/json'
import { type ChainHead, compareWithHeads } from '@lendloom/postgres/chain-head'
import { linkDigest, type VerifiedLinks, verifyLinks } from '@lendloom/postgres/hash-chain'
import type { Run } from '@lendloom/postgres/sql'
import type { Write } from '@lendloom/postgres/write'
import { type AuditLog, type AuditRow, digestAt, insertEntry, listChain, lockChain, readChain } from './audit/store.ts'
import type { StaffEntry } from './sign-in-program.ts'

interface NewEntry extends StaffEntry {
  tenantId: string
  personId: string | null
  /** Values of the columns that only this program's log has, in the order of the columns. */
  programColumns?: Record<string, string | null>
}

/** Adds an entry and returns its sequence number. Call it last in a transaction, because other writers of the log wait until the transaction ends. */
export async function addEntry(
  { tx, at }: Write,
  { tenantId, personId, act, subject, detail = {}, programColumns }: NewEntry,
): Promise<number> {
  const chainEnd = await lockChain(tx, tenantId)
  const entry = {
    tenantId,
    sequence: chainEnd.sequence + 1,
    at: `${at.toISOString().slice(0, -1)}000Z`,
    personId,
    act,
    subject: subject?.toWellFormed() ?? null,
    detail: canonicalJson(detail),
    ...programColumns,
  }
  await insertEntry(tx, { ...entry, digest: linkDigest(chainEnd.digest, entry) })
  return entry.sequence
}

/** Verifies a whole log, and compares it with heads that were mailed earlier. */
export async function verifyLog(db: Run, log: AuditLog, heads: ChainHead[] = []): Promise<VerifiedLinks> {
  const verified = await verifyLinks<AuditRow>({
    rowsAfter: (sequence, limit) => listChain(db, log, sequence, limit),
    end: () => readChain(db, log.tenantId),
    digestOf: (previousDigest, { digest: _, ...entry }) => linkDigest(previousDigest, entry),
  })
  return compareWithHeads(verified, heads, (sequence) => digestAt(db, log.tenantId, sequence))
}
