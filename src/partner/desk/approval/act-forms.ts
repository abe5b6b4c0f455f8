// The possible acts on a case, each with its form; acts that would be refused are not offered.

import { type Html, html } from '#kit/http/markup.ts'
import { businessDate } from '#kit/money/calendar.ts'
import { rupees } from '#kit/money/money.ts'
import { keysOf } from '#kit/runtime/record.ts'
import { isBeingChecked } from '#partner/case/lifecycle.ts'
import { isReversible } from '#partner/collection/post-by-hand.ts'
import type { Context } from '#partner/context.ts'
import { byPerson, holdReason, holdTexts, outcomeText } from '#partner/desk/arrears/collection-texts.ts'
import { accountForm, lossForm, refundForm, waiverForm, writeOffForm } from '#partner/desk/books/money-forms.ts'
import { exitRequest } from '#partner/desk/books/money-parts.ts'
import { canStop, stopForm } from '#partner/desk/books/stop-form.ts'
import { namesForm } from '#partner/desk/cases/compare.ts'
import type { CaseView } from '#partner/desk/cases/read-case.ts'
import { button } from '#partner/desk/frame.ts'
import { referencePattern } from '#partner/desk/parts/form-fields.ts'
import { asAmount, asReason, type Faulty, fieldsOf } from '#partner/desk/parts/form-parts.ts'
import { day, inr, plain, when } from '#partner/desk/parts/format.ts'
import { isWaiting } from '#partner/desk/staff/one-person.ts'
import { type Act, can } from '#partner/desk/staff/staff-act.ts'
import type { Staff } from '#partner/desk-person.ts'
import { aloneUpTo } from './request.ts'
import { withVersion } from './seen-version.ts'

/** The possible acts that this person may perform. */
export function actForms(seen: CaseView, who: Staff, ctx: Context, faulty: Faulty | null): Html {
  const { loanCase, facts, account } = seen
  const { kyc, lenderKycReview } = facts.checks
  const reviewsKyc =
    isBeingChecked(loanCase.status) &&
    ['REVIEW_READY', 'APPROVED'].includes(kyc.status) &&
    ['NOT_STARTED', 'REJECTED'].includes(lenderKycReview.status)
  const address = (name: string): string => `/desk/cases/${encodeURIComponent(loanCase.caseRef)}/${name}`
  const action = (name: string): string => withVersion(address(name), loanCase)
  const { status } = loanCase
  const may = (act: Act): boolean => can(who, act)
  return html`${may('OFFERED') && (status === 'UNDER_REVIEW' || status === 'OFFERED') && offerForm({ seen, who, action: action('offer'), faulty }, ctx)}
${may('REJECTED') && status === 'UNDER_REVIEW' && rejectForm(action('reject'))}
${may('KYC_REVIEWED') && reviewsKyc && kycForms(action('kyc'))}
${may('TRANSFER_ORDERED') && status === 'READY_TO_DISBURSE' && !awaitsPayout(seen, ctx.clock()) && disburseForm({ seen, action: action('disburse'), faulty })}
${may('NAMES_COMPARED') && seen.names && awaitsNames(status) && namesForm(seen.names, action('name'))}
${may('CASE_STOPPED') && canStop(seen) && stopForm(action('stop'))}
${account && may('REFUND_ORDERED') && refundForm(account, action('refund'), faulty)}
${may('ACCOUNT_CHANGED') && !hasEnded(status) && accountForm(action('account'), faulty)}
${account && may('WAIVED') && waiverForm(account, action('waive'), faulty)}
${account && may('WRITTEN_OFF') && writeOffForm(account, action('write-off'), faulty)}
${account && may('LOSS_DECIDED') && lossForm(account, action('loss'), faulty)}
${account && may('RECEIPT_REVERSED') && reverseForm(seen, action('reverse'), faulty)}
${
  account &&
  isRunning(account) &&
  html`${may('DEBIT_REQUESTED') && collectForms(seen, address, may('DEBITS_HELD'))}
${may('PART_PAYMENT_CHOICE') && keepsForm(account, address('keeps'))}
${may('FORECLOSURE_QUOTED') && payoffLink(address('payoff'))}`
}
${account && may('COOLING_OFF_EXIT') && exitForm(account, ctx, address, faulty)}`
}

/** A transfer or refund may wait for a comparison of names. */
const awaitsNames = (status: string): boolean => status === 'DISBURSEMENT_PENDING' || status === 'DISBURSED'

type LoanAccount = NonNullable<CaseView['account']>

/** A transfer was requested; its decision is shown above the forms. */
const awaitsPayout = ({ requests }: CaseView, now: Date): boolean =>
  requests.some((each) => each.act === 'PAYOUT' && isWaiting(each, now))

const hasEnded = (status: string): boolean => status === 'REJECTED' || status === 'EXPIRED'

