// The page of one case: the applicant, checks, the offer, forms for acts, payments and the history.

import { type Html, html } from '@lendloom/http/markup'
import { businessDate } from '@lendloom/lending/calendar'
import { railOf } from '#partner/bank/rail/rails.ts'
import type { Context } from '#partner/context.ts'
import { debitsText } from '#partner/desk/approval/act-forms.ts'
import { offerReview } from '#partner/desk/approval/burden.ts'
import { termsOnPage } from '#partner/desk/approval/offer-form.ts'
import { arrearsPart } from '#partner/desk/arrears/arrears-parts.ts'
import { classFigure, classHistory } from '#partner/desk/arrears/asset-class-parts.ts'
import { caseActionBar } from '#partner/desk/arrears/case-action-bar.ts'
import { holdPolicyTexts, holdReasonText } from '#partner/desk/arrears/debit-text-en.ts'
import { caseAddress } from '#partner/desk/arrears/worklist.ts'
import { bankPart } from '#partner/desk/books/bank-data-part.ts'
import { bankTexts } from '#partner/desk/books/bank-data-text-en.ts'
import { heldPaymentCard } from '#partner/desk/books/exit-form.ts'
import { givenUpNotices } from '#partner/desk/books/money-forms.ts'
import {
  ledgerPart,
  paymentsPart,
  scheduleTable,
  statementCard,
  transferCard,
} from '#partner/desk/books/payment-parts.ts'
import { caseLink } from '#partner/desk/frame.ts'
import { paperLinks } from '#partner/desk/papers-page.ts'
import { type FactLine, factList, figureList } from '#partner/desk/parts/facts.ts'
import type { RefusedForm } from '#partner/desk/parts/form-parts.ts'
import {
  badge,
  countText,
  formatDay,
  formatTime,
  inlineLabelOf,
  inr,
  labelOf,
  wireInr,
} from '#partner/desk/parts/format.ts'
import { tableOf } from '#partner/desk/parts/table.ts'
import type { SignedIn } from '#partner/desk/staff/desk-auth.ts'
import { can } from '#partner/desk/staff/staff-acts.ts'
import { tasksPart } from '#partner/desk/task/task-parts.ts'
import { hasEndedWithoutLoan, isBeingChecked } from '#partner/origination/case/lifecycle.ts'
import type { BankFinding } from '#partner/origination/review/bank/review-bank-data.ts'
import { findingsWithOffer } from '#partner/origination/review/bank/review-offer.ts'
import { isRunning } from '#partner/servicing/loan/loan.ts'
import { decidedRequests, refusalNotices, waitingRequests } from './approval-requests-part.ts'
import { type CaseTab, caseHead } from './case-head.ts'
import { endingNotice, historyPart, historyTable } from './case-history.ts'
import { shortCaseNumber } from './case-number.ts'
import type { CaseView } from './case-view.ts'
import { documentAddress, filePageAddress } from './document-address.ts'
import { offerPart, offerVersionsPart, termsPart } from './offer-parts.ts'
import { nameOfBorrower } from './open-lead.ts'
import { personalText, revealableFields } from './personal-data.ts'

interface CaseBodyOptions {
  tab: CaseTab
  /** The forms of the acts that are shown. */
  acts: Html
  refusedForm: RefusedForm | null
  /** Whether a CSV file is made of the page, which then has the tables of all tabs. */
  isFile: boolean
}

/** The tabs of a case. The first has the loan or the application, in the order of the work. */
export function caseBody(
  view: CaseView,
  who: SignedIn,
  ctx: Context,
  { tab, acts, refusedForm, isFile }: CaseBodyOptions,
): Html {
  const now = ctx.clock()
  const parts: Record<CaseTab, () => Html> = {
    loan: () => loanTab(view, who, ctx, { acts, refusedForm, isFile }),
    documents: () => documentsTab(view, who, businessDate(now)),
    ledger: () => ledgerTab(view),
    history: () => html`${isFile ? historyTable(view, now) : historyPart(view, now)}${decidedRequests(view, now)}`,
  }
  return isFile
    ? html`${Object.values(parts).map((part) => part())}`
    : html`${caseHead(view, now, tab, view.worklist?.place)}${caseActionBar(view, who, now)}${endingNotice(view)}${parts[tab]()}`
}

