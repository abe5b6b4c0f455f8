// What a field of the profile takes, and the draft that is saved when a part is left. Pure.
import type { EmbedProfileRequest, EmbedView } from '#contract/hosted/embed.ts'
import { emailPattern, panPattern, personPanPattern, pincodePattern, udyamPattern } from '#contract/identifier.ts'
import { type Field, firstFields, type Values } from './profile.ts'
import { borrowerFields, forGold, goldFields } from './profile-gold.ts'

const someText = '\\S'
const patterns: Record<string, string> = {
  pan: panPattern,
  personPan: personPanPattern,
  panName: someText,
  personalemail: emailPattern,
  // A personal loan asks for an income of at least four digits, other loans for any (D1 §2.1).
  income: '^[1-9]\\d{3,11}$',
  anyIncome: '^[1-9]\\d{0,11}$',
  companyName: someText,
  officialemail: emailPattern,
  udyamNumber: udyamPattern,
  addressL1: someText,
  pincode: pincodePattern,
  city: someText,
  state: someText,
  jewelleryWeightGrams: '^(?=.*[1-9])\\d{1,7}(\\.\\d{1,3})?$',
  constitution: someText,
}

/** Whether the value is missing where one is needed, or is not what the field takes. */
export function isWrong(field: Field, value: string | undefined, journeyType: EmbedView['journeyType'], at: Date) {
  const { name, kind, options, optional } = field
  const text = value?.trim() ?? ''
  if (/^-*$/.test(text)) return !optional
  if (kind === 'date') return !isAdultsBirthday(text, at)
  if (options) return !options.includes(text)
  const isPersonal = journeyType === 'PERSONAL_LOAN'
  const strict = { income: isPersonal ? 'income' : 'anyIncome', pan: isPersonal ? 'personPan' : 'pan' }
  const pattern = patterns[strict[name as keyof typeof strict] ?? name]
  return pattern !== undefined && !new RegExp(pattern).test(text)
}

/** A day that exists, at least 18 and at most 110 years before `at`, as `YYYY-MM-DD`; single digits are taken too. */
export function isAdultsBirthday(text: string, at: Date): boolean {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number)
  const date = new Date(Date.UTC(year, month - 1, day))
  const exists = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  return exists && Date.UTC(year + 18, month - 1, day) <= at.getTime() && year >= at.getUTCFullYear() - 110
}

/** `1992-2-9` as typed becomes `1992-02-09`. */
const fullDate = (text: string): string => text.replace(/-(\d)(?!\d)/g, '-0$1')

/**
 * The draft to save: what was edited and differs from what is known; null empties a field, and so leaves one that is no
 * longer asked for. Null when there is nothing to save.
 */
export function draftOf(fields: Field[], edited: Values, known: Values): EmbedProfileRequest | null {
  const all = { ...known, ...edited }
  const draft: Record<string, Record<string, string | null> | string> = {}
  for (const { name, group, kind, when } of fields) {
    const text = (when && !when(all) ? '' : (all[name] ?? '')).trim()
    const value = kind === 'date' ? fullDate(text) : text
    if (value === (known[name] ?? '')) continue
    if (group) draft[group] = { ...(draft[group] as Record<string, string | null>), [name]: value || null }
    else draft[name] = value
  }
  return Object.keys(draft).length > 0 ? (draft as EmbedProfileRequest) : null
}

/** The end uses that every lender of a personal loan takes; other loans know more (FIS12 §7.7, profile form). */
const personalLoanUses: string[] = ['consumerDurablePurchase', 'education', 'travel', 'health', 'other']
const moreUses: string[] = [
  'marriage',
  'familyFunctions',
  'medicalTreatmentAndEmergencies',
  'travelEducationExpenses',
  'businessExpansion',
  'agricultureAndFarmRelatedNeeds',
  'purchaseOfEquipment',
]

export function usesFor(journeyType: EmbedView['journeyType'], chosen: string | undefined): string[] {
  const uses = journeyType === 'PERSONAL_LOAN' ? personalLoanUses : [...moreUses, ...personalLoanUses]
  return chosen && !uses.includes(chosen) ? [chosen, ...uses] : uses
}

const work = { group: 'workProfile', part: 1 } as const
const home = { group: 'address', part: 1 } as const
const whoEarns = (how: string) => (values: Values) => values.employmentType === how

/** All fields of all parts. */
export function fieldsFor(journeyType: EmbedView['journeyType'], endUse: string | undefined): Field[] {
  const use: Field = { name: 'endUse', part: 2, kind: 'select', options: usesFor(journeyType, endUse) }
  const person = [...firstFields, ...laterFields]
  if (journeyType === 'LAMF_LOAN') return [...person.map(onFunds), use]
  return journeyType === 'GOLD_LOAN'
    ? [...goldFields, ...person.map(forGold), ...borrowerFields, use]
    : [...person, use]
}

/** A lender against mutual funds does not ask where the income is earned (FIS12 §7.7). */
const onFunds = (field: Field): Field => (field.name === 'companyName' ? { ...field, optional: true } : field)

const laterFields: Field[] = [
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
