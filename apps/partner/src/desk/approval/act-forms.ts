// The forms of a case page. The page has no form for an act that the case’s status or the user’s roles forbid.

import { keysOf } from '@lendloom/foundation/record'
import { type Html, html } from '@lendloom/http/markup'
import { businessDate, dayText } from '@lendloom/lending/calendar'
import { paiseOf } from '@lendloom/wire/exchange/fields'
import type { Context } from '#partner/context.ts'
import {
  debitBlockText,
  debitCheckText,
  holdPolicyTexts,
  holdReasons,
  holdReasonText,
} from '#partner/desk/arrears/debit-text-en.ts'
import { caseAddress, withPlace } from '#partner/desk/arrears/worklist.ts'
import { exitForm } from '#partner/desk/books/exit-form.ts'
import {
  accountForm,
  lossForm,
  refundForm,
  roundOffForm,
  settlementForm,
  waiverForm,
  writeOffForm,
} from '#partner/desk/books/money-forms.ts'
import { reasonText } from '#partner/desk/books/payment-parts.ts'
import { canStop, stopForm } from '#partner/desk/cases/cancel-application-form.ts'
import type { CaseView } from '#partner/desk/cases/case-view.ts'
import { namesForm } from '#partner/desk/cases/comparison-parts.ts'
import { button } from '#partner/desk/frame.ts'
import {
  amountAttributes,
  fieldRenderer,
  type RefusedForm,
  reasonAttributes,
  selectField,
} from '#partner/desk/parts/form-parts.ts'
import { amountValue, formatDay, formatTime, inr, labelOf } from '#partner/desk/parts/format.ts'
import { type Act, can } from '#partner/desk/staff/staff-acts.ts'
import { isBeingChecked } from '#partner/origination/case/lifecycle.ts'
import type { Staff } from '#partner/people/person.ts'
import { isWaiting } from '#partner/people/proposal.ts'
import { isHeld } from '#partner/servicing/collection/debit/debit-hold.ts'
import type { Plan } from '#partner/servicing/collection/debit/plan-debit.ts'
import { isHeldPayment } from '#partner/servicing/collection/held-payment.ts'
import { isDebit } from '#partner/servicing/collection/payment.ts'
import { isReversible } from '#partner/servicing/collection/receipt/post-by-hand.ts'
import { duesTolerance } from '#partner/servicing/loan/class/classify.ts'
import { isRunning } from '#partner/servicing/loan/loan.ts'
import { soleLimit } from './approval-rules.ts'
import { withVersion } from './seen-version.ts'

/** All forms that this person may use now. A cancellation that awaits its payment comes first. */
export function actForms(view: CaseView, who: Staff, ctx: Context, refusedForm: RefusedForm | null): Html {
  const { loanCase, facts, account } = view
  const { kyc, lenderKycReview } = facts.checks
  const reviewsKyc =
    isBeingChecked(loanCase.status) &&
    ['REVIEW_READY', 'APPROVED'].includes(kyc.status) &&
    ['NOT_STARTED', 'REJECTED'].includes(lenderKycReview.status)
  const place = view.worklist?.place
  const action = (name: string): string =>
    withPlace(withVersion(caseAddress(loanCase.caseRef, undefined, `/${name}`), loanCase, ctx.clock()), place)
  const quoteAddress = caseAddress(loanCase.caseRef, place, '/payoff')
  const { status } = loanCase
  const may = (act: Act): boolean => can(who, act)
  const exit =
    may('COOLING_OFF_EXIT') &&
    !view.payments.some(isHeldPayment) &&
    exitForm(view, ctx, { quoteAddress, action: action('exit') }, refusedForm)
  return html`${view.exitPayoff && exit}${may('OFFERED') && (status === 'UNDER_REVIEW' || status === 'OFFERED') && offerForm({ view, who, action: action('offer'), refusedForm }, ctx)}
${may('REJECTED') && status === 'UNDER_REVIEW' && rejectForm(action('reject'), refusedForm)}
${may('KYC_REVIEWED') && reviewsKyc && kycForms(action('kyc'), refusedForm)}
${may('TRANSFER_ORDERED') && status === 'READY_TO_DISBURSE' && !awaitsPayout(view, ctx.clock()) && disburseForm({ view, action: action('disburse'), refusedForm })}
${may('NAMES_COMPARED') && view.names && mayAwaitNames(status) && namesForm(view.names, action('name'))}
${may('CASE_STOPPED') && canStop(view) && stopForm(action('stop'), refusedForm)}
${
  account &&
  isRunning(account.loanStatus) &&
  html`${may('DEBIT_REQUESTED') && collectForms(view, action, may('DEBITS_HELD'))}
${may('PART_PAYMENT_CHOICE') && partPaymentForm(account, action('keeps'))}${may('FORECLOSURE_QUOTED') && !view.exitPayoff && payoffLink(quoteAddress)}`
}
${account && may('REFUND_ORDERED') && refundForm(account, action('refund'), refusedForm)}
${account && may('WAIVED') && waiverForm(account, action('waive'), refusedForm)}
${account && may('ROUNDED_OFF') && roundOffForm(account, action('round-off'), duesTolerance(ctx.config))}
${account && may('WRITTEN_OFF') && writeOffForm(account, action('write-off'), refusedForm)}
${account && may('SETTLEMENT_AGREED') && settlementForm(account, action('settle'), { refusedForm, today: businessDate(ctx.clock()) })}
${account && may('LOSS_DECIDED') && lossForm(account, action('loss'), refusedForm)}
${account && may('RECEIPT_REVERSED') && reverseForm(view, action('reverse'), refusedForm)}
${!view.exitPayoff && exit}
${may('ACCOUNT_CHANGED') && !hasEnded(status) && accountForm(action('account'), refusedForm)}`
}

