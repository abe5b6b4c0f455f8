// The fields of the network's forms, by the names that all lenders' pages use (FIS12 §7.7, §13.3).

import { keysOf, recordOf } from '@lendloom/foundation/record'
import { otherLoanUses, personalLoanUses } from '@lendloom/lending/product/products'
import type { ProfileField } from '#wire/hosted/profile.ts'

export interface FieldSpec {
  type: 'text' | 'email' | 'tel' | 'date' | 'number' | 'checkbox' | 'select' | 'file' | 'hidden'
  required: boolean
  options?: readonly string[]
}

const required = (type: FieldSpec['type'] = 'text') => ({ type, required: true }) as const
const optional = (type: FieldSpec['type'] = 'text') => ({ type, required: false }) as const
const oneOf = <const Options extends readonly string[]>(options: Options) =>
  ({ type: 'select', required: true, options }) as const

/** Optional texts of the network's personal-loan form (FIS12 §7.7), with their label on the sandbox's page. */
export const optionalProfileTexts = {
  udyamNumber: 'Udyam number',
  addressL1: 'Address',
  addressL2: 'Address, second line',
  city: 'City',
  state: 'State',
  pincode: 'PIN code',
} as const satisfies Partial<Record<ProfileField, string>>

/** The personal loan profile. `dob` is `YYYY-MM-DD`; `income` is in rupees per month. */
export const personalLoanFields = {
  panName: required(),
  personalemail: optional('email'),
  officialemail: optional('email'),
  dob: required('date'),
  gender: oneOf(['male', 'female', 'transgender']),
  pan: required(),
  contactNumber: required('tel'),
  employmentType: oneOf(['salaried', 'selfEmployed']),
  income: required('number'),
  companyName: required(),
  ...recordOf(keysOf(optionalProfileTexts), () => optional()),
  aa_id: optional(),
  endUse: oneOf(personalLoanUses),
  bureauConsent: optional('checkbox'),
  derivedData: optional('file'),
  formId: optional('hidden'),
} as const satisfies Record<string, FieldSpec>

/** The gold loan profile. `annualIncome` is in rupees, `jewellery` in grams. The network writes `18k` in lower case. */
export const goldLoanFields = {
  userType: { ...oneOf(['individual', 'non-individual']), required: false },
  pan: required(),
  fullName: required(),
  constitution: optional(),
  gender: oneOf(['male', 'female', 'transgender']),
  employmentType: { ...oneOf(['salaried', 'selfEmployed']), required: false },
  dob: required('date'),
  annualIncome: optional('number'),
  contactNumber: required('tel'),
  email: optional('email'),
  address: optional(),
  pincode: required(),
  city: optional(),
  state: optional(),
  jewellery: required('number'),
  purity: oneOf(['24K', '22K', '21K', '18k', '14K', '9K']),
  endUse: {
    ...oneOf([...otherLoanUses, 'other']),
    required: false,
  },
  bureauConsent: optional('checkbox'),
  aa_id: optional(),
  formId: optional('hidden'),
} as const satisfies Record<string, FieldSpec>

/** The amount in rupees and the term in months that the borrower chose. */
export const amountFields = {
  requestAmount: required('number'),
  requestTerm: required('number'),
  formId: optional('hidden'),
} as const satisfies Record<string, FieldSpec>

export const bankAccountFields = {
  accHolderName: required(),
  acctype: oneOf(['current', 'saving']),
  accNo: required(),
  ifscCode: required(),
  formId: optional('hidden'),
} as const satisfies Record<string, FieldSpec>

/** A second form about the borrower, which accepts an offer and states the requested terms (FIS12 §19.1). */
export const customerFields = {
  pan: required(),
  fullName: required(),
  gender: oneOf(['male', 'female', 'transgender']),
  dob: required('date'),
  contactNumber: required('tel'),
  pincode: required(),
  requestAmount: required('number'),
  requestTerm: required('number'),
  formId: optional('hidden'),
} as const satisfies Record<string, FieldSpec>

export type AnswersTo<Fields extends Record<string, FieldSpec>> = { [Name in keyof Fields]?: string }
