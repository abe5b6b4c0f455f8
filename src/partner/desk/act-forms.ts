// What can be done about a case now, each as a form of its own; nothing is offered that would be refused.

import { type Html, html } from '#kit/http/markup.ts'
import { businessDate } from '#kit/money/calendar.ts'
import { rupees } from '#kit/money/money.ts'
import { isBeingChecked } from '#partner/case/lifecycle.ts'
import type { Context } from '#partner/context.ts'
import { holdTexts, outcomeText } from './collection-texts.ts'
import { day, inr, plain, when } from './format.ts'
import { button } from './frame.ts'
import type { CaseSeen } from './read-case.ts'

export function actForms(seen: CaseSeen, ctx: Context): Html {
  const { loanCase, facts, account } = seen
  const { kyc, lenderKycReview } = facts.checks
  const reviewsKyc =
    isBeingChecked(loanCase.status) &&
    ['REVIEW_READY', 'APPROVED'].includes(kyc.status) &&
    ['NOT_STARTED', 'REJECTED'].includes(lenderKycReview.status)
  const action = (name: string): string => `/desk/cases/${encodeURIComponent(loanCase.caseRef)}/${name}`
  return html`${(loanCase.status === 'UNDER_REVIEW' || loanCase.status === 'OFFERED') && offerForm(seen, ctx, action('offer'))}
${loanCase.status === 'UNDER_REVIEW' && rejectForm(action('reject'))}
${reviewsKyc && kycForms(action('kyc'))}
${loanCase.status === 'READY_TO_DISBURSE' && disburseForm(seen, action('disburse'))}
${account && (account.loanStatus === 'ACTIVE' || account.loanStatus === 'OVERDUE') && html`${collectForms(seen, action)}${keepsForm(account, action('keeps'))}${payoffLink(action('payoff'))}${exitForm(account, ctx, action)}`}`
}

const field = (name: string, label: string, value: string, pattern: string): Html =>
  html`<label><span>${label}</span><input name="${name}" value="${value}" inputmode="decimal" pattern="${pattern}" required></label>`
const percent = '[0-9]{1,2}([.][0-9]{1,2})?'
const amount = '[0-9]{1,9}([.][0-9]{1,2})?'

/** Prefilled with what was offered before, or with the product's terms for what was recommended. */
function offerForm({ loanCase, offer, lead }: CaseSeen, { config }: Context, action: string): Html {
  const terms = offer?.terms
  return html`<section class="card todo"><h2>${offer ? 'Offer other terms' : 'Approve with these terms'}</h2>
<form method="post" action="${action}">
<div class="fields">
${field('amount', 'Amount, ₹', terms ? rupees(terms.amountPaise) : lead.proposed_offer.loan_amount, amount)}
${field('annualRatePercent', 'Interest a year, %', terms?.annualRatePercent ?? config.PARTNER_RATE_PERCENT, percent)}
${field('feePercent', 'Fee, % of the amount', config.PARTNER_FEE_PERCENT, percent)}
${field('taxPercent', 'Tax on the fee, %', config.PARTNER_TAX_PERCENT, percent)}
${field('otherCharges', 'Other charges, ₹', terms ? rupees(terms.otherChargesPaise) : '0.00', amount)}
${field('validDays', 'Good for, days', String(config.PARTNER_OFFER_DAYS), '[1-9][0-9]?')}
</div>
<p>${lead.proposed_offer.tenure_weeks} weekly instalments. ${loanCase.status === 'OFFERED' && 'The borrower has to decide again: the offer before is stale then.'}</p>
<button class="primary">${offer ? 'Offer these instead' : 'Approve and offer'}</button>
</form></section>`
}

const rejecting = [
  'CREDIT_POLICY',
  'INCOME_TOO_LOW',
  'BUREAU_HISTORY',
  'BUSINESS_TOO_YOUNG',
  'DOCUMENTS_UNCLEAR',
  'OTHER',
]
const rejectingKyc = [
  'FACE_DOES_NOT_MATCH',
  'DOCUMENT_UNCLEAR',
  'NAME_DOES_NOT_MATCH',
  'ADDRESS_DOES_NOT_MATCH',
  'OTHER',
]

const rejectForm = (action: string): Html =>
  html`<details class="card todo"><summary>Reject the application</summary>${reasonForm(action, 'Reject', '', rejecting)}</details>`

