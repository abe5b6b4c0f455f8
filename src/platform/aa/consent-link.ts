// The address at which a borrower of an app with its own screens gives a consent: ours, so that a fresh link follows from it.

import type { Seal } from '#kit/crypto/seal.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'

/** What a link opens: the consent that the lender of one offer asks for. */
export interface LinkedConsent {
  tenantId: string
  journeyId: string
  offerId: string
}

/** Asking for the offers again gives a fresh one. */
const goodForSeconds = 1800
const context = 'consent link'

/** The token of a link, sealed: nobody can make one or read what is in it, and nothing has to be kept for it. */
export const consentLink = (seal: Seal, { tenantId, journeyId, offerId }: LinkedConsent, at: Date): string =>
  seal
    .json({ tenantId, journeyId, offerId, ends: secondsAfter(at, goodForSeconds).getTime() }, context)
    .toString('base64url')

/** Reads a token; refused as `absent` when we never made it, or when its time has passed. */
export function openConsentLink(seal: Seal, token: string, at: Date): LinkedConsent {
  const linked = opened(seal, token)
  if (!linked || linked.ends <= at.getTime()) throw new Refusal('absent', 'this link has expired')
  return linked
}

function opened(seal: Seal, token: string): (LinkedConsent & { ends: number }) | null {
  try {
    return seal.openJson(Buffer.from(token, 'base64url'), context)
  } catch {
    return null
  }
}
