// The acts of a case page with their forms. An act that the case’s status or the user’s roles forbid is left out.

import { keysOf } from '@lendloom/foundation/record'
import { type Html, html } from '@lendloom/http/markup'
import { businessDate, dayText } from '@lendloom/lending/calendar'
import { fullName } from '@lendloom/wire/exchange/lead'
import type { Context } from '#partner/context.ts'
import { agentForm, contactForm, hasOpenPromise, promiseForm } from '#partner/desk/arrears/arrears-forms.ts'
import { debitBlockText, debitCheckText, holdReasons } from '#partner/desk/arrears/debit-text-en.ts'
import { caseAddress, withPlace } from '#partner/desk/arrears/worklist.ts'
import { exitForm, exitTitle } from '#partner/desk/books/exit-form.ts'
import {
  accountForm,
  lossForm,
  openAgreement,
  refundForm,
  roundOffForm,
  settlementForm,
  waiverForm,
  writeOffForm,
} from '#partner/desk/books/money-forms.ts'
import { reasonText } from '#partner/desk/books/payment-parts.ts'
import { canStop, stopForm } from '#partner/desk/cases/cancel-application-form.ts'
import { cancellationTexts } from '#partner/desk/cases/cancel-application-text-en.ts'
import type { CaseView } from '#partner/desk/cases/case-view.ts'
import { namesForm } from '#partner/desk/cases/comparison-parts.ts'
import { compareTexts } from '#partner/desk/cases/comparison-text-en.ts'
import { nameOfBorrower } from '#partner/desk/cases/open-lead.ts'
import { revealableFields, revealForm } from '#partner/desk/cases/personal-data.ts'
import { button } from '#partner/desk/frame.ts'
import { fieldRenderer, type RefusedForm, reasonAttributes, selectField } from '#partner/desk/parts/form-parts.ts'
import { formatDay, formatTime, inr, labelOf } from '#partner/desk/parts/format.ts'
import { maskedNumber } from '#partner/desk/parts/mask.ts'
import { type Act, can } from '#partner/desk/staff/staff-acts.ts'
import { noteForm, taskForm } from '#partner/desk/task/task-parts.ts'
import { isBeingChecked } from '#partner/origination/case/lifecycle.ts'
import type { Staff } from '#partner/people/person.ts'
import { isWaiting } from '#partner/people/proposal.ts'
import { nameMismatch } from '#partner/servicing/collection/account-name/compare-account-name.ts'
import { isHeld } from '#partner/servicing/collection/debit/debit-hold.ts'
import type { Plan } from '#partner/servicing/collection/debit/plan-debit.ts'
import { isHeldPayment } from '#partner/servicing/collection/held-payment.ts'
import { isDebit } from '#partner/servicing/collection/payment.ts'
import { isReversible } from '#partner/servicing/collection/receipt/post-by-hand.ts'
import { duesTolerance } from '#partner/servicing/loan/class/classify.ts'
import { isRunning } from '#partner/servicing/loan/loan.ts'
import { actAddress } from './act-address.ts'
import { type CheckedActName, checkedActNames } from './approval-rules.ts'
import { checkedActs } from './checked-acts.ts'
import { offerForm } from './offer-form.ts'
import { withVersion } from './seen-version.ts'

/** An act that a person may do on a case now. */
export interface CaseAct {
  /** In the address: `?act=waive`. */
  name: string
  /** In the menu, and above the form. */
  label: string
  form: Html
  /** Whether the case waits for this act, so that its form is shown without being asked for. */
  isNext?: boolean
}

/** An act that has a page of its own. */
export interface LinkedAct {
  label: string
  href: string
}

export interface ActGroup {
  title: string
  acts: (CaseAct | LinkedAct)[]
}

interface ActContext {
  view: CaseView
  who: Staff
  ctx: Context
  refusedForm: RefusedForm | null
  isStopped?: boolean | undefined
  may(act: Act): boolean
  /** The address to which the form of an act is sent. */
  action(name: string): string
  /** A link to the form of the act with which a person decides the opposite. */
  oppositeLink(name: string, label: string): Html
}

interface ShownActOptions {
  refusedForm: RefusedForm | null
  /** Whether the form of an offer was stopped once, to show the figures of its terms. */
  isStopped?: boolean | undefined
  /** The page on which the forms are shown, without a query. */
  page: string
}

