// LEAD_REGISTERED: the partner has made its case and reserved its ids; now files can be sent (D3 §3, §4.3).
import { required } from '#kit/runtime/record.ts'
import type { Applier } from '#platform/application/partner/applier.ts'
import { registered } from '#platform/application/partner/take-status.ts'

export const onLeadRegistered: Applier<'LEAD_REGISTERED'> = async (ctx, { application }, { correlation }) => {
  const { celestium_lead_id: leadId, celestium_loan_id: loanId } = correlation
  await registered(ctx, application, {
    leadId: required(leadId, 'the lead id of a registered lead'),
    loanId: required(loanId, 'the loan id of a registered lead'),
  })
}
