// Converts a profile in the format of D1 §2.1 and D2 §4 to `BorrowerDetails`.

import { omitValue, ownValue } from '@lendloom/foundation/record'
import { type FieldError, invalid, Refusal } from '@lendloom/foundation/refusal'
import { belongsTo, contractOf, type ProductId } from '@lendloom/lending/product/products'
import { canonicalAccountType } from '@lendloom/wire/headless/bank-mandate'
import type { BankingInformation } from '@lendloom/wire/headless/profile'
import { canonicalPersonal, canonicalWork } from '@lendloom/wire/hosted/canonical-profile'
import {
  type Address,
  type GoldProfile,
  gramsOf,
  type PersonalProfile,
  type WorkProfile,
} from '@lendloom/wire/hosted/profile'
import { refuseAadhaar, refuseHiddenCharacters } from '@lendloom/wire/hosted/refused-text'
import { upper } from '@lendloom/wire/identifier'
import type { BorrowerDetails } from '#platform/lending/borrower/borrower.ts'

type OrNull<T> = { [Name in keyof T]?: T[Name] | null | undefined }

/** Profile fields of a request. A null clears its field. */
export interface ProfileInput {
  profile?: OrNull<PersonalProfile>
  workProfile?: OrNull<WorkProfile>
  address?: OrNull<Address>
  bankingInformation?: BankingInformation
  /** Only for a gold-loan journey. */
  goldLoan?: OrNull<GoldProfile>
}

/**
 * Returns the profile as `BorrowerDetails`, with every field in canonical form. Throws `invalid` with every invalid
 * field, and `wrong-state` when the mobile number differs from the borrower's stored number.
 */
export function personFrom(input: ProfileInput, known: BorrowerDetails, type: ProductId, at: Date): BorrowerDetails {
  refuseAadhaar(input)
  refuseHiddenCharacters(input)
  const { needsPersonPan, minIncomeDigits, pledgesGold } = contractOf(type)
  const faults: FieldError[] = []
  const [filledPersonal, clearedPersonal] = splitCleared(input.profile ?? {})
  const [filledWork, clearedWork] = splitCleared(input.workProfile ?? {})
  const { contactNumber, ...personal } = canonicalPersonal(filledPersonal, { at, needsPersonPan }, faults)
  const work = canonicalWork(
    filledWork,
    { minDigits: minIncomeDigits, storedEmployment: known.work.employmentType },
    faults,
  )
  if (input.goldLoan && !pledgesGold) faults.push({ path: 'goldLoan', message: belongsTo('pledgesGold') })
  const [firstFault, ...otherFaults] = faults
  if (firstFault) throw invalid(firstFault, ...otherFaults)
  if (contactNumber !== undefined && contactNumber !== known.personal.mobile)
    throw new Refusal('wrong-state', 'this borrower has another mobile number', { field: 'profile.contactNumber' })
  return {
    personal: {
      ...renameFields({ ...clearedPersonal, ...personal }, { personalemail: 'personalEmail' }),
      mobile: known.personal.mobile,
    },
    work: renameFields({ ...clearedWork, ...work }, { officialemail: 'officialEmail' }) as BorrowerDetails['work'],
    address: (input.address ?? {}) as BorrowerDetails['address'],
    ...(input.bankingInformation && { bank: bankFrom(input.bankingInformation) }),
    gold: input.goldLoan ? goldFrom(input.goldLoan) : null,
  }
}

const goldFrom = ({ jewelleryWeightGrams: grams, ...otherFields }: OrNull<GoldProfile>): BorrowerDetails['gold'] =>
  ({
    ...otherFields,
    ...(grams !== undefined && { jewelleryWeightGrams: grams === null ? null : gramsOf(grams) }),
  }) as BorrowerDetails['gold']

const bankFrom = ({
  accountHolderName,
  ifsc,
  accountType,
  ...otherFields
}: BankingInformation): NonNullable<BorrowerDetails['bank']> => ({
  ...otherFields,
  ...(accountHolderName !== undefined && { accountHolderName: accountHolderName.trim() }),
  ...(ifsc !== undefined && { ifsc: upper(ifsc) }),
  ...(accountType !== undefined && { accountType: canonicalAccountType(accountType) }),
})

/** Returns the fields that have a value, and separately the fields that the caller clears with null. */
function splitCleared<Fields extends object>(fields: Fields) {
  const cleared = Object.entries(fields).flatMap(([name, value]) => (value === null ? [[name, null] as const] : []))
  return [omitValue(fields, null), Object.fromEntries(cleared)] as const
}

const renameFields = (fields: Record<string, unknown>, names: Record<string, string>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [ownValue(names, name) ?? name, value]))
