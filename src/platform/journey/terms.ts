// The terms of an offer as they are kept: JSON, with every amount in paise as digits.
import type { InstallmentStatus } from '#contract/hosted/embed-servicing.ts'
import type { Terms } from '#contract/network/v203/terms.ts'
import { businessDate } from '#kit/money/calendar.ts'
import { recordOf } from '#kit/runtime/record.ts'

export type { Terms }

const amounts = [
  'principal',
  'interest',
  'processingFee',
  'otherUpfront',
  'insurance',
  'otherCharges',
  'netDisbursed',
  'installmentAmount',
] as const

export type StoredTerms = Omit<Terms, (typeof amounts)[number]> & Record<(typeof amounts)[number], string>

export const storedTerms = (terms: Terms): StoredTerms => ({
  ...terms,
  ...recordOf(amounts, (name) => terms[name].toString()),
})

export const termsFrom = (stored: StoredTerms): Terms => ({
  ...stored,
  ...recordOf(amounts, (name) => BigInt(stored[name])),
})

/** One instalment of a loan as its lender scheduled it; `status` is the lender's word, `amount` is paise as digits. */
export interface Installment {
  serialNumber: number
  amount: string
  status: 'NOT-PAID' | 'PAID' | 'DELAYED' | 'DEFERRED' | 'FAILED'
  startsAt: string
  dueAt: string
}

/** The status of an instalment at an instant (D1 §2.4): one that is not paid is due from the Indian day of its date on. */
export function installmentStatus({ status, dueAt }: Installment, at: Date): InstallmentStatus {
  if (status === 'PAID') return 'PAID'
  if (status === 'DEFERRED') return 'CLOSED'
  if (status === 'DELAYED' || status === 'FAILED') return 'OVERDUE'
  return businessDate(at) < businessDate(new Date(dueAt)) ? 'NOT-DUE' : 'DUE'
}
