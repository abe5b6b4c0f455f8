// The audit log: what people did, one entry for each act, within the transaction of its effect. Each entry's digest covers
// the one before, so that nothing in the middle can be changed, taken out or put in without being seen.

import { firstDigest, linkDigest, type VerifiedLinks, verifyLinks } from '#kit/db/chain.ts'
import { type ChainHead, heldAgainst } from '#kit/db/chain-head.ts'
import type { Db, Run } from '#kit/db/sql.ts'
import type { Write } from '#kit/db/write.ts'
import { canonicalJson } from '#kit/runtime/canonical-json.ts'
import { maskedNote } from '#kit/runtime/mask.ts'
import { keptUnder } from '#kit/staff/person.ts'
import type { ConsolePerson } from '#platform/context.ts'
import { type AuditRow, digestAt, insertEntry, listChain, listChains, lockChain, readChain } from './audit/store.ts'
import { personIdOf } from './person.ts'

export interface StaffAct {
  /** In capitals, as `PERSON_INVITED`. */
  act: string
  /** An id of what it was done to, never personal data. */
  subject?: string
  /** The tenant it belongs to; the person's own unless named, and the platform for people of the platform. */
  tenantId?: string | null
  /** What else matters of it. Texts are masked: a person who gives a reason may quote the borrower's data. */
  detail?: Record<string, string | number | boolean>
}

/** Whoever acted; null stands for the command line, as `commandLine` does. */
export type Actor = Pick<ConsolePerson, 'personId' | 'tenantId'> | null

/** Writes an entry within the transaction; entries of one tenant wait for each other until theirs ends. */
export async function noteStaffAct(
  { tx, at }: Write,
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
    detail: canonicalJson(maskedDetail(detail)),
  }
  await insertEntry(tx, { ...entry, digest: entryDigest(end.digest, entry) })
}

const maskedDetail = (detail: NonNullable<StaffAct['detail']>): typeof detail =>
  Object.fromEntries(
    Object.entries(detail).map(([name, value]) => [name, typeof value === 'string' ? maskedNote(value) : value]),
  )

/** SHA-256 of the digest before and of the entry as canonical JSON. */
function entryDigest(before: Buffer, entry: Omit<AuditRow, 'digest'>): Buffer {
  const { tenantId, sequence, at, personId, act, subject, detail } = entry
  return linkDigest(before, { tenantId, sequence, at, personId, act, subject, detail })
}

/** What was found in a tenant's chain. */
export interface VerifiedChain extends VerifiedLinks {
  tenantId: string
}

/** Reads a tenant's whole chain, and holds it against heads that were sent out. */
export async function verifyChain(db: Run, tenantId: string, heads: ChainHead[] = []): Promise<VerifiedChain> {
  const found = await verifyLinks<AuditRow>({
    rowsAfter: (sequence, limit) => listChain(db, tenantId, sequence, limit),
    end: () => readChain(db, tenantId),
    digestOf: entryDigest,
  })
  const own = heads.filter(({ log }) => log === tenantId)
  return { tenantId, ...(await heldAgainst(found, own, (sequence) => digestAt(db, tenantId, sequence))) }
}

/** Every chain, of those too of which only a head is left; each is read in one state of the database. */
export async function verifyAll(db: Db, heads: ChainHead[] = []): Promise<VerifiedChain[]> {
  const verified: VerifiedChain[] = []
  const kept = (await listChains(db)).map(({ tenantId }) => tenantId)
  for (const tenantId of new Set([...kept, ...heads.map(({ log }) => log)]))
    verified.push(await db.snapshot((run) => verifyChain(run, tenantId, heads)))
  return verified
}
