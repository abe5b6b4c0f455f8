// What can be done about a case now, each as a form of its own; nothing is offered that would be refused.

import { type Html, html } from '#kit/markup.ts'
import { rupees } from '#kit/money.ts'
import { isBeingChecked } from '#partner/case/lifecycle.ts'
import type { World } from '#partner/world.ts'
import type { CaseSeen } from './read-case.ts'

export const actForms = (seen: CaseSeen, world: World): Html => {
  const { kase, facts, disbursement } = seen
  const mayOffer = kase.status === 'UNDER_REVIEW' || kase.status === 'OFFERED'
  const { kyc, lenderKycReview } = facts.checks
  const reviewsKyc =
    isBeingChecked(kase.status) &&
    ['REVIEW_READY', 'APPROVED'].includes(kyc.status) &&
    ['NOT_STARTED', 'REJECTED'].includes(lenderKycReview.status)
  const action = (name: string): string => `/desk/cases/${encodeURIComponent(kase.caseRef)}/${name}`
  return html`${mayOffer && offerForm(seen, world, action('offer'))}
${kase.status === 'UNDER_REVIEW' && reasonForm('Reject the application', action('reject'), 'Reject', '')}
${reviewsKyc && html`<div class="columns">${reasonForm('Approve the KYC', action('kyc'), 'Approve', 'APPROVED')}${reasonForm('Reject the KYC', action('kyc'), 'Reject', 'REJECTED')}</div>`}
${kase.status === 'READY_TO_DISBURSE' && html`<section><h2>Disburse</h2><form method="post" action="${action('disburse')}"><p>Everything that must be verified is. ${disbursement && `The transfer before failed: ${disbursement.reasonCode ?? 'without a reason'}.`}</p><button>Order the transfer</button></form></section>`}`
}

const field = (name: string, label: string, value: string, pattern: string): Html =>
  html`<label><span>${label}</span><input name="${name}" value="${value}" inputmode="decimal" pattern="${pattern}" required></label>`
const percent = '[0-9]{1,2}([.][0-9]{1,2})?'
const amount = '[0-9]{1,9}([.][0-9]{1,2})?'

/** Prefilled with what was offered before, or with the product's terms for what was recommended. */
function offerForm({ kase, offer, lead }: CaseSeen, { config }: World, action: string): Html {
  const terms = offer?.terms
  return html`<section><h2>${offer ? 'Offer other terms' : 'Approve with these terms'}</h2>
<form method="post" action="${action}">
<div class="fields">
${field('amount', 'Amount, ₹', terms ? rupees(terms.amountPaise) : lead.proposed_offer.loan_amount, amount)}
${field('annualRatePercent', 'Interest a year, %', terms?.annualRatePercent ?? config.PARTNER_RATE_PERCENT, percent)}
${field('feePercent', 'Processing fee, % of the amount', config.PARTNER_FEE_PERCENT, percent)}
${field('taxPercent', 'Tax on the fee, %', config.PARTNER_TAX_PERCENT, percent)}
${field('otherCharges', 'Other charges, ₹', terms ? rupees(terms.otherChargesPaise) : '0.00', amount)}
${field('validDays', 'Good for, days', String(config.PARTNER_OFFER_DAYS), '[1-9][0-9]?')}
</div>
<p>${lead.proposed_offer.tenure_weeks} weekly instalments. ${kase.status === 'OFFERED' && 'The borrower has to decide again: the offer before is stale then.'}</p>
<button>${offer ? 'Offer these instead' : 'Approve and offer'}</button>
</form></section>`
}

const reasonForm = (
  title: string,
  action: string,
  button: string,
  decision: string,
): Html => html`<section><h2>${title}</h2>
<form method="post" action="${action}">
${decision && html`<input type="hidden" name="decision" value="${decision}">`}
<div class="fields">
<label><span>Code of the reason</span><input name="reasonCode" pattern="[A-Z][A-Z0-9_]{1,59}" title="Capitals, digits and underlines, such as CREDIT_POLICY" required></label>
<label><span>In words${decision === 'APPROVED' && ', if there is more to say'}</span><input name="reasonMessage" maxlength="500"${decision !== 'APPROVED' && html` required`}></label>
</div>
<button${button === 'Reject' && html` class="refuse"`}>${button}</button>
</form></section>`
