// The gold loan's profile form: the applicant and the gold to pledge (FIS12 §7.7).

import { required } from '@lendloom/foundation/required'
import { OneOf, Type } from '@lendloom/foundation/schema'
import { paiseFrom } from '@lendloom/lending/money'
import { tenDigits, upper } from '@lendloom/wire/identifier'
import { type AnswersTo, goldLoanFields } from '@lendloom/wire/network/form-fields'
import { scenarioFor } from '@lendloom/wire/sandbox/fault-scenarios'
import { type Pledge, purities } from '#sandbox/lender/core/conversation.ts'
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
  ShortText,
  trimmedOrNull,
  validatedFields,
  withMessage,
} from '#sandbox/lender/forms/profile-fields.ts'
import { milligramsFrom } from './valuation.ts'

/** The address field has room for two address lines of 200 characters and a separator. */
const LongText = Type.String({
  maxLength: 402,
  pattern: '\\S',
  ...withMessage('must be filled in, with at most 402 characters'),
})

const GoldProfile = Type.Object({
  userType: optional(OneOf([...goldLoanFields.userType.options])),
  pan: Pan,
  fullName: ShortText,
  constitution: optional(ShortText),
  gender: OneOf([...goldLoanFields.gender.options]),
  employmentType: optional(OneOf([...goldLoanFields.employmentType.options])),
  dob: Type.String(),
  annualIncome: optional(
    Type.String({ pattern: '^\\s*\\d{1,10}(?:\\.\\d{1,2})?\\s*$', ...withMessage('must be rupees a year') }),
  ),
  contactNumber: Mobile,
  email: optional(Email),
  address: optional(LongText),
  pincode: Pincode,
  city: optional(ShortText),
  state: optional(ShortText),
  jewellery: Type.String({
    pattern: '^\\s*(?!0+(?:\\.0+)?\\s*$)\\d{1,6}(?:\\.\\d{1,3})?\\s*$',
    ...withMessage('must be a weight in grams, with at most three decimals'),
  }),
  purity: OneOf([...purities]),
  endUse: optional(OneOf([...goldLoanFields.endUse.options])),
  aa_id: optional(Handle),
  bureauConsent: optional(Type.String()),
})

const goldPresentation: Record<string, FieldPresentation> = {
  userType: { label: 'Who applies' },
  fullName: { label: 'Full name' },
  pan: { label: 'PAN' },
  dob: { label: 'Date of birth' },
  gender: { label: 'Gender' },
  contactNumber: { label: 'Mobile number' },
  email: { label: 'Email' },
  constitution: { label: 'Constitution', hint: 'of a business' },
  employmentType: { label: 'Employment' },
  annualIncome: { label: 'Income', hint: 'in rupees a year' },
  address: { label: 'Address' },
  city: { label: 'City' },
  state: { label: 'State' },
  pincode: { label: 'PIN code' },
  jewellery: { label: 'Net weight of the gold', hint: 'in grams, without stones', min: '0.001', step: '0.001' },
  purity: { label: 'Purity' },
  endUse: { label: 'What the loan is for' },
  aa_id: { label: 'Account aggregator handle', hint: 'such as 9876543210@sandbox-aa' },
  bureauConsent: { label: 'I agree that my credit report is read for this application.' },
}

/** Parses the applicant and the gold. Throws `invalid`, naming every wrong field. */
export function goldApplicationFrom(posted: AnswersTo<typeof goldLoanFields>): {
  applicant: LoanApplicant
  pledge: Pledge
} {
  const { fields, bornOn } = validatedFields(GoldProfile, posted, ['fullName', 'address'])
  const yearlyIncome = fields.annualIncome === undefined ? null : paiseFrom(fields.annualIncome.trim())
  return {
    applicant: {
      name: fields.fullName.trim(),
      bornOn,
      gender: fields.gender,
      pan: upper(fields.pan),
      mobile: tenDigits(fields.contactNumber),
      aaId: trimmedOrNull(fields.aa_id),
      email: trimmedOrNull(fields.email),
      employment: fields.employmentType ?? null,
      monthlyIncome: yearlyIncome === null ? null : yearlyIncome / 12n,
      company: null,
      address: trimmedOrNull(fields.address),
      city: trimmedOrNull(fields.city),
      state: trimmedOrNull(fields.state),
      pincode: fields.pincode.trim(),
      endUse: fields.endUse ?? 'other',
      bureauConsent: isTicked(fields.bureauConsent),
    },
    pledge: { milligrams: required(milligramsFrom(fields.jewellery), 'weight of the gold'), purity: fields.purity },
  }
}

export const profileForm: Form = {
  heading: 'PERSONAL_INFORMATION',
  title: 'Apply for a gold loan',
  fields: goldLoanFields,
  presentation: () => goldPresentation,
  parse({ seal }, { slug }, posted) {
    const { applicant, pledge } = goldApplicationFrom(posted)
    const { milligrams: goldMilligrams, purity: goldPurity } = pledge
    return {
      content: {
        ...applicant,
        monthlyIncome: String(applicant.monthlyIncome),
        goldPurity,
        gold: `${goldMilligrams}`,
      },
      facts: () => ({ scenario: scenarioFor(applicant.pan, slug), goldMilligrams, goldPurity }),
      store: (tx, conversationId) => saveApplicant(tx, seal, conversationId, applicant),
    }
  },
}
