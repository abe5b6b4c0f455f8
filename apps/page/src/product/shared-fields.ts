// Fields that several products' forms share.
import { constitutions, industries } from '@lendloom/wire/hosted/business-details'
import {
  emailPattern,
  gstinPattern,
  panPattern,
  pincodePattern,
  rupeesPattern,
  udyamPattern,
} from '@lendloom/wire/identifier'
import { indianStates } from '@lendloom/wire/indian-states'
import { type Field, firstFields, type Values } from '../profile/profile-fields.ts'

export const notBlank = '\\S'

/** Rules of the first part's fields, defined here to keep the first response small. */
const firstPatterns: Record<string, string> = { pan: panPattern, panName: notBlank, personalemail: emailPattern }

const workField = { group: 'workProfile', part: 1 } as const
const homeField = { group: 'address', part: 1 } as const
const hasEmployment = (employment: string) => (values: Values) => values.employmentType === employment

/** Fields about the borrower, their income and their address. */
export const borrowerFields = (): Field[] => [
  ...firstFields.map((field): Field => ({ ...field, pattern: firstPatterns[field.name] })),
  { ...workField, name: 'employmentType', kind: 'choice', options: ['salaried', 'selfEmployed'] },
  { ...workField, name: 'income', kind: 'amount' },
  { ...workField, name: 'companyName', pattern: notBlank, input: { autocomplete: 'organization' } },
  {
    ...workField,
    name: 'officialemail',
    optional: true,
    pattern: emailPattern,
    when: hasEmployment('salaried'),
    input: { inputMode: 'email' },
  },
  {
    ...workField,
    name: 'udyamNumber',
    optional: true,
    folded: true,
    pattern: udyamPattern,
    when: hasEmployment('selfEmployed'),
    input: { autocapitalize: 'characters' },
  },
  {
    ...homeField,
    name: 'pincode',
    pattern: pincodePattern,
    input: { inputMode: 'numeric', autocomplete: 'postal-code' },
  },
  { ...homeField, name: 'city', pattern: notBlank, input: { autocomplete: 'address-level2', maxLength: 100 } },
  {
    ...homeField,
    name: 'state',
    kind: 'select',
    options: indianStates,
    input: { autocomplete: 'address-level1' },
  },
  { ...homeField, name: 'addressL1', pattern: notBlank, input: { autocomplete: 'address-line1' } },
  { ...homeField, name: 'addressL2', optional: true, input: { autocomplete: 'address-line2' } },
]

const requiredBusinessField = { ...workField, when: hasEmployment('selfEmployed') } as const
const businessField = { ...requiredBusinessField, optional: true, folded: true } as const
const businessAddressField = {
  ...workField,
  folded: true,
  when: (values: Values) => values.employmentType === 'selfEmployed' && Boolean(values.businessAddressL1?.trim()),
} as const

/**
 * Fields for lenders to businesses; constitution and industry are required (D3 §2.3). An empty address means that the
 * business is at the borrower's home.
 */
export const businessFields = (): Field[] => [
  { ...requiredBusinessField, name: 'businessConstitution', kind: 'select', options: constitutions },
  { ...requiredBusinessField, name: 'industry', kind: 'select', options: industries },
  { ...businessField, name: 'annualTurnover', kind: 'amount', pattern: rupeesPattern },
  { ...businessField, name: 'gstin', pattern: gstinPattern, input: { autocapitalize: 'characters' } },
  { ...businessField, name: 'businessAddressL1', pattern: notBlank },
  {
    ...businessAddressField,
    name: 'businessPincode',
    pattern: pincodePattern,
    input: { inputMode: 'numeric' },
  },
  { ...businessAddressField, name: 'businessCity', pattern: notBlank, input: { maxLength: 100 } },
  { ...businessAddressField, name: 'businessState', kind: 'select', options: indianStates },
]
