// The key facts statement, sanction letter and agreement as PDFs, and the statement also as a page.
import { type Block, numberedTable, pdfOf, tableBlock } from '@lendloom/documents/pdf'
import { type Html, html } from '@lendloom/http/markup'
import type { PageFrame } from '@lendloom/http/page-frame'
import { longDayText } from '@lendloom/lending/calendar'
import { masked } from '#sandbox/core/page-frame.ts'
import type { BorrowerAccount } from '#sandbox/lender/core/conversation.ts'
import type { LenderPolicy } from '#sandbox/lender/core/lender-policies.ts'
import type { LoanApplicant } from '#sandbox/lender/core/lending-decision.ts'
import { framed } from '#sandbox/lender/pages/page-frame.ts'
import type { KeyFacts, NumberedFact } from './key-facts.ts'

const securityBlocks = (facts: KeyFacts): Block[] =>
  facts.security.length === 0 ? [] : [{ kind: 'heading', text: facts.securityTitle }, numberedTable(facts.security)]

const keyFactBlocks = (facts: KeyFacts): Block[] => [
  { kind: 'text', text: `Proposal ${facts.proposalNumber}, ${facts.issuedOn}. ${facts.validity}` },
  { kind: 'heading', text: 'Part 1: interest rate, fees and charges' },
  numberedTable(facts.terms),
  { kind: 'heading', text: 'Part 2: other qualitative information' },
  numberedTable(facts.assurances),
  ...securityBlocks(facts),
  { kind: 'heading', text: facts.computationTitle },
  numberedTable(facts.computation),
  { kind: 'heading', text: facts.scheduleTitle },
  ...(facts.illustration ? [{ kind: 'text', text: facts.illustration.en } as const] : []),
  tableBlock(
    [
      { head: 'No.', of: (row) => row.number, width: 1, isRight: true },
      { head: 'Due on', of: (row) => row.dueOn, width: 4 },
      { head: 'Outstanding principal', of: (row) => row.opening, width: 4, isRight: true },
      { head: 'Principal', of: (row) => row.principal, width: 3, isRight: true },
      { head: 'Interest', of: (row) => row.interest, width: 3, isRight: true },
      { head: 'Instalment', of: (row) => row.amount, width: 3, isRight: true },
    ],
    facts.schedule,
  ),
]

/** Returns the key facts statement. */
export const keyFactsPdf = (policy: LenderPolicy, facts: KeyFacts, createdAt: Date): Promise<Buffer> =>
  pdfOf({ title: facts.title, author: policy.legalName, createdAt, blocks: keyFactBlocks(facts) })

interface Agreement {
  policy: LenderPolicy
  facts: KeyFacts
  applicant: LoanApplicant
  /** Null for a gold loan, because its account is recorded at the branch. */
  account: BorrowerAccount | null
  orderId: string | null
  signedOn: string | null
  createdAt: Date
}

interface SanctionPaper extends Pick<Agreement, 'policy' | 'facts' | 'applicant' | 'createdAt'> {
  sanctionedOn: string
}

/** Returns the sanction letter, which includes the key facts statement. */
export const sanctionPdf = ({ policy, facts, applicant, sanctionedOn, createdAt }: SanctionPaper): Promise<Buffer> =>
  pdfOf({
    title: 'Sanction letter',
    author: policy.legalName,
    createdAt,
    blocks: [
      { kind: 'text', text: `${policy.legalName}, ${policy.address}` },
      { kind: 'text', text: `To ${applicant.name}, PAN ${masked(applicant.pan)}` },
      {
        kind: 'text',
        text: `We sanctioned your loan on ${longDayText(sanctionedOn)}, on the terms of the key facts statement below and of the loan agreement. A charge that the statement does not name is not levied. This is a sandbox document without legal effect.`,
      },
      { kind: 'heading', text: 'Key facts statement' },
      ...keyFactBlocks(facts),
    ],
  })

/** Says where the money goes: by drawing, at once, or for a gold loan to the account named at the branch. */
const payoutText = (account: BorrowerAccount | null, isLine: boolean): string =>
  account && isLine
    ? `The lender pays what the borrower draws, up to the limit, to the borrower's own account ${masked(account.number)} (${account.ifsc}).`
    : account
      ? `The lender pays the net disbursed amount to the borrower's own account ${masked(account.number)} (${account.ifsc}).`
      : "The borrower pledges the gold that the key facts statement describes; it stays at the branch, insured, until the loan is repaid. The lender pays the net disbursed amount to the borrower's own account that was named there."

