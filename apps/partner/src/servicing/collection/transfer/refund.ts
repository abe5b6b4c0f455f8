// A refund: its statuses and moves, and its fields.

import { next, type Table } from '@lendloom/foundation/machine'
import type { TransferMove, TransferRow } from './carry-out-transfer.ts'

export type RefundStatus = 'ORDERED' | 'UNKNOWN' | 'SENT' | 'PAID' | 'RETURNED' | 'FAILED'

export const refundLifecycle: Table<RefundStatus, TransferMove> = {
  ORDERED: { sent: 'UNKNOWN', refused: 'FAILED' },
  UNKNOWN: { notFoundAtBank: 'ORDERED', acknowledged: 'SENT', refused: 'FAILED', arrived: 'PAID', returned: 'FAILED' },
  SENT: { arrived: 'PAID', returned: 'FAILED' },
  PAID: { givenBack: 'RETURNED' },
  RETURNED: {},
  FAILED: {},
}

export const refundStatusAfter = ({ status }: Pick<Refund, 'status'>, move: TransferMove): RefundStatus | undefined =>
  next(refundLifecycle, status, move)

export interface Refund extends TransferRow {
  refundId: string
  status: RefundStatus
}

export const refundContext = (refundId: string): string => `refund ${refundId}`
