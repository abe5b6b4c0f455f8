// The fields that the forms of several products share, and the purposes of a loan.
import { constitutions, industries } from '#contract/hosted/business.ts'
import { emailPattern, panPattern, pincodePattern, udyamPattern } from '#contract/identifier.ts'
import { type Field, firstFields, type Values } from '../profile/profile.ts'

/** Not blank. */
export const someText = '\\S'

/** Rules of the first part's fields, defined here to keep the first response small. */
const firstPatterns: Record<string, string> = { pan: panPattern, panName: someText, personalemail: emailPattern }

const work = { group: 'workProfile', part: 1 } as const
const home = { group: 'address', part: 1 } as const
const whoEarns = (how: string) => (values: Values) => values.employmentType === how

/** The borrower, their income and address. */
export const borrowerFields = (): Field[] => [
  ...firstFields.map((field): Field => ({ ...field, pattern: firstPatterns[field.name] })),
  { ...work, name: 'employmentType', kind: 'choice', options: ['salaried', 'selfEmployed'] },
  { ...work, name: 'income', kind: 'amount' },
  { ...work, name: 'companyName', pattern: someText, input: { autocomplete: 'organization' } },
  {
    ...work,
    name: 'officialemail',
    optional: true,
    pattern: emailPattern,
    when: whoEarns('salaried'),
    input: { inputMode: 'email' },
  },
  {
    ...work,
    name: 'udyamNumber',
    optional: true,
    pattern: udyamPattern,
    when: whoEarns('selfEmployed'),
    input: { autocapitalize: 'characters' },
  },
  { ...home, name: 'addressL1', pattern: someText, input: { autocomplete: 'address-line1' } },
  { ...home, name: 'addressL2', optional: true, input: { autocomplete: 'address-line2' } },
  {
    ...home,
    name: 'pincode',
    pattern: pincodePattern,
    input: { inputMode: 'numeric', autocomplete: 'postal-code' },
  },
  { ...home, name: 'city', pattern: someText, input: { autocomplete: 'address-level2', maxLength: 100 } },
  { ...home, name: 'state', pattern: someText, input: { autocomplete: 'address-level1', maxLength: 100 } },
]

const neededOfBusiness = { ...work, when: whoEarns('selfEmployed') } as const
const ofBusiness = { ...neededOfBusiness, optional: true } as const
const elsewhere = {
  ...work,
  when: (values: Values) => values.employmentType === 'selfEmployed' && Boolean(values.businessAddressL1?.trim()),
} as const

/**
 * Fields for lenders to businesses; kind and industry are required (D3 §2.3). The address is empty when it is the
 * borrower's home.
 */
export const businessFields = (): Field[] => [
  { ...neededOfBusiness, name: 'businessConstitution', kind: 'select', options: constitutions },
  { ...neededOfBusiness, name: 'industry', kind: 'select', options: industries },
  { ...ofBusiness, name: 'annualTurnover', kind: 'amount', pattern: '^0*[1-9]\\d{0,11}$' },
  { ...ofBusiness, name: 'gstin', pattern: '^\\s*[0-9A-Za-z]{15}\\s*$', input: { autocapitalize: 'characters' } },
  { ...ofBusiness, name: 'businessAddressL1', pattern: someText },
  {
    ...elsewhere,
    name: 'businessPincode',
    pattern: pincodePattern,
    input: { inputMode: 'numeric' },
  },
  { ...elsewhere, name: 'businessCity', pattern: someText, input: { maxLength: 100 } },
  { ...elsewhere, name: 'businessState', pattern: someText, input: { maxLength: 100 } },
]

/** The purposes that every lender of a personal loan takes (FIS12 §7.7, profile form). */
export const personalLoanUses: readonly string[] = ['consumerDurablePurchase', 'education', 'travel', 'health', 'other']

/** Those of other loans' lenders (FIS12 §7.7). */
export const allUses: readonly string[] = [
  'marriage',
  'familyFunctions',
  'medicalTreatmentAndEmergencies',
  'travelEducationExpenses',
  'businessExpansion',
  'agricultureAndFarmRelatedNeeds',
  'purchaseOfEquipment',
  ...personalLoanUses,
]
