// Reasons of audited acts about a journey, a borrower, a complaint or a mail. The log has only a salted digest of a reason, so
// that the erasure of the subject can delete the reason, and the log stays valid.
import { hash } from 'node:crypto'
import { maskedNote } from '@lendloom/foundation/mask'
import type { AuditRow } from '@lendloom/identity/audit/store'
import type { Run } from '@lendloom/postgres/sql'
import { randomOctets } from '@lendloom/seal/id'
import type { Seal } from '@lendloom/seal/seal'
import { listReasons, type ReasonKey } from './store.ts'

/** A reason with the salt of its digest, in base64. */
export interface SaltedReason {
  text: string
  salt: string
}

export const reasonContext = ({ tenantId, sequence }: ReasonKey): string => `audit_reason:${tenantId}:${sequence}`

/** Masks the reason, because it may quote data of a borrower. The salt prevents that the digest confirms a guessed reason. */
export const saltedReason = (reason: string): SaltedReason => ({
  text: maskedNote(reason.trim()),
  salt: randomOctets(32).toString('base64'),
})

export const reasonDigest = ({ text, salt }: SaltedReason): string => hash('sha256', `${salt}\n${text}`, 'hex')

/**
 * Returns the details of entries of a log by their sequence numbers, with the reasons in place of their digests. An erased
 * reason reads `erased`, and one that does not match its digest `changed`.
 */
export async function detailsOf(
  { db, seal }: { db: Run; seal: Seal },
  tenantId: string,
  rows: Pick<AuditRow, 'sequence' | 'detail'>[],
): Promise<Map<number, Record<string, string | number | boolean>>> {
  const parsed = rows.map(({ sequence, detail }) => ({ sequence, detail: JSON.parse(detail) }))
  const reasoned = parsed.flatMap(({ sequence, detail }) => ('reasonDigest' in detail ? [sequence] : []))
  const stored = reasoned.length === 0 ? [] : await listReasons(db, tenantId, reasoned)
  const reasons = new Map(
    stored.map((row) => [row.sequence, seal.openJson<SaltedReason>(row.reasonSealed, reasonContext(row))]),
  )
  return new Map(parsed.map(({ sequence, detail }) => [sequence, withReason(detail, reasons.get(sequence))]))
}

function withReason({ reasonDigest: digest, ...detail }: Record<string, string>, reason: SaltedReason | undefined) {
  if (digest === undefined) return detail
  if (!reason) return { ...detail, reason: 'erased' }
  return { ...detail, reason: reasonDigest(reason) === digest ? reason.text : 'changed' }
}
