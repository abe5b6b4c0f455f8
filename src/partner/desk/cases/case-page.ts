// The page of one case: who applies, what was reported and decided, what can be done now, and where the money is.

import { type Html, html } from '#kit/http/markup.ts'
import { businessDate } from '#kit/money/calendar.ts'
import { isBeingChecked } from '#partner/case/lifecycle.ts'
import type { Context } from '#partner/context.ts'
import { actForms } from '#partner/desk/approval/act-forms.ts'
import { arrearsPart } from '#partner/desk/arrears/arrears-parts.ts'
import { classBadge, classPart } from '#partner/desk/arrears/class-parts.ts'
import { bankPart } from '#partner/desk/books/bank-part.ts'
import { moneyParts } from '#partner/desk/books/money-parts.ts'
import { caseLink, type FactLine, factList, figureList, tableOf } from '#partner/desk/frame.ts'
import { paperLinks } from '#partner/desk/papers-page.ts'
import type { Faulty } from '#partner/desk/parts/form-parts.ts'
import { badge, counted, day, inr, plain, plainly, when, wireInr } from '#partner/desk/parts/format.ts'
import type { SignedIn } from '#partner/desk/staff/staff.ts'
import { can } from '#partner/desk/staff/staff-act.ts'
import { tasksPart } from '#partner/desk/task/parts.ts'
import { nameOfBorrower } from './applicant-name.ts'
import { caseHistory } from './case-history.ts'
import { addressOf } from './document-address.ts'
import { offerPart, versionsPart } from './offer-parts.ts'
import type { CaseView } from './read-case.ts'
import { requestsPart } from './requests-part.ts'

export const caseBody = (seen: CaseView, who: SignedIn, ctx: Context, faulty: Faulty | null): Html => html`
<p class="lead">${badge(seen.loanCase.status)}${seen.account && html` ${badge(seen.account.loanStatus)}${seen.account.assetClass !== 'STANDARD' && html` ${classBadge(seen.account.assetClass)}`}`} <span>Loan ${seen.loanCase.loanId}</span></p>
${figures(seen, ctx)}
${requestsPart(seen, who, ctx.clock())}
${isOpenApplication(seen) && bankPart(seen)}
<div class="acts">${actForms(seen, who, ctx, faulty)}</div>
${tasksPart(seen, ctx, { who, today: businessDate(ctx.clock()), faulty })}
<div class="columns">
${applicantPart(seen)}
<section class="card"><h2>Business and bank</h2>${businessFacts(seen)}</section>
<section class="card"><h2>Checks</h2>${checkFacts(seen)}</section>
<section class="card"><h2>Offer</h2>${offerPart(seen.offers)}</section>
${classPart(seen, ctx.clock())}
</div>
${!isOpenApplication(seen) && bankPart(seen)}
${versionsPart(seen.offers)}
<section><h2>Files</h2>${files(seen, can(who, 'FILE_READ'))}</section>
${can(who, 'PAPER_MADE') && paperLinks(seen, businessDate(ctx.clock()))}
${arrearsPart(seen, who, ctx, faulty)}
${moneyParts(seen)}
<section><h2>History</h2>${caseHistory(seen)}</section>
<section class="card"><h2>Numbers</h2>${numbers(seen)}</section>`

/** While the application is open the bank data is beside the decision; later it is a record. */
const isOpenApplication = ({ loanCase: { status } }: CaseView): boolean =>
  status === 'UNDER_REVIEW' || status === 'OFFERED' || status === 'DOCUMENTS_PENDING'

/** The first facts of a case: of a loan what it owes, of an application the amount that is applied for. */
function figures({ account, lead, facts }: CaseView, { clock }: Context): Html {
  const { proposed_offer: proposed, bureau } = lead
  const next = account?.schedule.installments.find(({ status }) => status !== 'PAID')
  const isLate = next !== undefined && next.dueOn < businessDate(clock())
  return figureList(
    account
      ? [
          ['Total outstanding', inr(account.soa.totalPaise)],
          ['Overdue', inr(account.soa.overduePaise)],
          next && [isLate ? 'Was due' : 'Next due', html`${inr(next.unpaidPaise)} <small>${day(next.dueOn)}</small>`],
          account.unappliedPaise > 0n && ['Refundable to the borrower', inr(account.unappliedPaise)],
        ]
      : [
          ['Recommended', html`${wireInr(proposed.loan_amount)} <small>${proposed.tenure_weeks} weeks</small>`],
          ['Bureau score', bureau.status === 'AVAILABLE' ? String(bureau.score) : plain(bureau.status)],
          ['Files', html`${facts.stored.length} <small>${facts.pending.length} to come</small>`],
        ],
  )
}

