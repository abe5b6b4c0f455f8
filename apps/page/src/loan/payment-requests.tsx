// Requests for payments outside the plan, and what the borrower has reported as paid.

import type { EmbedDues, EmbedPayment, PaymentKind, ServicingPath } from '@lendloom/wire/hosted/embed-servicing'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import { page } from '../page/page-state.ts'
import { t, textOf } from '../text.ts'
import type { Figure } from './amounts-with-total.tsx'

export const requestPayment = (kind: ServicingPath, body: object = {}) =>
  page.session.act({ method: 'POST', path: `/servicing/${kind}`, body })

export const isPaymentPending = (kind: PaymentKind): boolean =>
  page.view.value.servicing.some((each) => each.kind === kind && /REQUESTED|LINK_READY/.test(each.status))

export const isUnpaid = ({ status }: EmbedView['installments'][number]): boolean =>
  status !== 'PAID' && status !== 'CLOSED'

export const isVerifying = ({ claim, status }: EmbedPayment) => claim && status === 'LINK_READY'

export const isMissing = ({ kind, claim, status }: EmbedPayment) =>
  claim && status === 'FAILED' && kind === 'MISSED_EMI_PAYMENT'

export const isOverdueDenied = ({ problem }: EmbedPayment) => problem?.code === 'NO_INSTALMENT_OVERDUE'

export const isInstalmentOpen = ({ kind, claim, status }: EmbedPayment): boolean =>
  kind === 'MISSED_EMI_PAYMENT' && status === 'LINK_READY' && !claim

export const duesOf = (parts: readonly EmbedDues['part'][]): Figure[] =>
  parts.flatMap((part) =>
    page.view.value.owed.filter((each) => each.part === part).map(({ amount }): Figure => [t(`loan.${part}`), amount]),
  )

export function overdueSplitOf(sum: string | null | undefined): Figure[] {
  const { owed } = page.view.value
  const amountOf = (name: string) => owed.find(({ part }) => part === name)?.amount
  if (!amountOf('late')) return []
  return duesOf(
    Number(sum) > Number(amountOf('overdue')) ? ['late', 'today', 'penalCharges'] : ['late', 'penalCharges'],
  )
}

export function paymentName(kind: string): string {
  const { cancellation, leave } = page.view.value
  return textOf(`loan.${kind === 'FORECLOSURE' && (cancellation ?? leave) ? 'COOLING_OFF' : kind}`)
}