/** All acts that this person may do now, in the order of the menu, without empty groups. */
export function caseActs(
  view: CaseView,
  who: Staff,
  ctx: Context,
  { refusedForm, isStopped, page }: ShownActOptions,
): ActGroup[] {
  const place = view.worklist?.place
  const options: ActContext = {
    view,
    who,
    ctx,
    refusedForm,
    isStopped,
    may: (act) => can(who, act),
    action: (name) =>
      withPlace(
        withVersion(caseAddress(view.loanCase.caseRef, undefined, `/${name}`), view.loanCase, ctx.clock()),
        place,
      ),
    oppositeLink: (name, label) =>
      html`<a class="secondary against" href="${actAddress(page, place, name)}">${label}</a>`,
  }
  const groups = [
    { title: 'Application', acts: applicationActs(options) },
    { title: 'Arrears and debits', acts: collectionActs(options) },
    { title: 'Loan', acts: loanActs(options) },
    { title: 'Notes and data', acts: noteActs(options) },
  ]
  return groups
    .map(({ title, acts }) => ({ title, acts: acts.filter((each) => typeof each === 'object' && each !== null) }))
    .filter(({ acts }) => acts.length > 0)
}

/** The name of the act whose form was refused. The forms about debits are one act, and a review of the KYC is two. */
export function actOfForm({ action, form }: RefusedForm): string {
  if (action === 'hold' || action === 'release') return 'collect'
  return action === 'kyc' && form.get('decision') === 'REJECTED' ? 'kyc-reject' : action
}

type MaybeAct = CaseAct | LinkedAct | false | null | undefined

function applicationActs(options: ActContext): MaybeAct[] {
  const { view, ctx, refusedForm, may, action, oppositeLink } = options
  const { loanCase, facts, offer, names } = view
  const { status } = loanCase
  const { kyc, lenderKycReview } = facts.checks
  const reviewsKyc =
    may('KYC_REVIEWED') &&
    isBeingChecked(status) &&
    ['REVIEW_READY', 'APPROVED'].includes(kyc.status) &&
    ['NOT_STARTED', 'REJECTED'].includes(lenderKycReview.status)
  const isAwaited = awaits(view, 'OFFER', ctx.clock())
  const mayReject = may('REJECTED') && status === 'UNDER_REVIEW'
  return [
    may('OFFERED') &&
      (status === 'UNDER_REVIEW' || status === 'OFFERED') && {
        name: 'offer',
        label: isAwaited ? 'Propose other terms' : offer ? 'Offer other terms' : 'Approve with these terms',
        form: offerForm(options, ctx, mayReject && oppositeLink('reject', 'Reject')),
        isNext: status === 'UNDER_REVIEW' && !isAwaited,
      },
    mayReject && {
      name: 'reject',
      label: 'Reject the application',
      form: rejectForm(view, action('reject'), refusedForm),
    },
    reviewsKyc && {
      name: 'kyc',
      label: 'Review the KYC',
      form: kycApprovalForm(action('kyc'), refusedForm, oppositeLink('kyc-reject', 'Reject the KYC')),
      isNext: true,
    },
    reviewsKyc && {
      name: 'kyc-reject',
      label: 'Reject the KYC',
      form: kycRejectionForm(action('kyc'), refusedForm),
    },
    may('TRANSFER_ORDERED') &&
      status === 'READY_TO_DISBURSE' &&
      !awaits(view, 'PAYOUT', ctx.clock()) && {
        name: 'disburse',
        label: 'Pay out',
        form: disburseForm({ view, action: action('disburse'), refusedForm }),
        isNext: !isOthersAccount(view),
      },
    may('NAMES_COMPARED') &&
      names &&
      mayAwaitNames(status) && {
        name: 'name',
        label: compareTexts.account.title,
        form: namesForm(names, action('name')),
        isNext: true,
      },
    may('CASE_STOPPED') &&
      canStop(view) && {
        name: 'stop',
        label: cancellationTexts.summary,
        form: stopForm(action('stop'), refusedForm),
      },
  ]
}

function collectionActs({ view, who, ctx, refusedForm, may, action }: ActContext): MaybeAct[] {
  const { account, hold, debitPlan } = view
  if (!account) return []
  const isOverdue = account.loanStatus === 'OVERDUE'
  const at = ctx.clock()
  return [
    isOverdue &&
      may('CONTACT_NOTED') && {
        name: 'contact',
        label: 'Record a contact',
        form: contactForm(view, { action: action('contact'), at, refusedForm }),
        isNext: true,
      },
    isOverdue &&
      may('PROMISE_MADE') &&
      !hasOpenPromise(view) && {
        name: 'promise',
        label: 'Record a promise to pay',
        form: promiseForm(view, { action: action('promise'), today: businessDate(at), refusedForm }),
      },
    isOverdue &&
      may('AGENT_ASSIGNED') && {
        name: 'agent',
        label: 'Assign an agent',
        form: agentForm(view, action('agent')),
      },
    isRunning(account.loanStatus) &&
      may('DEBIT_REQUESTED') && {
        name: 'collect',
        label: 'Collect or hold debits',
        form: collectForms(view, action, can(who, 'DEBITS_HELD')),
        isNext: hold !== undefined || (debitPlan !== undefined && !('blocked' in debitPlan)),
      },
  ]
}

