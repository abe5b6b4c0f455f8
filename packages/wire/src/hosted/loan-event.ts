// Events of a loan after its payout. They are a family of their own beside the seven lifecycle updates of D1.

import { isOneOf } from '@lendloom/foundation/record'
import { Closed, Nullable, OneOf, type Static, Type } from '@lendloom/foundation/schema'
import { Instant, Text } from '#wire/basic-schemas.ts'
import { loanEventTypes } from './loan-event-types.ts'
import { LoanState } from './loan-state.ts'

export type LoanEventType = (typeof loanEventTypes)[number]
export const LoanEventType = OneOf([...loanEventTypes])

/** The version of the body. An incompatible change needs a new one. */
export const loanEventVersion = '2026-12-01'

export const isLoanEvent = (status: string): status is LoanEventType => isOneOf(loanEventTypes, status)

export const LoanEvent = Closed({
  type: LoanEventType,
  /** The position among the events of the loan, from 1. */
  sequence: Type.Integer({ minimum: 1 }),
  at: Instant,
  /** The instalments that became due, paid, unpaid again or overdue. */
  instalments: Type.Array(Type.Integer()),
  /** The part payment; null for other events. */
  operationID: Nullable(Text),
  /** The loan after the change, by the lender's newest report. */
  loan: LoanState,
})
export type LoanEvent = Static<typeof LoanEvent>
