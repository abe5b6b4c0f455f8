// A disbursement: its statuses and moves, its fields, and its form on the wire (D3 §3).

import { next, type Table } from '@lendloom/foundation/machine'
import { rupees } from '@lendloom/lending/money'
import type { Disbursement as DisbursementWire } from '@lendloom/wire/exchange/account'
import type { TransferMove, TransferRow } from './carry-out-transfer.ts'

/** Statuses of a disbursement (D3 §2.5). RETURNED: the bank gave the money back after it had confirmed the transfer. */
export type DisbursementStatus = 'ORDERED' | 'UNKNOWN' | 'SENT' | 'DISBURSED' | 'RETURNED' | 'FAILED'

export const disbursementLifecycle: Table<DisbursementStatus, TransferMove> = {
  ORDERED: { sent: 'UNKNOWN', refused: 'FAILED' },
  UNKNOWN: {
    notFoundAtBank: 'ORDERED',
    acknowledged: 'SENT',
    refused: 'FAILED',
    arrived: 'DISBURSED',
    returned: 'FAILED',
  },
  SENT: { arrived: 'DISBURSED', returned: 'FAILED' },
  DISBURSED: { givenBack: 'RETURNED' },
  RETURNED: {},
  // Another attempt is a new disbursement.
  FAILED: {},
}

export interface DisbursementRow extends TransferRow {
  disbursementId: string
  status: DisbursementStatus
}

export const payeeContext = (disbursementId: string): string => `disbursement ${disbursementId}`

/** Returns the status that a move leads to; undefined if the current status does not allow the move. */
export const disbursementStatusAfter = (
  { status }: Pick<DisbursementRow, 'status'>,
  move: TransferMove,
): DisbursementStatus | undefined => next(disbursementLifecycle, status, move)

/** Returns the disbursement as reported to the platform: PENDING until the bank reports a final status (D3 §1.1). */
export const wireDisbursement = (disbursement: DisbursementRow): DisbursementWire => ({
  disbursement_id: disbursement.disbursementId,
  status: wireStatus(disbursement.status),
  amount: rupees(disbursement.amountPaise),
  currency: 'INR',
  bank_reference: disbursement.bankReference,
  updated_at: disbursement.updatedAt.toISOString(),
  reason_code: disbursement.reasonCode,
})

/** D3 has no status for a returned transfer: to the platform it failed. */
function wireStatus(status: DisbursementStatus): DisbursementWire['status'] {
  if (status === 'RETURNED') return 'FAILED'
  return status === 'DISBURSED' || status === 'FAILED' ? status : 'PENDING'
}
