// The registrar's page: the borrower has the chosen units marked with the lender's lien (FIS12 §10.2 row 8).
import type { Part, Registrar } from '#contract/hosted/portfolio.ts'
import { html } from '#kit/http/markup.ts'
import { inr } from '#kit/money/money.ts'
import { masked } from '#sandbox/core/format.ts'
import { facts } from '#sandbox/core/page.ts'
import type { BorrowerPage, View } from '#sandbox/lender/core/borrower-page.ts'
import { otpFault, otpField } from '#sandbox/lender/pages/borrower-pages.ts'
import { isLine } from './lending.ts'

const names: Record<Registrar, string> = { CAMS: 'CAMS', KFIN: 'KFintech' }

/** The units that are pledged, part by part. */
export function unitRows({ pledged, conversation, attempt }: View): [string, string][] {
  const marked = conversation.scenario === 'lien-partial' && attempt > 0 ? 1 : 0
  return pledged.map(({ holding, units }: Part, i) => [
    holding.schemeName ?? holding.schemeCode,
    `${units} units, folio ${holding.folio}, at ${names[holding.registrar]}${i < marked ? ': marked' : ''}`,
  ])
}

export const lien: BorrowerPage = {
  heading: 'LIEN_MARKING',
  title: 'Pledge your units at the registrar',
  body: (view) => {
    const { policy, applicant, loan } = view
    return html`<p>The registrar marks a lien of ${policy.legalName} on these units, for ${isLine(policy) ? 'a credit line' : 'a loan'} of ${inr(loan.principal)}. They stay yours and keep their returns, but cannot be redeemed or switched until it is repaid.</p>
${facts(unitRows(view))}
${facts([
  ['Investor', applicant.name],
  ['PAN', masked(applicant.pan)],
  ['Mobile', masked(applicant.mobile)],
])}
<p class="hint">The sandbox plays the registrar: nothing is marked anywhere.</p>`
  },
  fields: otpField,
  approve: 'Mark the lien',
  decline: 'Do not pledge',
  done: 'The lien is marked on your units.',
  again: 'The lien could not be marked on all units this time. Please try again.',
  fault: otpFault,
}
