// Payments after disbursal in the generic shape of 2.3.0. Not confirmed: there is no official flow for this product (FIS12 §10.3, §11).
import { moneyOf } from '#contract/network/reading.ts'
import { tagGroup, tagsOf } from '#contract/network/tags.ts'
import * as common from '#contract/network/v203/servicing.ts'
import { type Paise, rupees } from '#kit/money/money.ts'
import type { Payment } from './schema.ts'

/** What an amount to be paid consists of, each part in paise. */
export type Breakup = Partial<Record<(typeof breakupCodes)[number], Paise>>
export const breakupCodes = ['PRINCIPAL_AMOUNT', 'INTEREST_AMOUNT', 'FORECLOSURE_CHARGES', 'LATE_FEE_AMOUNT'] as const

export interface ServicingPayment extends common.ServicingPayment {
  /** How long the page to pay on stands open, an ISO 8601 duration. */
  duration: string | null
  breakup: Breakup
}

export function servicingPayment({ duration, breakup, ...payment }: ServicingPayment) {
  const written = common.servicingPayment(payment)
  const parts = Object.entries(breakup).map(([code, amount]) => [code, `${rupees(amount)} INR`] as const)
  return {
    ...written,
    collected_by: 'BPP',
    time: { ...written.time, ...(duration !== null && { duration }) },
    ...(parts.length > 0 && { tags: [tagGroup('BREAKUP', Object.fromEntries(parts))] }),
  }
}

/** Those among the payments. Throws `invalid` when an amount to be paid cannot be read; a part that cannot is left out. */
export function servicingPaymentsOf(payments: readonly Payment[] = [], path: string): ServicingPayment[] {
  return payments.flatMap((payment, i) =>
    common.servicingPaymentsOf([payment], path).map((read) => {
      const tags = tagsOf(payment.tags, 'BREAKUP') ?? {}
      const parts = breakupCodes.map((code) => [code, tags[code] === undefined ? null : moneyOf(tags[code])] as const)
      return {
        ...read,
        id: payment.id ?? `${read.label}-${i}`,
        duration: payment.time?.duration ?? null,
        breakup: Object.fromEntries(parts.filter(([, amount]) => amount !== null)),
      }
    }),
  )
}
