// The loan against mutual funds. Its security is fund units, on which the registrar marks a lien (FIS12 §10).

import { mutualFundLoan as contract } from '@lendloom/lending/product/products'
import { networkDomains } from '@lendloom/wire/network/context'
import type { PlatformProduct } from './product.ts'

export const mutualFundLoan: PlatformProduct = {
  ...contract,
  // Lenders request these fields in their catalogue (FIS12 §7.7).
  requiredFields: [
    'profile.panName',
    'profile.pan',
    'profile.dob',
    'profile.gender',
    'workProfile.employmentType',
    'workProfile.income',
    'address.pincode',
    'endUse',
    'profile.personalemail',
  ],
  network: {
    dialect: '2.3.0',
    olderDialects: [],
    domains: networkDomains,
    // The search names no product. Lenders mark the items of this product in their catalogues (FIS12 §10.2).
    category: null,
    profileForm: 'personal',
    orderContainsAccount: true,
    borrowerChoosesTerm: false,
  },
  partnerLendsTo: [],
  capabilities: { aaEnabled: false, postDisbursalEnabled: false },
  failedVisitReason: null,
}
