// A drawdown: money that a borrower takes from an open credit line (FIS12 §27.5).

import type { Table } from '@lendloom/foundation/machine'
import type { Paise } from '@lendloom/lending/money'
import type { PaymentReason } from '@lendloom/lending/reason/reason'
import type { DrawdownStatus } from '@lendloom/wire/hosted/drawdown'

export interface Drawdown {
  tenantId: string
  journeyId: string
  drawdownId: string
  status: DrawdownStatus
  requestedPaise: Paise
  /** The lender's terms; null before the lender has stated them. */
  principalPaise: Paise | null
  interestPaise: Paise | null
  chargesPaise: Paise | null
  /** What the borrower repays in all. */
  totalPaise: Paise | null
  /** Percent a year, such as `12%`; null if the lender does not state it. */
  interestRate: string | null
  /** Until when the borrower can agree to the terms. */
  termsUntil: Date | null
  /** The last four digits of the account that the lender pays to; null if it does not tell them. */
  accountEnding: string | null
  /** What the lender reports as paid out, which may differ from the principal. */
  paidPaise: Paise | null
  payoutReference: string | null
  reason: PaymentReason | null
  requestedAt: Date
  agreedAt: Date | null
  paidOutAt: Date | null
  updatedAt: Date
}

/**
 * `termsStated`: the lender sent its terms, perhaps anew · `agreed`: the borrower agrees to them · `paidOut`: the lender
 * reports the payout · `failed`: the lender does not pay out, or takes the payout back · `cancelled`: the borrower does not
 * want it any more.
 */
export type DrawdownMove = 'termsStated' | 'agreed' | 'paidOut' | 'failed' | 'cancelled'

/**
 * A payout counts whenever the lender reports it, also before the agreement and after a failure; and a bank may return any
 * payout.
 */
export const drawdownMachine: Table<DrawdownStatus, DrawdownMove> = {
  REQUESTED: { termsStated: 'TERMS_READY', paidOut: 'PAID_OUT', failed: 'FAILED', cancelled: 'CANCELLED' },
  TERMS_READY: {
    termsStated: 'TERMS_READY',
    agreed: 'AGREED',
    paidOut: 'PAID_OUT',
    failed: 'FAILED',
    cancelled: 'CANCELLED',
  },
  AGREED: { paidOut: 'PAID_OUT', failed: 'FAILED' },
  PAID_OUT: { failed: 'FAILED' },
  FAILED: { paidOut: 'PAID_OUT' },
  CANCELLED: {},
}

export const isOpen = ({ status }: Pick<Drawdown, 'status'>): boolean =>
  status === 'REQUESTED' || status === 'TERMS_READY' || status === 'AGREED'

/** Whether the borrower can agree to the lender's terms now. */
export const mayBeAgreedTo = ({ status, termsUntil }: Pick<Drawdown, 'status' | 'termsUntil'>, at: Date): boolean =>
  status === 'TERMS_READY' && (termsUntil === null || at < termsUntil)
