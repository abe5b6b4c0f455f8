// The payments a borrower asks for after disbursal, and the quote that goes with them (FIS12 §7.4, §7.5, §11.1).
import { defined } from '#contract/network/defined.ts'
import { moneyOf } from '#contract/network/reading.ts'
import { invalid } from '#kit/http/refusal.ts'
import type { Static } from '#kit/http/schema.ts'
import { type Paise, rupees } from '#kit/money/money.ts'
import { isOneOf } from '#kit/runtime/narrow.ts'
import { type PaymentStatus, paymentStatuses } from './installment.ts'
import type { Payment } from './schema.ts'

export const servicingLabels = ['FORECLOSURE', 'PRE_PART_PAYMENT', 'MISSED_EMI_PAYMENT'] as const
export type ServicingLabel = (typeof servicingLabels)[number]

export const isServicingLabel = (text: string): text is ServicingLabel => isOneOf(servicingLabels, text)

/** One of them as the lender states it. The page to pay on is there until it is paid, the bank's reference afterwards. */
export interface ServicingPayment {
  id: string
  label: ServicingLabel
  status: PaymentStatus
  amount: Paise
  url: string | null
  transactionId: string | null
  /** The month of a missed instalment. */
  month: { startsAt: Date; endsAt: Date } | null
}

export const servicingPayment = ({ id, label, status, amount, url, transactionId, month }: ServicingPayment) =>
  defined({
    id,
    type: 'POST_FULFILLMENT',
    status,
    url: url ?? undefined,
    params: defined({ amount: rupees(amount), currency: 'INR', transaction_id: transactionId ?? undefined }),
    time: defined({
      label,
      range: month ? { start: month.startsAt.toISOString(), end: month.endsAt.toISOString() } : undefined,
    }),
  })

/** Those among the payments. Throws `invalid` when one cannot be read: an amount to be paid may not be guessed. */
export const servicingPaymentsOf = (payments: Static<typeof Payment>[] | undefined, path: string): ServicingPayment[] =>
  (payments ?? []).flatMap((payment, i) => {
    const label = payment.time?.label
    return label && isServicingLabel(label) ? [servicingPaymentOf(payment, label, `${path}.${i}`)] : []
  })

function servicingPaymentOf(payment: Static<typeof Payment>, label: ServicingLabel, path: string): ServicingPayment {
  const amount = payment.params?.amount === undefined ? null : moneyOf(payment.params.amount)
  const status = payment.status?.toUpperCase().replace('_', '-')
  if (amount === null) throw invalid({ path: `${path}.params.amount`, message: 'must be an amount of rupees' })
  if (!isOneOf(paymentStatuses, status))
    throw invalid({ path: `${path}.status`, message: `must be one of ${paymentStatuses.join(', ')}` })
  const { start, end } = payment.time?.range ?? {}
  return {
    id: payment.id ?? label,
    label,
    status,
    amount,
    url: payment.url ?? null,
    transactionId: payment.params?.transaction_id || null,
    month: start && end ? { startsAt: new Date(start), endsAt: new Date(end) } : null,
  }
}
