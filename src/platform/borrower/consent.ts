// Consent is a record: which text, in which language, for what, when, from where; appended, never changed.
import { consentText, type Purpose } from '#contract/hosted/consent-text.ts'
import type { Language } from '#contract/language.ts'
import { bucketOf, uuidv7 } from '#kit/crypto/id.ts'
import type { Seal } from '#kit/crypto/seal.ts'
import type { Write } from '#kit/db/write.ts'
import { invalid, Refusal } from '#kit/http/refusal.ts'
import { insertConsent, insertWithdrawals } from './store.ts'

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
