// The profile fields that each product requires before submission; pure.
import type { ProductId } from '#contract/product/products.ts'
import type { BorrowerDetails } from '#platform/borrower/borrower.ts'
import type { RequiredField } from '#platform/product/product.ts'
import { products } from '#platform/product/products.ts'

/** Keyed by path: reads the current value. */
const valueAt: Record<RequiredField, (person: BorrowerDetails, endUse: string | null) => unknown> = {
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

/** The required fields that are still missing. */
export const missingFields = (type: ProductId, person: BorrowerDetails, endUse: string | null): RequiredField[] =>
  requiredFields(type).filter((path) => (valueAt[path](person, endUse) ?? '') === '')
