// The consents that a borrower gives with a shown text, and their withdrawal.

import { invalid, Refusal } from '@lendloom/foundation/refusal'
import type { Language } from '@lendloom/lending/language'
import type { Write } from '@lendloom/postgres/write'
import { bucketOf, uuidv7 } from '@lendloom/seal/id'
import type { Seal } from '@lendloom/seal/seal'
import { type ConsentPurpose, consentText } from '@lendloom/wire/hosted/consent-text'
import { insertConsent, insertWithdrawals } from './store.ts'

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

interface GivenConsents {
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
  { consents, requiredPurposes, origin, quote }: GivenConsents,
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
