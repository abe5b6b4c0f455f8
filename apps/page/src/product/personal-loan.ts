// Page rules of a personal loan.
import { personalLoanUses } from '@lendloom/lending/product/products'
import { isAccountEarly, isUnsigned, never, type ProductDetour, type ProductForm } from './product.ts'
import { borrowerFields } from './shared-fields.ts'

export const personalLoanForm: ProductForm = {
  uses: personalLoanUses,
  fields: borrowerFields,
  /** Some lenders continue outside the app, and handle all steps there or all except the agreement. */
  screenSteps({ steps }) {
    if (isUnsigned({ steps })) return ['details', 'offers', 'sign', 'money']
    const { bankMandate, eMandate } = steps
    const needsNoMandate = bankMandate.status === 'NOT_REQUIRED' && eMandate.status === 'NOT_REQUIRED'
    if (needsNoMandate) return ['details', 'offers', 'kyc', 'sign', 'money']
    return isAccountEarly({ steps }) ? ['details', 'offers', 'bank', 'kyc', 'mandate', 'sign', 'money'] : null
  },
}

export const personalLoanDetour: ProductDetour = { isOnOnePage: never, isOffline: isUnsigned }
