// What the hosted page shows of consents (D2 §4 aa/sessions).

import { wordsOf } from '@lendloom/lending/reason/reason'
import type { EmbedRequestedConsent } from '@lendloom/wire/hosted/embed-consents'
import type { Context } from '#platform/context.ts'
import {
  type AaSession,
  aaIdOf,
  handleEnding,
  isOver,
  mayRedirect,
  mustEnterHandle,
} from '#platform/lenders/network/consent/aa-session.ts'
import type { Journey } from '#platform/lending/journey/journey.ts'

/**
 * Returns the newest consent request of each offer, unless it is complete. A failed request for underwriting counts as
 * complete, because the lender answers the offer request without the consent.
 */
export function consentViews(
  ctx: Pick<Context, 'seal' | 'config'>,
  { status }: Journey,
  sessions: AaSession[],
  lenderOf: (offerId: string) => { lenderId: string; lenderName: string },
): EmbedRequestedConsent[] {
  const purpose = status === 'LENDER_REDIRECTED' ? 'MONITORING' : 'UNDERWRITING'
  const newestByOffer = new Map(sessions.filter((each) => each.purpose === purpose).map((each) => [each.offerId, each]))
  return [...newestByOffer.values()].flatMap((session) => {
    const { state, offerId, reason } = session
    const isDone = state === 'CONFIRMED' || state === 'NOT_REQUIRED' || (purpose === 'UNDERWRITING' && isOver(state))
    if (isDone) return []
    const standing = standingOf(session)
    const handle =
      standing === 'HANDLE' ? { refused: aaIdOf(ctx, session), at: handleEnding(ctx, session).slice(1) } : null
    return [{ offerId, ...lenderOf(offerId), purpose, standing, handle, problem: wordsOf(reason) }]
  })
}

function standingOf(session: AaSession): EmbedRequestedConsent['standing'] {
  if (isOver(session.state)) return 'OVER'
  if (mustEnterHandle(session)) return 'HANDLE'
  return mayRedirect(session) && session.state !== 'RECONCILING' ? 'DUE' : 'CHECKING'
}
