// The borrower's answers to a lender's profile form, by the network's field names (FIS12 §7.7, §13.5).

import { isKeyOf } from '@lendloom/foundation/record'
import { type AnswersTo, goldLoanFields, personalLoanFields } from '@lendloom/wire/network/form-fields'
import type { Answers as FundAnswers } from '@lendloom/wire/network/v230/form-data'
import { type BorrowerDetails, profileFieldsOf } from '#platform/lending/borrower/borrower.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'
import type { NetworkProduct } from '#platform/lending/product/product.ts'
import { productOf } from '#platform/lending/product/products.ts'

type Loan = Pick<Journey, 'type' | 'endUse' | 'bureauConsent'>
type Answers = AnswersTo<typeof personalLoanFields> | AnswersTo<typeof goldLoanFields>

/** Returns the answers to the product's form. Values that the profile lacks are left out. */
export function profileAnswers(person: BorrowerDetails, journey: Loan, aaHandle: string): Answers {
  const answers = answersTo[productOf(journey).network.profileForm](person, journey, aaHandle)
  return Object.fromEntries(Object.entries(answers).filter(([, value]) => value !== undefined))
}

/** Returns the end use if the form offers it, otherwise `other`. */
const endUseAmong = (options: readonly string[], endUse: string | null): string =>
  endUse !== null && options.includes(endUse) ? endUse : 'other'

/** Answers the form of a personal loan, whose field names are those of D1 §2.1. */
function personalAnswers(person: BorrowerDetails, { endUse, bureauConsent }: Loan, aaHandle: string) {
  const { profile, workProfile, address } = profileFieldsOf(person)
  const profileValues = Object.entries({ ...profile, ...workProfile, ...address })
  return {
    ...Object.fromEntries(
      profileValues.flatMap(([name, value]) => (isAnswerable(name, value) ? [[name, String(value)]] : [])),
    ),
    aa_id: aaHandle,
    endUse: endUseAmong(personalLoanFields.endUse.options, endUse),
    bureauConsent: bureauConsent ? 'true' : 'false',
  }
}

const isAnswerable = (name: string, value: unknown): boolean =>
  isKeyOf(personalLoanFields, name) && (value ?? null) !== null

/** Answers the form of a gold loan. The form asks for the yearly income, and the profile has the monthly income. */
const goldAnswers = (
  { personal, work, address, gold }: BorrowerDetails,
  { endUse, bureauConsent }: Loan,
  aaHandle: string,
) => ({
  userType: gold?.userType,
  pan: personal.pan,
  fullName: personal.panName,
  constitution: gold?.constitution ?? undefined,
  gender: personal.gender,
  employmentType: work.employmentType,
  dob: personal.dob,
  annualIncome: work.income === undefined ? undefined : String(work.income * 12),
  contactNumber: personal.mobile,
  email: personal.personalEmail,
  address: [address.addressL1, address.addressL2].filter(Boolean).join(', ') || undefined,
  pincode: address.pincode,
  city: address.city,
  state: address.state,
  jewellery: gold?.jewelleryWeightGrams?.toString(),
  purity: gold?.purity,
  endUse: endUseAmong(goldLoanFields.endUse.options, endUse),
  bureauConsent: bureauConsent ? 'true' : 'false',
  aa_id: aaHandle,
})

/** The function that answers the form, by kind of form. */
const answersTo = { personal: personalAnswers, gold: goldAnswers } satisfies Record<
  NetworkProduct['profileForm'],
  unknown
>

/** Answers a second form about the borrower, which may use the field names of either product (FIS12 §19.1, §19.2). */
export const customerAnswers = (
  person: BorrowerDetails,
  journey: Loan,
  aaHandle: string,
): Record<string, string | undefined> => ({
  ...goldAnswers(person, journey, aaHandle),
  ...personalAnswers(person, journey, aaHandle),
  ...profileAnswers(person, journey, aaHandle),
})

/** Answers what lenders against mutual funds request in their catalogue (FIS12 §7.7). Borrowers are individuals. */
export function fundAnswers(person: BorrowerDetails, { endUse, bureauConsent }: Loan, aaHandle: string): FundAnswers {
  const { personal, work, address } = person
  const answers = {
    userType: 'individual',
    pan: personal.pan,
    fullName: personal.panName,
    constitution: 'INDIVIDUAL',
    gender: personal.gender,
    employmentType: work.employmentType,
    dob: personal.dob,
    annualIncome: work.income === undefined ? undefined : String(work.income * 12),
    mobileNumber: personal.mobile,
    emailId: personal.personalEmail,
    addressL1: address.addressL1,
    addressL2: address.addressL2,
    pincode: address.pincode,
    city: address.city,
    state: address.state,
    endUse: endUse ?? undefined,
    bureauConsent: bureauConsent ? 'true' : 'false',
    aa_id: aaHandle,
  }
  return Object.fromEntries(
    Object.entries(answers).filter((answer): answer is [string, string] => answer[1] !== undefined),
  )
}
