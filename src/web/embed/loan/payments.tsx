// Requests for payments outside the plan, and what the borrower has reported as paid.

import type { EmbedPayment, PaymentKind, ServicingPath } from '#contract/hosted/embed-servicing.ts'
import { page } from '../page/page.ts'
import { textOf } from '../text.ts'

export const requestPayment = (kind: ServicingPath, body: object = {}) =>
  page.session.act({ method: 'POST', path: `/servicing/${kind}`, body })

export const isPaymentPending = (kind: PaymentKind): boolean =>
  page.view.value.servicing.some((each) => each.kind === kind && /REQUESTED|LINK_READY/.test(each.status))

export const isVerifying = ({ claim, status }: EmbedPayment) => claim && status === 'LINK_READY'

export const isMissing = ({ kind, claim, status }: EmbedPayment) =>
  claim && status === 'FAILED' && kind === 'MISSED_EMI_PAYMENT'

export function paymentName(kind: string): string {
  const { cancellation, leave } = page.view.value
  return textOf(`loan.${kind === 'FORECLOSURE' && (cancellation ?? leave) ? 'COOLING_OFF' : kind}`)
}
