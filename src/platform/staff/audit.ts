// The audit log: what people did, one entry for each act, within the transaction of its effect. Each entry's digest covers
// the one before, so that nothing in the middle can be changed, taken out or put in without being seen.

import { hash } from 'node:crypto'
import type { Db, Run } from '#kit/db/sql.ts'
import { canonicalJson } from '#kit/runtime/canonical-json.ts'
import type { TxContext } from '#platform/context.ts'
import { type AuditRow, insertEntry, listChain, listChains, lockChain, readChain } from './audit/store.ts'
import { type ConsolePerson, keptUnder, personIdOf } from './person.ts'

export interface StaffAct {
  /** In capitals, as `PERSON_INVITED`. */
  act: string
  /** An id of what it was done to, never personal data. */
  subject?: string
  /** The tenant it belongs to; the person's own unless named, and the platform for people of the platform. */
  tenantId?: string | null
  /** What else matters of it, never personal data of a borrower. */
  detail?: Record<string, string | number | boolean>
}

/** Whoever acted; null stands for the command line, as `commandLine` does. */
export type Actor = Pick<ConsolePerson, 'personId' | 'tenantId'> | null

/** Writes an entry within the transaction; entries of one tenant wait for each other until theirs ends. */
export async function noteStaffAct(
  { tx, at }: Pick<TxContext, 'tx' | 'at'>,
  person: Actor,
  { act, subject, tenantId, detail = {} }: StaffAct,
): Promise<void> {
  const kept = keptUnder(person?.tenantId ?? tenantId ?? null)
  const end = await lockChain(tx, kept, firstDigest)
  const entry = {
    tenantId: kept,
    sequence: end.sequence + 1,
    at: `${at.toISOString().slice(0, -1)}000Z`,
    personId: personIdOf(person),
    act,
    subject: subject ?? null,
    detail: canonicalJson(detail),
  }
  await insertEntry(tx, { ...entry, digest: entryDigest(end.digest, entry) })
}

/** What the first entry of a chain stands on. */
const firstDigest = Buffer.alloc(32)

/** SHA-256 of the digest before and of the entry as canonical JSON. */
export function entryDigest(before: Buffer, entry: Omit<AuditRow, 'digest'>): Buffer {
  const { tenantId, sequence, at, personId, act, subject, detail } = entry
  const text = canonicalJson({ tenantId, sequence, at, personId, act, subject, detail })
  return hash('sha256', Buffer.concat([before, Buffer.from(text)]), 'buffer')
}

/** What was found in a tenant's chain. */
export interface VerifiedChain {
  tenantId: string
  /** That fit, up to the first one that does not. */
  entries: number
  /** Hexadecimal, of the last one that fits: whoever noted it elsewhere can compare. */
  digest: string
  /** The first entry that does not fit, and why; null when all do. */
  fault: { sequence: number; why: string } | null
}

const pageRows = 1000

/** Reads a tenant's whole chain. */
export async function verifyChain(db: Run, tenantId: string): Promise<VerifiedChain> {
  let [last, digest]: [number, Buffer] = [0, firstDigest]
  const found = (fault: VerifiedChain['fault']): VerifiedChain => {
    return { tenantId, entries: last, digest: digest.toString('hex'), fault }
  }
  for (;;) {
    const rows = await listChain(db, tenantId, last, pageRows)
    for (const row of rows) {
      if (row.sequence !== last + 1) return found({ sequence: last + 1, why: 'it is missing' })
      if (!entryDigest(digest, row).equals(row.digest))
        return found({ sequence: row.sequence, why: 'its digest does not fit: it, or the one before, was changed' })
      ;[last, digest] = [row.sequence, row.digest]
    }
    if (rows.length < pageRows) break
  }
  const end = await readChain(db, tenantId)
  if (!end) return found(last === 0 ? null : { sequence: last, why: 'the end of the chain is missing' })
  if (end.sequence > last) return found({ sequence: last + 1, why: 'it is missing at the end' })
  if (end.sequence < last || !end.digest.equals(digest))
    return found({ sequence: last, why: 'it is not the end of the chain' })
  return found(null)
}

/** Every chain; each is read in one state of the database. */
export async function verifyAll(db: Db): Promise<VerifiedChain[]> {
  const verified: VerifiedChain[] = []
  for (const { tenantId } of await listChains(db)) verified.push(await db.snapshot((run) => verifyChain(run, tenantId)))
  return verified
}
