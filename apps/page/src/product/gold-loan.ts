// Page rules of a gold loan: its form has the gold, the PIN code for finding a branch, and the kind of borrower.
import { endUses } from '@lendloom/lending/product/products'
import type { Field, Values } from '../profile/profile-fields.ts'
import { never, type ProductDetour, type ProductForm } from './product.ts'
import { borrowerFields, notBlank } from './shared-fields.ts'

/** The purities of D1 §2.1, finest first. */
export const purities = ['24K', '22K', '21K', '18K', '14K', '9K']

const grams = '^(?=.*[1-9])\\d{1,7}(\\.\\d{1,3})?$'

const goldField = { group: 'goldLoan', part: 1 } as const

/** Weight and purity as the borrower states them; the branch tests both. */
const goldFields: Field[] = [
  { ...goldField, name: 'jewelleryWeightGrams', pattern: grams, input: { inputMode: 'decimal', maxLength: 11 } },
  { ...goldField, name: 'purity', kind: 'choice', options: purities },
]

const holderFields: Field[] = [
  { ...goldField, part: 2, name: 'userType', kind: 'choice', options: ['individual', 'non-individual'] },
  {
    ...goldField,
    part: 2,
    name: 'constitution',
    pattern: notBlank,
    when: ({ userType }) => userType === 'non-individual',
    input: { maxLength: 100 },
  },
]

const requiredFields = ['pan', 'panName', 'dob', 'gender', 'pincode', 'endUse']

/** Makes other fields optional, and shows them, the income folded, only if they are prefilled: the loan does not need it. */
function relaxField(field: Field): Field {
  const { name, when = () => true } = field
  if (requiredFields.includes(name)) return field
  if (field.part === 0) return { ...field, optional: true }
  const isPrefilled = (values: Values): boolean => values[name] !== undefined && when(values)
  return {
    ...field,
    optional: true,
    when: isPrefilled,
    ...(field.group === 'workProfile' && { folded: true as const }),
  }
}

export const goldLoanForm: ProductForm = {
  uses: endUses,
  fields: () => [...goldFields, ...borrowerFields().map(relaxField), ...holderFields],
  secondPart: 'gold',
  /** The visit includes identification, valuation and signing. */
  screenSteps: () => ['details', 'offers', 'visit', 'money'],
}

export const goldLoanDetour: ProductDetour = { isOnOnePage: never, isOffline: never }
