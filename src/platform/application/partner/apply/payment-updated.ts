// PAYMENT_UPDATED: a debit or a receipt has moved on; balances are read from Status and never computed here (D3 §6 rules 4 and 5).

import { Refusal } from '#kit/http/refusal.ts'
import { NotYet } from '#kit/messaging/inbox.ts'
import type { Applier } from '#platform/application/partner/applier.ts'
import { isWithPartner } from '#platform/exchange/case.ts'
import { askStatus } from '#platform/exchange/status.ts'
import { receivePartnerPayments } from '#platform/servicing/partner.ts'

export const onPaymentUpdated: Applier<'PAYMENT_UPDATED'> = async (
  { tx, at },
  { application, journey },
  { event_id, data },
) => {
  if (application.stage !== 'DISBURSED' && application.stage !== 'CLOSED') {
    // A payment is an object of its own: what led to its loan may still be on the way.
    if (isWithPartner(application)) throw new NotYet('the disbursal is not known yet')
    throw new Refusal('wrong-state', `there is no loan while the case is ${application.stage}`)
  }
  await receivePartnerPayments(tx, journey, [data], at)
  await askStatus(tx, application, event_id, at)
}
