// The status of a form that the borrower handed in at a lender, and the outcome that it means (FIS12 §7.7).

import { isOneOf } from '@lendloom/foundation/record'

export const formStatuses = [
  'PENDING',
  'SUCCESS',
  'APPROVED',
  'COMPLETED',
  'OFFLINE_PENDING',
  'REJECTED',
  'EXPIRED',
] as const
export type FormStatus = (typeof formStatuses)[number]

export type FormOutcome = 'success' | 'failure' | 'waiting'

const outcomeOf: Record<FormStatus, FormOutcome> = {
  SUCCESS: 'success',
  APPROVED: 'success',
  COMPLETED: 'success',
  REJECTED: 'failure',
  EXPIRED: 'failure',
  PENDING: 'waiting',
  OFFLINE_PENDING: 'waiting',
}

/** The outcome of a form status; null if unknown. Each step has its own statuses for success (FIS12 §7.7). */
export const formOutcome = (status: string): FormOutcome | null =>
  isOneOf(formStatuses, status) ? outcomeOf[status] : null
