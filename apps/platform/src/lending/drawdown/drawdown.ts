// A drawdown: money that a borrower takes from an open credit line (FIS12 §27.5).

import { canonicalJson } from '@lendloom/foundation/json'
import type { Table } from '@lendloom/foundation/machine'
import type { Paise } from '@lendloom/lending/money'
import type { PaymentReason } from '@lendloom/lending/reason/reason'
import { digestOf } from '@lendloom/seal/token'
import type { DrawdownStatus } from '@lendloom/wire/hosted/drawdown-status'
import type { ShownQuote } from '#platform/lending/borrower/consent.ts'

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
  /** The last four digits of the account that the terms name; null if they name none. */
  accountEnding: string | null
  /** Those of the account to which the lender has paid. */
  paidAccountEnding: string | null
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
  CANCELLED: { paidOut: 'PAID_OUT' },
}

export const isOpen = ({ status }: Pick<Drawdown, 'status'>): boolean =>
  status === 'REQUESTED' || status === 'TERMS_READY' || status === 'AGREED'

/** After this time without a word, the borrower need not wait for the lender to close the line. */
const lateMs = 86_400_000

/** Whether the lender has not told for a day whether it has paid out. */
export const isLate = ({ status, agreedAt }: Pick<Drawdown, 'status' | 'agreedAt'>, at: Date): boolean =>
  status === 'AGREED' && agreedAt !== null && at.getTime() - agreedAt.getTime() > lateMs

/** Whether the lender's answer is awaited: its terms, or the payout of what the borrower has agreed to and that is not late. */
export const isAwaited = (drawdown: Pick<Drawdown, 'status' | 'agreedAt'>, at: Date): boolean =>
  drawdown.status === 'REQUESTED' || (drawdown.status === 'AGREED' && !isLate(drawdown, at))

/** The terms that a screen shows, with which the borrower agrees; null before the lender has stated them. */
export function quoteOf(drawdown: Drawdown): ShownQuote | null {
  const { drawdownId, principalPaise, interestPaise, chargesPaise, totalPaise, interestRate, accountEnding } = drawdown
  if (principalPaise === null) return null
  const amounts = [principalPaise, interestPaise, chargesPaise, totalPaise].map(String)
  const termsDigest = digestOf(canonicalJson({ amounts, interestRate, accountEnding })).toString('hex')
  return { quoteId: drawdownId, termsDigest }
}

/** Whether the borrower can agree to the lender's terms now. */
export const mayBeAgreedTo = ({ status, termsUntil }: Pick<Drawdown, 'status' | 'termsUntil'>, at: Date): boolean =>
  status === 'TERMS_READY' && (termsUntil === null || at < termsUntil)
