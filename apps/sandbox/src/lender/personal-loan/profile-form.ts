// The personal loan's profile form (FIS12 §7.7).

import { keysOf, recordOf } from '@lendloom/foundation/record'
import { OneOf, Type } from '@lendloom/foundation/schema'
import { tenDigits, udyamPattern, upper } from '@lendloom/wire/identifier'
import { type AnswersTo, optionalProfileTexts, personalLoanFields } from '@lendloom/wire/network/form-fields'
import { scenarioFor } from '@lendloom/wire/sandbox/fault-scenarios'
import type { FieldPresentation, Form } from '#sandbox/lender/core/form.ts'
import type { LoanApplicant } from '#sandbox/lender/core/lending-decision.ts'
import { saveApplicant } from '#sandbox/lender/core/store.ts'
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

const Profile = Type.Object({
  panName: ShortText,
  personalemail: optional(Email),
  officialemail: optional(Email),
  dob: Type.String(),
  gender: OneOf([...personalLoanFields.gender.options]),
  pan: Pan,
  contactNumber: Mobile,
  employmentType: OneOf([...personalLoanFields.employmentType.options]),
  income: Type.String({ pattern: '^\\s*[1-9]\\d{3,8}(?:\\.\\d{1,2})?\\s*$', ...withMessage('must be rupees a month') }),
  companyName: ShortText,
  ...recordOf(keysOf(optionalProfileTexts), () => optional(ShortText)),
  udyamNumber: optional(Type.String({ pattern: udyamPattern, ...withMessage('must be a Udyam number') })),
  pincode: optional(Pincode),
  aa_id: optional(Handle),
  bureauConsent: optional(Type.String()),
  endUse: OneOf([...personalLoanFields.endUse.options]),
})

const profilePresentation: Record<string, FieldPresentation> = {
  panName: { label: 'Name as on the PAN card' },
  pan: { label: 'PAN' },
  dob: { label: 'Date of birth' },
  gender: { label: 'Gender' },
  contactNumber: { label: 'Mobile number' },
  personalemail: { label: 'Personal email' },
  officialemail: { label: 'Work email' },
  employmentType: { label: 'Employment' },
  income: { label: 'Income', hint: 'in rupees a month' },
  companyName: { label: 'Employer or business' },
  ...recordOf(keysOf(optionalProfileTexts), (name) => ({ label: optionalProfileTexts[name] })),
  udyamNumber: { label: optionalProfileTexts.udyamNumber, hint: 'if there is one' },
  aa_id: { label: 'Account aggregator handle', hint: 'such as 9876543210@sandbox-aa' },
  endUse: { label: 'What the loan is for' },
  bureauConsent: { label: 'I agree that my credit report is read for this application.' },
}

/** Parses the applicant. Throws `invalid`, naming every wrong field. */
function applicantFrom(posted: AnswersTo<typeof personalLoanFields>): LoanApplicant {
  const { fields, bornOn } = validatedFields(Profile, posted, ['panName', 'companyName', 'addressL1', 'addressL2'])
  return {
    name: fields.panName.trim(),
    bornOn,
    gender: fields.gender,
    pan: upper(fields.pan),
    mobile: tenDigits(fields.contactNumber),
    aaId: trimmedOrNull(fields.aa_id),
    email: trimmedOrNull(fields.personalemail ?? fields.officialemail),
    employment: fields.employmentType,
    monthlyIncome: rupeesIn(fields.income),
    company: fields.companyName.trim(),
    address: [fields.addressL1, fields.addressL2].filter(Boolean).join(', ') || null,
    city: trimmedOrNull(fields.city),
    state: trimmedOrNull(fields.state),
    pincode: trimmedOrNull(fields.pincode),
    endUse: fields.endUse,
    bureauConsent: isTicked(fields.bureauConsent),
  }
}

/** The application form for a personal loan (FIS12 §8.1, F1). */
export const profileForm: Form = {
  heading: 'PERSONAL_INFORMATION',
  title: 'Apply for a personal loan',
  fields: personalLoanFields,
  presentation: () => profilePresentation,
  parse({ seal }, { slug }, posted) {
    const applicant = applicantFrom(posted)
    return {
      content: { ...applicant, monthlyIncome: String(applicant.monthlyIncome) },
      facts: () => ({ scenario: scenarioFor(applicant.pan, slug) }),
      store: (tx, conversationId) => saveApplicant(tx, seal, conversationId, applicant),
    }
  },
}
