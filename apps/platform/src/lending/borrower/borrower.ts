// A borrower's personal details: their stored form, its conversion from and to D1 §2.1, and their merging.

import { omitValue } from '@lendloom/foundation/record'
import type { CanonicalWork } from '@lendloom/wire/hosted/canonical-profile'
import { type Address, type GoldProfile, noBusiness, type PersonalProfile } from '@lendloom/wire/hosted/profile'

/**
 * A borrower's personal details: the fields of D1 §2.1 in canonical form and under the same names, except `mobile`,
 * `personalEmail` and `officialEmail`. Unknown fields are absent.
 */
export interface BorrowerDetails {
  personal: Omit<PersonalProfile, 'contactNumber' | 'personalemail'> & { mobile: string; personalEmail?: string }
  work: Omit<CanonicalWork, 'officialemail'> & { officialEmail?: string }
  address: Address
  /** The known fields of the payout account. */
  bank?: {
    accountHolderName?: string
    accountNumber?: string
    ifsc?: string
    accountType?: 'saving' | 'current'
  }
  /** Only for a gold-loan journey. */
  gold:
    | (Omit<GoldProfile, 'jewelleryWeightGrams'> & {
        jewelleryWeightGrams?: number
        aaId?: string
        requestedAmount?: string
        requestedTenureMonths?: number
      })
    | null
}

/** The fields of person, work and address as named in D1 §2.1, in canonical form. */
interface ProfileFields {
  profile: PersonalProfile
  workProfile: CanonicalWork
  address: Address
}

/** Converts the fields of D1 §2.1. Omits absent fields, so that a merge keeps existing values. */
export function detailsFrom({ profile, workProfile, address }: ProfileFields): Omit<BorrowerDetails, 'gold'> {
  const { contactNumber: mobile, personalemail: personalEmail, ...personal } = profile
  const { officialemail: officialEmail, ...work } = workProfile
  return {
    personal: { ...omitValue({ ...personal, personalEmail }, undefined), mobile },
    work: omitValue({ ...work, officialEmail }, undefined),
    address: omitValue(address, undefined),
  }
}

/** Inverse of `detailsFrom`. */
export function profileFieldsOf({ personal, work, address, gold }: BorrowerDetails) {
  const { mobile, personalEmail, ...rest } = personal
  const { officialEmail, ...employment } = work
  return {
    profile: { contactNumber: mobile, ...rest, ...(personalEmail !== undefined && { personalemail: personalEmail }) },
    workProfile: { ...employment, ...(officialEmail !== undefined && { officialemail: officialEmail }) },
    address,
    ...(gold && { goldLoan: goldFieldsOf(gold) }),
  }
}

const goldFieldsOf = ({
  aaId: _,
  requestedAmount: __,
  requestedTenureMonths: ___,
  ...gold
}: NonNullable<BorrowerDetails['gold']>) => omitValue(gold, undefined)

/**
 * Overrides the known values by those of `update`, field by field. The mobile number never changes, because it
 * identifies the borrower. A change to salaried removes the business details (D1 §7).
 */
export function mergeDetails(known: BorrowerDetails, update: BorrowerDetails): BorrowerDetails {
  return {
    personal: { ...known.personal, ...update.personal, mobile: known.personal.mobile },
    work: { ...known.work, ...update.work, ...(update.work.employmentType === 'salaried' && noBusiness) },
    address: { ...known.address, ...update.address },
    ...((known.bank || update.bank) && { bank: { ...known.bank, ...update.bank } }),
    gold: known.gold || update.gold ? { ...known.gold, ...update.gold } : null,
  }
}

/** The binding context of a borrower's sealed prefill. */
export const prefillContext = (tenantId: string, borrowerId: string): string =>
  `borrower.prefill:${tenantId}:${borrowerId}`

/** The binding context of a journey's sealed profile. */
export const detailsContext = (tenantId: string, journeyId: string): string => `profile:${tenantId}:${journeyId}`
