// Page rules of a loan against mutual funds.
import { endUses } from '@lendloom/lending/product/products'
import type { Field } from '../profile/profile-fields.ts'
import { isUnsigned, never, type ProductDetour, type ProductForm } from './product.ts'
import { borrowerFields } from './shared-fields.ts'

/** The employer is optional, because lenders do not request it (FIS12 §7.7). */
const optionalCompany = (field: Field): Field => (field.name === 'companyName' ? { ...field, optional: true } : field)

export const mutualFundLoanForm: ProductForm = {
  uses: endUses,
  fields: () => borrowerFields().map(optionalCompany),
  /**
   * The borrower enters the account before identification and pledges the units before the mandate, unless the lender's page
   * has it all (FIS12 §27).
   */
  screenSteps(shape) {
    if (shape.selected?.lenderPage) return ['details', 'offers', 'sign', 'money']
    return mutualFundLoanDetour.isOnOnePage(shape)
      ? ['details', 'offers', 'bank', 'sign', 'money']
      : ['details', 'offers', 'bank', 'kyc', 'pledge', 'mandate', 'sign', 'money']
  },
}

export const mutualFundLoanDetour: ProductDetour = {
  /** The offer says so, or the agreement step is not required. */
  isOnOnePage: (shape) =>
    (shape.selected?.terms.ownPage ?? false) || shape.selected?.lenderPage != null || isUnsigned(shape),
  isOffline: never,
}
