// The loan against mutual funds on the page.
import type { Field } from '../profile/profile.ts'
import { allUses, borrowerFields } from './fields.ts'
import { isUnsigned, never, type ProductDetour, type ProductForm } from './product.ts'

/** The lender does not ask where the income is earned (FIS12 §7.7). */
const optionalCompany = (field: Field): Field => (field.name === 'companyName' ? { ...field, optional: true } : field)

export const mutualFundLoanForm: ProductForm = {
  uses: allUses,
  fields: () => borrowerFields().map(optionalCompany),
  /** The account is given before the lender identifies the borrower; the units are pledged before the mandate. */
  screenSteps: (shape) =>
    mutualFundLoanDetour.isOnOnePage(shape)
      ? ['details', 'offers', 'bank', 'sign', 'money']
      : ['details', 'offers', 'bank', 'kyc', 'pledge', 'mandate', 'sign', 'money'],
}

export const mutualFundLoanDetour: ProductDetour = {
  /** Shown by its offer, or by the page itself. */
  isOnOnePage: (shape) => (shape.selected?.terms.ownPage ?? false) || isUnsigned(shape),
  isOffline: never,
}
