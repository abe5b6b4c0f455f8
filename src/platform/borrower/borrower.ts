// The borrower: what is known of the person, who is behind an integrator's identifier, and the record of each consent.
import { noBusiness } from '#contract/hosted/business.ts'
import { consentText, type Purpose } from '#contract/hosted/consent-text.ts'
import type { Address, CanonicalWork, GoldProfile, PersonalProfile } from '#contract/hosted/profile.ts'
import type { Language } from '#contract/language.ts'
import { bucketOf, uuidv7 } from '#kit/crypto/id.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import type { Tx } from '#kit/db/sql.ts'
import type { Write } from '#kit/db/write.ts'
import { invalid, Refusal } from '#kit/http/refusal.ts'
import { without } from '#kit/runtime/record.ts'
import {
  type BorrowerRow,
  borrowerBucket,
  insertConsent,
  insertWithdrawals,
  keepBorrower,
  type NewBorrower,
} from './store.ts'

/**
 * A borrower's person: the fields of D1 §2.1 in their canonical form, under their names there but for `mobile`,
 * `personalEmail` and `officialEmail`; each is absent until somebody says it.
 */
export interface BorrowerDetails {
  personal: Omit<PersonalProfile, 'contactNumber' | 'personalemail'> & { mobile: string; personalEmail?: string }
  work: Omit<CanonicalWork, 'officialemail'> & { officialEmail?: string }
  address: Address
  /** The account the money may go to, as far as somebody has said. */
  bank?: {
    accountHolderName?: string
    accountNumber?: string
    ifsc?: string
    accountType?: 'saving' | 'current'
  }
  /** Only of a gold-loan journey. */
  gold:
    | (Omit<GoldProfile, 'jewelleryWeightGrams'> & {
        jewelleryWeightGrams?: number
        aaId?: string
        requestedAmount?: string
        requestedTenureMonths?: number
      })
    | null
}

/** What D1 §2.1 calls the fields of a person, work and address, in their canonical form. */
interface SpelledDetails {
  profile: PersonalProfile
  workProfile: CanonicalWork
  address: Address
}

/** From the spelling of D1 §2.1: only what was said, so that a merge keeps what is known. */
export function detailsFrom({ profile, workProfile, address }: SpelledDetails): Omit<BorrowerDetails, 'gold'> {
  const { contactNumber: mobile, personalemail: personalEmail, ...personal } = profile
  const { officialemail: officialEmail, ...work } = workProfile
  return {
    personal: { ...without({ ...personal, personalEmail }, undefined), mobile },
    work: without({ ...work, officialEmail }, undefined),
    address: without(address, undefined),
  }
}

/** The way back; what is not known is absent. */
export function spelled({ personal, work, address, gold }: BorrowerDetails) {
  const { mobile, personalEmail, ...rest } = personal
  const { officialEmail, ...employment } = work
  return {
    profile: { contactNumber: mobile, ...rest, ...(personalEmail !== undefined && { personalemail: personalEmail }) },
    workProfile: { ...employment, ...(officialEmail !== undefined && { officialemail: officialEmail }) },
    address,
    ...(gold && { goldLoan: spelledGold(gold) }),
  }
}

const spelledGold = ({
  aaId: _,
  requestedAmount: __,
  requestedTenureMonths: ___,
  ...gold
}: NonNullable<BorrowerDetails['gold']>) => without(gold, undefined)

/**
 * Later words over earlier ones, field by field; the mobile number stays, since it says who the borrower is, and what is
 * said of a business goes with the self-employment it belongs to (D1 §7).
 */
export function merged(known: BorrowerDetails, update: BorrowerDetails): BorrowerDetails {
  return {
    personal: { ...known.personal, ...update.personal, mobile: known.personal.mobile },
    work: { ...known.work, ...update.work, ...(update.work.employmentType === 'salaried' && noBusiness) },
    address: { ...known.address, ...update.address },
    ...((known.bank || update.bank) && { bank: { ...known.bank, ...update.bank } }),
    gold: known.gold || update.gold ? { ...known.gold, ...update.gold } : null,
  }
}

/** The place the sealed prefill of a borrower belongs to. */
export const prefillContext = (tenantId: string, borrowerId: string): string =>
  `borrower.prefill:${tenantId}:${borrowerId}`

/** The place a sealed person belongs to: its row. */
export const detailsContext = (tenantId: string, journeyId: string): string => `profile:${tenantId}:${journeyId}`

/** A mobile number for look-up: nobody without our key can compute it. */
export const mobileDigest = ({ seal }: { seal: Seal }, mobile: string): Buffer => seal.digest(mobile, 'mobile')

