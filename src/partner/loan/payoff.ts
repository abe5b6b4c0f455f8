// What closes a loan on a day: everything that is owed then, and nothing for the days after it; pure rules.

import type { Paise } from '#kit/money/money.ts'
import { type Money, repay } from './repay.ts'
import type { Planned } from './replan.ts'
import type { Part, Row } from './row.ts'

export interface Payoff extends Record<Part, Paise> {
  /** The business day on which money of this amount closes the loan. */
  on: string
  total: Paise
}

/** More than any loan is worth. */
const plenty = 10n ** 17n

/**
 * Principal, interest until the day, penal charges and other charges, less what was paid ahead; there is no charge for closing
 * early. It is what would be used of any amount: so exactly this closes the loan, and a paisa less does not.
 */
export const payoffOn = (loan: Planned, rows: Row[], on: string, at: Date): Payoff =>
  payoffWith(loan, rows, { on, today: on, at })

/** The same for money that came on a day and is posted on another, with what was repaid with it. */
export function payoffWith(
  loan: Planned,
  rows: Row[],
  came: Pick<Money, 'on' | 'today' | 'repaidWith' | 'at'>,
): Payoff {
  const money = { ...came, paise: plenty, from: 'BANK', isPartPayment: true, keep: 'INSTALLMENT' } as const
  const { shares, principal, unapplied } = repay({ loan, rows }, money).allocation
  const of = (part: Part): Paise => shares.reduce((sum, share) => sum + share[part], 0n)
  const payoff = { penalty: of('penalty'), charges: of('charges'), interest: of('interest') }
  return { on: came.today, ...payoff, principal: of('principal') + principal, total: plenty - unapplied }
}
