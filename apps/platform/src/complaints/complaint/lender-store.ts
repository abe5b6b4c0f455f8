// Reads the lenders about whom borrowers complain, and the loan that a complaint is about.

import type { Run } from '@lendloom/postgres/sql'
import { bucketOf } from '@lendloom/seal/id'

export interface KnownLender {
  /** `<subscriber id>/<provider id>` */
  party: string
  name: string
  contact: { groName: string | null; groEmail: string | null; groContactNumber: string | null }
}

/** The lenders of all tenants, each once and with the newest data. */
export const listLenders = (db: Run): Promise<KnownLender[]> => db<KnownLender>`
  select distinct on (l.bpp_id, l.provider_id) l.bpp_id || '/' || l.provider_id as party, l.identity->>'name' as name,
    l.identity->'contact' as contact
  from lender l order by l.bpp_id, l.provider_id, l.updated_at desc limit 500`

/** A lender as the journeys of a tenant know it. */
export async function findLender(db: Run, tenantId: string, lenderId: string): Promise<KnownLender | undefined> {
  const [row] = await db<KnownLender>`
    select l.bpp_id || '/' || l.provider_id as party, l.identity->>'name' as name, l.identity->'contact' as contact
    from lender l where l.tenant_id = ${tenantId} and l.lender_id = ${lenderId}`
  return row
}

export interface LoanReference {
  lenderId: string
  lenderName: string
  /** The network lender's id of the loan. */
  orderId: string | null
  caseRef: string | null
  loanId: string | null
  partnerId: string | null
}

/** The lender that the borrower chose in a journey, with the lender's ids of the loan. */
export async function loanOf(
  db: Run,
  { tenantId, journeyId }: { tenantId: string; journeyId: string },
): Promise<LoanReference | undefined> {
  const [row] = await db<LoanReference>`
    select o.lender_id, l.identity->>'name' as lender_name, v.order_id, k.case_ref, k.loan_id, k.partner_id
    from offer o join lender l on l.tenant_id = o.tenant_id and l.lender_id = o.lender_id
    left join conversation v on v.bucket = o.bucket and v.tenant_id = o.tenant_id and v.journey_id = o.journey_id and v.conversation_id = o.conversation_id
    left join partner_case k on k.bucket = o.bucket and k.tenant_id = o.tenant_id and k.case_ref = o.conversation_id
    where o.bucket = ${bucketOf(journeyId)} and o.tenant_id = ${tenantId} and o.journey_id = ${journeyId} and o.selected_at is not null and o.rejected_at is null
    limit 1`
  return row
}
