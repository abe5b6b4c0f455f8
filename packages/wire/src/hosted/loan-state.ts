// The state of a loan for integrators, as the lender tells it: no personal data, and nothing that the lender does not tell.

import { Closed, Nullable, OneOf, type Static, Type } from '@lendloom/foundation/schema'
import { Id, Instant, Money, Text } from '#wire/basic-schemas.ts'

const Day = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', examples: ['2026-12-05'] })

/** OPEN: a credit line of which nothing was drawn yet. CLOSED: a credit line that has ended. */
export const loanStates = ['OPEN', 'RUNNING', 'OVERDUE', 'REPAID', 'CLOSED', 'CANCELLED'] as const

export const LoanState = Closed({
  journeyID: Text,
  lender: Text,
  state: OneOf([...loanStates]),
  /** The lender's number of the loan; null before it is told. */
  number: Nullable(Text),
  /** When the loan was paid out; null for a credit line of which nothing was drawn. */
  paidOutAt: Nullable(Instant),
  closedAt: Nullable(Instant),
  /** The time of the lender's report from which the amounts are; null if the lender does not tell it. */
  reportedAt: Nullable(Instant),
  /** The amount that was agreed, or the limit of a credit line. */
  principal: Nullable(Money),
  /** What repaying everything costs by the lender's account; null on the network, whose lenders tell no account. */
  outstanding: Nullable(
    Closed({ total: Money, principal: Money, interest: Money, charges: Money, penalCharges: Money }),
  ),
  /** The sum of the unpaid instalments, with the interest to come; null if the lender tells an account instead. */
  unpaidInstalments: Nullable(Money),
  /** Null while nothing is overdue. `instalments` is 0 and `since` null if the lender tells only the amount. */
  overdue: Nullable(Closed({ amount: Money, instalments: Type.Integer(), since: Nullable(Day) })),
  /** The next instalment that is not overdue. */
  nextDue: Nullable(Closed({ dueOn: Day, amount: Money })),
  /** The lender's plan, with what is paid of it; empty without one. */
  instalments: Type.Array(
    Closed({
      serialNumber: Type.Integer(),
      dueOn: Day,
      amount: Money,
      status: OneOf(['NOT-DUE', 'DUE', 'OVERDUE', 'PENDING', 'PAID', 'CLOSED']),
    }),
  ),
  /** Payments for which the borrower asked, the newest first. */
  payments: Type.Array(
    Closed({
      operationID: Id,
      kind: OneOf(['FORECLOSURE', 'PRE_PART_PAYMENT', 'MISSED_EMI_PAYMENT']),
      /** RETURNED: it was paid, and the bank took it back. */
      status: OneOf(['REQUESTED', 'LINK_READY', 'PAID', 'RETURNED', 'FAILED', 'EXPIRED']),
      /** Null until the lender has told it. */
      amount: Nullable(Money),
      updatedAt: Instant,
    }),
  ),
  /** Null for a loan that is no credit line. */
  creditLine: Nullable(Closed({ limit: Money, drawn: Money, available: Money, reportedAt: Instant })),
})
export type LoanState = Static<typeof LoanState>
