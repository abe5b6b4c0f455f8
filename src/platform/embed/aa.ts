// The consents that lenders ask for, on the hosted page: which are due, and the way to the aggregator (D2 §4 aa/sessions).
import { EmbedOpenReply } from '#contract/hosted/embed.ts'
import type { EmbedConsent } from '#contract/hosted/embed-aa.ts'
import { uuidPattern } from '#kit/id.ts'
import { Closed, Type } from '#kit/schema.ts'
import { createAaSession } from '#platform/aa/create.ts'
import { mintRedirect } from '#platform/aa/redirect.ts'
import { type AaSession, isOver, maySend } from '#platform/aa/session.ts'
import { embedSession } from '#platform/access/embed-session.ts'
import type { Journey } from '#platform/journey/journey.ts'
import { aggregatorOf } from '#platform/provider/aggregator.ts'
import { route } from '#platform/world.ts'
import { underLock } from './act.ts'
import { viewOf } from './view.ts'

export const openAggregator = route({
  method: 'POST',
  path: '/api/embed/aa/{offerID}/redirect',
  section: 'D2 §3',
  summary: 'Go to the account aggregator and decide on the consent that the lender of an offer asks for',
  auth: embedSession,
  hidden: true,
  params: Closed({ offerID: Type.String({ pattern: uuidPattern, 'x-says': 'must be a UUID' }) }),
  reply: { 200: EmbedOpenReply },
  async handle({ who, params, at }, world) {
    const aggregator = await aggregatorOf(world)
    const url = await underLock(world, who, async (tx, journey) => {
      const { aaSessionId } = await createAaSession(tx, world, journey, params.offerID.toLowerCase(), undefined, at)
      const minted = await mintRedirect(tx, world, journey, aaSessionId, { aggregator, goes: true }, at)
      return minted.redirectUrl
    })
    return { url, view: await viewOf(world, who, null, at) }
  },
})

/** Those that are still the borrower's business: of each lender the newest. One for an offer that was turned down is told by the lender's answer. */
export function consentParts(
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
    const standing = isOver(state) ? 'OVER' : maySend(session) && state !== 'RECONCILING' ? 'DUE' : 'CHECKING'
    return [{ offerId, ...lenderOf(offerId), purpose, standing, problem: reason }]
  })
}
