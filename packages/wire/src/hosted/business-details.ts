// Business details of a self-employed borrower: code lists and canonical form (D3 §2.3).

import { omitValue } from '@lendloom/foundation/record'
import type { FieldError } from '@lendloom/foundation/refusal'
import { isGstin, upper } from '#wire/identifier.ts'

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

/** Only for the self-employed; null clears a field. The address is set only if it differs from the home address. */
interface BusinessDetails {
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

type BusinessInput = {
  [Name in keyof BusinessDetails]: BusinessDetails[Name] | (Name extends 'annualTurnover' ? string : never)
}

/** The business fields in canonical form. Adds to `faults` a GSTIN with a wrong check character. */
export function canonicalBusiness(input: BusinessInput, path: string, faults: FieldError[]): BusinessDetails {
  const { annualTurnover, gstin } = input
  if (gstin && !isGstin(upper(gstin)))
    faults.push({ path: `${path}.gstin`, message: 'must be a GSTIN, such as 27AAPFU0939F1ZV' })
  const trim = (text: string | null | undefined) => text?.trim() ?? text
  return omitValue(
    {
      businessConstitution: input.businessConstitution,
      industry: input.industry,
      gstin: gstin ? upper(gstin) : gstin,
      annualTurnover: annualTurnover == null ? annualTurnover : Number(annualTurnover),
      businessAddressL1: trim(input.businessAddressL1),
      businessAddressL2: trim(input.businessAddressL2),
      businessCity: trim(input.businessCity),
      businessState: trim(input.businessState),
      businessPincode: input.businessPincode,
    },
    undefined,
  )
}
