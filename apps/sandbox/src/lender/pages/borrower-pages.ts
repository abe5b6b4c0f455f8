// The pages that a borrower completes with the lender: identity, mandate and agreement (FIS12 §7.7).

import { required } from '@lendloom/foundation/required'
import { type Html, html } from '@lendloom/http/markup'
import { longDayText, plusMonths } from '@lendloom/lending/calendar'
import { inr } from '@lendloom/lending/money'
import { facts, masked } from '#sandbox/core/page-frame.ts'
import { sandboxOtp } from '#sandbox/core/sandbox-otp.ts'
import type { BorrowerPage, BorrowerPageView } from '#sandbox/lender/core/borrower-page.ts'
import { type Loan, lastAmountOf } from '#sandbox/lender/core/lending-decision.ts'
import { bpsText } from '#sandbox/lender/core/message-parts.ts'

/** The field for the one-time password, filled in. */
export const otpField = html`<label>One-time password <small>The sandbox has filled it in</small><input name="otp" value="${sandboxOtp}" inputmode="numeric" autocomplete="one-time-code" pattern="[0-9]{6}" maxlength="6" required></label>`

const sandboxAccount = { number: '123456789012', ifsc: 'HDFC0000001' }

/** What the lender's page shows of the borrower's identity. */
export const identityFacts = (applicant: BorrowerPageView['applicant']): Html =>
  facts([
    ['Name', applicant.name],
    ['PAN', masked(applicant.pan)],
    ['Date of birth', longDayText(applicant.bornOn)],
    ['Mobile', masked(applicant.mobile)],
  ])

/** The first part of a page with all steps. */
export const identityPart = ({ policy, applicant }: BorrowerPageView): Html => html`<h2>1. Your identity</h2>
<p>${policy.legalName} asks DigiLocker for your PAN and address records. They are used for this application only.</p>
${identityFacts(applicant)}`

/** The fields for the account of the payout and the debits, filled in. */
export const accountFields = (
  holder: string,
): Html => html`<label>Name of the account holder<input name="accHolderName" value="${holder}" maxlength="200" autocomplete="name" required></label>
<label>Kind of account<select name="acctype" required><option value="saving" selected>Savings</option><option value="current">Current</option></select></label>
<label>Account number<input name="accNo" value="${sandboxAccount.number}" inputmode="numeric" autocomplete="off" maxlength="18" required></label>
<label>IFSC<input name="ifscCode" value="${sandboxAccount.ifsc}" autocomplete="off" maxlength="11" required></label>`

/** Returns what to tell the borrower about the one-time password of an approval; null if it is right, or not needed. */
export const otpFault = ({ otp, outcome }: Record<string, string>): string | null =>
  outcome === 'approve' && otp?.trim() !== sandboxOtp ? 'The one-time password is wrong.' : null

/** The end of a sentence about the lender: `it lends you ₹2,00,000`. */
const lendingPhrase = (view: BorrowerPageView): string => {
  const amount = inr(view.loan.principal)
  return view.isLine ? `it opens a credit line of ${amount} for you` : `it lends you ${amount}`
}

const kyc: BorrowerPage = {
  heading: 'KYC',
  title: 'Confirm your identity',
  body: (view) => {
    const { policy, applicant } = view
    return html`<p>${policy.legalName} must verify your identity before ${lendingPhrase(view)}. It asks DigiLocker for your PAN and address records. They are used for this application only.</p>
${identityFacts(applicant)}
<p class="hint">The sandbox fetches no records: choose the outcome.</p>`
  },
  approve: 'Share my records and confirm',
  decline: 'Decline',
  done: 'Your identity is confirmed',
  again: 'Your identity could not be confirmed this time. Please try again.',
}

