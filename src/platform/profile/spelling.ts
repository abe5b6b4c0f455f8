// A person in the spelling of D1 §2.1, which D2 §4 shares, from what a borrower or an app sends.

import type { BankingInformation } from '#contract/headless/profile.ts'
import { canonicalAccountType } from '#contract/headless/step.ts'
import {
  type Address,
  canonicalPersonal,
  canonicalWork,
  type GoldProfile,
  gramsOf,
  type PersonalProfile,
  refuseAadhaar,
  type WorkProfile,
} from '#contract/hosted/profile.ts'
import { upper } from '#contract/identifier.ts'
import { belongsTo, contractOf, type ProductId } from '#contract/product/products.ts'
import { type FieldError, invalid, Refusal } from '#kit/http/refusal.ts'
import { ownValue, without } from '#kit/runtime/record.ts'
import type { BorrowerDetails } from '#platform/borrower/borrower.ts'

type OrNull<T> = { [Name in keyof T]?: T[Name] | null | undefined }

/** The fields that may be given of a person; a field given as null is emptied. */
export interface GivenProfile {
  profile?: OrNull<PersonalProfile>
  workProfile?: OrNull<WorkProfile>
  address?: OrNull<Address>
  bankingInformation?: BankingInformation
  /** Only of a gold-loan journey. */
  goldLoan?: OrNull<GoldProfile>
}

/**
 * The given profile under our names, each field in canonical form. Throws a refusal of kind `invalid` that names every
 * wrong field, and `wrong-state` for another mobile number than the borrower's, which would be another person.
 */
export function personFrom(given: GivenProfile, known: BorrowerDetails, type: ProductId, at: Date): BorrowerDetails {
  refuseAadhaar(given)
  const { needsPersonPan, leastIncomeDigits, pledgesGold } = contractOf(type)
  const faults: FieldError[] = []
  const [givenPersonal, clearedPersonal] = parted(given.profile ?? {})
  const [givenWork, clearedWork] = parted(given.workProfile ?? {})
  const { contactNumber, ...personal } = canonicalPersonal(givenPersonal, { at, needsPersonPan }, faults)
  const work = canonicalWork(givenWork, { leastDigits: leastIncomeDigits, known: known.work.employmentType }, faults)
  if (given.goldLoan && !pledgesGold) faults.push({ path: 'goldLoan', message: belongsTo('pledgesGold') })
  const [first, ...more] = faults
  if (first) throw invalid(first, ...more)
  if (contactNumber !== undefined && contactNumber !== known.personal.mobile)
    throw new Refusal('wrong-state', 'this borrower has another mobile number', { field: 'profile.contactNumber' })
  return {
    personal: {
      ...renamed({ ...clearedPersonal, ...personal }, { personalemail: 'personalEmail' }),
      mobile: known.personal.mobile,
    },
    work: renamed({ ...clearedWork, ...work }, { officialemail: 'officialEmail' }) as BorrowerDetails['work'],
    address: (given.address ?? {}) as BorrowerDetails['address'],
    ...(given.bankingInformation && { bank: bankFrom(given.bankingInformation) }),
    gold: given.goldLoan ? goldFrom(given.goldLoan) : null,
  }
}

const goldFrom = ({ jewelleryWeightGrams: grams, ...rest }: OrNull<GoldProfile>): BorrowerDetails['gold'] =>
  ({
    ...rest,
    ...(grams !== undefined && { jewelleryWeightGrams: grams === null ? null : gramsOf(grams) }),
  }) as BorrowerDetails['gold']

const bankFrom = ({
  accountHolderName,
  ifsc,
  accountType,
  ...rest
}: BankingInformation): NonNullable<BorrowerDetails['bank']> => ({
  ...rest,
  ...(accountHolderName !== undefined && { accountHolderName: accountHolderName.trim() }),
  ...(ifsc !== undefined && { ifsc: upper(ifsc) }),
  ...(accountType !== undefined && { accountType: canonicalAccountType(accountType) }),
})

/** The fields with a value, and the fields that were emptied. */
function parted<Fields extends object>(fields: Fields) {
  const cleared = Object.entries(fields).flatMap(([name, value]) => (value === null ? [[name, null] as const] : []))
  return [without(fields, null), Object.fromEntries(cleared)] as const
}

const renamed = (fields: Record<string, unknown>, names: Record<string, string>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [ownValue(names, name) ?? name, value]))
