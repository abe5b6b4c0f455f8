// The units that secure a loan against mutual funds, as the key facts statement tells them.
import { drawingPower, type Part, worthOf as worthOfUnits } from '#contract/hosted/portfolio.ts'
import { inr } from '#kit/money/money.ts'
import type { Loan } from '#sandbox/lender/core/loan.ts'
import { bpsText, ltvText } from '#sandbox/lender/core/order.ts'
import type { Policy } from '#sandbox/lender/core/policy.ts'
import { type Security, upfront } from '#sandbox/lender/core/security.ts'
import { isLine, loanToValueAt } from './lending.ts'

const loanOnUnits = {
  kind: 'loan against mutual funds, secured by a lien on units',
  paidOut: `${upfront} lien is marked and the agreement signed`,
}
const lineOnUnits = {
  kind: 'credit line against mutual funds, secured by a lien on units',
  paidOut: 'As you draw it, up to the limit, to your own bank account',
}

export const unitSecurity = (policy: Policy, units: readonly Part[]): Security => ({
  ...(isLine(policy) ? lineOnUnits : loanOnUnits),
  title: 'The units that you pledge',
  rows: (loan) => rowsOf(policy, units, loan),
})

const rowsOf = (policy: Policy, units: readonly Part[], loan: Loan): [label: string, value: string][] => [
  ...units.map(({ holding, units: pledged }): [string, string] => [
    holding.schemeName ?? holding.schemeCode,
    `${pledged} units at a NAV of ₹${holding.nav}, of which ${bpsText(loanToValueAt(policy)(holding))} may be lent; folio ${holding.folio}, ${holding.registrar}`,
  ]),
  ['Value', inr(worthOfUnits(units))],
  ['Drawing power', inr(drawingPower(units, loanToValueAt(policy)))],
  ['Loan to value', ltvText(loan.principal, worthOfUnits(units))],
  ['Release of the lien', 'Within 7 working days of the day on which the loan is repaid'],
]
