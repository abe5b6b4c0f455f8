// The required data of each kind of loan before lenders can be asked; pure.
import type { ProductId } from '#contract/product/products.ts'
import type { BorrowerDetails } from '#platform/borrower/borrower.ts'
import type { RequiredField } from '#platform/product/product.ts'
import { products } from '#platform/product/products.ts'

/** The current value at each path that a product may require. */
const knownAt: Record<RequiredField, (person: BorrowerDetails, endUse: string | null) => unknown> = {
  'profile.panName': ({ personal }) => personal.panName,
  'profile.pan': ({ personal }) => personal.pan,
  'profile.dob': ({ personal }) => personal.dob,
  'profile.gender': ({ personal }) => personal.gender,
  'profile.personalemail': ({ personal }) => personal.personalEmail,
  'workProfile.employmentType': ({ work }) => work.employmentType,
  'workProfile.income': ({ work }) => work.income,
  'workProfile.companyName': ({ work }) => work.companyName,
  'address.pincode': ({ address }) => address.pincode,
  'goldLoan.jewelleryWeightGrams': ({ gold }) => gold?.jewelleryWeightGrams,
  'goldLoan.purity': ({ gold }) => gold?.purity,
  endUse: (_, endUse) => endUse,
}

export const requiredFields = (type: ProductId): readonly RequiredField[] => products[type].requiredFields

/** The missing fields before the profile can be submitted. */
export const missingFields = (type: ProductId, person: BorrowerDetails, endUse: string | null): RequiredField[] =>
  requiredFields(type).filter((path) => (knownAt[path](person, endUse) ?? '') === '')
