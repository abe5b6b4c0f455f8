// What a borrower asks of the lender after disbursal: foreclosure, part payment, a missed instalment, or how the loan stands (D2 §4).

import type { ServicingKind, ServicingStatus } from '#contract/headless/journey.ts'
import type { PaymentReason, Stored } from '#contract/reason/reason.ts'
import { businessDate } from '#kit/money/calendar.ts'
import type { Paise } from '#kit/money/money.ts'
import type { Table } from '#kit/runtime/machine.ts'
import { type Installment, installmentStatus } from '#platform/journey/terms.ts'

export type { ServicingKind, ServicingStatus }

export interface Servicing {
  tenantId: string
  journeyId: string
  operationId: string
  kind: ServicingKind
  status: ServicingStatus
  requestedPaise: Paise | null
  /** What the lender asks for, which it alone computes (FIS12 §11.1). */
  amountPaise: Paise | null
  /** What was paid, which may be another amount (FIS12 §18.1). */
  paidPaise: Paise | null
  paymentId: string | null
  url: string | null
  transactionId: string | null
  reason: Stored<PaymentReason> | null
  asks: number
  requestedAt: Date
  updatedAt: Date
}

/**
 * `linked` the lender shows its payment page · `paid` it says so, and only then · `failed` it cannot, or the payment failed ·
 * `expired` the page is no longer valid · `answered` a refresh brought the loan as it stands.
 */
export type ServicingMove = 'linked' | 'paid' | 'failed' | 'expired' | 'answered'

/** Money that arrives after all is money: a payment that was given up may still turn out to be paid. */
export const servicingMachine: Table<ServicingStatus, ServicingMove> = {
  REQUESTED: { linked: 'LINK_READY', paid: 'PAID', failed: 'FAILED', expired: 'EXPIRED', answered: 'DONE' },
  LINK_READY: { linked: 'LINK_READY', paid: 'PAID', failed: 'FAILED', expired: 'EXPIRED' },
  FAILED: { paid: 'PAID' },
  EXPIRED: { paid: 'PAID' },
  PAID: {},
  DONE: {},
}

export const isOpen = ({ status }: Pick<Servicing, 'status'>): boolean =>
  status === 'REQUESTED' || status === 'LINK_READY'

/** The instalments that should have been paid by now, oldest first: on its Indian day one may still be paid. */
export const overdue = (installments: Installment[], at: Date): Installment[] =>
  installments.filter((each) => {
    const status = installmentStatus(each, at)
    return status === 'OVERDUE' || (status === 'DUE' && businessDate(new Date(each.dueAt)) < businessDate(at))
  })
