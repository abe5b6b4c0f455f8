// Public texts on gold loans: the bullion association's rates, and each lender's terms and branches.
import { type Html, html } from '@lendloom/http/markup'
import type { PageFrame } from '@lendloom/http/page-frame'
import { longDayText } from '@lendloom/lending/calendar'
import { inr } from '@lendloom/lending/money'
import { route } from '#sandbox/core/context.ts'
import { facts, framed, htmlAnswer } from '#sandbox/core/page-frame.ts'
import { type LenderPolicy, policies } from '#sandbox/lender/core/lender-policies.ts'
import { bpsText } from '#sandbox/lender/core/message-parts.ts'
import type { ProductOverview } from '#sandbox/lender/core/product.ts'
import { goldLendingOf, requireGoldLending } from './lenders.ts'
import { gramsText, publishedOn, publishedRates } from './valuation.ts'

const tierRows: [label: string, value: string][] = [
  ['up to ₹2,50,000', 'at most 85% of the value'],
  ['up to ₹5,00,000', 'at most 80% of the value'],
  ['above ₹5,00,000', 'at most 75% of the value'],
]

/** The fictional association's rates, and the regulator's tiers. */
const ratesPage = (): PageFrame =>
  framed({
    title: 'Gold rates',
    heading: `Gold rates of ${longDayText(publishedOn)}`,
    brand: 'Bullion association',
    body: html`<p>Rupees a gram, the lower of yesterday's close and the average of thirty days. Other finenesses are priced proportionately from the nearest one.</p>
${facts(publishedRates.map(({ fineness, perGram }) => [`Fineness ${fineness}`, inr(perGram)]))}
<h2>How much you can borrow</h2>
${facts(tierRows)}
<p class="hint">The association and its rates are fictional and do not change.</p>`,
  })

const lenders = (): LenderPolicy[] => policies.filter(({ slug }) => goldLendingOf(slug) !== null)

const goldRows = (): Html[] =>
  lenders().map(({ slug, name }) => {
    const { assessment, amounts, tenuresMonths, rates, minMilligrams, branches } = requireGoldLending(slug)
    return html`<tr><th scope="row">${name}</th><td>${assessment === 'bureau' ? 'credit bureau' : 'account aggregator'}</td><td>${inr(amounts.from)} to ${inr(amounts.to)}, from ${gramsText(minMilligrams)} g</td><td>${tenuresMonths[0]} to ${tenuresMonths.at(-1)} months</td><td>${bpsText(rates[0].annualBps)}</td><td>${branches.map(({ city }) => city).join(', ')}</td></tr>`
  })

/** The section on gold loans in a lender's public pages; null if the lender offers none. */
export function goldSection({ slug }: LenderPolicy): Html | null {
  const lending = goldLendingOf(slug)
  return (
    lending &&
    html`<h2>Gold loans</h2>
${facts([
  ['Amount', `${inr(lending.amounts.from)} to ${inr(lending.amounts.to)}`],
  ['Gold', `from ${gramsText(lending.minMilligrams)} grams`],
  ['Term', `${lending.tenuresMonths[0]} to ${lending.tenuresMonths.at(-1)} months`],
  ['Interest', `${bpsText(lending.rates[0].annualBps)} a year`],
  [
    'Processing fee',
    `${bpsText(lending.fee.bps)} of the loan, from ${inr(lending.fee.minimum)} to ${inr(lending.fee.maximum)}, and GST`,
  ],
  ['Priced at', html`<a href="/lenders/-/gold-rates">the rates of the bullion association</a>`],
])}
${facts(lending.branches.map(({ name, address, pincode }) => [name, `${address} ${pincode}`]))}`
  )
}

export const overview: ProductOverview = {
  id: 'gold',
  title: 'Gold loan lenders',
  about: html`Amounts follow the <a href="/lenders/-/gold-rates">rates of the bullion association</a> and the regulator's tiers. Borrowers bring the gold to a branch.`,
  columns: ['Lender', 'Assessed by', 'Amount', 'Term', 'Annual interest rate', 'Branches'],
  rows: goldRows,
}

export const showGoldRates = route({
  method: 'GET',
  path: '/lenders/-/gold-rates',
  section: 'FIS12 §9.1',
  summary: 'Gold rates, and how much may be lent on gold',
  handle: () => htmlAnswer(ratesPage()),
})
