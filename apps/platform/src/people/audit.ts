// The audit log of the console: one chain of acts per tenant and one for the platform.

import { maskedNote } from '@lendloom/foundation/mask'
import { addEntry, verifyLog } from '@lendloom/identity/audit'
import { listChains } from '@lendloom/identity/audit/store'
import { tenantKeyOf } from '@lendloom/identity/person'
import type { StaffEntry } from '@lendloom/identity/sign-in-program'
import type { ChainHead } from '@lendloom/postgres/chain-head'
import type { VerifiedLinks } from '@lendloom/postgres/hash-chain'
import type { Db, Run } from '@lendloom/postgres/sql'
import type { Write } from '@lendloom/postgres/write'
import type { Seal } from '@lendloom/seal/seal'
import type { ConsolePerson } from '#platform/context.ts'
import { reasonContext, reasonDigest, saltedReason } from './audit/reason.ts'
import { insertReason } from './audit/store.ts'
import { personIdOf } from './person.ts'

/** `subject` is an id, never personal data. Texts of `detail` are masked, because a reason may quote borrowers' data. */
export interface StaffAct extends StaffEntry {
  /** The tenant whose log records an act of platform staff. Acts of tenant staff are always in their own tenant's log. */
  tenantId?: string | null
}

/** The person who acted; null for the command line. */
export type Actor = Pick<ConsolePerson, 'personId' | 'tenantId'> | null

/** Writes an audit entry in the transaction; concurrent entries of the tenant wait until it ends. */
export async function noteStaffAct(
  write: Write,
  person: Actor,
  { tenantId, detail = {}, ...entry }: StaffAct,
): Promise<void> {
  const log = { tenantId: logOf(person, tenantId), personId: personIdOf(person) }
  await addEntry(write, { ...entry, ...log, detail: maskedDetail(detail) })
}

const logOf = (person: Actor, tenantId: string | null | undefined): string =>
  tenantKeyOf(person?.tenantId ?? tenantId ?? null)

interface ReasonedAct extends StaffAct {
  /** The id of a journey, a borrower, a complaint or a mail, whose erasure deletes the reason. */
  subject: string
  reason: string
}

/** Writes an audit entry whose reason can be erased. */
export async function noteReasonedAct(
  write: Write & { seal: Seal },
  person: Actor,
  { tenantId, detail = {}, reason, ...entry }: ReasonedAct,
): Promise<void> {
  const salted = saltedReason(reason)
  const log = { tenantId: logOf(person, tenantId), personId: personIdOf(person) }
  const sequence = await addEntry(write, {
    ...entry,
    ...log,
    detail: { ...maskedDetail(detail), reasonDigest: reasonDigest(salted) },
  })
  const key = { tenantId: log.tenantId, sequence }
  await insertReason(write.tx, {
    ...key,
    subject: entry.subject,
    reasonSealed: write.seal.json(salted, reasonContext(key)),
  })
}

const maskedDetail = (detail: NonNullable<StaffAct['detail']>): typeof detail =>
  Object.fromEntries(
    Object.entries(detail).map(([name, value]) => [name, typeof value === 'string' ? maskedNote(value) : value]),
  )

export interface VerifiedChain extends VerifiedLinks {
  tenantId: string
}

/** Verifies a tenant's whole chain, also against mailed heads. */
export async function verifyChain(db: Run, tenantId: string, heads: ChainHead[] = []): Promise<VerifiedChain> {
  const tenantHeads = heads.filter(({ log }) => log === tenantId)
  return { tenantId, ...(await verifyLog(db, { tenantId }, tenantHeads)) }
}

/** Verifies every stored chain, each in one snapshot. A chain of a mailed head is verified even if it was deleted. */
export async function verifyAll(db: Db, heads: ChainHead[] = []): Promise<VerifiedChain[]> {
  const verified: VerifiedChain[] = []
  const stored = (await listChains(db)).map(({ tenantId }) => tenantId)
  for (const tenantId of new Set([...stored, ...heads.map(({ log }) => log)]))
    verified.push(await db.snapshot((run) => verifyChain(run, tenantId, heads)))
  return verified
}
