// The payoff of a loan on a day; pure rules.

import type { Paise } from '@lendloom/lending/money'
import type { AmountPart, InstallmentRow } from './installment-row.ts'
import { amountAboveAnyDebt, repay } from './repay.ts'
import type { PlanBasis } from './replan.ts'

export interface Payoff extends Record<AmountPart, Paise> {
  /** The business day on which this amount closes the loan. */
  on: string
  total: Paise
}

/**
 * Returns principal, interest until the day, penal charges and other charges, less prepayments. Foreclosure is free of
 * charge. Exactly the total closes the loan; a paisa less does not.
 */
export function payoffOn(loan: PlanBasis, rows: InstallmentRow[], on: string, at: Date): Payoff {
  const money = {
    on,
    today: on,
    at,
    paise: amountAboveAnyDebt,
    from: 'BANK',
    isPartPayment: true,
    keep: 'INSTALLMENT',
  } as const
  const { shares, principal, unapplied } = repay({ loan, rows }, money).allocation
  const sumOf = (part: AmountPart): Paise => shares.reduce((sum, share) => sum + share[part], 0n)
  const payoff = { penalty: sumOf('penalty'), charges: sumOf('charges'), interest: sumOf('interest') }
  return { on, ...payoff, principal: sumOf('principal') + principal, total: amountAboveAnyDebt - unapplied }
}
