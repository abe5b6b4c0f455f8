// Table borrower_lock; reads the exposure of a borrower from cases, offers and loans.

import type { Run, Tx } from '@lendloom/postgres/sql'
import type { CaseStatus } from '#partner/origination/case/lifecycle.ts'
import type { Exposure } from './exposure.ts'

/** Locks the borrower until the commit. Required before the exposure increases. The case must be locked first. */
export async function lockBorrower(tx: Tx, caseRef: string): Promise<void> {
  await tx`
    insert into borrower_lock (pan_digest) select pan_digest from case_file where case_ref = ${caseRef}
    on conflict (pan_digest) do update set pan_digest = excluded.pan_digest`
}

/**
 * Returns the other running loans and open applications of a case's PAN. An application without an offer counts only if
 * it was created after `since`. `isLater`: the application has no offer and is newer than this case.
 */
export const otherExposures = (db: Run, caseRef: string, since: Date) => db<
  Exposure & { caseRef: string; loanId: string; leadId: string; status: CaseStatus; isLater: boolean }
>`
  with own as materialized (select case_ref, pan_digest, created_at from case_file where case_ref = ${caseRef})
  select c.case_ref, c.loan_id, c.lead_id, c.status, c.status in ('DISBURSEMENT_PENDING', 'DISBURSED') as is_disbursed,
    c.status in ('RECEIVED', 'DOCUMENTS_PENDING', 'UNDER_REVIEW')
      and (c.created_at, c.case_ref) > (own.created_at, own.case_ref) as is_later,
    case when l.case_ref is null then coalesce((o.terms->>'amountPaise')::bigint, c.requested_paise, 0)
      else l.owed_principal_paise
    end as paise
  from own join case_file c on c.pan_digest = own.pan_digest and c.case_ref <> own.case_ref
  left join loan_of_case l on l.case_ref = c.case_ref
  left join lateral (select terms from case_offer f where f.case_ref = c.case_ref order by version desc limit 1) o on true
  where l.status in ('ACTIVE', 'OVERDUE') or c.status in ('OFFERED', 'OFFER_ACCEPTED',
    'KYC_PENDING', 'MANDATE_PENDING', 'ESIGN_PENDING', 'READY_TO_DISBURSE', 'DISBURSEMENT_PENDING')
    or (c.status in ('RECEIVED', 'DOCUMENTS_PENDING', 'UNDER_REVIEW') and c.created_at >= ${since})`
