// The borrower form of a loan against mutual funds, which travels inside the search: who applies, read from its answers (FIS12 §10.3).

import { tenDigits, upper } from '#contract/identifier.ts'
import { type Answers, requiredFields } from '#contract/network/v230/form-data.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { OneOf, Type } from '#kit/http/schema.ts'
import { ownValue } from '#kit/runtime/record.ts'
import type { Denial, LoanApplicant } from '#sandbox/lender/core/decide.ts'
import {
  checked,
  Email,
  Handle,
  isTicked,
  Line,
  line,
  Mobile,
  maybe,
  Pan,
  Pincode,
  rupeesIn,
  says,
} from '#sandbox/lender/forms/profile-fields.ts'

const LamfProfile = Type.Object({
  pan: Pan,
  fullName: Line,
  constitution: Line,
  gender: OneOf(['male', 'female', 'transgender']),
  employmentType: OneOf(['salaried', 'selfEmployed']),
  dob: Type.String(),
  annualIncome: Type.String({ pattern: '^\\s*\\d{1,10}(?:\\.\\d{1,2})?\\s*$', ...says('must be rupees a year') }),
  mobileNumber: Mobile,
  emailId: Email,
  addressL1: maybe(Line),
  addressL2: maybe(Line),
  pincode: maybe(Pincode),
  city: maybe(Line),
  state: maybe(Line),
  aa_id: maybe(Handle),
  bureauConsent: maybe(Type.String()),
  endUse: maybe(Type.String()),
})

/** The applicant as the form tells it, or the code and the fields for which it cannot be taken. */
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
    const wrong = (error.details.fields ?? []).map(({ path, message }) => `${path} ${message}`)
    return { denial: { code: '80216', message: wrong.join('; ') } }
  }
}

function applicantIn(posted: Partial<Record<string, string>>): LoanApplicant {
  const { given, bornOn } = checked(LamfProfile, posted, ['fullName', 'addressL1', 'addressL2'])
  return {
    name: given.fullName.trim(),
    bornOn,
    gender: given.gender,
    pan: upper(given.pan),
    mobile: tenDigits(given.mobileNumber),
    aaId: line(given.aa_id),
    email: line(given.emailId),
    employment: given.employmentType,
    monthlyIncome: rupeesIn(given.annualIncome) / 12n,
    company: null,
    address: [given.addressL1, given.addressL2].filter(Boolean).join(', ') || null,
    city: line(given.city),
    state: line(given.state),
    pincode: line(given.pincode),
    endUse: given.endUse ?? 'other',
    bureauConsent: isTicked(given.bureauConsent),
  }
}
