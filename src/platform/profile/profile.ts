// What a loan of each kind needs to know of its borrower before lenders can be asked; pure.
import type { BorrowerDetails } from '#platform/borrower/details.ts'
import type { JourneyType } from '#platform/journey/journey.ts'

/** A field as D1 §2.1 spells its path. */
export type FieldPath = string

const personalLoan: [FieldPath, (person: BorrowerDetails, endUse: string | null) => unknown][] = [
  ['profile.panName', ({ personal }) => personal.panName],
  ['profile.pan', ({ personal }) => personal.pan],
  ['profile.dob', ({ personal }) => personal.dob],
  ['profile.gender', ({ personal }) => personal.gender],
  ['workProfile.employmentType', ({ work }) => work.employmentType],
  ['workProfile.income', ({ work }) => work.income],
  ['workProfile.companyName', ({ work }) => work.companyName],
  ['address.pincode', ({ address }) => address.pincode],
  ['endUse', (_, endUse) => endUse],
]

/** What the network's gold form asks for; the lender looks at the gold rather than at the income. */
const goldLoan: typeof personalLoan = [
  ...personalLoan.filter(([path]) => !path.startsWith('workProfile.')),
  ['goldLoan.jewelleryWeightGrams', ({ gold }) => gold?.jewelleryWeightGrams],
  ['goldLoan.purity', ({ gold }) => gold?.purity],
]

/** What a lender against mutual funds asks for inside its catalogue (FIS12 §7.7). */
const fundLoan: typeof personalLoan = [
  ...personalLoan.filter(([path]) => path !== 'workProfile.companyName'),
  ['profile.personalemail', ({ personal }) => personal.personalEmail],
]

const required: Record<JourneyType, typeof personalLoan> = {
  PERSONAL_LOAN: personalLoan,
  GOLD_LOAN: goldLoan,
  LAMF_LOAN: fundLoan,
}

export const requiredFields = (type: JourneyType): FieldPath[] => required[type].map(([path]) => path)

/** The fields a borrower still has to give before the profile can be sent. */
export const missingFields = (type: JourneyType, person: BorrowerDetails, endUse: string | null): FieldPath[] =>
  required[type]
    .filter(([, of]) => of(person, endUse) === undefined || of(person, endUse) === null || of(person, endUse) === '')
    .map(([path]) => path)
