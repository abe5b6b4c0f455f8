// The gold loan's profile form: who applies and what gold they would pledge, read from the posted fields (FIS12 §7.7).
import { tenDigits, upper } from '#contract/identifier.ts'
import { type AnswersTo, goldFields } from '#contract/network/forms.ts'
import { scenarioFor } from '#contract/sandbox/fault-scenarios.ts'
import { OneOf, Type } from '#kit/http/schema.ts'
import { paiseFrom } from '#kit/money/money.ts'
import { required } from '#kit/runtime/record.ts'
import { type Pledge, purities } from '#sandbox/lender/core/conversation.ts'
import type { LoanApplicant } from '#sandbox/lender/core/decide.ts'
import type { FieldPresentation, Form } from '#sandbox/lender/core/form.ts'
import { keepApplicant } from '#sandbox/lender/core/store.ts'
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
  says,
} from '#sandbox/lender/forms/profile-fields.ts'
import { milligramsFrom } from './valuation.ts'

/** Where other forms have two lines of 200 characters, this one has a single field. */
const Lines = Type.String({ maxLength: 402, pattern: '\\S', ...says('must be filled in, with at most 402 characters') })

const GoldProfile = Type.Object({
  userType: maybe(OneOf([...goldFields.userType.options])),
  pan: Pan,
  fullName: Line,
  constitution: maybe(Line),
  gender: OneOf([...goldFields.gender.options]),
  employmentType: maybe(OneOf([...goldFields.employmentType.options])),
  dob: Type.String(),
  annualIncome: maybe(
    Type.String({ pattern: '^\\s*\\d{1,10}(?:\\.\\d{1,2})?\\s*$', ...says('must be rupees a year') }),
  ),
  contactNumber: Mobile,
  email: maybe(Email),
  address: maybe(Lines),
  pincode: Pincode,
  city: maybe(Line),
  state: maybe(Line),
  jewellery: Type.String({
    pattern: '^\\s*(?!0+(?:\\.0+)?\\s*$)\\d{1,6}(?:\\.\\d{1,3})?\\s*$',
    ...says('must be a weight in grams, with at most three decimals'),
  }),
  purity: OneOf([...purities]),
  endUse: maybe(OneOf([...goldFields.endUse.options])),
  aa_id: maybe(Handle),
  bureauConsent: maybe(Type.String()),
})

const goldShown: Record<string, FieldPresentation> = {
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

/** The applicant and the gold as the posted fields tell it. Throws a `Refusal` of kind `invalid` naming every wrong field. */
export function goldApplicationFrom(posted: AnswersTo<typeof goldFields>): {
  applicant: LoanApplicant
  pledge: Pledge
} {
  const { given, bornOn } = checked(GoldProfile, posted, ['fullName', 'address'])
  const yearly = given.annualIncome === undefined ? null : paiseFrom(given.annualIncome.trim())
  return {
    applicant: {
      name: given.fullName.trim(),
      bornOn,
      gender: given.gender,
      pan: upper(given.pan),
      mobile: tenDigits(given.contactNumber),
      aaId: line(given.aa_id),
      email: line(given.email),
      employment: given.employmentType ?? null,
      monthlyIncome: yearly === null ? null : yearly / 12n,
      company: null,
      address: line(given.address),
      city: line(given.city),
      state: line(given.state),
      pincode: given.pincode.trim(),
      endUse: given.endUse ?? 'other',
      bureauConsent: isTicked(given.bureauConsent),
    },
    pledge: { milligrams: required(milligramsFrom(given.jewellery), 'weight of the gold'), purity: given.purity },
  }
}

/** The form with which a borrower applies for a gold loan (FIS12 §9.1). */
export const profileForm: Form = {
  heading: 'PERSONAL_INFORMATION',
  title: 'Apply for a gold loan',
  fields: goldFields,
  shown: () => goldShown,
  filling({ seal }, { slug }, posted) {
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
      keep: (tx, conversationId) => keepApplicant(tx, seal, conversationId, applicant),
    }
  },
}
