// The profile form: who applies, read from the posted fields, and what of it a lender cannot take (FIS12 §7.7).

import {
  calendarDate,
  emailPattern,
  isAadhaar,
  mobilePattern,
  panPattern,
  pincodePattern,
  tenDigits,
  udyamPattern,
  upper,
} from '#contract/identifier.ts'
import { type AnswersTo, profileFields } from '#contract/network/form-fields.ts'
import { type FieldError, invalid } from '#kit/http/refusal.ts'
import { faults, OneOf, type TSchema, Type } from '#kit/http/schema.ts'
import { paiseFrom } from '#kit/money/money.ts'
import type { Applicant } from '#sandbox/lender/core/decide.ts'
import type { Employment } from '#sandbox/lender/core/policy.ts'
import type { Shown } from '#sandbox/lender/forms/form-page.ts'

/** What several profiles ask in the same way. */
export const says = (words: string) => ({ 'x-says': words })
export const maybe = Type.Optional
export const Line = Type.String({
  maxLength: 200,
  pattern: '\\S',
  ...says('must be filled in, with at most 200 characters'),
})
export const Email = Type.String({ pattern: emailPattern, ...says('must be an e-mail address') })
export const Pan = Type.String({ pattern: panPattern, ...says('must be a PAN') })
export const Mobile = Type.String({ pattern: mobilePattern, ...says('must be an Indian mobile number') })
export const Pincode = Type.String({ pattern: pincodePattern, ...says('must be a PIN code') })
export const Handle = Type.String({
  pattern: '^[A-Za-z0-9._-]{1,100}@[A-Za-z0-9._-]{1,100}$',
  ...says('must be a handle'),
})

const Profile = Type.Object({
  panName: Line,
  personalemail: maybe(Email),
  officialemail: maybe(Email),
  dob: Type.String(),
  gender: OneOf([...profileFields.gender.options]),
  pan: Pan,
  contactNumber: Mobile,
  employmentType: OneOf([...profileFields.employmentType.options]),
  income: Type.String({ pattern: '^\\s*[1-9]\\d{3,8}(?:\\.\\d{1,2})?\\s*$', ...says('must be rupees a month') }),
  companyName: Line,
  udyamNumber: maybe(Type.String({ pattern: udyamPattern, ...says('must be a Udyam number') })),
  addressL1: maybe(Line),
  addressL2: maybe(Line),
  city: maybe(Line),
  state: maybe(Line),
  pincode: maybe(Pincode),
  aa_id: maybe(Handle),
  endUse: OneOf([...profileFields.endUse.options]),
})

export const profileShown: Record<string, Shown> = {
  panName: { label: 'Name as on the PAN card' },
  pan: { label: 'PAN' },
  dob: { label: 'Date of birth' },
  gender: { label: 'Gender' },
  contactNumber: { label: 'Mobile number' },
  personalemail: { label: 'Personal e-mail' },
  officialemail: { label: 'Office e-mail' },
  employmentType: { label: 'Employment' },
  income: { label: 'Income', hint: 'in rupees a month' },
  companyName: { label: 'Employer or business' },
  udyamNumber: { label: 'Udyam number', hint: 'if there is one' },
  addressL1: { label: 'Address' },
  addressL2: { label: 'Address, second line' },
  city: { label: 'City' },
  state: { label: 'State' },
  pincode: { label: 'PIN code' },
  aa_id: { label: 'Account aggregator handle', hint: 'such as 9876543210@sandbox-aa' },
  endUse: { label: 'What the loan is for' },
  bureauConsent: { label: 'I agree that my credit report is read for this application.' },
}

/** The applicant as the posted fields tell it. Throws a `Refusal` of kind `invalid` naming every wrong field. */
export function applicantFrom(posted: AnswersTo<typeof profileFields>): Applicant {
  const { given, bornOn } = checked(Profile, posted, ['panName', 'companyName', 'addressL1', 'addressL2'])
  return {
    name: given.panName!.trim(),
    bornOn,
    gender: given.gender!,
    pan: upper(given.pan!),
    mobile: tenDigits(given.contactNumber!),
    aaId: line(given.aa_id),
    email: line(given.personalemail ?? given.officialemail),
    employment: given.employmentType as Employment,
    monthlyIncome: paiseFrom(given.income!.trim())!,
    company: given.companyName!.trim(),
    address: [given.addressL1, given.addressL2].filter(Boolean).join(', ') || null,
    city: line(given.city),
    state: line(given.state),
    pincode: line(given.pincode),
    endUse: given.endUse!,
    bureauConsent: isTicked(given.bureauConsent),
  }
}

export const line = (text: string | undefined): string | null => text?.trim() ?? null
export const isTicked = (text: string | undefined): boolean => /^(?:true|on|yes|1)$/i.test(text ?? '')

/** What was filled in, with the day of birth. Throws a `Refusal` of kind `invalid` naming every wrong field. */
export function checked<Posted extends { dob?: string }>(
  schema: TSchema,
  posted: Posted,
  lines: (keyof Posted & string)[],
) {
  const given = Object.fromEntries(Object.entries(posted).filter(([, value]) => value?.trim())) as Posted
  const bornOn = calendarDate(given.dob ?? '')
  const wrong: FieldError[] = faults(schema, given)
  if (given.dob !== undefined && bornOn === null)
    wrong.push({ path: 'dob', message: 'must be a date such as 1994-03-21' })
  for (const field of lines)
    if (isAadhaar(String(given[field] ?? ''))) wrong.push({ path: field, message: 'must not be an Aadhaar number' })
  const [first, ...more] = wrong
  if (first) throw invalid(first, ...more)
  return { given, bornOn: bornOn! }
}