function loanActs({ view, ctx, refusedForm, may, action }: ActContext): MaybeAct[] {
  const { account, loanCase } = view
  const at = ctx.clock()
  const mayChangeAccount = may('ACCOUNT_CHANGED') && !hasEnded(loanCase.status) && !awaits(view, 'ACCOUNT', at)
  const today = businessDate(at)
  const accountAct = mayChangeAccount && {
    name: 'account',
    label: 'Change the borrower’s bank account',
    form: html`${othersAccountNotice(view)}${accountForm(action('account'), refusedForm)}`,
    isNext: isOthersAccount(view),
  }
  if (!account) return [accountAct]
  const quoteAddress = caseAddress(loanCase.caseRef, view.worklist?.place, '/payoff')
  const isOpen = isRunning(account.loanStatus)
  const formOf = (act: Act, name: string, label: string, form: (action: string) => Html | false | null): MaybeAct => {
    const isAwaited = checkedActNames.some((each) => checkedActs[each].act === act && awaits(view, each, at))
    const part = may(act) && !isAwaited && form(action(name))
    return part && { name, label, form: part }
  }
  const exit =
    !view.payments.some(isHeldPayment) &&
    formOf('COOLING_OFF_EXIT', 'exit', exitTitle, (address) =>
      exitForm(view, ctx, { quoteAddress, action: address }, refusedForm),
    )
  const refund = formOf('REFUND_ORDERED', 'refund', 'Refund an overpayment', (address) =>
    refundForm(account, address, refusedForm),
  )
  const settlementLabel = openAgreement(account, today) ? 'Agree to another settlement' : 'Settle for less'
  return [
    exit && { ...exit, isNext: view.exitPayoff !== null },
    refund && { ...refund, isNext: true },
    isOpen && may('FORECLOSURE_QUOTED') && !view.exitPayoff && { label: 'Quote a foreclosure', href: quoteAddress },
    isOpen && formOf('PART_PAYMENT_CHOICE', 'keeps', 'Part payments', (address) => partPaymentForm(account, address)),
    formOf('WAIVED', 'waive', 'Waive amounts due', (address) => waiverForm(account, address, refusedForm)),
    formOf('ROUNDED_OFF', 'round-off', 'Round off the rest', (address) =>
      roundOffForm(account, address, duesTolerance(ctx.config)),
    ),
    formOf('SETTLEMENT_AGREED', 'settle', settlementLabel, (address) =>
      settlementForm(account, address, { refusedForm, today }),
    ),
    formOf('WRITTEN_OFF', 'write-off', 'Write the loan off', (address) => writeOffForm(account, address, refusedForm)),
    formOf('LOSS_DECIDED', 'loss', 'Classify as a loss', (address) => lossForm(account, address, refusedForm)),
    formOf('RECEIPT_REVERSED', 'reverse', 'Reverse a receipt', (address) => reverseForm(view, address, refusedForm)),
    accountAct,
  ]
}

function noteActs({ view, who, ctx, refusedForm, may, action }: ActContext): MaybeAct[] {
  const today = businessDate(ctx.clock())
  const mayNote = may('NOTE_ADDED')
  const reveal = revealForm(revealableFields(view, who, ctx.clock()), action('reveal'), refusedForm)
  return [
    mayNote && { name: 'note', label: 'Add a note', form: noteForm(action('note'), refusedForm) },
    mayNote && {
      name: 'task',
      label: 'Add a task',
      form: taskForm(action('task'), view.arrears.staff, { who, today, refusedForm }),
    },
    reveal && { name: 'reveal', label: 'Reveal personal data', form: reveal },
  ]
}

/** Whether a transfer or refund of the case may wait until an officer compares the account names. */
const mayAwaitNames = (status: string): boolean => status === 'DISBURSEMENT_PENDING' || status === 'DISBURSED'

/** Whether a request for such an act is pending. Its decision forms are in another part of the page. */
const awaits = ({ requests }: CaseView, act: CheckedActName, now: Date): boolean =>
  requests.some((each) => each.act === act && isWaiting(each, now))