export const applicantPart = (seen: CaseView): Html =>
  html`<section class="card"><h2>Applicant</h2>${applicantFacts(seen)}</section>`

/** PAN and mobile by their last four. */
const applicantFacts = ({ lead, others }: CaseView) => {
  const { borrower, bureau, proposed_offer: proposed } = lead
  return factList([
    ['Name', nameOfBorrower(lead)],
    ['Born', day(borrower.date_of_birth)],
    ['PAN', `•••••• ${borrower.pan.slice(-4)}`],
    ['Mobile', `•••••• ${borrower.mobile.slice(-4)}`],
    ['Monthly income', borrower.monthly_income && wireInr(borrower.monthly_income)],
    ['Lives in', `${borrower.residential_address.city}, ${borrower.residential_address.state}`],
    [
      'Bureau',
      `${bureau.provider}: ${bureau.status === 'AVAILABLE' ? `score ${bureau.score}` : plainly(bureau.status)}`,
    ],
    ['Recommended', `${wireInr(proposed.loan_amount)} over ${proposed.tenure_weeks} weeks`],
    ['Recommendation', plain(proposed.bre_decision)],
    ['Also has', besides(others)],
  ])
}

/** Other loans and open applications of the same PAN, and their total. */
const besides = (others: CaseView['others']) =>
  others.length === 0
    ? null
    : html`${others.map(({ caseRef, paise, isPaid }, i) => html`${i > 0 && ', '}${caseLink(caseRef, `${isPaid ? 'loan' : 'application'} of ${inr(paise)}`)}`)}`

const businessFacts = ({ lead: { business, banking }, accountSince }: CaseView) => {
  const { account } = banking
  return factList([
    ['Business', business.name],
    ['Kind', `${plain(business.constitution)}, ${plainly(business.industry)}`],
    ['Turnover a year', business.annual_turnover && wireInr(business.annual_turnover)],
    ['Bank statements', plain(banking.status)],
    ['Bank', account?.bank_name],
    ['Account', account && `•••• ${account.account_number.slice(-4)}`],
    ['Account holder', account?.holder_name],
    [
      'Payout account',
      accountSince &&
        `•••• ${accountSince.account_number.slice(-4)}, ${accountSince.holder_name}, ${accountSince.ifsc}`,
    ],
  ])
}

function checkFacts({ facts: { checks }, blockers, loanCase }: CaseView) {
  const rows = [
    ['KYC at its provider', checks.kyc],
    ['KYC reviewed by us', checks.lenderKycReview],
    ['Mandate', checks.mandate],
    ['Signature', checks.esign],
  ] as const
  const checkFacts = rows.map(
    ([name, check]): FactLine => [name, html`${badge(check.status)}${check.verified && html` ${badge('VERIFIED')}`}`],
  )
  const { facts } = checks.mandate
  const mandate: FactLine[] = [
    ['Mandate up to', facts?.maximumAmount && wireInr(facts.maximumAmount)],
    ['UMRN', facts?.umrn],
  ]
  return html`${factList([...checkFacts, ...mandate])}
${(isBeingChecked(loanCase.status) || loanCase.status === 'READY_TO_DISBURSE') && blockers.length > 0 && html`<p>Before the payout: ${blockers.map(plainly).join(', ')}.</p>`}`
}

const files = ({ loanCase, stored, pending }: CaseView, mayRead: boolean) =>
  html`${tableOf(
    'Files',
    ['File', { number: 'Size' }, 'Stored', ''],
    stored.map(({ documentId, documentType, sizeBytes, storedAt }) => [
      mayRead
        ? html`<a href="${addressOf(loanCase.caseRef, documentId)}/view">${plain(documentType)}</a>`
        : plain(documentType),
      `${Math.ceil(Number(sizeBytes) / 1024)} KiB`,
      when(storedAt),
      mayRead && html`<a href="${addressOf(loanCase.caseRef, documentId)}">Download</a>`,
    ]),
    { empty: 'No files yet.' },
  )}${pending.length > 0 && html`<p>${counted(pending.length, 'file')} still to come.</p>`}`

const numbers = ({ loanCase, account }: CaseView) =>
  factList([
    ['Loan', loanCase.loanId],
    ['Loan account', account?.loanAccountId],
    ['Lead', loanCase.leadId],
    ['Platform reference', loanCase.caseRef],
    ['Platform', loanCase.sender],
    ['Version of Status', loanCase.snapshotVersion],
  ])
