// The loan of a run that plays the lending partner: the offered amount without interest or charges (D3 §2.4, §2.5).

import { daysAfter } from '@lendloom/foundation/clock'
import { isObject } from '@lendloom/foundation/record'
import { fits } from '@lendloom/foundation/schema'
import { businessDate, plusDays } from '@lendloom/lending/calendar'
import { checkedPaise, type Paise, rupees } from '@lendloom/lending/money'
import { type Disbursement, installmentsOfProduct, type PaymentStatusReport } from '@lendloom/wire/exchange/account'
import type { DataOf } from '@lendloom/wire/exchange/envelope'
import { exampleData, exampleOffer } from '@lendloom/wire/exchange/example/event'
import { Url } from '@lendloom/wire/exchange/fields'
import type { FinalOffer } from '@lendloom/wire/exchange/final-offer'
import type { SnapshotStatus } from '@lendloom/wire/exchange/snapshot'
import { isAccepted, isValid } from './arriving-events.ts'
import type { Memory } from './run-memory.ts'

/** The lead of the case; null without a valid one. */
export function receivedLead({ arrivals }: Memory): DataOf<'LEAD_SUBMITTED'> | null {
  const lead = arrivals.find((arrival) => arrival.type === 'LEAD_SUBMITTED' && isAccepted(arrival) && isValid(arrival))
  return lead ? JSON.parse(lead.raw).data : null
}

/** The data of the newest accepted event of a type; null if there is none. */
export function newestDataOf({ arrivals }: Memory, type: string): Record<string, unknown> | null {
  const newest = arrivals.findLast((arrival) => arrival.type === type && isAccepted(arrival))
  const data: unknown = newest && JSON.parse(newest.raw).data
  return isObject(data) ? data : null
}

export const proposedAmountOf = (memory: Memory): Paise =>
  checkedPaise(String(receivedLead(memory)?.proposed_offer.loan_amount))

const amountOf = (memory: Memory): Paise => {
  const { offerAmount } = memory.found
  return offerAmount === undefined ? proposedAmountOf(memory) : BigInt(offerAmount)
}
const installmentOf = (amount: Paise): Paise => amount / BigInt(installmentsOfProduct)

/** A final offer. `kfs_url` and `terms_url` are on the run's own server if D3 allows that, else the example's. */
export function offerOf(
  listensAt: string | null,
  { offerId, amount: paise }: { offerId: string; amount: Paise },
): FinalOffer {
  const { kfs_url, terms_url, ...example } = exampleOffer()
  const page = (name: string, fallback: string) =>
    fits(Url, `${listensAt}/${name}`) ? `${listensAt}/${name}` : fallback
  const amount = rupees(paise)
  return {
    ...example,
    offer_id: offerId,
    loan_amount: amount,
    installment_amount: rupees(installmentOf(paise)),
    annual_interest_rate_percent: '0.00',
    apr_percent: '0.00',
    total_interest_amount: '0.00',
    processing_fee_amount: '0.00',
    tax_amount: '0.00',
    other_upfront_charges: '0.00',
    net_disbursed_amount: amount,
    total_payable_amount: amount,
    valid_until: daysAfter(new Date(), 7).toISOString(),
    kfs_url: page('key-facts', kfs_url),
    terms_url: page('terms', terms_url),
  }
}

export const disbursementOf = (memory: Memory): Disbursement => ({
  ...exampleData('DISBURSEMENT_UPDATED'),
  disbursement_id: `DISB-${memory.found.loanId}`,
  amount: rupees(amountOf(memory)),
  updated_at: String(memory.found.disbursedAt),
})

/** The first instalment, paid by the borrower. */
export const paymentOf = (memory: Memory): PaymentStatusReport => ({
  ...exampleData('PAYMENT_UPDATED'),
  payment_id: `PAY-${memory.found.loanId}`,
  collection_id: null,
  mandate_reference: null,
  method: 'UPI',
  amount: rupees(installmentOf(amountOf(memory))),
  value_date: businessDate(new Date(String(memory.found.paidAt))),
  updated_at: String(memory.found.paidAt),
})

/** The payment that the borrower claimed: pending, or not found at the bank; null before the check `claim.open`. */
export function claimedPaymentOf({ arrivals, found }: Memory): PaymentStatusReport | null {
  const arrival = arrivals.find(
    ({ type, eventId }) => type === 'PAYMENT_CLAIM_SUBMITTED' && eventId === found.claimEventId,
  )
  if (!arrival || found.claimOpenAt === undefined) return null
  const { claim_reference, amount, method }: DataOf<'PAYMENT_CLAIM_SUBMITTED'> = JSON.parse(arrival.raw).data
  const isFailed = found.claimFailedAt !== undefined
  return {
    ...exampleData('PAYMENT_UPDATED'),
    payment_id: `CLAIMED-${found.loanId}`,
    claim_reference,
    amount,
    method,
    collection_id: null,
    mandate_reference: null,
    installment_ids: [],
    bank_reference: null,
    provider_reference: null,
    value_date: null,
    status: isFailed ? 'FAILED' : 'PENDING_VERIFICATION',
    reason_code: isFailed ? 'PAYMENT_NOT_FOUND' : null,
    updated_at: found.claimFailedAt ?? found.claimOpenAt,
  }
}

/** The account after the disbursement; before it, every field is null. */
export function accountOf(memory: Memory): Pick<SnapshotStatus, 'loan_account_id' | 'soa' | 'amortization_schedule'> {
  const { disbursedAt, paidAt, loanId } = memory.found
  if (disbursedAt === undefined) return { loan_account_id: null, soa: null, amortization_schedule: null }
  const amount = amountOf(memory)
  const installment = installmentOf(amount)
  const updated_at = paidAt ?? disbursedAt
  const outstanding = rupees(paidAt === undefined ? amount : amount - installment)
  const installments = Array.from({ length: installmentsOfProduct }, (_, i) => {
    const isLast = i === installmentsOfProduct - 1
    const dueAmount = rupees(isLast ? amount - installment * BigInt(i) : installment)
    const isPaid = i === 0 && paidAt !== undefined
    return {
      installment_id: `INST-${i + 1}`,
      installment_number: i + 1,
      due_date: plusDays(businessDate(new Date(disbursedAt)), 7 * (i + 1)),
      principal: dueAmount,
      interest: '0.00',
      charges: '0.00',
      amount: dueAmount,
      paid_amount: isPaid ? dueAmount : '0.00',
      unpaid_amount: isPaid ? '0.00' : dueAmount,
      status: isPaid ? ('PAID' as const) : ('DUE' as const),
      updated_at: isPaid ? paidAt : disbursedAt,
    }
  })
  return {
    loan_account_id: `LA-${loanId}`,
    soa: {
      currency: 'INR',
      updated_at,
      disbursed_amount: rupees(amount),
      principal_outstanding: outstanding,
      interest_outstanding: '0.00',
      penalty_outstanding: '0.00',
      charges_outstanding: '0.00',
      total_outstanding: outstanding,
      total_overdue: '0.00',
    },
    amortization_schedule: { schedule_version: 1, updated_at, frequency: 'WEEKLY', installments },
  }
}
