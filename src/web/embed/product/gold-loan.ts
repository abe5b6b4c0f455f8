// The gold loan on the page: it asks for the gold, where to look for a branch, and who borrows.
import type { Field, Values } from '../profile/profile.ts'
import { allUses, borrowerFields, someText } from './fields.ts'
import { never, type ProductDetour, type ProductForm } from './product.ts'

/** D1 §2.1, finest first. */
export const purities = ['24K', '22K', '21K', '18K', '14K', '9K']

const grams = '^(?=.*[1-9])\\d{1,7}(\\.\\d{1,3})?$'

const gold = { group: 'goldLoan', part: 1 } as const

/** Stated by the hallmark, tested by the branch. */
const goldFields: Field[] = [
  { ...gold, name: 'jewelleryWeightGrams', pattern: grams, input: { inputMode: 'decimal', maxLength: 11 } },
  { ...gold, name: 'purity', kind: 'choice', options: purities },
]

const holderFields: Field[] = [
  { ...gold, part: 2, name: 'userType', kind: 'choice', options: ['individual', 'non-individual'] },
  {
    ...gold,
    part: 2,
    name: 'constitution',
    pattern: someText,
    when: ({ userType }) => userType === 'non-individual',
    input: { maxLength: 100 },
  },
]

const needed = ['pan', 'panName', 'dob', 'gender', 'pincode', 'endUse']

/** Gold is the security, not an income: of other fields only prefilled ones are shown, for review. */
function forGold(field: Field): Field {
  const { name, when = () => true } = field
  if (needed.includes(name)) return field
  if (field.part === 0) return { ...field, optional: true }
  return { ...field, optional: true, when: (values: Values) => values[name] !== undefined && when(values) }
}

export const goldLoanForm: ProductForm = {
  uses: allUses,
  fields: () => [...goldFields, ...borrowerFields().map(forGold), ...holderFields],
  secondPart: 'gold',
  /** At the branch the borrower is identified, the gold is weighed and everything is signed. */
  screenSteps: () => ['details', 'offers', 'visit', 'money'],
}

export const goldLoanDetour: ProductDetour = { isOnOnePage: never, isOffline: never }