/** The row of a borrower who is not known yet. */
export const newBorrowerOf = (
  means: { seal: Seal },
  { tenantId, externalId }: Pick<NewBorrower, 'tenantId' | 'externalId'>,
  { personal }: Pick<BorrowerDetails, 'personal'>,
  at: Date,
): NewBorrower => ({
  tenantId,
  externalId,
  borrowerId: uuidv7(at.getTime(), borrowerBucket(tenantId, externalId)),
  mobileDigest: mobileDigest(means, personal.mobile),
  createdAt: at,
})

/**
 * Makes sure that the borrower of an integrator's identifier is there, and locks it. A known identifier with another mobile
 * number is refused as `wrong-state` at `path`, where the number was sent: another person's journey must not open
 * (D1 §2.3.2, §2.3.4).
 */
export async function ensureBorrower(
  tx: Tx,
  row: NewBorrower,
  path = 'profile.contactNumber',
): Promise<Omit<BorrowerRow, 'mobileDigest'>> {
  const { mobileDigest: known, ...borrower } = await keepBorrower(tx, row)
  if (!known.equals(row.mobileDigest))
    throw new Refusal('wrong-state', 'this identifier of a borrower belongs to another mobile number', {
      field: path,
    })
  return borrower
}

type SealDeps = { seal: Seal }

/** For look-up: equal values meet, and nobody without our key can compute them. */
export const panDigest = ({ seal }: SealDeps, pan: string): Buffer => seal.digest(pan.trim().toUpperCase(), 'pan')

/** Mail addresses that differ in capitals alone are taken for one. */
export const emailDigest = ({ seal }: SealDeps, email: string): Buffer =>
  seal.digest(email.trim().toLowerCase(), 'email')

/** What a profile is found by beside its borrower; null for what it does not say. */
export interface ProfileDigests {
  panDigest: Buffer | null
  emailDigest: Buffer | null
  officialEmailDigest: Buffer | null
}

export function digestsOf(means: SealDeps, { personal, work }: BorrowerDetails): ProfileDigests {
  const { pan, personalEmail } = personal
  return {
    panDigest: pan ? panDigest(means, pan) : null,
    emailDigest: personalEmail ? emailDigest(means, personalEmail) : null,
    officialEmailDigest: work.officialEmail ? emailDigest(means, work.officialEmail) : null,
  }
}

/** Consent is a record: which text, in which language, for what, when, from where; appended, never changed. */
export interface GivenConsent {
  purpose: Purpose
  textVersion: string
  language: Language
}

export interface ConsentPlace {
  channel: 'hosted' | 'headless' | 'hybrid' | 'sandbox'
  ip: string | null
}

interface ConsentRecord {
  given: GivenConsent[]
  needed: Purpose[]
  place: ConsentPlace
}

/** Records consents; every purpose in `needed` must be among them, each to a text that exists. */
export async function recordConsents(
  ctx: { seal: Seal } & Write,
  { tenantId, journeyId }: { tenantId: string; journeyId: string },
  { given, needed, place }: ConsentRecord,
): Promise<void> {
  const { tx, at } = ctx
  const missing = needed.filter((purpose) => !given.some((each) => each.purpose === purpose))
  if (missing.length > 0)
    throw new Refusal('invalid', `consent is needed: ${missing.join(', ')}`, { field: 'consents', missing })
  for (const [i, { purpose, textVersion, language }] of given.entries()) {
    requireConsentText({ purpose, textVersion, language }, `consents.${i}.`)
    const consentId = uuidv7(at.getTime(), bucketOf(journeyId))
    const ipSealed =
      place.ip === null ? null : ctx.seal.bytes(Buffer.from(place.ip), `consent:${tenantId}:${consentId}`)
    await insertConsent(tx, {
      tenantId,
      journeyId,
      consentId,
      purpose,
      textVersion,
      language,
      channel: place.channel,
      ipSealed,
      givenAt: at,
    })
  }
}

/** Refused as `invalid`, at `under`textVersion, unless the text is one that we have shown for this purpose. */
export function requireConsentText({ purpose, textVersion, language }: GivenConsent, under = ''): void {
  if (consentText(textVersion, purpose, language) === undefined)
    throw invalid({ path: `${under}textVersion`, message: 'is not a consent text of ours' })
}

interface ConsentWithdrawal {
  place: ConsentPlace
}

/** Records that every consent of a journey that stands is withdrawn: when, and from where. */
export async function recordWithdrawal(
  ctx: { seal: Seal } & Write,
  { tenantId, journeyId }: { tenantId: string; journeyId: string },
  { place: { channel, ip } }: ConsentWithdrawal,
): Promise<void> {
  const { tx, at } = ctx
  const ipSealed = ip === null ? null : ctx.seal.bytes(Buffer.from(ip), withdrawalContext(tenantId, journeyId))
  await insertWithdrawals(tx, { tenantId, journeyId, channel, ipSealed, withdrawnAt: at })
}

const withdrawalContext = (tenantId: string, journeyId: string): string =>
  `consent_withdrawal.ip:${tenantId}:${journeyId}`
