// A lender's public pages (about, terms, help, cancellation) and its logo.

import { accentOf } from '@lendloom/design/style'
import { type Html, html } from '@lendloom/http/markup'
import type { PageFrame } from '@lendloom/http/page-frame'
import { inr } from '@lendloom/lending/money'
import { facts } from '#sandbox/core/page-frame.ts'
import type { LenderPolicy } from '#sandbox/lender/core/lender-policies.ts'
import { bpsText, penalText } from '#sandbox/lender/core/message-parts.ts'
import { penalExample } from '#sandbox/lender/documents/key-facts.ts'
import { framed } from '#sandbox/lender/pages/page-frame.ts'
import { products } from '#sandbox/lender/products/products.ts'

/** Whom the lender lends to, amounts and rates. */
export const aboutPage = (policy: LenderPolicy): PageFrame =>
  framed({
    title: policy.name,
    policy,
    body: html`<p>${policy.about}</p>
${facts([
  ['Type of lender', policy.kind],
  ['Borrowers', policy.employment.map((each) => (each === 'salaried' ? 'salaried' : 'self-employed')).join(', ')],
  ['Income', `from ${inr(policy.minMonthlyIncome)} a month`],
  ['Age', `${policy.ages.from} to ${policy.ages.until} years at the last EMI`],
  ['Amount', `${inr(policy.amounts.from)} to ${inr(policy.amounts.to)}`],
  ['Term', `${policy.tenuresMonths[0]} to ${policy.tenuresMonths.at(-1)} months`],
  ['Interest', `${policy.rates.map(({ annualBps }) => bpsText(annualBps)).join(', ')} a year, by income`],
])}
${productSections(policy)}
${links(policy)}`,
  })

/** What each product adds to the page; null for one that the lender does not offer. */
const productSections = (policy: LenderPolicy): (Html | null)[] =>
  Object.values(products).map(({ publicPageSection }) => publicPageSection(policy))

const links = ({ slug }: LenderPolicy): Html =>
  html`<p><a href="/lenders/${slug}/terms">Terms</a> · <a href="/lenders/${slug}/help">Help</a> · <a href="/lenders/${slug}/cancellation">Cancellation</a></p>`

/** The fees and charges, with an example. */
export const termsPage = (policy: LenderPolicy): PageFrame =>
  framed({
    title: 'Terms and conditions',
    policy,
    body: html`<p>Your own terms are in your key facts statement. We charge nothing that it does not name.</p>
${facts([
  ['Interest', 'fixed, on the reducing balance, from the day of disbursal'],
  [
    'Processing fee',
    `${bpsText(policy.fee.bps)} of the loan, from ${inr(policy.fee.minimum)} to ${inr(policy.fee.maximum)}, and GST`,
  ],
  ['Stamp duty', inr(policy.stampDuty)],
  ['Penal charges', `${penalText(policy, 'instalment')}, not compounded`],
  ['For example', `${penalExample(policy, 10_000_00n)} for ${inr(10_000_00n)} overdue for 30 days`],
  ['Returned debit', `${inr(policy.bounceCharge)} per debit`],
  ['Foreclosure', `${bpsText(policy.foreclosureBps)} of the principal outstanding`],
  ['Part payment', `${bpsText(policy.foreclosureBps)} of the part repaid early`],
  ['Cooling-off period', `${policy.coolOffDays} days`],
])}
${productSections(policy)}
${links(policy)}`,
  })

/** Support and the grievance officer. */
export const helpPage = (policy: LenderPolicy): PageFrame =>
  framed({
    title: 'Help',
    policy,
    body: html`<h2>Customer support</h2>
${facts([
  ['Telephone', policy.support.phone],
  ['Email', policy.support.email],
])}
<h2>Grievance redressal</h2>
<p>If support does not help, write to our officer. After 30 days, you can complain at cms.rbi.org.in.</p>
${facts([
  ['Officer', policy.officer.name],
  ['Designation', policy.officer.designation],
  ['Telephone', policy.officer.phone],
  ['Email', policy.officer.email],
  ['Address', policy.address],
])}
${links(policy)}`,
  })

/** What happens after the sanction. */
export const payoutPage = (policy: LenderPolicy): PageFrame =>
  framed({
    title: 'Your payout',
    policy,
    body: html`<p>Your loan is sanctioned. We send the money to your bank account by NEFT; your bank credits it within a day.</p>
${facts([
  ['Telephone', policy.support.phone],
  ['Email', policy.support.email],
])}
${links(policy)}`,
  })

/** How to leave the loan, before and after its payout. */
export const cancellationPage = (policy: LenderPolicy): PageFrame =>
  framed({
    title: 'How to cancel',
    policy,
    body: html`<p>Before disbursal you may cancel free of charge: contact support.</p>
<p>Within ${policy.coolOffDays} days of disbursal you may return the principal and the interest for the days you had it, without penalty. Later you may foreclose at ${bpsText(policy.foreclosureBps)} of the principal outstanding.</p>
${facts([
  ['Telephone', policy.support.phone],
  ['Email', policy.support.email],
])}
${links(policy)}`,
  })

/** The lender's initial on its two colours. */
export const logo = ({ name, colours: [main, accent] }: LenderPolicy): Html =>
  html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48" width="48" height="48" role="img" aria-label="${name}"><rect width="48" height="48" rx="12" fill="${main}"/><path d="M0 36h48v0a12 12 0 0 1-12 12H12A12 12 0 0 1 0 36z" fill="${accent}"/><text x="24" y="31" font-family="Georgia, serif" font-size="26" font-weight="700" text-anchor="middle" fill="#fff">${name[0]}</text></svg>`

/** The style sheet with the accent colour of the lender. */
export const colours = ({ colours: [main] }: LenderPolicy): string => `${accentOf(main)}\n`
