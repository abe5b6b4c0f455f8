// Queries for applications that missed a deadline.

import type { Run } from '@lendloom/postgres/sql'

/** Finds cases with an offer accepted before `before` that wait for the borrower, not for the lender's KYC review. */
export const findUnfinishedCases = (db: Run, before: Date, limit: number, onlyCaseRef: string | null = null) => db<{
  caseRef: string
}>`
  select c.case_ref from case_file c join case_offer o on o.case_ref = c.case_ref and o.decision = 'ACCEPT'
  where c.status in ('OFFER_ACCEPTED', 'KYC_PENDING', 'MANDATE_PENDING', 'ESIGN_PENDING') and o.recorded_at < ${before}
    and (${onlyCaseRef}::text is null or c.case_ref = ${onlyCaseRef}::text)
    and not exists (select from case_check r join case_check k on k.case_ref = r.case_ref and k.name = 'kyc'
      where r.case_ref = c.case_ref and r.name = 'lender_kyc_review' and r.status = 'NOT_STARTED'
        and k.status in ('REVIEW_READY', 'APPROVED'))
  order by c.case_ref limit ${limit}`

/** Finds cases that were ready to disburse before `before` and still have no ordered transfer. */
export const findUndisbursedCases = (db: Run, before: Date, limit: number, onlyCaseRef: string | null = null) => db<{
  caseRef: string
}>`
  select case_ref from case_file
  where status = 'READY_TO_DISBURSE' and updated_at < ${before} and (${onlyCaseRef}::text is null or case_ref = ${onlyCaseRef}::text)
  order by case_ref limit ${limit}`
