// The console's queries about files that a lending partner still needs, because it has not stored them.

import { type Run, sql } from '@lendloom/postgres/sql'
import type { DatedCount } from './partner-event-store.ts'

export interface PartnerFileRow {
  documentReferenceId: string
  tenantId: string
  journeyId: string
  caseRef: string
  partnerId: string
  documentType: string
  state: 'WAITING' | 'REFUSED'
  createdAt: Date
  refusedBecause: string | null
}

/**
 * Files that a partner still needs: it has not stored them, it has opened the case, before which no file can be uploaded,
 * and the case has not ended without a loan.
 */
const unstoredFiles = (tenantId: string | null) => sql`
  partner_document d join partner_case k on k.bucket = d.bucket and k.tenant_id = d.tenant_id and k.case_ref = d.case_ref
  where d.state <> 'STORED' and k.lead_id is not null and k.stage <> 'ENDED' and (${tenantId}::uuid is null or d.tenant_id = ${tenantId}::uuid)`

export async function countUnstoredFiles(db: Run, tenantId: string | null, before: Date): Promise<DatedCount> {
  const [row] = await db<DatedCount>`
    select count(*)::float8 as count, min(d.created_at) as oldest_since from ${unstoredFiles(tenantId)}
      and (d.state = 'REFUSED' or d.created_at < ${before})`
  return row ?? { count: 0, oldestSince: null }
}

/** Lists unstored files, oldest first. */
export const listUnstoredFiles = (
  db: Run,
  { tenantId, after, limit }: { tenantId: string | null; after: string | null; limit: number },
) =>
  db<PartnerFileRow>`
    select d.document_reference_id, d.tenant_id, k.journey_id, d.case_ref, k.partner_id, d.document_type, d.state, d.created_at, d.refused_because
    from ${unstoredFiles(tenantId)} and (${after}::uuid is null or d.document_reference_id > ${after}::uuid)
    order by d.document_reference_id limit ${limit}`
