// The states of a loan and the moves between them (D3 §3); what is absent cannot happen.
import { next, type Table } from '#kit/runtime/machine.ts'

export type LoanStatus = 'NOT_CREATED' | 'ACTIVE' | 'OVERDUE' | 'CLOSED' | 'CANCELLED'

/** `current`, `overdue` and `repaid` say how the account stands after an act; a loan that stands as before does not move. */
export type LoanMove = 'opened' | 'cancelled' | LoanCondition
export type LoanCondition = 'current' | 'overdue' | 'repaid'

export const lifecycle: Table<LoanStatus, LoanMove> = {
  NOT_CREATED: { opened: 'ACTIVE', cancelled: 'CANCELLED' },
  ACTIVE: { current: 'ACTIVE', overdue: 'OVERDUE', repaid: 'CLOSED' },
  OVERDUE: { current: 'ACTIVE', overdue: 'OVERDUE', repaid: 'CLOSED' },
  // A reversed receipt opens a closed account again.
  CLOSED: { repaid: 'CLOSED', current: 'ACTIVE', overdue: 'OVERDUE' },
  CANCELLED: {},
}

/** The status a status leads to. Throws when the table has no such move: an account that was cancelled has no status. */
export function statusAfter(status: LoanStatus, move: LoanMove): LoanStatus {
  const after = next(lifecycle, status, move)
  if (!after) throw new Error(`a loan that is ${status} cannot be ${move}`)
  return after
}
