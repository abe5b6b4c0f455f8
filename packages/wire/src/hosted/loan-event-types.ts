// The types of events of a loan, without their schema, for pages.

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
