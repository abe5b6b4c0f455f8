// The types and positions of events of a loan, without their schema, for pages.

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
