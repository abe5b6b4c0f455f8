// The profile fields that each product requires before submission.

import { fieldsOf } from '@lendloom/foundation/record'
import type { ProductId } from '@lendloom/lending/product/products'
import { type BorrowerDetails, profileFieldsOf } from '#platform/lending/borrower/borrower.ts'
import type { RequiredField } from '#platform/lending/product/product.ts'
import { products } from '#platform/lending/product/products.ts'

export const requiredFields = (type: ProductId): readonly RequiredField[] => products[type].requiredFields

/** Returns the required fields that have no value yet. */
export function missingFields(type: ProductId, person: BorrowerDetails, endUse: string | null): RequiredField[] {
  const values = { ...profileFieldsOf(person), endUse }
  const valueAt = (path: string) => path.split('.').reduce<unknown>((group, name) => fieldsOf(group)[name], values)
  return requiredFields(type).filter((path) => (valueAt(path) ?? '') === '')
}
