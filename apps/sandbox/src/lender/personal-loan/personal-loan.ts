// The personal loan, which is unsecured (FIS12 §8.1).

import { type Html, html } from '@lendloom/http/markup'
import { inr } from '@lendloom/lending/money'
import { type LenderPolicy, policies } from '#sandbox/lender/core/lender-policies.ts'
import { decide } from '#sandbox/lender/core/lending-decision.ts'
import { paidUpfrontAfter, type Security } from '#sandbox/lender/core/loan-security.ts'
import { bpsText } from '#sandbox/lender/core/message-parts.ts'
import type { ProductOverview } from '#sandbox/lender/core/product.ts'
import { borrowerPages } from '#sandbox/lender/pages/borrower-pages.ts'
import { answersIn203 } from '#sandbox/lender/v203/common-answers.ts'
import type { ProductIn203 } from '#sandbox/lender/v203/product.ts'
import { offlinePages } from './offline-pages.ts'
import { profileForm } from './profile-form.ts'
import { steps } from './steps.ts'

const lenderRow = (policy: LenderPolicy): Html =>
  html`<tr><th scope="row"><img src="/lenders/${policy.slug}/logo.svg" alt="" width="24" height="24"> <a href="/lenders/${policy.slug}">${policy.name}</a></th><td>${policy.employment.includes('selfEmployed') ? 'salaried and self-employed' : 'salaried'}, from ${inr(policy.minMonthlyIncome)} a month, ${policy.ages.from} to ${policy.ages.until} years</td><td>${inr(policy.amounts.from)} to ${inr(policy.amounts.to)}</td><td>${policy.tenuresMonths[0]} to ${policy.tenuresMonths.at(-1)} months</td><td>${policy.rates.map(({ annualBps }) => bpsText(annualBps)).join(', ')}</td></tr>`

const overview: ProductOverview = {
  id: 'lenders',
  title: 'Lenders',
  about: null,
  columns: ['Lender', 'Lends to', 'Amount', 'Term', 'Annual interest rate'],
  rows: () => policies.map(lenderRow),
}

export const personalLoan: ProductIn203 = {
  ...answersIn203('PERSONAL_LOAN', 'PL'),
  id: 'PERSONAL_LOAN',
  itemName: 'Personal loan',
  steps,
  // No overrides, because the lenders' policies are those of personal loans.
  lending: () => ({}),
  decide: (policy, _conversation, applicant, on) => decide(policy, applicant, on),
  branches: () => null,
  branchesFor: () => ({}),
  ltvRatio: () => null,
  disbursesOnConfirm: false,
  isOffline: ({ scenario }) => scenario === 'offline',
  stops: null,
  profileForm,
  pages: { ...borrowerPages, ...offlinePages },
  security: () => noSecurity,
  agreementNeedsAccount: true,
  publicPageSection: () => null,
  overview,
}

export const noSecurity: Security = {
  kind: 'personal loan, unsecured',
  disbursalSchedule: paidUpfrontAfter('the agreement is signed'),
  title: '',
  rows: () => [],
}
