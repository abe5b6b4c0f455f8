// The personal loan. Lenders assess the income, and no step needs a branch visit (FIS12 §8).

import { personalLoan as contract } from '@lendloom/lending/product/products'
import { usualDomain } from '@lendloom/wire/network/context'
import type { PlatformProduct } from './product.ts'

export const personalLoan: PlatformProduct = {
  ...contract,
  requiredFields: [
    'profile.panName',
    'profile.pan',
    'profile.dob',
    'profile.gender',
    'workProfile.employmentType',
    'workProfile.income',
    'workProfile.companyName',
    'address.pincode',
    'endUse',
  ],
  network: {
    dialect: '2.0.3',
    olderDialects: ['2.0.1', '2.0.2'],
    domains: [usualDomain],
    category: 'PERSONAL_LOAN',
    profileForm: 'personal',
    orderContainsAccount: false,
    borrowerChoosesTerm: true,
  },
  // Partners do not lend to salaried borrowers (D3 §1).
  partnerLendsTo: ['selfEmployed'],
  capabilities: { aaEnabled: true, postDisbursalEnabled: true },
  failedVisitReason: null,
}