const hasEnded = (status: string): boolean => status === 'REJECTED' || status === 'EXPIRED'

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

const rejectForm = ({ lead }: CaseView, action: string, refusedForm: RefusedForm | null): Html => {
  const submitted = refusedForm?.action === 'reject' ? refusedForm : null
  const label = `Reject ${nameOfBorrower(lead)}’s application`
  return reasonForm({ action, label, decision: '', codes: rejectionReasons }, submitted)
}

const refusedKyc = (refusedForm: RefusedForm | null, decision: 'APPROVED' | 'REJECTED'): RefusedForm | null =>
  refusedForm?.action === 'kyc' && refusedForm.form.get('decision') === decision ? refusedForm : null

const kycApprovalForm = (action: string, refusedForm: RefusedForm | null, rejectLink: Html): Html =>
  html`<p>The provider has finished. The report is in the case files.</p>
${reasonForm({ action, label: 'Approve the KYC', decision: 'APPROVED', codes: ['KYC_IN_ORDER'], beside: rejectLink }, refusedKyc(refusedForm, 'APPROVED'))}`

const kycRejectionForm = (action: string, refusedForm: RefusedForm | null): Html =>
  reasonForm(
    { action, label: 'Reject the KYC', decision: 'REJECTED', codes: kycRejectionReasons },
    refusedKyc(refusedForm, 'REJECTED'),
  )

interface ReasonForm {
  action: string
  label: string
  decision: '' | 'APPROVED' | 'REJECTED'
  codes: string[]
  /** What is beside the button. */
  beside?: Html
}

/** The wire's `reason_message`, which the borrower's app may show. */
const explanationHint = 'Goes to the platform, which may show it to the borrower.'
const rejectionHint = `Required. ${explanationHint}`

function reasonForm({ action, label, decision, codes, beside }: ReasonForm, submitted: RefusedForm | null): Html {
  const isApproval = decision === 'APPROVED'
  const options = codes.map((code) => [code, labelOf(code)] as const)
  return html`<form method="post" action="${action}">
${decision && html`<input type="hidden" name="decision" value="${decision}">`}
<div class="fields">
${selectField({ name: 'reasonCode', label: 'Reason', options, chosen: submitted?.form.get('reasonCode') ?? null, ...(!isApproval && { emptyOption: 'Choose a reason', isRequired: true }) })}
${fieldRenderer(submitted?.action ?? '', submitted)({ name: 'reasonMessage', label: `Explanation${isApproval ? ', if needed' : ''}`, attributes: isApproval ? html`maxlength="500"` : reasonAttributes, isWide: true, hint: isApproval ? explanationHint : rejectionHint })}
</div>
<div class="inline"><button class="${isApproval ? 'primary' : 'danger'}">${label}</button>${beside}</div>
</form>`
}

/** Whether the bank has refused the account because it is not the borrower's, and no other account was named since. */
const isOthersAccount = ({ loanCase, disbursement, changedAccount }: CaseView): boolean =>
  loanCase.status === 'READY_TO_DISBURSE' && disbursement?.reasonCode === nameMismatch && !changedAccount

const othersAccountNotice = (view: CaseView): Html | false => {
  const { account } = view.lead.banking
  return (
    isOthersAccount(view) &&
    account !== null &&
    html`<p class="notice bad">The bank refused the payout, because the account is in the name of ${account.holder_name} and the borrower is ${fullName(view.lead.borrower)}. Another transfer to it fails again: change the borrower’s bank account first.</p>`
  )
}

interface DisburseForm {
  view: CaseView
  action: string
  refusedForm: RefusedForm | null
}

function disburseForm({ view, action, refusedForm }: DisburseForm): Html {
  const { offer, lead, disbursement, changedAccount } = view
  const bank = lead.banking.account
  const account = changedAccount ?? bank
  return html`${disbursement && html`<p class="notice bad">The previous transfer failed: ${disbursement.reasonCode ? labelOf(disbursement.reasonCode) : 'without a reason'}.</p>`}
${othersAccountNotice(view)}
<p>${!disbursement && 'All checks are complete. '}${offer && account && html`<strong>${inr(offer.terms.netPaise)}</strong> goes to ${account.holder_name}, ${changedAccount ? changedAccount.ifsc : bank?.bank_name} ${maskedNumber(account.account_number)}.`}</p>
<form method="post" action="${action}">${fieldRenderer('disburse', refusedForm)({ name: 'reason', label: 'Reason, for the approver', attributes: reasonAttributes })}<button class="primary">Ask for approval</button></form>`
}

