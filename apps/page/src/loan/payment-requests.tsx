// Requests for payments outside the plan, in which state they are, and what the borrower owes by part.

import type { EmbedDues, EmbedPayment, PaymentKind, ServicingPath } from '@lendloom/wire/hosted/embed-servicing'
import type { EmbedView } from '@lendloom/wire/hosted/embed-view'
import { maxReceipts } from '@lendloom/wire/hosted/max-receipts'
import { day, percent, rupees } from '../page/format.ts'
import { page } from '../page/page-state.ts'
import { t, textOf } from '../text.ts'
import type { Figure } from './amounts-with-total.tsx'
import { outstandingPrincipal } from './part-payment-estimate.ts'

/** Asks the lender for a payment outside the plan, whose card is then the open one. */
export function requestPayment(kind: ServicingPath, body: object = {}) {
  if (kind !== 'status') page.openPayment.value = null
  return page.session.act({ method: 'POST', path: `/servicing/${kind}`, body })
}

/** Reasons that ask the borrower to try the same again. */
const transientReasons = new Set([
  'PAYMENT_LINK_NOT_PREPARED',
  'PAYMENT_NOT_COMPLETED',
  'PAYMENT_NOT_MADE',
  'PAYMENT_PAGE_EXPIRED',
  'LENDER_NOT_ANSWERING',
  'NOT_POSSIBLE_NOW',
])

/** Whether the payment came to nothing on a lender's page, for a reason that may have passed. */
export const isRetryable = ({ problem, payTo }: EmbedPayment): boolean =>
  problem !== null && payTo === null && transientReasons.has(problem.code)

/** Whether nobody has to make the payment: the card of one whose amount is known can be folded. */
export const isEarly = ({ kind, status, payTo }: EmbedPayment): boolean =>
  kind !== 'MISSED_EMI_PAYMENT' && status === 'LINK_READY' && payTo === null

/** Whether only the line that a payment was asked for is shown. */
export function isFolded(payment: EmbedPayment): boolean {
  if (!isEarly(payment)) return false
  const newest = page.view.value.servicing
    .filter(isEarly)
    .reduce((latest, each) => (each.askedAt > latest.askedAt ? each : latest), payment)
  return payment.operationId !== (page.openPayment.value ?? newest.operationId)
}

/** Such a payment that was requested and not yet made. */
export const pendingPayment = (kind: PaymentKind): EmbedPayment | undefined =>
  page.view.value.servicing.find((each) => each.kind === kind && isPending(each))

export const isPaymentPending = (kind: PaymentKind): boolean => pendingPayment(kind) !== undefined

const isPending = ({ status }: Pick<EmbedPayment, 'status'>): boolean =>
  status === 'REQUESTED' || status === 'LINK_READY'

/** Whether such a payment is open and its card not folded: a borrower who folds it is free to ask for another. */
export const isPaymentInTheWay = (kind: PaymentKind): boolean =>
  page.view.value.servicing.some((each) => each.kind === kind && isPending(each) && !isFolded(each))

/**
 * Whether a part payment or a closing is open and its card not folded. One payment at a time: what closes the loan depends on
 * whether a part of it is being repaid.
 */
export const isEarlyPaymentOpen = (): boolean =>
  isPaymentInTheWay('FORECLOSURE') || isPaymentInTheWay('PRE_PART_PAYMENT')

/** The charge for closing the loan early that the offer states as a share of what is owed; null for another one or none. */
export function closingCharge(): { rate: string; share: number } | null {
  const { text } = page.view.value.selected?.terms.penalCharges.find(({ kind }) => kind === 'FORECLOSURE') ?? {}
  const [, figure] = /^(\d+(?:\.\d+)?)\s*%$/.exec(text?.trim() ?? '') ?? []
  const share = Number(figure) / 100
  return figure && share > 0 ? { rate: percent(figure), share } : null
}

/** Whether an instalment is still to be paid. */
export const isUnpaid = ({ status }: EmbedView['installments'][number]): boolean =>
  status !== 'PAID' && status !== 'CLOSED'

/** How many instalments the plan still has, paid ones included: those at its end that a part payment made needless are not. */
export const keptCount = (installments: EmbedView['installments']): number =>
  installments.findLastIndex(({ status }) => status !== 'CLOSED') + 1

/** Whether the lender checks a payment that the borrower reported. */
export const isVerifying = ({ claim, status }: EmbedPayment) => claim && status === 'LINK_READY'

/** Whether the lender did not find an overdue instalment that the borrower reported as paid. */
export const isMissing = ({ kind, claim, status }: EmbedPayment) =>
  claim && status === 'FAILED' && kind === 'MISSED_EMI_PAYMENT'

/** Whether the lender says that nothing is overdue. */
export const isOverdueDenied = ({ problem }: EmbedPayment) => problem?.code === 'NO_INSTALMENT_OVERDUE'