const isRunning = ({ loanStatus }: Pick<NonNullable<CaseView['account']>, 'loanStatus'>): boolean =>
  loanStatus === 'ACTIVE' || loanStatus === 'OVERDUE'

const percent = html`inputmode="decimal" pattern="[0-9]{1,2}([.][0-9]{1,2})?" required`

/** A form of a case: its reader, its address, and its last fault. */
interface ActForm {
  seen: CaseView
  who: Staff
  action: string
  faulty: Faulty | null
}

/** Above the limit a second person decides, and needs a reason. */
const reasonAbove = (limit: bigint): Html =>
  html`Reason, for a second person who approves it${limit > 0n && html` above ${inr(limit)}`}`

/** Prefilled with what was offered before, or with the product's terms for what was recommended. */
function offerForm({ seen, who, action, faulty }: ActForm, { config }: Context): Html {
  const { loanCase, offer, lead, limits } = seen
  const terms = offer?.terms
  const field = fieldsOf('offer', faulty)
  const number = (name: string, label: string, value: string, more: Html) => field({ name, label, value, more })
  return html`<section class="card todo"><h2>${offer ? 'Offer other terms' : 'Approve with these terms'}</h2>
<form method="post" action="${action}">
<div class="fields">
${number('amount', 'Amount, ₹', terms ? rupees(terms.amountPaise) : lead.proposed_offer.loan_amount, asAmount)}
${number('annualRatePercent', 'Interest a year, %', terms?.annualRatePercent ?? config.PARTNER_RATE_PERCENT, percent)}
${number('feePercent', 'Fee, % of the amount', config.PARTNER_FEE_PERCENT, percent)}
${number('taxPercent', 'Tax on the fee, %', config.PARTNER_TAX_PERCENT, percent)}
${number('otherCharges', 'Other charges, ₹', terms ? rupees(terms.otherChargesPaise) : '0.00', asAmount)}
${number('validDays', 'Valid for, days', String(config.PARTNER_OFFER_DAYS), html`inputmode="numeric" pattern="[1-9][0-9]?" required`)}
${field({ name: 'reason', label: reasonAbove(aloneUpTo(limits, who, 'OFFER')), more: html`maxlength="500"`, isBroad: true })}
</div>
<p>${lead.proposed_offer.tenure_weeks} weekly instalments. ${loanCase.status === 'OFFERED' && 'This replaces the earlier offer, so the borrower must decide again.'}</p>
<button class="primary">${offer ? 'Make this offer instead' : 'Approve and offer'}</button>
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
<p>The provider has finished. The report is in the files of the case.</p>
${reasonForm(action, 'Approve the KYC', 'APPROVED', ['KYC_IN_ORDER'])}</section>
<details class="card todo"><summary>Reject the KYC</summary>${reasonForm(action, 'Reject the KYC', 'REJECTED', rejectingKyc)}</details>`

const reasonForm = (action: string, label: string, decision: string, codes: string[]): Html =>
  html`<form method="post" action="${action}">
${decision && html`<input type="hidden" name="decision" value="${decision}">`}
<div class="fields">
<label><span>Reason</span><select name="reasonCode">${codes.map((code) => html`<option value="${code}">${plain(code)}</option>`)}</select></label>
<label class="broad"><span>Explanation${decision === 'APPROVED' && ', if needed'}</span><input name="reasonMessage" maxlength="500"${decision !== 'APPROVED' && html` required`}></label>
</div>
<button class="${decision === 'APPROVED' ? 'primary' : 'danger'}">${label}</button>
</form>`

function disburseForm({ seen, action, faulty }: Omit<ActForm, 'who'>): Html {
  const { offer, lead, disbursement, accountSince } = seen
  const bank = lead.banking.account
  const account = accountSince ?? bank
  return html`<section class="card todo"><h2>Pay out</h2>
${disbursement && html`<p class="notice bad">The previous transfer failed: ${disbursement.reasonCode ? plain(disbursement.reasonCode) : 'without a reason'}.</p>`}
<p>All checks are complete. ${offer && account && html`<strong>${inr(offer.terms.netPaise)}</strong> goes to ${account.holder_name}, ${accountSince ? accountSince.ifsc : bank?.bank_name} •••• ${account.account_number.slice(-4)}.`}</p>
<form method="post" action="${action}">${fieldsOf('disburse', faulty)({ name: 'reason', label: reasonAbove(0n), more: asReason })}<button class="primary">Ask for approval</button></form></section>`
}

/** For a receipt on the wrong loan; only the bank returns debits. */
function reverseForm({ payments }: CaseView, action: string, faulty: Faulty | null): Html | false {
  const receipts = payments.filter(isReversible)
  return (
    receipts.length > 0 &&
    html`<details class="card todo"${faulty?.action === 'reverse' && html` open`}><summary>Reverse a receipt</summary>
<p>For money posted to the wrong loan. What it paid becomes due again, and the receipt waits under Payments for the right loan.</p>
<form method="post" action="${action}"><div class="fields">
<label><span>Receipt</span><select name="payment">${receipts.map(
      ({ paymentId, amountPaise, valueOn, bankReference }) =>
        html`<option value="${paymentId}">${inr(amountPaise)}, ${valueOn}, ${bankReference}</option>`,
    )}</select></label>
${fieldsOf('reverse', faulty)({ name: 'reason', label: reasonAbove(0n), more: asReason, isBroad: true })}</div>
<button class="danger">Ask for approval</button></form></details>`
  )
}

const payoffLink = (path: string): Html =>
  html`<section class="card todo"><h2>Foreclosure</h2>
<p>The amount that closes the loan on a given day: principal, interest until then and unpaid charges. Closing early is free.</p>
<p><a class="secondary" href="${path}">Get a quote</a></p></section>`

/**
 * The borrower asked within the cooling-off period, up to its last evening: the payoff then excludes the fee, and a
 * loan closed before refunds it.
 */
function exitForm(account: LoanAccount, { clock }: Context, action: (name: string) => string, faulty: Faulty | null) {
  const { coolingOffUntil, exitUntil, exitRecordableUntil, retainedFeePaise } = account
  const today = businessDate(clock())
  const runs = isRunning(account)
  if (!runs && (account.loanStatus !== 'CLOSED' || retainedFeePaise === 0n)) return null
  if (runs && exitUntil !== null && exitUntil >= today)
    return html`<section class="card todo"><h2>Cooling-off cancellation</h2>
<p>The borrower is cancelling${account.exitRequestedOn !== null && html`, as requested on ${exitRequest(account)}`}. Money that closes the loan until ${day(exitUntil)} does so without the fee. <a href="${action('payoff')}">Get a quote</a></p></section>`
  if (today > exitRecordableUntil) return null
  const isOver = today > coolingOffUntil
  const field = fieldsOf('exit', faulty)
  const latest = isOver ? coolingOffUntil : today
  return html`<section class="card todo"><h2>Cooling-off cancellation</h2>
<p>${isOver ? html`The cooling-off period ended on ${day(coolingOffUntil)}. A borrower who asked by then can still cancel` : html`Until ${day(coolingOffUntil)} the borrower can cancel`}: the borrower repays principal and interest until the money arrives, the fee and the tax on it are refunded, and the mandate is cancelled.${!runs && ' The loan is already closed: recording this makes the fee refundable to the borrower.'}</p>
<form method="post" action="${action('exit')}"><div class="fields">
${field({ name: 'requestedOn', label: 'Requested on', value: latest, more: html`type="date" max="${latest}" required` })}
${field({ name: 'reference', label: `Number of the complaint or message${isOver ? '' : ', for an earlier day'}`, more: html`maxlength="60" pattern="${referencePattern.source.slice(1, -1)}" autocomplete="off"${isOver && html` required`}` })}
</div><button class="primary">Record the cancellation</button></form></section>`
}

/** The borrower's choice for principal that is repaid early, as D3 has no place for it. */
const keepsForm = ({ partPaymentKeeps: now }: NonNullable<CaseView['account']>, action: string): Html =>
  html`<section class="card todo"><h2>Part payments</h2>
<p>What the borrower wants to keep when repaying principal early. It applies to payments from now on.</p>
<form method="post" action="${action}"><label><span>Keep</span><select name="keeps">
${keepsTexts.map(([keeps, text]) => html`<option value="${keeps}" ${keeps === now && 'selected'}>${text}</option>`)}
</select></label><button class="secondary">Save the choice</button></form></section>`
const keepsTexts = [
  ['INSTALLMENT', 'The instalment: fewer instalments, least interest'],
  ['TERM', 'The term: smaller instalments'],
] as const

const collectForms = ({ hold, looked, loanCase }: CaseView, action: (name: string) => string, mayHold: boolean): Html =>
  html`<section class="card todo"><h2>Collect</h2>
${hold && html`<p class="notice bad">${holdReason(hold.reasonCode)}, ${when(hold.sinceAt)}. ${holdTexts[hold.policy]}</p>${button(action('release'), 'Release debits')}`}
<p>${looked ? html`Checked for a debit on ${when(looked.lookedAt)}: ${outcomeText(looked.outcome)}.` : 'Not checked for a debit yet.'}</p>
${loanCase.status === 'DISBURSED' && html`${button(action('collect'), 'Collect now')}<p>On any day, regardless of earlier returns.</p>`}
${
  mayHold &&
  !hold &&
  html`<form method="post" action="${action('hold')}"><label><span>Hold debits because</span><select name="reason">${keysOf(byPerson).map((each) => html`<option value="${each}">${byPerson[each]}</option>`)}</select></label><button class="secondary">Hold debits</button></form>`
}</section>`
