// Who lends how much without any security, for the page on which the sandbox explains itself.

import { type Html, html } from '#kit/http/markup.ts'
import { inr } from '#kit/money/money.ts'
import { bpsText } from '#sandbox/lender/core/order.ts'
import { type Policy, policies } from '#sandbox/lender/core/policy.ts'
import type { Overview } from '#sandbox/lender/core/product.ts'

const lenderRow = (policy: Policy): Html =>
  html`<tr><th scope="row"><img src="/lenders/${policy.slug}/logo.svg" alt="" width="24" height="24"> <a href="/lenders/${policy.slug}">${policy.name}</a></th><td>${policy.employment.includes('selfEmployed') ? 'salaried and self-employed' : 'salaried'}, from ${inr(policy.minMonthlyIncome)} a month, ${policy.ages.from} to ${policy.ages.until} years</td><td>${inr(policy.amounts.from)} to ${inr(policy.amounts.to)}</td><td>${policy.tenuresMonths[0]} to ${policy.tenuresMonths.at(-1)} months</td><td>${policy.rates.map(({ annualBps }) => bpsText(annualBps)).join(', ')}</td></tr>`

export const overview: Overview = {
  id: 'lenders',
  title: 'Lenders',
  about: null,
  columns: ['Lender', 'Lends to', 'Amount', 'Term', 'Interest a year'],
  rows: () => policies.map(lenderRow),
}
