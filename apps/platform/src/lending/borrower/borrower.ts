// Borrowers: personal details, the borrower of each integrator's identifier, and consents.

import { omitValue } from '@lendloom/foundation/record'
import { invalid, Refusal } from '@lendloom/foundation/refusal'
import type { Language } from '@lendloom/lending/language'
import type { Tx } from '@lendloom/postgres/sql'
import type { Write } from '@lendloom/postgres/write'
import { bucketOf, uuidv7 } from '@lendloom/seal/id'
import type { Seal } from '@lendloom/seal/seal'
import type { CanonicalWork } from '@lendloom/wire/hosted/canonical-profile'
import { type ConsentPurpose, consentText } from '@lendloom/wire/hosted/consent-text'
import { type Address, type GoldProfile, noBusiness, type PersonalProfile } from '@lendloom/wire/hosted/profile'
import {
  type BorrowerRow,
  borrowerBucket,
  insertConsent,
  insertWithdrawals,
  type NewBorrower,
  upsertBorrower,
} from './store.ts'

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

/** A consent of the borrower. Consents are appended and never changed. */
export interface GivenConsent {
  purpose: ConsentPurpose
  textVersion: string
  language: Language
}

/** The channel and IP address from which a consent was given or withdrawn. */
export interface ConsentOrigin {
  channel: 'hosted' | 'headless' | 'hybrid' | 'sandbox'
  ip: string | null
}

/** The quote that a screen showed to the borrower. */
export interface ShownQuote {
  quoteId: string
  /** The SHA-256 digest of the terms, in hexadecimal digits. */
  termsDigest: string
}

interface ConsentRecord {
  consents: GivenConsent[]
  requiredPurposes: ConsentPurpose[]
  origin: ConsentOrigin
  /** The terms that the borrower consents to, if any. */
  quote?: ShownQuote
}

/** Records consents. Throws `invalid` if a required purpose is missing or a consent text does not exist. */
export async function recordConsents(
  ctx: { seal: Seal } & Write,
  { tenantId, journeyId }: { tenantId: string; journeyId: string },
  { consents, requiredPurposes, origin, quote }: ConsentRecord,
): Promise<void> {
  const { tx, at } = ctx
  const missing = requiredPurposes.filter((purpose) => !consents.some((consent) => consent.purpose === purpose))
  if (missing.length > 0)
    throw new Refusal('invalid', `consent is required: ${missing.join(', ')}`, { field: 'consents', missing })
  for (const [i, { purpose, textVersion, language }] of consents.entries()) {
    requireConsentText({ purpose, textVersion, language }, `consents.${i}.`)
    const consentId = uuidv7(at.getTime(), bucketOf(journeyId))
    const ipSealed =
      origin.ip === null ? null : ctx.seal.bytes(Buffer.from(origin.ip), `consent:${tenantId}:${consentId}`)
    await insertConsent(tx, {
      tenantId,
      journeyId,
      consentId,
      purpose,
      textVersion,
      language,
      channel: origin.channel,
      ipSealed,
      quoteId: quote?.quoteId ?? null,
      termsDigest: quote ? Buffer.from(quote.termsDigest, 'hex') : null,
      givenAt: at,
    })
  }
}

/** Throws `invalid` at `${pathPrefix}textVersion` unless the purpose has this text. */
export function requireConsentText({ purpose, textVersion, language }: GivenConsent, pathPrefix = ''): void {
  if (consentText(textVersion, purpose, language) === undefined)
    throw invalid({ path: `${pathPrefix}textVersion`, message: 'is not a known consent text' })
}

interface ConsentWithdrawal {
  origin: ConsentOrigin
}

/** Records the withdrawal of all consents of a journey, with its time, channel and IP address. */
export async function recordWithdrawal(
  ctx: { seal: Seal } & Write,
  { tenantId, journeyId }: { tenantId: string; journeyId: string },
  { origin: { channel, ip } }: ConsentWithdrawal,
): Promise<void> {
  const { tx, at } = ctx
  const ipSealed = ip === null ? null : ctx.seal.bytes(Buffer.from(ip), withdrawalContext(tenantId, journeyId))
  await insertWithdrawals(tx, { tenantId, journeyId, channel, ipSealed, withdrawnAt: at })
}

const withdrawalContext = (tenantId: string, journeyId: string): string =>
  `consent_withdrawal.ip:${tenantId}:${journeyId}`
