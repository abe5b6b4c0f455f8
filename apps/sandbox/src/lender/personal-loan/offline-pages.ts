// The pages for steps that the lender completes offline: all steps, or all except the agreement (FIS12 §19.3).

import { type Html, html } from '@lendloom/http/markup'
import { longDayText } from '@lendloom/lending/calendar'
import { inr } from '@lendloom/lending/money'
import { facts, masked } from '#sandbox/core/page-frame.ts'
import type { BorrowerPage, BorrowerPageView } from '#sandbox/lender/core/borrower-page.ts'
import { bpsText } from '#sandbox/lender/core/message-parts.ts'

const summary = ({ applicant, loan }: BorrowerPageView): Html =>
  facts([
    ['Name', applicant.name],
    ['PAN', masked(applicant.pan)],
    ['Date of birth', longDayText(applicant.bornOn)],
    ['Mobile', masked(applicant.mobile)],
    ['Loan amount', inr(loan.principal)],
    ['Interest', `${bpsText(loan.annualBps)} a year, fixed`],
    ['Instalments', `${loan.months} monthly, ${inr(loan.instalment)} each`],
  ])

const offline: BorrowerPage = {
  heading: 'JOURNEY_OFFLINE',
  title: 'Continue with us',
  body: (view) => html`${
    view.attempt === 0
      ? html`<p>${view.policy.legalName} completes the remaining steps: an officer meets you, confirms your identity, records your account and brings the agreement.</p>`
      : html`<p class="notice" role="status">An officer of ${view.policy.legalName} is on the way to you.</p>
<h2>The sandbox plays the officer</h2>
<p class="hint">No officer comes: choose the outcome of the meeting.</p>`
  }
${summary(view)}`,
  approve: 'Continue',
  decline: 'Decline',
  done: 'All steps are complete',
  again: 'The meeting failed. Please try again.',
}

const kycOffline: BorrowerPage = {
  heading: 'KYC_OFFLINE',
  title: 'Meet our officer',
  body: (
    view,
  ) => html`<p>An officer of ${view.policy.legalName} confirms your identity, records your account and sets up the repayment. You sign the agreement online afterwards.</p>
${summary(view)}
<p class="hint">In the sandbox no officer comes: choose the outcome of the meeting.</p>`,
  approve: 'The meeting went well',
  decline: 'Decline',
  done: 'Your identity is confirmed and your account is recorded',
  again: 'The meeting failed. Please try again.',
}

export const offlinePages = { offline, 'kyc-offline': kycOffline }