/** The form for receipts that were posted to the wrong loan, or whose money the bank took back. Leaves out debits, which only the bank can return. */
function reverseForm({ payments }: CaseView, action: string, refusedForm: RefusedForm | null): Html | false {
  const receipts = payments.filter(isReversible)
  const chosen = refusedForm?.action === 'reverse' ? refusedForm.form.get('payment') : null
  return (
    receipts.length > 0 &&
    html`<p>For money posted to the wrong loan. What it paid becomes due again, and the receipt waits under Payments for the right loan. If the bank took the money back, reverse the receipt first, and then record this on the receipt’s page under Payments.</p>
<form method="post" action="${action}"><div class="fields">
<label class="broad"><span>Receipt</span><select name="payment">${receipts.map(
      ({ paymentId, amountPaise, valueOn, bankReference }) =>
        html`<option value="${paymentId}"${paymentId === chosen && html` selected`}>${inr(amountPaise)}, ${valueOn && dayText(valueOn)}, ${bankReference}</option>`,
    )}</select></label>
${fieldRenderer('reverse', refusedForm)({ name: 'reason', label: 'Reason, for the approver', attributes: reasonAttributes, isWide: true })}</div>
<button class="primary">Ask for approval</button></form>`
  )
}

/** Records whether an early repayment shortens the term or lowers the instalment; D3 has no field for this choice. */
const partPaymentForm = ({ partPaymentKeeps: current }: NonNullable<CaseView['account']>, action: string): Html =>
  html`<p>What the borrower wants to keep when repaying principal early. It applies to payments from now on.</p>
<form method="post" action="${action}"><label><span>Keep</span><select name="keeps">
${partPaymentChoices.map(([keeps, text]) => html`<option value="${keeps}" ${keeps === current && 'selected'}>${text}</option>`)}
</select></label><button class="primary">Save the choice</button></form>`
const partPaymentChoices = [
  ['INSTALLMENT', 'Same instalment, fewer of them'],
  ['TERM', 'Same term, smaller instalments'],
] as const

const collectNow = (plan: Plan, action: string): Html =>
  'blocked' in plan
    ? html`<p class="quiet">You cannot collect now: ${debitBlockText(plan.blocked)}.</p><p><button class="secondary" disabled>Collect now</button></p>`
    : html`<p class="quiet">This requests one debit for the oldest dues within the mandate’s limit, on any day and regardless of earlier returns.</p>${button(action, `Collect ${inr(plan.amountPaise)} now`)}`

/** The last debit of a loan, and when it was last checked for one; false before the first check. */
export function debitsText({ payments, lastDebitCheck }: CaseView): Html | false {
  const debit = payments.findLast((each) => isDebit(each) && each.reversalOfPaymentId === null)
  const returned = payments.find(({ reversalOfPaymentId }) => reversalOfPaymentId === debit?.paymentId)
  const reasonCode = returned?.reasonCode ?? debit?.reasonCode
  const check = lastDebitCheck
    ? html`Checked for a debit on ${formatTime(lastDebitCheck.lookedAt)}: ${debitCheckText(lastDebitCheck.outcome)}.`
    : null
  if (!debit && !check) return false
  return html`${debit && html`<p><strong>Last debit, ${formatDay(debit.collectionOn ?? businessDate(debit.createdAt))}:</strong> ${inr(debit.amountPaise)}, ${debit.status === 'UNKNOWN' ? 'result unknown' : labelOf(debit.status).toLowerCase()}${reasonCode && `: ${reasonText(reasonCode)}`}.</p>`}${check && !(debit && lastDebitCheck?.outcome === 'PREPARED') && html`<p>${check}</p>`}`
}

const collectForms = (view: CaseView, action: (name: string) => string, mayHold: boolean): Html => {
  const { hold, loanCase, facts, debitPlan } = view
  return html`${hold && html`<form method="post" action="${action('release')}"><input type="hidden" name="since" value="${hold.sinceAt.toISOString()}"><button class="secondary">Release debits</button></form>`}
${loanCase.status === 'DISBURSED' && debitPlan && !(hold && isHeld(hold, facts.checks.mandate.facts?.umrn ?? null)) && collectNow(debitPlan, action('collect'))}
${
  mayHold &&
  !hold &&
  html`<form method="post" action="${action('hold')}"><label><span>Hold debits because</span><select name="reason" required><option value="">Choose a reason</option>${keysOf(holdReasons).map((each) => html`<option value="${each}">${holdReasons[each]}</option>`)}</select></label><button class="secondary">Hold debits</button></form>`
}`
}