/** Whether an overdue instalment can be paid now. */
export const isInstalmentOpen = ({ kind, claim, status }: EmbedPayment): boolean =>
  kind === 'MISSED_EMI_PAYMENT' && status === 'LINK_READY' && !claim

/** Since when an instalment is overdue. A lender may count it as missed before its day, which is then still to come. */
export const overdueSince = (dueOn: string): string =>
  t(dueOn > page.view.value.today ? 'loan.dueOn' : 'loan.since', { date: day(dueOn) })

/** The same as a line of its own. */
export const overdueText = (dueOn: string): string =>
  [t('loan.overdue'), overdueSince(dueOn)].join(dueOn > page.view.value.today ? ', ' : ' ')

/** The amount of a part that is owed; undefined if the lender has not told it. */
export const amountOwed = (name: EmbedDues['part']): string | undefined =>
  page.view.value.owed.find(({ part }) => part === name)?.amount

/** The principal that is still owed: as the lender reports it, or as its plan implies in whole rupees; null if unknown. */
export function principalOwed(): { amount: string; isExact: boolean } | null {
  const { selected, installments } = page.view.value
  const reported = amountOwed('principal')
  if (reported) return { amount: reported, isExact: true }
  if (installments.every(({ status }) => status === 'NOT-DUE' || status === 'DUE') && !hasPrepaid())
    return selected && { amount: selected.terms.amountPrincipal, isExact: true }
  const implied = selected && outstandingPrincipal(installments, selected.terms)
  return implied === null ? null : { amount: `${implied}`, isExact: false }
}

/** Whether a payment outside the plan was made. */
export const hasPrepaid = (): boolean =>
  page.view.value.receipts.some(({ kind, status }) => kind !== 'INSTALLMENT' && status === 'PAID')

/** The most that can be repaid early without closing the loan, in whole rupees; null if unknown. */
export function mostToPrepay(): number | null {
  const { creditLine } = page.view.value
  // A line stays open when all that is drawn is repaid.
  if (creditLine) return Math.floor(Number(creditLine.used))
  const owed = amountOwed('principal') ?? amountOwed('outstanding') ?? principalOwed()?.amount
  return owed === undefined ? null : Math.max(1, Math.ceil(Number(owed)) - 1)
}

/** Whether a text is an amount that can be paid in part: whole rupees, without leading zeros. */
export const isWholeAmount = (text: string): boolean => /^[1-9]\d{0,9}$/.test(text)

/** An amount as a form has it: without paise. */
export const inWholeRupees = (amount: string): string => amount.replace(/\.\d+$/, '')

export const tooMuchText = (most: number): string =>
  t(page.view.value.creditLine ? 'line.repay.most' : 'partkeep.most', { amount: rupees(most) })

/** The parts that are owed, with their names. */
export const duesOf = (parts: readonly EmbedDues['part'][]): Figure[] =>
  parts.flatMap((part) =>
    page.view.value.owed
      .filter((each) => each.part === part)
      .map(({ amount }): Figure => [t(`loan.${part}`), amount, textOf(`loan.${part}.why`)]),
  )

/** The parts of an overdue sum; with what is due today if the sum includes it. Empty without an overdue part. */
export function overdueSplitOf(sum: string | null | undefined): Figure[] {
  if (!amountOwed('late')) return []
  return duesOf(
    Number(sum) > Number(amountOwed('overdue')) ? ['late', 'today', 'penalCharges'] : ['late', 'penalCharges'],
  )
}

/**
 * The name of a payment, which may differ once it is made. Closing a loan in its cooling-off period has its own; a line is
 * closed alike at any time.
 */
export function paymentName(kind: string, isPaid = false): string {
  const { cancellation, leave, creditLine } = page.view.value
  if (creditLine && isPaid && kind !== 'FORECLOSURE') return t('line.repaid')
  const name = `loan.${kind === 'FORECLOSURE' && !creditLine && (cancellation ?? leave) ? 'COOLING_OFF' : kind}`
  return (creditLine && textOf(`${name}.line`)) || (isPaid && textOf(`${name}.done`)) || textOf(name)
}

/** Whether the lender asks for nothing: its page only takes the borrower's confirmation. */
export const isFree = ({ amount }: Pick<EmbedPayment, 'amount'>): boolean => amount !== null && Number(amount) === 0

/** All that the lender has received, in rupees; null if the view does not show every payment. */
export function receivedSum(): number | null {
  const { receipts } = page.view.value
  return receipts.length < maxReceipts ? sumOf(receipts.filter(({ status }) => status === 'PAID')) : null
}

/** In rupees. The page only shows it: no payment is computed from it. */
export const sumOf = (payments: { amount: string }[]): number =>
  payments.reduce((sum, { amount }) => sum + Math.round(Number(amount) * 100), 0) / 100
