// The transfer of a loan to its borrower: its states and moves, and what the platform is told of it (D3 §2.5).
import type { Disbursement as DisbursementWire } from '#contract/exchange/account.ts'
import { rupees } from '#kit/money/money.ts'
import { next, type Table } from '#kit/runtime/machine.ts'
import type { CarriedRow, CarryMove } from './carry.ts'

export type DisbursementStatus = 'ORDERED' | 'UNKNOWN' | 'SENT' | 'DISBURSED' | 'FAILED'

export const disbursementLifecycle: Table<DisbursementStatus, CarryMove> = {
  ORDERED: { sent: 'UNKNOWN', refused: 'FAILED' },
  UNKNOWN: { unseen: 'ORDERED', acknowledged: 'SENT', refused: 'FAILED', arrived: 'DISBURSED', cameBack: 'FAILED' },
  SENT: { arrived: 'DISBURSED', cameBack: 'FAILED' },
  DISBURSED: {},
  FAILED: {},
}

export interface Disbursement extends CarriedRow {
  disbursementId: string
  status: DisbursementStatus
}

export const payeeContext = (disbursementId: string): string => `disbursement ${disbursementId}`

/** The status after a move, or undefined when there is none. */
export const disbursementAfter = (
  { status }: Pick<Disbursement, 'status'>,
  move: CarryMove,
): DisbursementStatus | undefined => next(disbursementLifecycle, status, move)

/** The platform is told PENDING until the bank has proved either ending: an approved loan is no disbursed loan (D3 §1.1). */
export const wireDisbursement = (disbursement: Disbursement): DisbursementWire => ({
  disbursement_id: disbursement.disbursementId,
  status:
    disbursement.status === 'DISBURSED' || disbursement.status === 'FAILED'
      ? disbursement.status
      : ('PENDING' as const),
  amount: rupees(disbursement.amountPaise),
  currency: 'INR',
  bank_reference: disbursement.bankReference,
  updated_at: disbursement.updatedAt.toISOString(),
  reason_code: disbursement.reasonCode,
})