const mandate: BorrowerPage = {
  heading: 'EMANDATE',
  title: 'Allow repayment from your account',
  body: (view) => {
    const { policy, account, loan } = view
    const purpose = view.isLine ? 'what is due on your credit line' : 'the instalments of your loan'
    return html`<p>You allow ${policy.legalName} to debit ${purpose}. You can cancel autopay at your bank.</p>
${facts([
  ['Account holder', account?.holder ?? ''],
  ['Account', account ? `${masked(account.number)}, ${account.ifsc}` : ''],
  ['Debited', 'once a month, on the due date'],
  ...(view.isLine ? [] : firstDebit),
  [view.isLine ? 'Instalment, if the whole limit is drawn' : 'Instalment', inr(loan.instalment)],
  ['At most, each time', `${inr(mandateLimit(loan))}, with room for the charge of a returned debit`],
  ...(view.isLine ? [] : instalments(loan)),
])}`
  },
  approve: 'Allow the debits',
  decline: 'Decline',
  done: 'Autopay is set up',
  again: 'Autopay could not be set up this time. Please try again.',
}

const firstDebit: Terms = [['First debit', 'one month after you sign']]
const instalments = ({ months }: Loan): Terms => [['Instalments', String(months)]]

/** The maximum debit in whole thousands: the instalment, and room for the charge of a returned debit. */
export const mandateLimit = ({ instalment }: Loan): bigint => (instalment / 1_000_00n + 2n) * 1_000_00n

type Terms = [label: string, value: string][]

const accountOf = ({ account }: BorrowerPageView): string => (account ? masked(account.number) : '')

const loanTerms = (view: BorrowerPageView): Terms => {
  const { loan, conversation } = view
  return [
    ['Loan amount', inr(loan.principal)],
    ['You receive', inr(loan.netDisbursed)],
    ['To your account', accountOf(view)],
    ['Instalments', `${loan.months} monthly, ${inr(loan.instalment)} each, the last ${inr(lastAmountOf(loan))}`],
    ['First due on', longDayText(plusMonths(required(conversation.agreedOn, 'day of the agreement'), 1))],
    ['Total interest', inr(loan.interest)],
  ]
}

const lineTerms = (view: BorrowerPageView): Terms => {
  const { loan } = view
  return [
    ['Credit limit', inr(loan.principal)],
    ['What you draw goes to your account', accountOf(view)],
    ['Open for', `${loan.months} months`],
    ['Instalment, if the whole limit is drawn', inr(loan.instalment)],
  ]
}

export const commonTerms = ({ policy, loan }: BorrowerPageView): Terms => [
  ['Interest', `${bpsText(loan.annualBps)} a year, fixed`],
  ['Annual percentage rate', `${loan.aprPercent}%`],
  ['Fees and taxes', inr(loan.processingFee + loan.stampDuty)],
  ['Penal charges', `${bpsText(policy.penalBps)} a year on the overdue amount`],
  ['Cooling-off period', `${policy.coolOffDays} days`],
]

/** Links to what the borrower signs. */
export const papers = ({ keyFactsUrl, agreementUrl }: BorrowerPageView, name: string): Html =>
  html`<ul class="papers"><li><a href="${keyFactsUrl}" target="_blank" rel="noopener">Key facts statement</a></li><li><a href="${agreementUrl}" target="_blank" rel="noopener">${name}</a></li></ul>`

const agreement: BorrowerPage = {
  heading: 'LOAN_AGREEMENT',
  title: 'Sign the agreement',
  body: (view) => {
    const { policy } = view
    const name = view.isLine ? 'Credit line agreement (PDF)' : 'Loan agreement (PDF)'
    return html`<p>Please read before you sign:</p>
${papers(view, name)}
${facts([['Lender', policy.legalName], ...(view.isLine ? lineTerms(view) : loanTerms(view)), ...commonTerms(view)])}`
  },
  fields: () => html`${otpField}
<p class="hint">By signing you confirm that you have read the key facts statement and agree to it.</p>`,
  approve: 'Sign the agreement',
  decline: 'Do not sign',
  done: 'The agreement is signed',
  again: 'The signature failed this time. Please try again.',
  fault: otpFault,
}

export const borrowerPages = { kyc, mandate, agreement } satisfies Record<string, BorrowerPage>
