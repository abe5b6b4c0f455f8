// The statuses of a drawdown from a credit line (FIS12 §27.5).

/**
 * REQUESTED: the lender owes its terms · TERMS_READY: the borrower agrees to them or not · AGREED: the lender pays out ·
 * PAID_OUT · FAILED: the lender did not pay out, or the payout came back · CANCELLED by the borrower.
 */
export const drawdownStatuses = ['REQUESTED', 'TERMS_READY', 'AGREED', 'PAID_OUT', 'FAILED', 'CANCELLED'] as const
export type DrawdownStatus = (typeof drawdownStatuses)[number]
