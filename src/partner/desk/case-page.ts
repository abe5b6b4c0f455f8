// The page of one case: who applies, what was said and decided, what can be done now, and where the money is.

import { type Html, html } from '#kit/markup.ts'
import { rupees } from '#kit/money.ts'
import { isBeingChecked } from '#partner/case/lifecycle.ts'
import type { World } from '#partner/world.ts'
import { actForms } from './act-forms.ts'
import { badge, factList, tableOf, when } from './frame.ts'
import { moneyParts } from './money-parts.ts'
import type { CaseSeen } from './read-case.ts'

export const caseBody = (seen: CaseSeen, world: World, problem: string | null): Html => html`
${problem && html`<p class="alert" role="alert">${problem}</p>`}
${actForms(seen, world)}
<div class="columns">
<section><h2>Case</h2>${caseFacts(seen)}</section>
<section><h2>Applicant</h2>${applicantFacts(seen)}</section>
<section><h2>Checks</h2>${checkFacts(seen)}</section>
<section><h2>Files</h2>${files(seen)}</section>
</div>
${moneyParts(seen)}
<section><h2>History</h2>${history(seen)}</section>`

const caseFacts = ({ kase, account, offer }: CaseSeen) =>
  factList([
    ['State', badge(kase.status)],
    ['Account', account && badge(account.loanStatus)],
    ['Lead', kase.leadId],
    ['Loan', kase.loanId],
    ['Loan account', account?.loanAccountId],
    ['From', kase.sender],
    ['Reference', kase.caseRef],
    [
      'Offered',
      offer &&
        `₹${rupees(offer.terms.amountPaise)} at ${offer.terms.annualRatePercent} %, APR ${offer.terms.aprPercent} %`,
    ],
    ['Borrower said', offer && badge(offer.decision)],
    ['Offer is good until', offer && when(offer.validUntil)],
    ['Status version', kase.snapshotVersion],
  ])

/** What a reviewer needs; account and PAN by their last four. */
function applicantFacts({ lead: { borrower, business, banking, bureau, proposed_offer: asked } }: CaseSeen) {
  const { account } = banking
  return factList([
    ['Name', [borrower.first_name, borrower.middle_name, borrower.last_name].filter(Boolean).join(' ')],
    ['Born', borrower.date_of_birth],
    ['PAN', `•••••• ${borrower.pan.slice(-4)}`],
    ['Mobile', `•••••• ${borrower.mobile.slice(-4)}`],
    ['Monthly income', borrower.monthly_income && `₹${borrower.monthly_income}`],
    ['Lives in', `${borrower.residential_address.city}, ${borrower.residential_address.state}`],
    ['Business', `${business.name} (${business.constitution}, ${business.industry})`],
    ['Turnover', business.annual_turnover && `₹${business.annual_turnover}`],
    [
      'Bureau',
      `${bureau.provider}: ${bureau.status === 'AVAILABLE' ? `score ${bureau.score}` : bureau.status.toLowerCase()}`,
    ],
    ['Banking', banking.status.toLowerCase().replaceAll('_', ' ')],
    [
      'Bank account',
      account && `${account.bank_name} •••• ${account.account_number.slice(-4)}, ${account.holder_name}`,
    ],
    ['Recommended', `₹${asked.loan_amount} over ${asked.tenure_weeks} weeks (${asked.bre_decision.toLowerCase()})`],
  ])
}

function checkFacts({ facts: { checks }, blockers, kase }: CaseSeen) {
  const rows = [
    ['KYC at its provider', checks.kyc],
    ['KYC by us', checks.lenderKycReview],
    ['Mandate', checks.mandate],
    ['Signature', checks.esign],
  ] as const
  return html`${factList(rows.map(([name, check]) => [name, html`${badge(check.status)}${check.verified && html` ${badge('VERIFIED')}`}`]))}
${(isBeingChecked(kase.status) || kase.status === 'READY_TO_DISBURSE') && blockers.length > 0 && html`<p>Before the money moves: ${blockers.map((each) => each.toLowerCase().replaceAll('_', ' ')).join(', ')}.</p>`}`
}

const files = ({ kase, stored, pending }: CaseSeen) =>
  html`${tableOf(
    'Files',
    ['Type', 'Size', 'Stored'],
    stored.map(({ documentId, documentType, sizeBytes, storedAt }) => [
      html`<a href="/desk/cases/${encodeURIComponent(kase.caseRef)}/documents/${documentId}">${documentType.toLowerCase().replaceAll('_', ' ')}</a>`,
      `${Math.ceil(Number(sizeBytes) / 1024)} KiB`,
      when(storedAt),
    ]),
    'No file has come yet.',
  )}${pending.length > 0 && html`<p>${pending.length} still to come.</p>`}`

const history = ({ moves, reviews }: CaseSeen) =>
  tableOf(
    'History',
    ['When', 'What', 'Who and why'],
    [
      ...moves.map(({ at, status }) => ({ at, cells: [badge(status), null] })),
      ...reviews.map(({ reviewedAt, kind, decision, reviewer, reasonCode, reasonMessage }) => ({
        at: reviewedAt,
        cells: [
          html`${kind === 'KYC' ? 'KYC ' : ''}${badge(decision)}`,
          [reviewer, reasonCode, reasonMessage].filter(Boolean).join(' · '),
        ],
      })),
    ]
      .sort((a, b) => a.at.getTime() - b.at.getTime())
      .map(({ at, cells }) => [when(at), ...cells]),
    'Nothing has happened yet.',
  )
