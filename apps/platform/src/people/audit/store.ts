// The console's queries of the audit log, and the table audit_reason.

import { type AuditRow, entryColumns } from '@lendloom/identity/audit/store'
import type { Run, Tx } from '@lendloom/postgres/sql'
import type { AuditFilter } from './filter.ts'

/** Lists entries newest first, before the sequence number `before`. */
export const listNewest = (db: Run, tenantId: string, before: number | null, limit: number) => db<AuditRow>`
  select ${entryColumns} from audit_entry
  where tenant_id = ${tenantId} and (${before}::integer is null or sequence < ${before}::integer)
  order by sequence desc limit ${limit}`

/** Like `listNewest`, with a filter. */
export const listFiltered = (
  db: Run,
  tenantId: string,
  filter: AuditFilter,
  { before, limit }: { before: number | null; limit: number },
) => db<AuditRow>`
  select ${entryColumns} from audit_entry
  where tenant_id = ${tenantId} and (${before}::integer is null or sequence < ${before}::integer)
    and (${filter.personId}::uuid is null or person_id = ${filter.personId}::uuid)
    and (not ${filter.isCommandLine}::boolean or person_id is null)
    and (${filter.act}::text is null or act = ${filter.act}::text)
    and (${filter.subject}::text is null or subject = ${filter.subject}::text)
    and (${filter.from}::timestamptz is null or audit_entry.at >= ${filter.from}::timestamptz)
    and (${filter.until}::timestamptz is null or audit_entry.at < ${filter.until}::timestamptz)
  order by sequence desc limit ${limit}`

/** Lists each act once that is among this many of the newest entries. */
export const listActs = (db: Run, tenantId: string, entryCount: number) => db<{ act: string }>`
  select distinct act from (
    select act from audit_entry where tenant_id = ${tenantId} order by sequence desc limit ${entryCount}) as newest
  order by act`

/** The audit entry that a reason belongs to. */
export interface ReasonKey {
  tenantId: string
  sequence: number
}

interface ReasonRow extends ReasonKey {
  reasonSealed: Buffer
}

export async function insertReason(tx: Tx, row: ReasonRow & { subject: string }): Promise<void> {
  await tx`insert into audit_reason ${tx({ ...row })}`
}

export const listReasons = (db: Run, tenantId: string, sequences: number[]) => db<ReasonRow>`
  select tenant_id, sequence, reason_sealed from audit_reason
  where tenant_id = ${tenantId} and sequence = any(${sequences}::integer[])`
