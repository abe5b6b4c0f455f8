// The pages on which a borrower pledges units: the registrar's, and the single page of a lender that needs no other.

import { type Html, html } from '@lendloom/http/markup'
import { longDayText } from '@lendloom/lending/calendar'
import { inr } from '@lendloom/lending/money'
import type { Registrar, UnitShare } from '@lendloom/wire/hosted/portfolio'
import { facts, masked } from '#sandbox/core/page-frame.ts'
import type { BorrowerPage, BorrowerPageView } from '#sandbox/lender/core/borrower-page.ts'
import { bpsText } from '#sandbox/lender/core/message-parts.ts'
import { otpFault, otpField, papers } from '#sandbox/lender/pages/borrower-pages.ts'
import { isLine } from './lenders.ts'

const registrarNames: Record<Registrar, string> = { CAMS: 'CAMS', KFIN: 'KFintech' }

const unitsText = (units: string): string => units.replace(/^\d+/, (whole) => Number(whole).toLocaleString('en-IN'))

/** The pledged units, one row per fund. The fault rule `lien-partial` has marked one of them at the first attempt. */
export function unitRows({ pledged, conversation, attempt }: BorrowerPageView): [string, Html][] {
  const markedCount = conversation.scenario === 'lien-partial' && attempt > 0 ? 1 : 0
  return pledged.map(({ holding, units }: UnitShare, i) => [
    holding.schemeName ?? holding.schemeCode,
    html`${unitsText(units)} units${i < markedCount && ': marked'}<br><small>Folio ${holding.folio} at ${registrarNames[holding.registrar]}</small>`,
  ])
}

/** The registrar's page, where the borrower agrees to the lender's lien on the units (FIS12 §10.2 row 8). */
export const lien: BorrowerPage = {
  heading: 'LIEN_MARKING',
  title: 'Pledge your units at the registrar',
  body: (view) => {
    const { policy, applicant, loan } = view
    return html`<p>The registrar marks a lien of ${policy.legalName} on these units, for ${isLine(policy) ? 'a credit line' : 'a loan'} of ${inr(loan.principal)}. They stay yours and keep their returns, but you cannot redeem or switch them until it is repaid.</p>
${facts(unitRows(view))}
${facts([
  ['Investor', applicant.name],
  ['PAN', masked(applicant.pan)],
  ['Mobile', masked(applicant.mobile)],
])}
<p class="hint">The sandbox plays the registrar: no real lien is marked.</p>`
  },
  fields: () => otpField,
  approve: 'Pledge these units',
  decline: 'Do not pledge',
  done: 'Your units are pledged',
  again: 'The lien could not be marked on all units this time. Please try again.',
  fault: otpFault,
}

/** The combined page: identity, pledge and signature (FIS12 §10.2, offline journey). */
export const line: BorrowerPage = {
  heading: 'JOURNEY_OFFLINE',
  title: 'Take your credit line',
  body: (view) => {
    const { policy, applicant, account, loan } = view
    return html`<p>On this page you confirm who you are, pledge your units to ${policy.legalName}, allow the repayments and sign. There are no further steps.</p>
<h2>Borrower</h2>
${facts([
  ['Name', applicant.name],
  ['PAN', masked(applicant.pan)],
  ['Date of birth', longDayText(applicant.bornOn)],
  ['Mobile', masked(applicant.mobile)],
])}
<h2>Pledged units</h2>
<p>The registrars mark a lien on these units. They stay yours and keep their returns, but cannot be redeemed or switched until the line is repaid.</p>
${facts(unitRows(view))}
<h2>The line</h2>
<p>Please read before you sign:</p>
${papers(view, 'Credit line agreement (PDF)')}
${facts([
  ['Limit', inr(loan.principal)],
  ['Account for payouts and debits', account ? `${masked(account.number)}, ${account.ifsc}` : ''],
  ['Interest, on what you have drawn', `${bpsText(loan.annualBps)} a year, fixed`],
  ['Annual percentage rate', `${loan.aprPercent}%`],
  ['Open for', `${loan.months} months`],
  ['Fees and taxes', inr(loan.processingFee + loan.stampDuty)],
  ['Cooling-off period', `${policy.coolOffDays} days`],
])}
<p class="hint">The sandbox plays the registrars, the bank and the signature: choose the outcome.</p>`
  },
  fields: () => html`${otpField}
<p class="hint">By confirming you sign the agreement and confirm that you have read the key facts statement.</p>`,
  approve: 'Pledge the units and sign',
  decline: 'Decline the credit line',
  done: 'Your units are pledged and the agreement is signed',
  again: 'This step failed. Please try again.',
  fault: otpFault,
}