/** Whether a transfer or refund of the case may wait until an officer compares the account names. */
const mayAwaitNames = (status: string): boolean => status === 'DISBURSEMENT_PENDING' || status === 'DISBURSED'

/** Whether a payout request is pending. Its decision forms are in another part of the page. */
const awaitsPayout = ({ requests }: CaseView, now: Date): boolean =>
  requests.some((each) => each.act === 'PAYOUT' && isWaiting(each, now))

const hasEnded = (status: string): boolean => status === 'REJECTED' || status === 'EXPIRED'

const percentAttributes = html`inputmode="decimal" pattern="[0-9]{1,2}([.][0-9]{1,2})?" required`

interface ActFormOptions {
  view: CaseView
  who: Staff
  action: string
  refusedForm: RefusedForm | null
}

/** The label of the reason field. A reason is required if the amount exceeds the user’s limit to act alone. */
const reasonLabel = (limit: bigint): Html =>
  html`Reason, for the approver${limit > 0n && html`, needed above ${inr(limit)}`}`

/** The form is prefilled with the previous offer, or with the recommended amount and the default terms. */
function offerForm({ view, who, action, refusedForm }: ActFormOptions, { config }: Context): Html {
  const { loanCase, offer, lead, limits } = view
  const terms = offer?.terms
  const field = fieldRenderer('offer', refusedForm)
  const numberField = (name: string, label: string, value: string, attributes: Html) =>
    field({ name, label, value, attributes })
  return html`<section class="card todo"><h2>${offer ? 'Offer other terms' : 'Approve with these terms'}</h2>
<form method="post" action="${action}">
<div class="fields">
${numberField('amount', 'Amount, ₹', amountValue(terms ? terms.amountPaise : paiseOf(lead.proposed_offer.loan_amount)), amountAttributes)}
${numberField('annualRatePercent', 'Interest a year, %', terms?.annualRatePercent ?? config.PARTNER_RATE_PERCENT, percentAttributes)}
${numberField('feePercent', 'Fee, % of the amount', config.PARTNER_FEE_PERCENT, percentAttributes)}
${numberField('taxPercent', 'Tax on the fee, %', config.PARTNER_TAX_PERCENT, percentAttributes)}
${numberField('otherCharges', 'Other charges, ₹', amountValue(terms?.otherChargesPaise ?? 0n), amountAttributes)}
${numberField('validDays', 'Valid for, days', String(config.PARTNER_OFFER_DAYS), html`inputmode="numeric" pattern="[1-9][0-9]?" required`)}
${field({ name: 'reason', label: reasonLabel(soleLimit(limits, who, 'OFFER')), attributes: html`maxlength="500"`, isWide: true })}
</div>
<p>${lead.proposed_offer.tenure_weeks} weekly instalments. ${loanCase.status === 'OFFERED' && 'This replaces the earlier offer, so the borrower must decide again.'}</p>
<button class="primary">${offer ? 'Make this offer instead' : 'Approve and offer'}</button>
</form></section>`
}

