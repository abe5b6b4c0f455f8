// GET /aa/go/{token}: a borrower of an app with its own screens goes to the account aggregator, over a fresh link (D2 §3).
import { refused } from '#contract/headless/envelope.ts'
import { answer, type Door } from '#kit/http-server.ts'
import { Refusal } from '#kit/refusal.ts'
import { Closed, Type } from '#kit/schema.ts'
import { openConsentLink } from '#platform/aa/consent-link.ts'
import { createAaSession } from '#platform/aa/create.ts'
import { mintRedirect } from '#platform/aa/redirect.ts'
import { lockJourney } from '#platform/journey/store.ts'
import { aggregatorOf } from '#platform/provider/aggregator.ts'
import { route, type World } from '#platform/world.ts'

/** Who holds the link is the borrower: it was given to the borrower's app, half an hour ago at most. */
const giveConsent = route({
  method: 'GET',
  path: '/aa/go/{token}',
  section: 'D2 §3',
  summary: 'Go to the account aggregator',
  auth: { scheme: null, check: () => null },
  hidden: true,
  params: Closed({ token: Type.String({ minLength: 1, maxLength: 500 }) }),
  async handle({ params, at }, world: World) {
    const { tenantId, journeyId, offerId } = openConsentLink(world.seal, params.token, at)
    const aggregator = await aggregatorOf(world)
    const url = await world.db.tx(async (tx) => {
      const journey = await lockJourney(tx, tenantId, journeyId)
      if (!journey?.active) throw new Refusal('wrong-state', 'This application has ended.')
      const { aaSessionId } = await createAaSession(tx, world, journey, offerId, undefined, at)
      return (await mintRedirect(tx, world, journey, aaSessionId, { aggregator, goes: true }, at)).redirectUrl
    })
    return answer(302, '', { location: url, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
  },
})

/** Borrowers' browsers come here, so a refusal is a sentence. */
export const consentDoor: Door<World> = {
  prefix: '/aa/go',
  routes: [giveConsent],
  refuse(refusal, ids) {
    const said = refusal === 'bug' ? 'Something went wrong on our side. Please try again.' : refusal.message
    return answer(refused(refusal, ids).status, said, { 'content-type': 'text/plain; charset=utf-8' })
  },
}
