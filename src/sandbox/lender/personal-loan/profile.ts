// The profile form: who applies, read from the posted fields, and what of it a lender cannot take (FIS12 §7.7).
import { tenDigits, udyamPattern, upper } from '#contract/identifier.ts'
import { type AnswersTo, profileFields } from '#contract/network/forms.ts'
import { scenarioFor } from '#contract/sandbox/fault-scenarios.ts'
import { OneOf, Type } from '#kit/http/schema.ts'
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
  rupeesIn,
  says,
} from '#sandbox/lender/forms/profile-fields.ts'

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
  bureauConsent: maybe(Type.String()),
  endUse: OneOf([...profileFields.endUse.options]),
})

const profileShown: Record<string, FieldPresentation> = {
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
function applicantFrom(posted: AnswersTo<typeof profileFields>): LoanApplicant {
  const { given, bornOn } = checked(Profile, posted, ['panName', 'companyName', 'addressL1', 'addressL2'])
  return {
    name: given.panName.trim(),
    bornOn,
    gender: given.gender,
    pan: upper(given.pan),
    mobile: tenDigits(given.contactNumber),
    aaId: line(given.aa_id),
    email: line(given.personalemail ?? given.officialemail),
    employment: given.employmentType,
    monthlyIncome: rupeesIn(given.income),
    company: given.companyName.trim(),
    address: [given.addressL1, given.addressL2].filter(Boolean).join(', ') || null,
    city: line(given.city),
    state: line(given.state),
    pincode: line(given.pincode),
    endUse: given.endUse,
    bureauConsent: isTicked(given.bureauConsent),
  }
}

/** The form with which a borrower applies for a personal loan (FIS12 §8.1, F1). */
export const profileForm: Form = {
  heading: 'PERSONAL_INFORMATION',
  title: 'Apply for a personal loan',
  fields: profileFields,
  shown: () => profileShown,
  filling({ seal }, { slug }, posted) {
    const applicant = applicantFrom(posted)
    return {
      content: { ...applicant, monthlyIncome: String(applicant.monthlyIncome) },
      facts: () => ({ scenario: scenarioFor(applicant.pan, slug) }),
      keep: (tx, conversationId) => keepApplicant(tx, seal, conversationId, applicant),
    }
  },
}