const rejectionReasons = [
  'CREDIT_POLICY',
  'INCOME_TOO_LOW',
  'BUREAU_HISTORY',
  'BUSINESS_TOO_YOUNG',
  'DOCUMENTS_UNCLEAR',
  'OTHER',
]

const kycRejectionReasons = [
  'FACE_DOES_NOT_MATCH',
  'DOCUMENT_UNCLEAR',
  'NAME_DOES_NOT_MATCH',
  'ADDRESS_DOES_NOT_MATCH',
  'OTHER',
]

const rejectForm = (action: string, refusedForm: RefusedForm | null): Html => {
  const submitted = refusedForm?.action === 'reject' ? refusedForm : null
  return html`<details class="card todo"${submitted && html` open`}><summary>Reject the application</summary>${reasonForm({ action, label: 'Reject', decision: '', codes: rejectionReasons }, submitted)}</details>`
}

function kycForms(action: string, refusedForm: RefusedForm | null): Html {
  const submittedAs = (decision: string) =>
    refusedForm?.action === 'kyc' && refusedForm.form.get('decision') === decision ? refusedForm : null
  const approval = submittedAs('APPROVED')
  const rejection = submittedAs('REJECTED')
  return html`<section class="card todo"><h2>Review the KYC</h2>
<p>The provider has finished. The report is in the case files.</p>
${reasonForm({ action, label: 'Approve the KYC', decision: 'APPROVED', codes: ['KYC_IN_ORDER'] }, approval)}</section>
<details class="card todo"${rejection && html` open`}><summary>Reject the KYC</summary>${reasonForm({ action, label: 'Reject the KYC', decision: 'REJECTED', codes: kycRejectionReasons }, rejection)}</details>`
}

interface ReasonForm {
  action: string
  label: string
  decision: '' | 'APPROVED' | 'REJECTED'
  codes: string[]
}

function reasonForm({ action, label, decision, codes }: ReasonForm, submitted: RefusedForm | null): Html {
  const isApproval = decision === 'APPROVED'
  const options = codes.map((code) => [code, labelOf(code)] as const)
  return html`<form method="post" action="${action}">
${decision && html`<input type="hidden" name="decision" value="${decision}">`}
<div class="fields">
${selectField({ name: 'reasonCode', label: 'Reason', options, chosen: submitted?.form.get('reasonCode') ?? null })}
${fieldRenderer(submitted?.action ?? '', submitted)({ name: 'reasonMessage', label: `Explanation${isApproval ? ', if needed' : ''}`, attributes: isApproval ? html`maxlength="500"` : reasonAttributes, isWide: true })}
</div>
<button class="${isApproval ? 'primary' : 'danger'}">${label}</button>
</form>`
}

function disburseForm({ view, action, refusedForm }: Omit<ActFormOptions, 'who'>): Html {
  const { offer, lead, disbursement, changedAccount } = view
  const bank = lead.banking.account
  const account = changedAccount ?? bank
  return html`<section class="card todo"><h2>Pay out</h2>
${disbursement && html`<p class="notice bad">The previous transfer failed: ${disbursement.reasonCode ? labelOf(disbursement.reasonCode) : 'without a reason'}.</p>`}
<p>All checks are complete. ${offer && account && html`<strong>${inr(offer.terms.netPaise)}</strong> goes to ${account.holder_name}, ${changedAccount ? changedAccount.ifsc : bank?.bank_name} •••• ${account.account_number.slice(-4)}.`}</p>
<form method="post" action="${action}">${fieldRenderer('disburse', refusedForm)({ name: 'reason', label: reasonLabel(0n), attributes: reasonAttributes })}<button class="primary">Ask for approval</button></form></section>`
}

/** The form for receipts that were posted to the wrong loan, or whose money the bank took back. Leaves out debits, which only the bank can return. */
function reverseForm({ payments }: CaseView, action: string, refusedForm: RefusedForm | null): Html | false {
  const receipts = payments.filter(isReversible)
  const chosen = refusedForm?.action === 'reverse' ? refusedForm.form.get('payment') : null
  return (
    receipts.length > 0 &&
    html`<details class="card todo"${refusedForm?.action === 'reverse' && html` open`}><summary>Reverse a receipt</summary>
<p>For money posted to the wrong loan. What it paid becomes due again, and the receipt waits under Payments for the right loan. If the bank took the money back, reverse the receipt first, and then record this on the receipt’s page under Payments.</p>
<form method="post" action="${action}"><div class="fields">
<label class="broad"><span>Receipt</span><select name="payment">${receipts.map(
      ({ paymentId, amountPaise, valueOn, bankReference }) =>
        html`<option value="${paymentId}"${paymentId === chosen && html` selected`}>${inr(amountPaise)}, ${valueOn && dayText(valueOn)}, ${bankReference}</option>`,
    )}</select></label>
${fieldRenderer('reverse', refusedForm)({ name: 'reason', label: reasonLabel(0n), attributes: reasonAttributes, isWide: true })}</div>
<button class="danger">Ask for approval</button></form></details>`
  )
}

