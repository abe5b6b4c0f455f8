// What the hosted page shows of the consents that lenders ask for (D2 §4 aa/sessions).

import type { EmbedConsent } from '#contract/hosted/embed-consents.ts'
import { wordsOf } from '#contract/reason/reason.ts'
import { type AaSession, aaIdOf, handleEnding, isNaming, isOver, maySend } from '#platform/aa/session.ts'
import type { Context } from '#platform/context.ts'
import type { Journey } from '#platform/journey/journey.ts'

/** Those that are still the borrower's business: of each lender the newest. One for an offer that was turned down is told by the lender's answer. */
export function consentParts(
  ctx: Pick<Context, 'seal' | 'config'>,
  { status }: Journey,
  sessions: AaSession[],
  lenderOf: (offerId: string) => { lenderId: string; lenderName: string },
): EmbedConsent[] {
  const purpose = status === 'LENDER_REDIRECTED' ? 'MONITORING' : 'UNDERWRITING'
  const newest = new Map(sessions.filter((each) => each.purpose === purpose).map((each) => [each.offerId, each]))
  return [...newest.values()].flatMap((session) => {
    const { state, offerId, reason } = session
    const isDone = state === 'CONFIRMED' || state === 'NOT_REQUIRED' || (purpose === 'UNDERWRITING' && isOver(state))
    if (isDone) return []
    const isDue = maySend(session) && state !== 'RECONCILING'
    const report = isOver(state) ? 'OVER' : isNaming(session) ? 'HANDLE' : isDue ? 'DUE' : 'CHECKING'
    const handle =
      report === 'HANDLE' ? { refused: aaIdOf(ctx, session), at: handleEnding(ctx, session).slice(1) } : null
    return [{ offerId, ...lenderOf(offerId), purpose, standing: report, handle, problem: wordsOf(reason) }]
  })
}