const kycForms = (action: string): Html => html`<section class="card todo"><h2>Review the KYC</h2>
<p>Its provider has finished. The report is among the files below.</p>
${reasonForm(action, 'Approve the KYC', 'APPROVED', ['KYC_IN_ORDER'])}</section>
<details class="card todo"><summary>Reject the KYC</summary>${reasonForm(action, 'Reject the KYC', 'REJECTED', rejectingKyc)}</details>`

const reasonForm = (action: string, label: string, decision: string, codes: string[]): Html =>
  html`<form method="post" action="${action}">
${decision && html`<input type="hidden" name="decision" value="${decision}">`}
<div class="fields">
<label><span>Reason</span><select name="reasonCode">${codes.map((code) => html`<option value="${code}">${plain(code)}</option>`)}</select></label>
<label class="broad"><span>In words${decision === 'APPROVED' && ', if there is more to say'}</span><input name="reasonMessage" maxlength="500"${decision !== 'APPROVED' && html` required`}></label>
</div>
<button class="${decision === 'APPROVED' ? 'primary' : 'danger'}">${label}</button>
</form>`

function disburseForm({ offer, lead, disbursement }: CaseSeen, action: string): Html {
  const { account } = lead.banking
  return html`<section class="card todo"><h2>Pay out</h2>
${disbursement && html`<p class="notice bad">The transfer before failed: ${disbursement.reasonCode ? plain(disbursement.reasonCode) : 'without a reason'}.</p>`}
<p>Everything that must be verified is. ${offer && account && html`<strong>${inr(offer.terms.netPaise)}</strong> goes to ${account.holder_name}, ${account.bank_name} •••• ${account.account_number.slice(-4)}.`}</p>
${button(action, disbursement ? 'Order the transfer again' : 'Order the transfer')}</section>`
}

const payoffLink = (path: string): Html =>
  html`<section class="card todo"><h2>Foreclosure</h2>
<p>What closes the loan on a day: principal, interest until then and charges that are unpaid. Closing early costs nothing.</p>
<p><a class="secondary" href="${path}">Quote a day</a></p></section>`

/** Within the cooling-off period: the borrower asks, and what they owe then is quoted without the fee. */
const exitForm = (account: NonNullable<CaseSeen['account']>, { clock }: Context, action: (name: string) => string) => {
  const { coolingOffUntil, exitUntil } = account
  const today = businessDate(clock())
  if (exitUntil !== null && exitUntil >= today)
    return html`<section class="card todo"><h2>Cooling-off exit</h2>
<p>The borrower leaves. Money that closes the loan until ${day(exitUntil)} does so without the fee. <a href="${action('payoff')}">Quote a day</a></p></section>`
  if (today > coolingOffUntil) return null
  return html`<section class="card todo"><h2>Cooling-off exit</h2>
<p>Until ${day(coolingOffUntil)} the borrower may leave: principal and interest for the days are repaid, the fee and the tax on it are given back, and the mandate is cancelled.</p>
${button(action('exit'), 'The borrower leaves')}</section>`
}

/** The borrower's choice for principal that is repaid early, as D3 has no place for it. */
const keepsForm = ({ partPaymentKeeps: now }: NonNullable<CaseSeen['account']>, action: string): Html =>
  html`<section class="card todo"><h2>Part payments</h2>
<p>What the borrower wants to keep when principal is repaid early. It holds for payments that come from now on.</p>
<form method="post" action="${action}"><label><span>Keep</span><select name="keeps">
${keepsTexts.map(([keeps, text]) => html`<option value="${keeps}" ${keeps === now && 'selected'}>${text}</option>`)}
</select></label><button class="secondary">Save the choice</button></form></section>`
const keepsTexts = [
  ['INSTALLMENT', 'The instalment: fewer of them, least interest'],
  ['TERM', 'The term: smaller instalments'],
] as const

const collectForms = ({ hold, looked, loanCase }: CaseSeen, action: (name: string) => string): Html =>
  html`<section class="card todo"><h2>Collect</h2>
${hold && html`<p class="notice bad">Return code ${hold.reasonCode}, ${when(hold.sinceAt)}. ${holdTexts[hold.policy]}</p>${button(action('release'), 'Let debits go on')}`}
<p>${looked ? html`Looked at for a debit on ${when(looked.lookedAt)}: ${outcomeText(looked.outcome)}.` : 'Not looked at for a debit yet.'}</p>
${loanCase.status === 'DISBURSED' && button(action('collect'), 'Collect now')}</section>`
