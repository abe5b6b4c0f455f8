// A refund: what was paid too much on its way back to the borrower; its states and its moves.

import type { Table } from '#kit/runtime/machine.ts'
import type { CarriedRow, CarryMove } from './carry.ts'

export type RefundStatus = 'ORDERED' | 'UNKNOWN' | 'SENT' | 'PAID' | 'FAILED'

export const refundLifecycle: Table<RefundStatus, CarryMove> = {
  ORDERED: { sent: 'UNKNOWN', refused: 'FAILED' },
  UNKNOWN: { unseen: 'ORDERED', acknowledged: 'SENT', refused: 'FAILED', arrived: 'PAID', cameBack: 'FAILED' },
  SENT: { arrived: 'PAID', cameBack: 'FAILED' },
  PAID: {},
  FAILED: {},
}

export interface Refund extends CarriedRow {
  refundId: string
  status: RefundStatus
}

export const refundContext = (refundId: string): string => `refund ${refundId}`