function loanTab(
  view: CaseView,
  who: SignedIn,
  ctx: Context,
  { acts, refusedForm, isFile }: Omit<CaseBodyOptions, 'tab'>,
): Html {
  const { account, offers, loanCase } = view
  const now = ctx.clock()
  const today = businessDate(now)
  const isOverdue = account?.loanStatus === 'OVERDUE'
  const isToDecide = statusesToDecide.has(loanCase.status)
  const arrears = arrearsPart(view, ctx)
  const bankData = bankPart({ ...view, withOffer: findingsOnPage(view, ctx, refusedForm) })
  const isBankFirst = showsBankDataFirst(view)
  return html`${account && givenUpNotices(account, today)}
${holdNotice(view)}
${heldPaymentCard(view, who, ctx, refusedForm)}
${keyFigures(view, ctx, refusedForm)}
${refusalNotices(view, who, now)}
${waitingRequests(view, who, now)}
${acts}
${factsPart(
  view,
  revealableFields(view, who, now).some((field) => !view.revealed?.has(field)),
)}
${isOverdue && arrears}
${isBankFirst && bankData}
${tasksPart(view, ctx, { who, today })}
${offerVersionsPart(offers)}
${(account || offers.length > 0 || isToDecide) && html`<div class="columns thirds">${account && statementCard(account, view.refunds)}${account ? termsPart(offers) : offerPart(offers)}${account && debitsCard(view)}${isToDecide && checksAndTransfer(view)}</div>`}
${!isOverdue && arrears}
${view.account && scheduleTable(view.account, { today, isFile })}
${isToDecide ? !isBankFirst && bankData : folded('Checks, transfer and bank data', html`<div class="columns">${checksAndTransfer(view)}</div>${!isBankFirst && bankData}`)}
${classHistory(view)}
${folded('Reference numbers', html`<section class="card"><h2 class="unseen">Reference numbers</h2>${referenceNumbers(view)}</section>`)}`
}

const documentsTab = (view: CaseView, who: SignedIn, today: string): Html =>
  html`<section id="case-files"><h2>Received</h2>${filesTable(view, can(who, 'FILE_READ'))}</section>${can(who, 'PAPER_MADE') && paperLinks(view, today)}`

const ledgerTab = (view: CaseView): Html =>
  view.payments.length + view.refunds.length + view.entries.length === 0
    ? html`<p class="empty">Payments and entries appear here once the loan is paid out.</p>`
    : html`${paymentsPart(view)}${ledgerPart(view)}`

/** The last debit of a running loan. */
function debitsCard(view: CaseView): Html | false {
  const text = view.account !== null && isRunning(view.account.loanStatus) && debitsText(view)
  return text && html`<section class="card"><h2>Debits</h2>${text}</section>`
}

const holdNotice = ({ hold }: CaseView): Html | false =>
  hold !== undefined &&
  html`<p class="notice bad">${holdReasonText(hold.reasonCode)}, ${formatTime(hold.sinceAt)}. ${holdPolicyTexts[hold.policy]}</p>`

/** Folds a part that nobody needs first. */
const folded = (title: string, part: Html): Html =>
  html`<details class="part"><summary>${title}</summary>${part}</details>`

const checksAndTransfer = (view: CaseView): Html =>
  html`<section class="card" id="checks"><h2>Checks</h2>${checkFacts(view)}</section>${view.disbursement && transferCard(view.disbursement)}`

/** Statuses in which somebody decides by the checks, which are then not folded. */
const statusesToDecide = new Set<string>(['UNDER_REVIEW', 'KYC_PENDING', 'READY_TO_DISBURSE'])

/** Whether the bank data is shown below the applicant, because it is needed for a decision. */
const showsBankDataFirst = ({ loanCase: { status } }: CaseView): boolean =>
  status === 'UNDER_REVIEW' || status === 'DOCUMENTS_PENDING'

/** The figures of the loan; before a loan, those on which an offer depends. */
function keyFigures(view: CaseView, ctx: Context, refusedForm: RefusedForm | null): Html {
  const { account, lead, bank, offer, otherExposures, exitPayoff, pastDueSince, payments } = view
  const { proposed_offer: proposed, bureau } = lead
  const next = account?.schedule.installments.find(({ status }) => status !== 'PAID')
  const isLate = next !== undefined && next.dueOn < businessDate(ctx.clock())
  const otherCases = otherExposures.length > 0 && (['Other cases of this PAN', otherCaseLinks(otherExposures)] as const)
  return figureList(
    account
      ? [
          exitPayoff && [
            'To pay today to cancel',
            html`${inr(exitPayoff.total)} <small>last day to pay ${account.exitUntil && formatDay(account.exitUntil)}</small>`,
          ],
          ['Total outstanding', inr(account.soa.totalPaise)],
          // A loan that has ended is neither overdue nor classified.
          isRunning(account.loanStatus) && ['Overdue', inr(account.soa.overduePaise)],
          isRunning(account.loanStatus) && ['Asset class', classFigure(account, pastDueSince, ctx.clock())],
          !isRunning(account.loanStatus) && lastPaymentFigure(payments),
          account.suspensePaise > 0n && ['Income in suspense', inr(account.suspensePaise)],
          next && [
            isLate ? 'Oldest due' : 'Next due',
            html`${inr(next.unpaidPaise)} <small>${formatDay(next.dueOn)}${next.paidPaise > 0n && `, after ${inr(next.paidPaise)} paid`}</small>`,
          ],
          account.unappliedPaise > 0n && ['Refundable to the borrower', inr(account.unappliedPaise)],
          otherCases,
        ]
      : [
          offer ? offeredFigure(offer) : recommendedFigure(proposed),
          ['Bureau score', bureau.status === 'AVAILABLE' ? String(bureau.score) : labelOf(bureau.status)],
          bankFigure(bank, findingsOnPage(view, ctx, refusedForm)),
          otherCases,
        ],
  )
}

