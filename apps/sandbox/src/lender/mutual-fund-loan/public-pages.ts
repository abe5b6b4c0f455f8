// Sections of public pages on loans against mutual funds.

import { type Html, html } from '@lendloom/http/markup'
import { inr } from '@lendloom/lending/money'
import type { Portfolio } from '@lendloom/wire/network/v230/categories'
import { facts } from '#sandbox/core/page-frame.ts'
import { type LenderPolicy, policies } from '#sandbox/lender/core/lender-policies.ts'
import { bpsText } from '#sandbox/lender/core/message-parts.ts'
import type { ProductOverview } from '#sandbox/lender/core/product.ts'
import { type LamfLending, lamfLendingOf } from './lenders.ts'

const sources: Record<Portfolio, string> = {
  mfc: 'MF Central statement',
  rta: "registrar's statement",
  'account-aggregator': 'account aggregator',
}
const products = { TERM_LOAN: 'term loan', CREDIT_LINE: 'credit line' }
const kindOf = ({ categories }: LamfLending): string =>
  `${products[categories.product]}, by ${sources[categories.portfolio]}${categories.offline ? ', on its own page' : ''}`

const lamfRows = (): Html[] =>
  policies.flatMap(({ slug, name }) => {
    const lending = lamfLendingOf(slug)
    if (!lending) return []
    const { ltv, amounts, tenuresMonths, rates } = lending
    return [
      html`<tr><th scope="row">${name}</th><td>${kindOf(lending)}</td><td>${inr(amounts.from)} to ${inr(amounts.to)}</td><td>${tenuresMonths[0]} to ${tenuresMonths.at(-1)} months</td><td>${bpsText(rates[0].annualBps)}</td><td>${bpsText(ltv.equity)} of equity, ${bpsText(ltv.hybrid)} of hybrid, ${bpsText(ltv.debt)} of debt</td></tr>`,
    ]
  })

/** The section on loans against mutual funds in a lender's public pages; null if the lender offers none. */
export function lamfSection({ slug }: LenderPolicy): Html | null {
  const lending = lamfLendingOf(slug)
  return (
    lending &&
    html`<h2>Loans against mutual funds</h2>
${facts([
  ['Kind', kindOf(lending)],
  ['Amount', `${inr(lending.amounts.from)} to ${inr(lending.amounts.to)}`],
  ['Loan to value', `${bpsText(lending.ltv.equity)} of equity, ${bpsText(lending.ltv.debt)} of debt`],
  ['Not accepted', 'units under a lien, and ELSS within its lock-in'],
  ['Term', `${lending.tenuresMonths[0]} to ${lending.tenuresMonths.at(-1)} months`],
  ['Interest', `${bpsText(lending.rates[0].annualBps)} a year`],
  [
    'Processing fee',
    `${bpsText(lending.fee.bps)} of the loan, from ${inr(lending.fee.minimum)} to ${inr(lending.fee.maximum)}, and GST`,
  ],
  ['Margin call', `when the units fall by ${bpsText(lending.marginCallBps)}`],
])}`
  )
}

export const overview: ProductOverview = {
  id: 'lamf',
  title: 'Mutual fund loan lenders',
  about: html`Amounts follow units times NAV. Units under a lien and ELSS within its lock-in are not accepted.`,
  columns: ['Lender', 'Product', 'Amount', 'Term', 'Annual interest rate', 'Loan to value'],
  rows: lamfRows,
}
