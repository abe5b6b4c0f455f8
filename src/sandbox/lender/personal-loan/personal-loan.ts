// A personal loan, which nothing secures (FIS12 §8.1).
import { decide } from '#sandbox/lender/core/decide.ts'
import { borrowerPages } from '#sandbox/lender/pages/borrower-pages.ts'
import { answeredIn203 } from '#sandbox/lender/v203/answered.ts'
import type { ProductIn203 } from '#sandbox/lender/v203/product.ts'
import { offlinePages } from './offline-pages.ts'
import { overview } from './overview.ts'
import { profileForm } from './profile-form.ts'
import { unsecured } from './security.ts'
import { steps } from './steps.ts'

export const personalLoan: ProductIn203 = {
  ...answeredIn203('PERSONAL_LOAN', 'PL'),
  id: 'PERSONAL_LOAN',
  itemName: 'Personal loan',
  steps,
  // The lenders' own policies are for it.
  lending: () => ({}),
  decide: (policy, _conversation, applicant, on) => decide(policy, applicant, on),
  branches: () => null,
  branchesFor: () => ({}),
  ltvRatio: () => null,
  paysOutOnConfirm: false,
  isOffline: ({ scenario }) => scenario === 'offline',
  profileForm,
  pages: { ...borrowerPages, ...offlinePages },
  security: () => unsecured,
  needsAccount: true,
  publicPart: () => null,
  overview,
}
