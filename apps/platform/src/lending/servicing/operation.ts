// An operation that a borrower requests after the disbursal: its state machine and its payment page.

import type { Table } from '@lendloom/foundation/machine'
import type { Paise } from '@lendloom/lending/money'
import type { PaymentReason } from '@lendloom/lending/reason/reason'
import { plainOrSealed } from '@lendloom/postgres/seal-plain'
import type { Seal } from '@lendloom/seal/seal'
import type { ServicingKind, ServicingStatus } from '@lendloom/wire/headless/journey'
import type { Installment } from '#platform/lending/journey/installment.ts'

export interface ServicingRow {
  tenantId: string
  journeyId: string
  operationId: string
  kind: ServicingKind
  status: ServicingStatus
  /** The missed instalment that the borrower pays, if the schedule names it. */
  serialNumber: number | null
  requestedPaise: Paise | null
  /** The amount to pay, which only the lender computes (FIS12 §11.1). */
  amountPaise: Paise | null
  /** Components of `amountPaise`; null unless known. */
  interestPaise: Paise | null
  chargesPaise: Paise | null
  /** The paid amount, which may differ from `amountPaise` (FIS12 §18.1). */
  paidPaise: Paise | null
  /** The interest that a part payment saves, by the schedules before and after it; null if they do not tell it. */
  savedPaise: Paise | null
  paymentId: string | null
  /** The address of the payment page. It opens the page without sign-in, so only rows of earlier versions have it in clear. */
  url: string | null
  urlSealed: Buffer | null
  transactionId: string | null
  /** The business date of the payment that the borrower claims. */
  claimedOn: string | null
  reason: PaymentReason | null
  /** How often the request was sent. */
  asks: number
  requestedAt: Date
  updatedAt: Date
}

type ServicingKey = Pick<ServicingRow, 'tenantId' | 'journeyId' | 'operationId'>

type PaymentPage = Pick<ServicingRow, 'url' | 'urlSealed'>

const paymentPageContext = ({ tenantId, journeyId, operationId }: ServicingKey): string =>
  `servicing.url:${tenantId}:${journeyId}:${operationId}`

/** The address of the operation's payment page. */
export const paymentUrlOf = (seal: Seal, operation: ServicingKey & PaymentPage): string | null =>
  plainOrSealed(seal, operation.url, operation.urlSealed, paymentPageContext(operation))

/** The change that gives an operation this page. */
export const sealedPaymentPage = (seal: Seal, operation: ServicingKey, url: string | null): PaymentPage => ({
  url: null,
  urlSealed: url === null ? null : seal.json(url, paymentPageContext(operation)),
})

/** The change that takes the page from an operation. */
export const noPaymentPage: PaymentPage = { url: null, urlSealed: null }

/**
 * `linked`: the lender sent a payment page · `paid`: the lender reported PAID · `failed`: the lender or the payment
 * failed · `expired`: the page is no longer valid · `answered`: the lender reported the status.
 */
export type ServicingMove = 'linked' | 'paid' | 'failed' | 'expired' | 'answered'

/** A failed or expired payment may still turn out to be paid. */
export const servicingMachine: Table<ServicingStatus, ServicingMove> = {
  REQUESTED: { linked: 'LINK_READY', paid: 'PAID', failed: 'FAILED', expired: 'EXPIRED', answered: 'DONE' },
  LINK_READY: { linked: 'LINK_READY', paid: 'PAID', failed: 'FAILED', expired: 'EXPIRED' },
  FAILED: { paid: 'PAID' },
  EXPIRED: { paid: 'PAID' },
  PAID: {},
  DONE: {},
}

export const isOpen = ({ status }: Pick<ServicingRow, 'status'>): boolean =>
  status === 'REQUESTED' || status === 'LINK_READY'

/** Whether the borrower can pay now, on the lender's page or by a transfer. */
export const isPayable = ({ kind, status }: Pick<ServicingRow, 'kind' | 'status'>): boolean =>
  kind !== 'STATUS_REFRESH' && status === 'LINK_READY'

/** Whether the borrower has reported the payment. */
export const isClaimed = ({ transactionId }: Pick<ServicingRow, 'transactionId'>): boolean => transactionId !== null

/** For how long an ended operation is new: the page shows it, and the lender's schedule may not contain it yet. */
export const newlyEndedMs = 3 * 86_400_000

/** Whether a payment of the instalment has just succeeded, which the lender may not have entered into its schedule yet. */
export const isJustPaid = (operations: ServicingRow[], instalment: Installment, at: Date): boolean =>
  operations.some(
    ({ kind, status, serialNumber, paidPaise, updatedAt }) =>
      kind === 'MISSED_EMI_PAYMENT' &&
      status === 'PAID' &&
      serialNumber === instalment.serialNumber &&
      paidPaise !== null &&
      paidPaise >= BigInt(instalment.amount) &&
      at.getTime() - updatedAt.getTime() <= newlyEndedMs,
  )
