// Brings a borrower's personal and work fields into canonical form, and checks what a schema cannot (D1 §2.1).

import { keysOf } from '@lendloom/foundation/record'
import type { FieldError } from '@lendloom/foundation/refusal'
import { calendarDate, isPersonPan, panPattern, tenDigits, upper } from '#wire/identifier.ts'
import { canonicalBusiness } from './business-details.ts'
import { BusinessFields, type PersonalProfile, type WorkProfile } from './profile.ts'

/** An earlier date of birth is a typing error. */
const earliestBirth = '1900-01-01'

/** Rules for personal fields; `path` is their path in the request. */
export interface PersonalRules {
  at: Date
  needsPersonPan: boolean
  path?: string
}

/** Returns the fields in canonical form. Adds to `faults` an invalid date, and the PAN of a company for a person. */
export function canonicalPersonal<P extends Partial<PersonalProfile>>(
  input: P,
  { at, needsPersonPan, path = 'profile' }: PersonalRules,
  faults: FieldError[],
): P {
  const dob = input.dob === undefined ? undefined : calendarDate(input.dob)
  if (dob === null || (dob !== undefined && (new Date(dob) > at || dob < earliestBirth)))
    faults.push({ path: `${path}.dob`, message: 'must be a date of birth as YYYY-MM-DD' })
  if (needsPersonPan && input.pan !== undefined && !isPersonPan(input.pan) && new RegExp(panPattern).test(input.pan))
    faults.push({ path: `${path}.pan`, message: 'must be the PAN of a person, whose fourth character is P' })
  return {
    ...input,
    ...(input.contactNumber !== undefined && { contactNumber: tenDigits(input.contactNumber) }),
    ...(input.pan !== undefined && { pan: upper(input.pan) }),
    ...(input.panName !== undefined && { panName: input.panName.trim() }),
    ...(dob && { dob }),
    ...(input.gender !== undefined && { gender: input.gender.trim().toLowerCase() }),
    ...(input.personalemail !== undefined && { personalemail: input.personalemail.trim().toLowerCase() }),
  }
}

/** Rules for work fields; `path` is their path in the request. */
export interface WorkRules {
  /** The minimum number of digits of an income. */
  minDigits: number
  /** The stored employment type, for a body that omits it. */
  storedEmployment?: string | undefined
  path?: string
}

/**
 * Returns the work fields in canonical form (D1 §2.1). Adds to `faults` an income with too few digits, and business fields
 * of a borrower who is not self-employed.
 */
export function canonicalWork(
  input: WorkProfile,
  { minDigits, storedEmployment, path = 'workProfile' }: WorkRules,
  faults: FieldError[],
) {
  const employmentType = input.employmentType === undefined ? undefined : canonicalEmployment(input.employmentType)
  const income = input.income === undefined ? undefined : Number(input.income)
  if (income !== undefined && String(income).length < minDigits)
    faults.push({ path: `${path}.income`, message: `must have at least ${minDigits} digits` })
  if ((employmentType ?? storedEmployment) !== 'selfEmployed')
    for (const name of keysOf(BusinessFields))
      if ((input[name] ?? null) !== null)
        faults.push({ path: `${path}.${name}`, message: 'is allowed only when employmentType is selfEmployed' })
  // A field without a rule stays as sent.
  const {
    officialemail,
    employmentType: _employment,
    income: _income,
    annualTurnover: _turnover,
    ...unchangedFields
  } = input
  return {
    ...unchangedFields,
    ...(officialemail !== undefined && { officialemail: officialemail.trim() }),
    ...(employmentType && { employmentType }),
    ...(income !== undefined && { income }),
    ...(input.companyName !== undefined && { companyName: input.companyName.trim() }),
    ...(input.udyamNumber && { udyamNumber: upper(input.udyamNumber) }),
    ...canonicalBusiness(input, path, faults),
  }
}
export type CanonicalWork = ReturnType<typeof canonicalWork>

/** The schema admits only spellings of these two. */
const canonicalEmployment = (text: string): 'salaried' | 'selfEmployed' =>
  /^\s*salaried\s*$/i.test(text) ? 'salaried' : 'selfEmployed'
