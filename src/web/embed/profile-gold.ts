// What a gold loan asks of a borrower: the gold, where to look for a branch, and who borrows. Pure.
import type { Field, Values } from './profile.ts'

/** D1 §2.1, finest first. */
export const purities = ['24K', '22K', '21K', '18K', '14K', '9K']

const gold = { group: 'goldLoan', part: 1 } as const

/** The hallmark says it, the branch tests it. */
export const goldFields: Field[] = [
  { ...gold, name: 'jewelleryWeightGrams', input: { inputMode: 'decimal', maxLength: 11 } },
  { ...gold, name: 'purity', kind: 'choice', options: purities },
]

export const borrowerFields: Field[] = [
  { ...gold, part: 2, name: 'userType', kind: 'choice', options: ['individual', 'non-individual'] },
  {
    ...gold,
    part: 2,
    name: 'constitution',
    when: ({ userType }) => userType === 'non-individual',
    input: { maxLength: 100 },
  },
]

const needed = ['pan', 'panName', 'dob', 'gender', 'pincode', 'endUse']

/** Gold is lent on, not an income: of the other fields only those that the app filled in are shown, to be looked at. */
export function forGold(field: Field): Field {
  const { name, when = () => true } = field
  if (needed.includes(name)) return field
  if (field.part === 0) return { ...field, optional: true }
  return { ...field, optional: true, when: (values: Values) => values[name] !== undefined && when(values) }
}
