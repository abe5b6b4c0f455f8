// Servicing after disbursal as in the official flows: the requested action, its payment link, and the unsolicited payment update (FIS12 §11, §18).
import { monthAhead, row } from './parts.ts'
import { rupees } from './sums.ts'
import { answerStep, pushStep, type Step, type Talk } from './talk.ts'
import type { Json } from './wire.ts'

export type Kind = 'foreclosure' | 'pre_part' | 'missed_emi'

export interface ServicingPolicy {
  /** Returns the order in this state, before servicing changes. */
  baseOrder: (talk: Talk, state: string) => Json
  /** Ids of the payment of the lender and of an instalment in these answers; some flows change them here. */
  onOrderId: (talk: Talk) => string
  instalmentId: (talk: Talk, index: number) => string
  /** Id of the payment in its PAID update. */
  paidId: (talk: Talk) => string
  /** Whether the update is answered with the payment itself, without a link. */
  isLinkless?: boolean
  includesChargesInTotal?: boolean
  /** Whether a part payment that is paid still has the amount that the borrower requested. */
  repeatsRequestedAmount?: boolean
  foreclosureTitle?: string
  /** Indexes of the instalments that are reported as late in a request. */
  late?: readonly number[]
}

const labels = { foreclosure: 'FORECLOSURE', pre_part: 'PRE_PART_PAYMENT', missed_emi: 'MISSED_EMI_PAYMENT' } as const
const lateFee = 1500_00n

/** The amount to pay, and its quote rows. */
function owedAmount(talk: Talk, kind: Kind, title: string): { amount: bigint; charge: bigint; rows: Json[] } {
  const { principal, rows, interest } = talk.loan
  const [first] = rows
  const outstanding = [row('OUTSTANDING_PRINCIPAL', rupees(principal)), row('OUTSTANDING_INTEREST', rupees(interest))]
  if (kind === 'missed_emi')
    return {
      amount: first!.amount + lateFee,
      charge: lateFee,
      rows: [...outstanding, row('LATE_FEE_AMOUNT', rupees(lateFee))],
    }
  const charge = principal / 50n
  if (kind === 'foreclosure') {
    const accrued = [
      row('OUTSTANDING_PRINCIPAL', rupees(principal)),
      row('OUTSTANDING_INTEREST', rupees(first!.interest)),
    ]
    return { amount: principal + first!.interest + charge, charge, rows: [...accrued, row(title, rupees(charge))] }
  }
  return {
    amount: rows[0]!.amount + rows[1]!.amount,
    charge: 450_00n,
    rows: [...outstanding, row('PRE_PAYMENT_CHARGE', '450.00')],
  }
}

function statusOf(kind: Kind, index: number, isPaid: boolean, late: readonly number[]): string {
  if (!isPaid) return kind === 'missed_emi' && late.includes(index) ? 'DELAYED' : 'NOT-PAID'
  if (kind === 'foreclosure') return 'DEFERRED'
  return index < (kind === 'missed_emi' ? 1 : 2) ? 'DEFERRED' : 'NOT-PAID'
}

/** `UNPAID` is the answer to a visit to the payment page that ended without a payment. */
type Standing = 'LINK' | 'PAID' | 'UNPAID'

function servicingAnswer(talk: Talk, kind: Kind, policy: ServicingPolicy, standing: Standing): Json {
  const isPaid = standing === 'PAID'
  const { baseOrder, onOrderId, instalmentId, paidId, includesChargesInTotal = false, late = [0] } = policy
  const { amount, charge, rows } = owedAmount(talk, kind, policy.foreclosureTitle ?? 'FORCLOSUER_CHARGES')
  const requested = talk.facts.get('requested')
  const showsRequested = requested !== undefined && (!isPaid || policy.repeatsRequestedAmount === true)
  const order = baseOrder(talk, isPaid && kind === 'foreclosure' ? 'COMPLETED' : 'DISBURSED')
  const { total } = talk.loan
  // Nothing is repaid yet; outstanding amounts have their own rows.
  const remainingRows = order.quote.breakup.filter(({ title }: Json) => title !== 'PRINCIPAL' && title !== 'INTEREST')
  const breakup = [row('PRINCIPAL', '0.00'), row('INTEREST', '0.00'), ...remainingRows, ...rows]
  const price = { currency: 'INR', value: rupees(includesChargesInTotal ? total + charge : total) }
  const payment = {
    id: isPaid ? paidId(talk) : talk.id(kind),
    type: 'POST_FULFILLMENT',
    status: isPaid ? 'PAID' : 'NOT-PAID',
    ...(standing === 'LINK' && { url: talk.pageUrl('PAY') }),
    // A link shows the amount that the borrower requested; the PAID update shows the paid amount.
    params: { amount: showsRequested ? requested : rupees(amount), currency: 'INR' },
    time: {
      label: labels[kind],
      ...(kind === 'missed_emi' && { range: monthAhead(includesChargesInTotal && isPaid ? 2 : 1) }),
    },
  }
  const others = order.payments.map((each: Json, i: number) =>
    each.type !== 'POST_FULFILLMENT'
      ? { ...each, id: onOrderId(talk) }
      : { ...each, id: instalmentId(talk, i - 1), status: statusOf(kind, i - 1, isPaid, late) },
  )
  return { order: { ...order, quote: { ...order.quote, price, breakup }, payments: [payment, ...others] } }
}

/** Checks a buyer's `update`: target, order, label, and the amount of a part payment (FIS12 §11.1). */
const checkUpdateRequest =
  (kind: Kind) =>
  (talk: Talk, { update_target, order: { id, payments } }: Json) => [
    update_target !== 'payments' && `is about ${update_target}`,
    id !== talk.id('ORDER') && `names the order ${id}`,
    payments?.[0]?.time?.label !== labels[kind] && `asks for ${payments?.[0]?.time?.label}`,
    kind === 'pre_part' && !payments?.[0]?.params?.amount && 'names no amount',
  ]

export function servicingSteps(kind: Kind, policy: ServicingPolicy): Step[] {
  const answer = answerStep(
    'update',
    (talk, { order: { payments } }) => {
      if (kind === 'pre_part') talk.facts.set('requested', payments[0].params.amount)
      return servicingAnswer(talk, kind, policy, policy.isLinkless ? 'PAID' : 'LINK')
    },
    { check: checkUpdateRequest(kind) },
  )
  return policy.isLinkless
    ? [answer]
    : [
        answer,
        pushStep('on_update', 'PAY', (talk) => {
          const isUnpaid = talk.facts.get('payment') === 'NOT-PAID'
          return servicingAnswer(talk, kind, policy, isUnpaid ? 'UNPAID' : 'PAID')
        }),
      ]
}
