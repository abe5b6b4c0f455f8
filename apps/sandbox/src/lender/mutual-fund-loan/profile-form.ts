// The application form for a loan against mutual funds, which travels inside the search (FIS12 §10.3).

import { ownValue } from '@lendloom/foundation/record'
import { Refusal } from '@lendloom/foundation/refusal'
import { OneOf, Type } from '@lendloom/foundation/schema'
import { tenDigits, upper } from '@lendloom/wire/identifier'
import { type Answers, requiredFields } from '@lendloom/wire/network/v230/form-data'
import type { Denial, LoanApplicant } from '#sandbox/lender/core/lending-decision.ts'
import {
  Email,
  Handle,
  isTicked,
  Mobile,
  optional,
  Pan,
  Pincode,
  rupeesIn,
  ShortText,
  trimmedOrNull,
  validatedFields,
  withMessage,
} from '#sandbox/lender/forms/profile-fields.ts'

const LamfProfile = Type.Object({
  pan: Pan,
  fullName: ShortText,
  constitution: ShortText,
  gender: OneOf(['male', 'female', 'transgender']),
  employmentType: OneOf(['salaried', 'selfEmployed']),
  dob: Type.String(),
  annualIncome: Type.String({
    pattern: '^\\s*\\d{1,10}(?:\\.\\d{1,2})?\\s*$',
    ...withMessage('must be rupees a year'),
  }),
  mobileNumber: Mobile,
  emailId: Email,
  addressL1: optional(ShortText),
  addressL2: optional(ShortText),
  pincode: optional(Pincode),
  city: optional(ShortText),
  state: optional(ShortText),
  aa_id: optional(Handle),
  bureauConsent: optional(Type.String()),
  endUse: optional(Type.String()),
})

/** The applicant, or a denial that names the missing or invalid fields. */
export function lamfApplicant(answers: Answers): { applicant: LoanApplicant } | { denial: Denial } {
  const posted: Partial<Record<string, string>> = Object.fromEntries(
    Object.entries(answers).flatMap(([name, answer]) => (typeof answer === 'string' ? [[name, answer]] : [])),
  )
  const missing = requiredFields.filter((name) => !ownValue(posted, name)?.trim())
  if (missing.length > 0) return { denial: { code: '80217', message: `missing: ${missing.join(', ')}` } }
  try {
    return { applicant: applicantIn(posted) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const errors = (error.details.fields ?? []).map(({ path, message }) => `${path} ${message}`)
    return { denial: { code: '80216', message: errors.join('; ') } }
  }
}

function applicantIn(posted: Partial<Record<string, string>>): LoanApplicant {
  const { fields, bornOn } = validatedFields(LamfProfile, posted, ['fullName', 'addressL1', 'addressL2'])
  return {
    name: fields.fullName.trim(),
    bornOn,
    gender: fields.gender,
    pan: upper(fields.pan),
    mobile: tenDigits(fields.mobileNumber),
    aaId: trimmedOrNull(fields.aa_id),
    email: trimmedOrNull(fields.emailId),
    employment: fields.employmentType,
    monthlyIncome: rupeesIn(fields.annualIncome) / 12n,
    company: null,
    address: [fields.addressL1, fields.addressL2].filter(Boolean).join(', ') || null,
    city: trimmedOrNull(fields.city),
    state: trimmedOrNull(fields.state),
    pincode: trimmedOrNull(fields.pincode),
    endUse: fields.endUse ?? 'other',
    bureauConsent: isTicked(fields.bureauConsent),
  }
}
