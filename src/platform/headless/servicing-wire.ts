// The requests to the lender after disbursal, as the journey's `servicing[]` shows it.

import type { Servicing as WireServicing } from '#contract/headless/servicing.ts'
import { englishOf } from '#contract/reason/words.ts'
import { rupees } from '#kit/money/money.ts'
import type { Servicing } from '#platform/servicing/servicing.ts'

export const servicingWire = ({
  operationId,
  kind,
  status,
  amountPaise,
  paidPaise,
  requestedPaise,
  url,
  reason,
  updatedAt,
}: Servicing): WireServicing => {
  const amount = paidPaise ?? amountPaise ?? requestedPaise
  return {
    operationID: operationId,
    kind,
    status,
    amount: amount === null ? null : rupees(amount),
    redirectURL: status === 'LINK_READY' ? url : null,
    reason: englishOf(reason),
    updatedAt: updatedAt.toISOString(),
  }
}
