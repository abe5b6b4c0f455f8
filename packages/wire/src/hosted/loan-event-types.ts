// The types and positions of events of a loan, without their schema, for pages.

import { statuses } from './lifecycle-status.ts'

export const loanEventTypes = [
  'loan.due',
  'loan.paid',
  'loan.payment_returned',
  'loan.part_paid',
  'loan.charged',
  'loan.overdue',
  'loan.statement_changed',
  'loan.cancelled',
  'loan.closed',
  'loan.reopened',
] as const

/** The deliveries of a journey's loan come after its lifecycle updates, of which there are at most seven (D1 §6.3). */
export const firstLoanSequence = 1000

/** The number of a delivery's update among the lifecycle updates of its journey, or among the events of its loan. */
export const numberOfUpdate = (sequence: number): number =>
  sequence > firstLoanSequence ? sequence - firstLoanSequence : sequence

/**
 * The number of the last delivered one among those of the family of a later delivery: lifecycle updates, or events of the
 * loan. 0 if none of the family was delivered.
 */
export const numberBefore = (sequence: number, lastSequence: number): number =>
  sequence > firstLoanSequence ? Math.max(0, lastSequence - firstLoanSequence) : lastSequence

/** What a delivery may be about: a lifecycle status of the journey, or an event of its loan. */
export const updateStatuses = [...statuses, ...loanEventTypes] as const