/** Returns the loan agreement, which includes the key facts statement; without `signedOn`, the text for signature. */
export function agreementPdf(agreement: Agreement): Promise<Buffer> {
  const { policy, facts, applicant, account, orderId, signedOn, createdAt } = agreement
  const isLine = facts.illustration !== null
  const productName = isLine ? 'credit line' : 'loan'
  return pdfOf({
    title: isLine ? 'Agreement on a credit line' : 'Loan agreement',
    author: policy.legalName,
    createdAt,
    blocks: [
      {
        kind: 'text',
        text: `Between ${policy.legalName}, ${policy.address} (the lender), and ${applicant.name}, PAN ${masked(applicant.pan)} (the borrower)${orderId === null ? '' : `, ${productName} ${orderId}`}.`,
      },
      { kind: 'heading', text: `1. The ${productName}` },
      {
        kind: 'text',
        text: `${payoutText(account, isLine)} The key facts statement below is part of this agreement; the lender levies only the charges that it lists.`,
      },
      { kind: 'heading', text: '2. Repayment' },
      {
        kind: 'text',
        text: `The borrower repays ${isLine ? 'what was drawn ' : ''}by ${account ? 'debit mandate' : 'standing instruction'}${isLine ? '' : ' in the instalments of the schedule'}. Interest accrues from the day of ${isLine ? 'each drawing' : 'disbursal'} on what is outstanding. Overdue instalments bear penal charges as stated, never interest on penal charges.`,
      },
      { kind: 'heading', text: '3. Cancellation' },
      {
        kind: 'text',
        text: `Within ${policy.coolOffDays} days of disbursal the borrower may return the principal with the interest for those days, without penalty. Later the ${productName} may be foreclosed at the charge stated. Courts: ${policy.court}.`,
      },
      { kind: 'heading', text: '4. Signature' },
      {
        kind: 'text',
        text:
          signedOn === null
            ? 'Not signed yet. This is the text for signature.'
            : `Signed ${account ? 'electronically with a one-time password' : 'at the branch'} by ${applicant.name} on ${longDayText(signedOn)}. This is a sandbox document without legal effect.`,
      },
      { kind: 'heading', text: 'Key facts statement' },
      ...keyFactBlocks(facts),
    ],
  })
}

/** The key facts statement as an accessible page, with a link to the PDF. */
export const keyFactsPage = (policy: LenderPolicy, facts: KeyFacts, pdfUrl: string): PageFrame =>
  framed({
    title: facts.title,
    policy,
    isWide: true,
    body: html`<p>Issued on ${facts.issuedOn}. ${facts.validity}</p>
<p><a href="${pdfUrl}">Download as PDF</a></p>
${table('Part 1: interest rate, fees and charges', facts.terms)}
${table('Part 2: other qualitative information', facts.assurances)}
${facts.security.length > 0 && table(facts.securityTitle, facts.security)}
${table(facts.computationTitle, facts.computation)}
<h2 id="schedule">${facts.scheduleTitle}</h2>
${facts.illustration && html`<p>${facts.illustration.en}</p><p lang="hi">${facts.illustration.hi}</p>`}
<div class="table" role="region" aria-labelledby="schedule" tabindex="0"><table class="schedule">
<thead><tr><th scope="col" class="number">No.</th><th scope="col">Due on</th><th scope="col" class="number outstanding">Outstanding principal</th><th scope="col" class="number">Principal</th><th scope="col" class="number">Interest</th><th scope="col" class="number">Instalment</th></tr></thead>
<tbody>${facts.schedule.map(
      (row) =>
        html`<tr><th scope="row" class="number">${row.number}</th><td>${row.dueOn}</td><td class="number outstanding">${row.opening}</td><td class="number">${row.principal}</td><td class="number">${row.interest}</td><td class="number">${row.amount}</td></tr>`,
    )}</tbody>
</table></div>`,
  })

const table = (title: string, rows: NumberedFact[]): Html => html`<h2>${title}</h2>
<table class="numbered"><tbody>${rows.map(
  ({ number, label, value, reference }) =>
    html`<tr><td class="number">${number}</td><th scope="row">${label}</th><td>${value}${reference !== undefined && html`<small class="reference">${reference}</small>`}</td></tr>`,
)}</tbody></table>`
