// How a borrower answers a lender's consent request on the hosted page (D2 §4 aa/sessions).

import { Refusal } from '@lendloom/foundation/refusal'
import { Closed, Uuid } from '@lendloom/foundation/schema'
import { EmbedAggregatorHandleRequest } from '@lendloom/wire/hosted/embed-consents'
import { EmbedOpenReply } from '@lendloom/wire/hosted/embed-requests'
import { EmbedViewReply } from '@lendloom/wire/hosted/embed-view'
import { route } from '#platform/context.ts'
import { embedSession } from '#platform/integrators/access/embed-session.ts'
import { mustEnterHandle } from '#platform/lenders/network/consent/aa-session.ts'
import {
  createAaSession,
  findAggregators,
  mintRedirect,
} from '#platform/lenders/network/consent/aggregator-redirect.ts'
import { pageViewOf } from './page-view.ts'
import { runAct, withLockedJourney } from './run-act.ts'

export const openAggregator = route({
  method: 'POST',
  path: '/api/embed/aa/{offerID}/redirect',
  section: 'D2 §3',
  summary: 'Go to the account aggregator to decide on the consent that the lender of an offer requests',
  auth: embedSession,
  hidden: true,
  params: Closed({ offerID: Uuid }),
  reply: { 200: EmbedOpenReply },
  async handle({ who, params, at }, ctx) {
    const aggregators = await findAggregators(ctx)
    const url = await withLockedJourney(ctx, who, async (tx, journey) => {
      const { aaSessionId } = await createAaSession(
        { ...ctx, tx, at },
        journey,
        params.offerID.toLowerCase(),
        undefined,
      )
      const { redirectUrl } = await mintRedirect({ ...ctx, tx, at }, journey, aaSessionId, {
        aggregators,
        isImmediate: true,
      })
      return redirectUrl
    })
    return { url, view: await pageViewOf(ctx, who, null, at) }
  },
})

export const enterHandle = route({
  method: 'POST',
  path: '/api/embed/aa/{offerID}/handle',
  section: 'FIS12 §3.4',
  summary: 'Enter another account aggregator handle if the lender could not use the first handle',
  auth: embedSession,
  hidden: true,
  params: Closed({ offerID: Uuid }),
  body: EmbedAggregatorHandleRequest,
  reply: { 200: EmbedViewReply },
  handle: ({ who, params, body, at }, ctx) =>
    runAct(ctx, who, { at }, async (tx, journey) => {
      const session = await createAaSession({ ...ctx, tx, at }, journey, params.offerID.toLowerCase(), undefined)
      if (!mustEnterHandle(session)) throw new Refusal('wrong-state', 'this lender does not need another handle')
      await createAaSession({ ...ctx, tx, at }, journey, session.offerId, body.aaID)
    }),
})
