// The repayment schedule of an order: its POST_FULFILLMENT payments labelled INSTALLMENT (FIS12 §7.5).
import { moneyOf } from '#contract/network/reading.ts'
import { invalid } from '#kit/http/refusal.ts'
import type { Static } from '#kit/http/schema.ts'
import { type Paise, rupees } from '#kit/money/money.ts'
import { isOneOf } from '#kit/runtime/narrow.ts'
import type { Payment } from './schema.ts'

/** DELAYED is overdue; DEFERRED is no longer due, as another payment covers it. */
export const paymentStatuses = ['NOT-PAID', 'PAID', 'FAILED', 'DELAYED', 'DEFERRED'] as const
export type PaymentStatus = (typeof paymentStatuses)[number]

/** One instalment and the month it belongs to. */
export interface Installment {
  id: string
  amount: Paise
  status: PaymentStatus
  startsAt: Date
  endsAt: Date
}

export const installmentPayment = ({ id, amount, status, startsAt, endsAt }: Installment) => ({
  id,
  type: 'POST_FULFILLMENT',
  status,
  params: { amount: rupees(amount), currency: 'INR' },
  time: { label: 'INSTALLMENT', range: { start: startsAt.toISOString(), end: endsAt.toISOString() } },
})

/**
 * The instalments among the payments, by the month they belong to; in the lender's order where months repeat, as ids do not
 * tell them apart either (FIS12 §18.1). Throws `invalid` when one cannot be read.
 */
export function installmentsOf(payments: Static<typeof Payment>[] | undefined, path: string): Installment[] {
  const read = (payments ?? []).flatMap((payment, i) =>
    isInstallment(payment) ? [installmentOf(payment, i, `${path}.${i}`)] : [],
  )
  const months = new Set(read.map(({ startsAt }) => startsAt.getTime()))
  return months.size < read.length ? read : read.sort((a, b) => a.startsAt.getTime() - b.startsAt.getTime())
}

/** One without a label counts as an instalment (FIS12 §18.3); one that names neither amount nor month only keeps a place. */
function isInstallment({ type, time, params }: Static<typeof Payment>): boolean {
  if (params?.amount === undefined && !time?.range) return false
  if (time?.label === undefined) return type === 'POST_FULFILLMENT' && params?.amount !== undefined && !!time?.range
  return time.label === 'INSTALLMENT'
}

function installmentOf(payment: Static<typeof Payment>, position: number, path: string): Installment {
  const { start, end } = payment.time?.range ?? {}
  const amount = payment.params?.amount === undefined ? null : moneyOf(payment.params.amount)
  const status = payment.status?.toUpperCase().replace('_', '-')
  if (amount === null) throw invalid({ path: `${path}.params.amount`, message: 'must be an amount of rupees' })
  if (!start || !end) throw invalid({ path: `${path}.time.range`, message: 'must carry start and end' })
  if (!isOneOf(paymentStatuses, status))
    throw invalid({ path: `${path}.status`, message: `must be one of ${paymentStatuses.join(', ')}` })
  return { id: payment.id ?? String(position), amount, status, startsAt: new Date(start), endsAt: new Date(end) }
}
