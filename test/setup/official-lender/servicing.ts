// After the money as the official flows play it: the action that is asked for, its link, and the payment that is told unasked (FIS12 §11, §18).
import { monthAhead, row } from './parts.ts'
import { rupees } from './sums.ts'
import { answerStep, pushStep, type Step, type Talk } from './talk.ts'
import type { Json } from './wire.ts'

export type Kind = 'foreclosure' | 'pre_part' | 'missed_emi'

export interface ServicingPolicy {
  /** The order as it stands in this state, without what servicing changes. */
  baseOrder: (talk: Talk, state: string) => Json
  /** Ids of the settlement and of an instalment in these answers; in some flows they are others than before. */
  onOrderId: (talk: Talk) => string
  instalmentId: (talk: Talk, place: number) => string
  /** Under which id the paid payment is told. */
  paidId: (talk: Talk) => string
  /** Whether the update is answered by the payment itself, without a link before it. */
  linkless?: boolean
  /** Whether the total of the quote moves with the charges, and how the charge of a foreclosure is spelled. */
  includesChargesInTotal?: boolean
  foreclosureTitle?: string
  /** Which instalments are said to be late while one is asked for. */
  late?: readonly number[]
}

const labels = { foreclosure: 'FORECLOSURE', pre_part: 'PRE_PART_PAYMENT', missed_emi: 'MISSED_EMI_PAYMENT' } as const
const lateFee = 1500_00n

/** What is to be paid, and the rows that say why. */
function owed(talk: Talk, kind: Kind, title: string): { amount: bigint; charge: bigint; rows: Json[] } {
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

function statusOf(kind: Kind, place: number, isPaid: boolean, late: readonly number[]): string {
  if (!isPaid) return kind === 'missed_emi' && late.includes(place) ? 'DELAYED' : 'NOT-PAID'
  if (kind === 'foreclosure') return 'DEFERRED'
  return place < (kind === 'missed_emi' ? 1 : 2) ? 'DEFERRED' : 'NOT-PAID'
}

function serviced(talk: Talk, kind: Kind, policy: ServicingPolicy, isPaid: boolean): Json {
  const { baseOrder, onOrderId, instalmentId, paidId, includesChargesInTotal = false, late = [0] } = policy
  const { amount, charge, rows } = owed(talk, kind, policy.foreclosureTitle ?? 'FORCLOSUER_CHARGES')
  const requested = talk.facts.get('requested')
  const order = baseOrder(talk, isPaid && kind === 'foreclosure' ? 'COMPLETED' : 'DISBURSED')
  const { total } = talk.loan
  // Nothing was repaid yet; what the borrower still owes stands in rows of its own.
  const kept = order.quote.breakup.filter(({ title }: Json) => title !== 'PRINCIPAL' && title !== 'INTEREST')
  const breakup = [row('PRINCIPAL', '0.00'), row('INTEREST', '0.00'), ...kept, ...rows]
  const price = { currency: 'INR', value: rupees(includesChargesInTotal ? total + charge : total) }
  const payment = {
    id: isPaid ? paidId(talk) : talk.id(kind),
    type: 'POST_FULFILLMENT',
    status: isPaid ? 'PAID' : 'NOT-PAID',
    ...(!isPaid && { url: talk.pageUrl('PAY') }),
    // A link has the requested amount where the borrower named an amount; what was paid is told by the payment.
    params: { amount: !isPaid && requested ? requested : rupees(amount), currency: 'INR' },
    time: {
      label: labels[kind],
      ...(kind === 'missed_emi' && { range: monthAhead(includesChargesInTotal && isPaid ? 2 : 1) }),
    },
  }
  const others = order.payments.map((each: Json, i: number) =>
    each.type === 'ON_ORDER'
      ? { ...each, id: onOrderId(talk) }
      : { ...each, id: instalmentId(talk, i - 1), status: statusOf(kind, i - 1, isPaid, late) },
  )
  return { order: { ...order, quote: { ...order.quote, price, breakup }, payments: [payment, ...others] } }
}

/** What a buyer asks for by `update`: the label, the order, an amount where it is a part (FIS12 §11.1). */
const wants =
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
      return serviced(talk, kind, policy, policy.linkless === true)
    },
    { check: wants(kind) },
  )
  return policy.linkless
    ? [answer]
    : [answer, pushStep('on_update', 'PAY', (talk) => serviced(talk, kind, policy, true))]
}
