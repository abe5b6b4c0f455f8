// The gold loan. Its security is gold, which a branch of the lender weighs and stores (FIS12 §9).

import { goldLoan as contract } from '@lendloom/lending/product/products'
import { usualDomain } from '@lendloom/wire/network/context'
import type { PlatformProduct } from './product.ts'

export const goldLoan: PlatformProduct = {
  ...contract,
  // No income is required, because the lender assesses the gold.
  requiredFields: [
    'profile.panName',
    'profile.pan',
    'profile.dob',
    'profile.gender',
    'address.pincode',
    'endUse',
    'goldLoan.jewelleryWeightGrams',
    'goldLoan.purity',
  ],
  network: {
    dialect: '2.0.3',
    olderDialects: ['2.0.2'],
    domains: [usualDomain],
    category: 'GOLD_LOAN',
    profileForm: 'gold',
    orderContainsAccount: false,
    borrowerChoosesTerm: true,
  },
  partnerLendsTo: [],
  capabilities: { aaEnabled: true, postDisbursalEnabled: true },
  failedVisitReason: 'GOLD_NOT_TAKEN_IN', // The branch rejected the gold.
}
