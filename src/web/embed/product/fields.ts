// The fields that the forms of several products share, and the purposes of a loan.
import { type Field, firstFields, type Values } from '../profile.ts'

const work = { group: 'workProfile', part: 1 } as const
const home = { group: 'address', part: 1 } as const
const whoEarns = (how: string) => (values: Values) => values.employmentType === how

/** Who borrows, what they earn and where they live. */
export const borrowerFields = (): Field[] => [
  ...firstFields,
  { ...work, name: 'employmentType', kind: 'choice', options: ['salaried', 'selfEmployed'] },
  { ...work, name: 'income', input: { inputMode: 'numeric', maxLength: 12 } },
  { ...work, name: 'companyName', input: { autocomplete: 'organization' } },
  { ...work, name: 'officialemail', optional: true, when: whoEarns('salaried'), input: { inputMode: 'email' } },
  {
    ...work,
    name: 'udyamNumber',
    optional: true,
    when: whoEarns('selfEmployed'),
    input: { autocapitalize: 'characters' },
  },
  { ...home, name: 'addressL1', input: { autocomplete: 'address-line1' } },
  { ...home, name: 'addressL2', optional: true, input: { autocomplete: 'address-line2' } },
  { ...home, name: 'pincode', input: { inputMode: 'numeric', autocomplete: 'postal-code', maxLength: 6 } },
  { ...home, name: 'city', input: { autocomplete: 'address-level2', maxLength: 100 } },
  { ...home, name: 'state', input: { autocomplete: 'address-level1', maxLength: 100 } },
]

/** The purposes that every lender of a personal loan takes (FIS12 §7.7, profile form). */
export const personalLoanUses: readonly string[] = ['consumerDurablePurchase', 'education', 'travel', 'health', 'other']

/** Those that lenders of other loans know (FIS12 §7.7). */
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
