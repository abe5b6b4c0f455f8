// Business details of a self-employed borrower, for lenders to businesses: their lists and canonical form (D3 §2.3).

import { isGstin, upper } from '#contract/identifier.ts'
import type { FieldError } from '#kit/http/refusal.ts'
import { omitValue } from '#kit/runtime/record.ts'

export const constitutions = [
  'proprietorship',
  'partnership',
  'limitedLiabilityPartnership',
  'privateLimited',
  'hinduUndividedFamily',
  'profession',
  'other',
] as const
export type Constitution = (typeof constitutions)[number]

export const industries = [
  'retail',
  'wholesale',
  'manufacturing',
  'food',
  'transport',
  'construction',
  'agriculture',
  'health',
  'education',
  'professionalServices',
  'otherServices',
] as const
export type Industry = (typeof industries)[number]

/** Only for the self-employed; null clears a field. The address of the business, if not at home. */
export interface BusinessDetails {
  businessConstitution?: Constitution | null
  industry?: Industry | null
  gstin?: string | null
  /** In whole rupees, of the last financial year. */
  annualTurnover?: number | null
  businessAddressL1?: string | null
  businessAddressL2?: string | null
  businessCity?: string | null
  businessState?: string | null
  businessPincode?: string | null
}

const businessFields = [
  'businessConstitution',
  'industry',
  'gstin',
  'annualTurnover',
  'businessAddressL1',
  'businessAddressL2',
  'businessCity',
  'businessState',
  'businessPincode',
] as const satisfies (keyof BusinessDetails)[]

type GivenBusiness = {
  [Name in keyof BusinessDetails]: BusinessDetails[Name] | (Name extends 'annualTurnover' ? string : never)
}

/**
 * The business fields in canonical form; missing ones stay absent. Adds to `faults` the fields of a borrower who is not
 * self-employed, and a GSTIN with a wrong check character.
 */
export function canonicalBusiness(
  given: GivenBusiness,
  { isSelfEmployed, path }: { isSelfEmployed: boolean; path: string },
  faults: FieldError[],
): BusinessDetails {
  const { annualTurnover, gstin } = given
  for (const field of businessFields)
    if ((given[field] ?? null) !== null && !isSelfEmployed)
      faults.push({ path: `${path}.${field}`, message: 'is allowed only when employmentType is selfEmployed' })
  if (gstin && !isGstin(upper(gstin)))
    faults.push({ path: `${path}.gstin`, message: 'must be a GSTIN, such as 27AAPFU0939F1ZV' })
  const trimmed = (text: string | null | undefined) => text?.trim() ?? text
  return omitValue(
    {
      businessConstitution: given.businessConstitution,
      industry: given.industry,
      gstin: gstin ? upper(gstin) : gstin,
      annualTurnover: annualTurnover == null ? annualTurnover : Number(annualTurnover),
      businessAddressL1: trimmed(given.businessAddressL1),
      businessAddressL2: trimmed(given.businessAddressL2),
      businessCity: trimmed(given.businessCity),
      businessState: trimmed(given.businessState),
      businessPincode: given.businessPincode,
    },
    undefined,
  )
}

/** Clears all business fields. */
export const noBusiness = { udyamNumber: null, ...Object.fromEntries(businessFields.map((field) => [field, null])) }
