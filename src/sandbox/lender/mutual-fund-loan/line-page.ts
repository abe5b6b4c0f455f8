// The one page of a lender that sees to everything itself: who takes the line, on which units, and the signature (FIS12 §10.2, offline journey).

import { html } from '#kit/http/markup.ts'
import { longDayText } from '#kit/money/calendar.ts'
import { inr } from '#kit/money/money.ts'
import { masked } from '#sandbox/core/format.ts'
import { facts } from '#sandbox/core/page.ts'
import type { BorrowerPage } from '#sandbox/lender/core/borrower-page.ts'
import { bpsText } from '#sandbox/lender/core/order.ts'
import { otpFault, otpField } from '#sandbox/lender/pages/borrower-pages.ts'
import { unitRows } from './lien-page.ts'

export const line: BorrowerPage = {
  heading: 'JOURNEY_OFFLINE',
  title: 'Take your credit line',
  body: (view) => {
    const { policy, applicant, account, loan, keyFactsUrl, agreementUrl } = view
    return html`<p>On this page you confirm who you are, pledge your units to ${policy.legalName}, allow the repayments and sign. Nothing else is left to do.</p>
<h2>Who takes it</h2>
${facts([
  ['Name', applicant.name],
  ['PAN', masked(applicant.pan)],
  ['Date of birth', longDayText(applicant.bornOn)],
  ['Mobile', masked(applicant.mobile)],
])}
<h2>What you pledge</h2>
<p>The registrars mark a lien on these units. They stay yours and keep their returns, but cannot be redeemed or switched until the line is repaid.</p>
${facts(unitRows(view))}
<h2>The line</h2>
<p>Please read before you sign: <a href="${keyFactsUrl}" target="_blank" rel="noopener">key facts statement</a>, <a href="${agreementUrl}" target="_blank" rel="noopener">agreement (PDF)</a>.</p>
${facts([
  ['Limit', inr(loan.principal)],
  [
    'What you draw is paid to your account, which is debited too',
    account ? `${masked(account.number)}, ${account.ifsc}` : '',
  ],
  ['Interest, on what you have drawn', `${bpsText(loan.annualBps)} a year, fixed`],
  ['Annual percentage rate', `${loan.aprPercent} %`],
  ['Open for', `${loan.months} months`],
  ['Fees and taxes', inr(loan.processingFee + loan.stampDuty)],
  ['Cooling-off period', `${policy.coolOffDays} days`],
])}
<p class="hint">The sandbox plays the registrars, the bank and the signature: choose how it ends.</p>`
  },
  fields: html`${otpField}
<p class="hint">By confirming you sign the agreement, and say that you have read the key facts statement.</p>`,
  approve: 'Pledge the units and sign',
  decline: 'Do not take it',
  done: 'Your units are pledged and the agreement is signed.',
  again: 'It did not work this time. Please try again.',
  fault: otpFault,
}