/** The payment that ended the loan, with its day; false if the loan ended without one. */
function lastPaymentFigure(payments: CaseView['payments']): readonly [string, Html] | false {
  const last = payments.findLast(({ status }) => status === 'POSTED')
  return (
    last !== undefined && [
      'Last payment',
      html`${inr(last.amountPaise)} <small>${last.valueOn && formatDay(last.valueOn)}</small>`,
    ]
  )
}

const recommendedFigure = ({
  loan_amount: amount,
  tenure_weeks: weeks,
  bre_decision: decision,
}: CaseView['lead']['proposed_offer']): readonly [string, Html] => [
  'Recommended',
  html`${wireInr(amount)} <small>${weeks} weeks, ${inlineLabelOf(decision)}</small>`,
]

const offeredFigure = ({ terms }: NonNullable<CaseView['offer']>): readonly [string, Html] => [
  'Offered',
  html`${inr(terms.amountPaise)} <small>${terms.numberOfInstallments} × ${inr(terms.installmentPaise)}, APR ${terms.aprPercent}%</small>`,
]

/** The findings of the bank data with the offer on the page; without an offer, those of the statement alone. */
function findingsOnPage(view: CaseView, ctx: Context, refusedForm: RefusedForm | null): BankFinding[] {
  const hasOffer = !view.account && !hasEndedWithoutLoan(view.loanCase.status)
  const terms = hasOffer ? termsOnPage(view, refusedForm, ctx) : null
  return terms ? findingsWithOffer(view.bank.findings, offerReview(terms, view)) : view.bank.findings
}

/**
 * How many rules the bank data meets with the offer on the page. Says in words that it is the rules' outcome, not the
 * decision on the case, and what the offer alone breaks.
 */
function bankFigure({ decision, findings }: CaseView['bank'], withOffer: BankFinding[]): readonly [string, Html] {
  const { figure, decisions } = bankTexts
  const metCount = withOffer.filter(({ outcome }) => outcome === 'MET').length
  const metWithout = findings.filter(({ outcome }) => outcome === 'MET').length
  const isWithoutFigures = withOffer.every(({ outcome }) => outcome === 'MISSING')
  const text = isWithoutFigures ? figure.none : figure.met(metCount, withOffer.length)
  const about = decision !== 'APPROVE' && decisions[decision]
  return [
    figure.title,
    html`${text} ${about && html`<small>${about}</small>`}${metCount < metWithout && html`<small class="beyond">${figure.without(metWithout)}</small>`}`,
  ]
}

/** The applicant with the contact, for pages other than that of the case. */
export const applicantPart = (view: CaseView): Html =>
  html`<section class="card"><h2>Applicant</h2>${factList([...applicantFacts(view), recommendedFact(view), ...contactFacts(view)])}</section>`

/** The borrower and the loan in short; on phones the rest is folded. */
function factsPart(view: CaseView, mayReveal: boolean): Html {
  const { account, lead, loanCase } = view
  return html`<div class="borrower"><section class="card"><div class="head"><h2>${account ? 'Borrower and loan' : 'Borrower'}</h2>${mayReveal && html`<a class="small" href="${caseAddress(loanCase.caseRef, view.worklist?.place, '?act=reveal')}#act">Reveal</a>`}</div>${factList(
    [
      ['Name', nameOfBorrower(lead)],
      ...contactFacts(view),
      [account ? 'Loan' : 'Application', account ? loanCase.loanId : loanCase.leadId],
    ],
  )}</section>
<details class="part phone-only"${view.revealed && html` open`}><summary>Applicant and business</summary><div class="columns"><section class="card"><h2>Applicant</h2>${factList(applicantFacts(view))}</section><section class="card"><h2>Business and bank</h2>${businessFacts(view)}</section></div></details></div>`
}

