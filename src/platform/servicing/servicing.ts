// What a borrower asks of the lender after disbursal: foreclosure, part payment, a missed instalment, or how the loan stands (D2 §4).
import type { ServicingKind, ServicingStatus } from '#contract/headless/servicing.ts'
import type { ServicingPayment } from '#contract/network/v203/servicing.ts'
import type { Table } from '#kit/machine.ts'
import type { Paise } from '#kit/money.ts'
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
  paymentId: string | null
  url: string | null
  transactionId: string | null
  reason: string | null
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

/** The instalments that should have been paid by now, oldest first. */
export const overdue = (installments: Installment[], at: Date): Installment[] =>
  installments.filter((each) => {
    const status = installmentStatus(each, at)
    return status === 'OVERDUE' || (status === 'DUE' && new Date(each.dueAt) < at)
  })

/** Whether nothing of the loan is left to be paid. */
export const isRepaid = (installments: Installment[]): boolean =>
  installments.length > 0 && installments.every(({ status }) => status === 'PAID' || status === 'DEFERRED')

/**
 * The operation that a payment of the lender belongs to: by its id where it is known, else the one of its kind that
 * waits for a payment. Undefined for a payment that was arranged elsewhere, or is settled and only told again.
 */
export function operationOf(payment: ServicingPayment, operations: Servicing[]): Servicing | undefined {
  const own = operations.filter(({ kind }) => kind === payment.label)
  const known = own.filter(({ paymentId }) => paymentId === payment.id)
  const open = known.find(isOpen)
  if (open) return open
  if (payment.status === 'PAID' && known.length > 0) return known.find(({ status }) => status !== 'PAID')
  const unlinked = own.filter(({ paymentId, asks }) => paymentId === null && asks > 0)
  return unlinked.find(isOpen) ?? (payment.status === 'PAID' ? unlinked.at(-1) : undefined)
}

/**
 * The schedule as it may stand while a payment is only asked for: an instalment may have become overdue, or been paid in
 * its turn, but nothing else about it changes before the payment is PAID (FIS12 §12.4.5).
 */
export function beforePayment(kept: Installment[], told: Installment[]): Installment[] {
  const now = new Map(told.map((each) => [each.serialNumber, each.status]))
  return kept.map((each) => {
    const status = now.get(each.serialNumber)
    const inItsTurn = status === 'DELAYED' || (status === 'PAID' && each.status !== 'DEFERRED')
    return inItsTurn ? { ...each, status } : each
  })
}