const payoffLink = (path: string): Html =>
  html`<details class="card todo"><summary>Foreclosure</summary>
<p>The amount that closes the loan on a given day: principal, interest until then and unpaid charges. Closing early is free.</p>
<p><a class="secondary" href="${path}">Get a quote</a></p></details>`

/** Records whether an early repayment shortens the term or lowers the instalment; D3 has no field for this choice. */
const partPaymentForm = ({ partPaymentKeeps: current }: NonNullable<CaseView['account']>, action: string): Html =>
  html`<details class="card todo"><summary>Part payments</summary>
<p>What the borrower wants to keep when repaying principal early. It applies to payments from now on.</p>
<form method="post" action="${action}"><label><span>Keep</span><select name="keeps">
${partPaymentChoices.map(([keeps, text]) => html`<option value="${keeps}" ${keeps === current && 'selected'}>${text}</option>`)}
</select></label><button class="secondary">Save the choice</button></form></details>`
const partPaymentChoices = [
  ['INSTALLMENT', 'Same instalment, fewer of them'],
  ['TERM', 'Same term, smaller instalments'],
] as const

const collectNow = (plan: Plan, action: string): Html =>
  'blocked' in plan
    ? html`<p class="quiet">You cannot collect now: ${debitBlockText(plan.blocked)}.</p><p><button class="secondary" disabled>Collect now</button></p>`
    : html`<p class="quiet">This requests one debit for the oldest dues within the mandate’s limit, on any day and regardless of earlier returns.</p>${button(action, `Collect ${inr(plan.amountPaise)} now`)}`

function debitsText({ payments, lastDebitCheck }: CaseView): Html {
  const debit = payments.findLast((each) => isDebit(each) && each.reversalOfPaymentId === null)
  const returned = payments.find(({ reversalOfPaymentId }) => reversalOfPaymentId === debit?.paymentId)
  const reasonCode = returned?.reasonCode ?? debit?.reasonCode
  const check = lastDebitCheck
    ? html`Checked for a debit on ${formatTime(lastDebitCheck.lookedAt)}: ${debitCheckText(lastDebitCheck.outcome)}.`
    : 'Not checked for a debit yet.'
  return html`${debit && html`<p><strong>Last debit, ${formatDay(debit.collectionOn ?? businessDate(debit.createdAt))}:</strong> ${inr(debit.amountPaise)}, ${debit.status === 'UNKNOWN' ? 'result unknown' : labelOf(debit.status).toLowerCase()}${reasonCode && `: ${reasonText(reasonCode)}`}.</p>`}${!(debit && lastDebitCheck?.outcome === 'PREPARED') && html`<p>${check}</p>`}`
}

const collectForms = (view: CaseView, action: (name: string) => string, mayHold: boolean): Html => {
  const { hold, loanCase, facts, debitPlan } = view
  return html`<section class="card todo"><h2>Collect</h2>
${hold && html`<p class="notice bad">${holdReasonText(hold.reasonCode)}, ${formatTime(hold.sinceAt)}. ${holdPolicyTexts[hold.policy]}</p><form method="post" action="${action('release')}"><input type="hidden" name="since" value="${hold.sinceAt.toISOString()}"><button class="secondary">Release debits</button></form>`}
${debitsText(view)}
${loanCase.status === 'DISBURSED' && debitPlan && !(hold && isHeld(hold, facts.checks.mandate.facts?.umrn ?? null)) && collectNow(debitPlan, action('collect'))}
${
  mayHold &&
  !hold &&
  html`<form method="post" action="${action('hold')}"><label><span>Hold debits because</span><select name="reason" required><option value="">Choose a reason</option>${keysOf(holdReasons).map((each) => html`<option value="${each}">${holdReasons[each]}</option>`)}</select></label><button class="secondary">Hold debits</button></form>`
}</section>`
}
