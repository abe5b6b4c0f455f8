// Writes and reads the payments of an order that a borrower makes: instalments, and those requested after disbursal
// (FIS12 §7.4, §7.5, §11.1).

import { isOneOf } from '@lendloom/foundation/record'
import { invalid } from '@lendloom/foundation/refusal'
import type { Static } from '@lendloom/foundation/schema'
import { businessDate, plusDays, plusMonths, startOf } from '@lendloom/lending/calendar'
import { moneyOf, type Paise, rupees } from '@lendloom/lending/money'
import { amountText, isAmount, isMomentOfLoan, momentText, mostMonths } from '@lendloom/lending/term-bounds'
import { omitUndefined } from '#wire/network/context.ts'
import { isForeign } from './offer-terms.ts'
import type { Payment } from './schema.ts'

/** DELAYED: overdue · DEFERRED: no longer due, because another payment covers it. */
export const paymentStatuses = ['NOT-PAID', 'PAID', 'FAILED', 'DELAYED', 'DEFERRED'] as const
type PaymentStatus = (typeof paymentStatuses)[number]

/** Reads a status in any case and with either separator; null for an unknown one. */
export function readPaymentStatus({ status: text }: { status?: string }): PaymentStatus | null {
  const status = text?.toUpperCase().replace('_', '-')
  return isOneOf(paymentStatuses, status) ? status : null
}

/** The network's spelling. */
const payoutLabel = 'LOAN_DISBURSMENT'
const repaymentLabel = 'REPAYMENT'

/** An instalment. `startsAt` and `endsAt` delimit its month. */
export interface Installment {
  id: string
  amount: Paise
  status: PaymentStatus
  startsAt: Date
  endsAt: Date
}

/** Writes an instalment as the network has it. */
export const writeInstallment = ({ id, amount, status, startsAt, endsAt }: Installment) => ({
  id,
  type: 'POST_FULFILLMENT',
  status,
  params: { amount: rupees(amount), currency: 'INR' },
  time: { label: 'INSTALLMENT', range: { start: startsAt.toISOString(), end: endsAt.toISOString() } },
})

/** What a lender with stops has paid out before the loan is confirmed (FIS12 §26.2). */
export interface Payout {
  id: string
  amount: Paise
  /** The bank's reference (UTR). */
  transactionId: string
  paidAt: Date
}

export const writePayout = ({ id, amount, transactionId, paidAt }: Payout) => ({
  id,
  type: 'ON_FULFILLMENT',
  status: 'PAID',
  collected_by: 'CONSUMER',
  params: { amount: rupees(amount), currency: 'INR', transaction_id: transactionId },
  time: { label: payoutLabel, timestamp: paidAt.toISOString() },
})

/** The payout as a catalogue announces it. */
export const announcedPayout = {
  id: payoutLabel,
  type: 'ON_FULFILLMENT',
  status: 'NOT-PAID',
  collected_by: 'CONSUMER',
  time: { label: payoutLabel },
}

/** The one repayment of a loan without instalments, which names no day (FIS12 §26.4). */
export interface SingleRepayment {
  id: string
  amount: Paise
  status: 'NOT-PAID' | 'PAID'
}

export const writeSingleRepayment = ({ id, amount, status }: SingleRepayment) => ({
  id,
  type: 'POST_FULFILLMENT',
  status,
  params: { amount: rupees(amount), currency: 'INR' },
  time: { label: repaymentLabel },
})

/** Returns the instalments by month, or in the lender's order if a month repeats (FIS12 §18.1). Throws `invalid`. */
export function readInstallments(payments: Static<typeof Payment>[] | undefined, path: string): Installment[] {
  const read = (payments ?? []).flatMap((payment, i) =>
    isInstallment(payment) ? [readInstallment(payment, i, `${path}.${i}`)] : [],
  )
  const months = new Set(read.map(({ startsAt }) => startsAt.getTime()))
  return months.size < read.length ? read : read.sort((a, b) => a.startsAt.getTime() - b.startsAt.getTime())
}

interface Repayment {
  payments: Static<typeof Payment>[] | undefined
  termMonths: number | null
}

/**
 * Returns the one repayment of a loan without instalments (FIS12 §26.4). The lender names no day for it, so it is due at
 * the end of the term, counted from the payout; null without payout or term.
 */
export function readSingleRepayment({ payments = [], termMonths }: Repayment, path: string): Installment | null {
  const position = payments.findIndex(({ time }) => time?.label === repaymentLabel)
  const repayment = payments[position]
  const payout = payments.findIndex(({ time }) => time?.label === payoutLabel)
  const paidOutAt = payments[payout]?.time?.timestamp
  if (!repayment || paidOutAt === undefined || termMonths === null || termMonths > mostMonths) return null
  const start = momentOf(paidOutAt, `${path}.${payout}.time.timestamp`)
  const end = startOf(plusDays(plusMonths(businessDate(start), termMonths), 1)).getTime() - 1
  const range = { start: start.toISOString(), end: new Date(end).toISOString() }
  return readInstallment({ ...repayment, time: { range } }, position, `${path}.${position}`)
}

