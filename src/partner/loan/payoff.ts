// The payoff of a loan on a day: everything owed then, without later days; pure rules.

import type { Paise } from '#kit/money/money.ts'
import { plenty, repay } from './repay.ts'
import type { PlanBasis } from './replan.ts'
import type { AmountPart, InstallmentRow } from './row.ts'

export interface Payoff extends Record<AmountPart, Paise> {
  /** The business day on which money of this amount closes the loan. */
  on: string
  total: Paise
}

/**
 * Principal, interest until the day, penal and other charges, less prepayments; closing early is free of charge.
 * Exactly this amount closes the loan; a paisa less does not.
 */
export function payoffOn(loan: PlanBasis, rows: InstallmentRow[], on: string, at: Date): Payoff {
  const money = { on, today: on, at, paise: plenty, from: 'BANK', isPartPayment: true, keep: 'INSTALLMENT' } as const
  const { shares, principal, unapplied } = repay({ loan, rows }, money).allocation
  const of = (part: AmountPart): Paise => shares.reduce((sum, share) => sum + share[part], 0n)
  const payoff = { penalty: of('penalty'), charges: of('charges'), interest: of('interest') }
  return { on, ...payoff, principal: of('principal') + principal, total: plenty - unapplied }
}
