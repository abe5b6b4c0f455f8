// Borrowers: personal details, their digests, and the borrower of each integrator's identifier.

import { omitValue } from '@lendloom/foundation/record'
import { Refusal } from '@lendloom/foundation/refusal'
import type { Tx } from '@lendloom/postgres/sql'
import { uuidv7 } from '@lendloom/seal/id'
import type { Seal } from '@lendloom/seal/seal'
import type { CanonicalWork } from '@lendloom/wire/hosted/canonical-profile'
import { type Address, type GoldProfile, noBusiness, type PersonalProfile } from '@lendloom/wire/hosted/profile'
import { type BorrowerRow, borrowerBucket, type NewBorrower, upsertBorrower } from './store.ts'

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

/** The digest of a mobile number for look-up, which cannot be computed without our key. */
export const mobileDigest = ({ seal }: { seal: Seal }, mobile: string): Buffer => seal.digest(mobile, 'mobile')

export const newBorrowerOf = (
  deps: { seal: Seal },
  { tenantId, externalId }: Pick<NewBorrower, 'tenantId' | 'externalId'>,
  { personal }: Pick<BorrowerDetails, 'personal'>,
  at: Date,
): NewBorrower => ({
  tenantId,
  externalId,
  borrowerId: uuidv7(at.getTime(), borrowerBucket(tenantId, externalId)),
  mobileDigest: mobileDigest(deps, personal.mobile),
  createdAt: at,
})

/**
 * Creates the borrower of an integrator's identifier unless the row exists, and locks the row. Throws `wrong-state` at
 * `path`, the path of the mobile number, if the borrower has another mobile number, because the identifier then belongs
 * to another person (D1 §2.3.2, §2.3.4).
 */
export async function ensureBorrower(
  tx: Tx,
  row: NewBorrower,
  path = 'profile.contactNumber',
): Promise<Omit<BorrowerRow, 'mobileDigest'>> {
  const { mobileDigest: known, ...borrower } = await upsertBorrower(tx, row)
  if (!known.equals(row.mobileDigest))
    throw new Refusal('wrong-state', 'this borrower identifier belongs to another mobile number', {
      field: path,
    })
  return borrower
}

type SealDeps = { seal: Seal }

/** The digest of a PAN for look-up, which cannot be computed without our key. */
export const panDigest = ({ seal }: SealDeps, pan: string): Buffer => seal.digest(pan.trim().toUpperCase(), 'pan')

/** The digest of an email address for look-up. Upper and lower case have the same digest. */
export const emailDigest = ({ seal }: SealDeps, email: string): Buffer =>
  seal.digest(email.trim().toLowerCase(), 'email')

/** Look-up digests of a profile; null for absent values. */
export interface ProfileDigests {
  panDigest: Buffer | null
  emailDigest: Buffer | null
  officialEmailDigest: Buffer | null
}

export function digestsOf(deps: SealDeps, { personal, work }: BorrowerDetails): ProfileDigests {
  const { pan, personalEmail } = personal
  return {
    panDigest: pan ? panDigest(deps, pan) : null,
    emailDigest: personalEmail ? emailDigest(deps, personalEmail) : null,
    officialEmailDigest: work.officialEmail ? emailDigest(deps, work.officialEmail) : null,
  }
}
