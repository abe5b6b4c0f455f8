// The token of the link by which a borrower gives a consent at an account aggregator.

import { secondsAfter } from '@lendloom/foundation/clock'
import { Refusal } from '@lendloom/foundation/refusal'
import type { Seal } from '@lendloom/seal/seal'

/** Content of a consent token: the offer whose lender requests the consent. */
export interface LinkedConsent {
  tenantId: string
  journeyId: string
  offerId: string
}

/** Validity of a consent token. Clients get a new token with each response that lists the offers. */
const validSeconds = 1800

const tokenContext = 'consent link'

/** Creates a consent token for our own link. The token is sealed, so it cannot be forged or read, and is not stored. */
export const createConsentToken = (seal: Seal, { tenantId, journeyId, offerId }: LinkedConsent, at: Date): string =>
  seal
    .json({ tenantId, journeyId, offerId, ends: secondsAfter(at, validSeconds).getTime() }, tokenContext)
    .toString('base64url')

/** Decrypts a consent token. Throws `absent` for a forged or expired token. */
export function openConsentToken(seal: Seal, token: string, at: Date): LinkedConsent {
  const consent = decryptToken(seal, token)
  if (!consent || consent.ends <= at.getTime()) throw new Refusal('absent', 'this link has expired')
  return consent
}

function decryptToken(seal: Seal, token: string): (LinkedConsent & { ends: number }) | null {
  try {
    return seal.openJson(Buffer.from(token, 'base64url'), tokenContext)
  } catch {
    return null
  }
}