/** A payment without a label is an instalment (FIS12 §18.3). A payment without amount and month is a placeholder. */
function isInstallment({ type, time, params }: Static<typeof Payment>): boolean {
  if (params?.amount === undefined && !time?.range) return false
  if (time?.label === undefined) return type === 'POST_FULFILLMENT' && params?.amount !== undefined && !!time?.range
  return time.label === 'INSTALLMENT'
}

function readInstallment(payment: Static<typeof Payment>, position: number, path: string): Installment {
  const { start, end } = payment.time?.range ?? {}
  const amount = payment.params?.amount === undefined ? null : moneyOf(payment.params.amount)
  const status = readPaymentStatus(payment)
  requireRupees(payment, path)
  if (amount === null || !isAmount(amount)) throw invalid({ path: `${path}.params.amount`, message: amountText })
  if (!start || !end) throw invalid({ path: `${path}.time.range`, message: 'must have start and end' })
  if (status === null)
    throw invalid({ path: `${path}.status`, message: `must be one of ${paymentStatuses.join(', ')}` })
  return {
    id: payment.id ?? String(position),
    amount,
    status,
    ...monthOf({ start, end }, `${path}.time.range`),
  }
}

/** Reads a time of the schema's form. Throws `invalid` for one that no calendar or no loan has. */
function momentOf(text: string, path: string): Date {
  const moment = new Date(text)
  if (!isMomentOfLoan(moment)) throw invalid({ path, message: momentText })
  return moment
}

/** Reads the month of a payment. Throws `invalid` also for one that ends before it begins. */
function monthOf({ start, end }: { start: string; end: string }, path: string): { startsAt: Date; endsAt: Date } {
  const startsAt = momentOf(start, `${path}.start`)
  const endsAt = momentOf(end, `${path}.end`)
  if (endsAt < startsAt) throw invalid({ path: `${path}.end`, message: 'must not be before the start' })
  return { startsAt, endsAt }
}

/** Throws `invalid` for another currency: no sum of it can be counted. */
function requireRupees({ params }: Static<typeof Payment>, path: string): void {
  if (isForeign(params?.currency)) throw invalid({ path: `${path}.params.currency`, message: 'must be INR' })
}

/** The kinds of payments that are requested after disbursal (FIS12 §7.4, §7.5, §11.1). */
export const servicingLabels = ['FORECLOSURE', 'PRE_PART_PAYMENT', 'MISSED_EMI_PAYMENT'] as const
export type ServicingLabel = (typeof servicingLabels)[number]

export const isServicingLabel = (text: string): text is ServicingLabel => isOneOf(servicingLabels, text)

/** A requested payment. Until payment `url` is the payment page; then `transactionId` is the bank's reference. */
export interface ServicingPayment {
  id: string
  label: ServicingLabel
  status: PaymentStatus
  amount: Paise
  url: string | null
  transactionId: string | null
  /** The month of a missed instalment. */
  month: { startsAt: Date; endsAt: Date } | null
  /** The parts of the amount, which only lenders of 2.3.0 state. */
  breakup?: Breakup
}

/** The parts of a payment, each in paise. */
export type Breakup = Partial<Record<(typeof breakupCodes)[number], Paise>>
export const breakupCodes = [
  'PRINCIPAL_AMOUNT',
  'INTEREST_AMOUNT',
  'FORECLOSURE_CHARGES',
  'PRE_PAYMENT_CHARGE',
  'LATE_FEE_AMOUNT',
  'PROCESSING_FEE',
  'INSURANCE_CHARGES',
  'OTHER_CHARGES',
] as const

/** Writes a requested payment. A later one of the same kind has another id. */
export const writeServicingPayment = ({ id, label, status, amount, url, transactionId, month }: ServicingPayment) =>
  omitUndefined({
    id,
    type: 'POST_FULFILLMENT',
    status,
    url: url ?? undefined,
    params: omitUndefined({ amount: rupees(amount), currency: 'INR', transaction_id: transactionId ?? undefined }),
    time: omitUndefined({
      label,
      range: month ? { start: month.startsAt.toISOString(), end: month.endsAt.toISOString() } : undefined,
    }),
  })

/** Reads the requested payments among all payments of an order. Throws `invalid` for an unreadable one. */
export const readServicingPayments = (
  payments: Static<typeof Payment>[] | undefined,
  path: string,
): ServicingPayment[] =>
  (payments ?? []).flatMap((payment, i) => {
    const label = payment.time?.label
    return label && isServicingLabel(label) ? [readServicingPayment(payment, label, `${path}.${i}`)] : []
  })

function readServicingPayment(payment: Static<typeof Payment>, label: ServicingLabel, path: string): ServicingPayment {
  const amount = payment.params?.amount === undefined ? null : moneyOf(payment.params.amount)
  const status = readPaymentStatus(payment)
  requireRupees(payment, path)
  if (amount === null || !isAmount(amount)) throw invalid({ path: `${path}.params.amount`, message: amountText })
  if (status === null)
    throw invalid({ path: `${path}.status`, message: `must be one of ${paymentStatuses.join(', ')}` })
  const { start, end } = payment.time?.range ?? {}
  return {
    id: payment.id ?? label,
    label,
    status,
    amount,
    url: payment.url ?? null,
    transactionId: payment.params?.transaction_id || null,
    month: start && end ? monthOf({ start, end }, `${path}.time.range`) : null,
  }
}