const contactFacts = (view: CaseView): FactLine[] => {
  const { city, state } = view.lead.borrower.residential_address
  return [
    ['Mobile', personalText(view, 'mobile')],
    ['Email', personalText(view, 'email')],
    ['Residence', `${city}, ${state}`],
  ]
}

const applicantFacts = (view: CaseView): FactLine[] => {
  const { borrower, bureau } = view.lead
  return [
    ['Date of birth', personalText(view, 'dateOfBirth')],
    ['PAN', personalText(view, 'pan')],
    ['Monthly income', borrower.monthly_income && wireInr(borrower.monthly_income)],
    [
      'Bureau',
      `${labelOf(bureau.provider)}: ${bureau.status === 'AVAILABLE' ? `score ${bureau.score}` : inlineLabelOf(bureau.status)}`,
    ],
  ]
}

const recommendedFact = ({ lead: { proposed_offer: proposed } }: CaseView): FactLine => [
  'Recommended',
  `${wireInr(proposed.loan_amount)} over ${proposed.tenure_weeks} weeks, ${inlineLabelOf(proposed.bre_decision)}`,
]

/** What the other loans of the PAN owe, and each other case with its state. Applications owe nothing yet. */
function otherCaseLinks(others: CaseView['otherExposures']): Html {
  const loans = others.filter(({ isDisbursed }) => isDisbursed)
  const owed = loans.length > 0 ? inr(loans.reduce((sum, { paise }) => sum + paise, 0n)) : 'No loan'
  return html`${owed} ${others.map(
    ({ caseRef, status, ...other }) =>
      html`<small>${caseLink(caseRef, shortCaseNumber({ ...other, hasLoan: other.isDisbursed }))}, ${inlineLabelOf(status)}</small>`,
  )}`
}

const businessFacts = (view: CaseView) => {
  const { business, banking } = view.lead
  const { account } = banking
  return factList([
    ['Business', business.name],
    ['Type', [...new Set([labelOf(business.constitution), labelOf(business.industry)])].join(', ')],
    ['Annual turnover', business.annual_turnover && wireInr(business.annual_turnover)],
    ['Bank statements', labelOf(banking.status)],
    ['Bank', account?.bank_name],
    ['Account', personalText(view, 'account')],
    ['Account holder', account?.holder_name],
    ['Payout account', personalText(view, 'payoutAccount')],
  ])
}

function checkFacts({ facts: { checks }, blockers, loanCase }: CaseView) {
  const rows = [
    ['KYC by the provider', checks.kyc],
    ['Our KYC review', checks.lenderKycReview],
    ['Mandate', checks.mandate],
    ['Signature', checks.esign],
  ] as const
  const checkLines = rows.map(
    ([name, check]): FactLine => [name, html`${badge(check.status)}${check.verified && html` ${badge('VERIFIED')}`}`],
  )
  const { facts } = checks.mandate
  const mandateLines: FactLine[] = [
    ['Mandate limit', facts?.maximumAmount && wireInr(facts.maximumAmount)],
    ['Rail', facts?.umrn && labelOf(railOf(facts.umrn).method)],
    ['Mandate number', facts?.umrn],
  ]
  return html`${factList([...checkLines, ...mandateLines])}
${(isBeingChecked(loanCase.status) || loanCase.status === 'READY_TO_DISBURSE') && blockers.length > 0 && html`<p>Payout blocked: ${blockers.map(inlineLabelOf).join(', ')}.</p>`}`
}

const filesTable = ({ loanCase, stored, pending, worklist }: CaseView, mayRead: boolean) =>
  html`${tableOf(
    'Files',
    ['File', { number: 'Size' }, { name: 'Stored', phone: 'plain' }, { number: '' }],
    stored.map(({ documentId, documentType, sizeBytes, storedAt }) => [
      mayRead
        ? html`<a href="${filePageAddress(loanCase.caseRef, documentId, worklist?.place)}">${labelOf(documentType)}</a>`
        : labelOf(documentType),
      `${Math.ceil(Number(sizeBytes) / 1024)} kB`,
      formatTime(storedAt),
      mayRead && html`<a class="secondary small" href="${documentAddress(loanCase.caseRef, documentId)}">Download</a>`,
    ]),
    { empty: 'No files yet.', csv: false },
  )}${pending.length > 0 && html`<p>${countText(pending.length, 'file')} pending.</p>`}`

const referenceNumbers = ({ loanCase, account }: CaseView) =>
  factList([
    [account ? 'Loan' : 'Reserved loan number', loanCase.loanId],
    ['Loan account', account?.loanAccountId],
    ['Lead', loanCase.leadId],
    ['Platform reference', loanCase.caseRef],
    ['Platform', loanCase.sender],
    ['Status version', loanCase.snapshotVersion],
  ])
