// Sessions with the account aggregator: the consent a lender asks for, the way there and back, and asking again (D2 §4).

import {
  AaCompleteRequest,
  AaRedirect,
  AaRedirectRequest,
  AaSessionList,
  AaSessionRequest,
  type AaSessionView as WireSession,
  AaSessionView as WireSessionSchema,
} from '#contract/headless/aa.ts'
import { AaSessionParams, JourneyParams, NoBody, PageQuery } from '#contract/headless/fields.ts'
import { englishOf } from '#contract/reason/reason.ts'
import { pageOfAll, pageRequest } from '#kit/http/page.ts'
import { answer } from '#kit/http/server.ts'
import { aaSessionOf, createAaSession, findAggregators, mintRedirect } from '#platform/aa/create.ts'
import { reconcileAaSession } from '#platform/aa/reconcile.ts'
import { completeAaSession } from '#platform/aa/return.ts'
import { type AaSession, aaActionOf, aaIdOf } from '#platform/aa/session.ts'
import { listAaSessions } from '#platform/aa/store.ts'
import type { Context } from '#platform/context.ts'
import { acting, actingPrepared, activeJourneyOf, journeySeen, reading } from './route.ts'

const path = '/journeys/{journeyID}/aa/sessions'
const one = `${path}/{aaSessionID}`
const section = 'D2 §4'

const wire = (ctx: Context, session: AaSession): WireSession => ({
  aaSessionID: session.aaSessionId,
  journeyID: session.journeyId,
  offerID: session.offerId,
  purpose: session.purpose,
  aaID: aaIdOf(ctx, session),
  state: session.state,
  actionRequired: aaActionOf(session),
  expiresAt: session.expiresAt?.toISOString() ?? null,
  reason: englishOf(session.reason),
  updatedAt: session.updatedAt.toISOString(),
})

const list = reading({
  path,
  section,
  summary: 'The consents that lenders ask for, and how each stands',
  params: JourneyParams,
  query: PageQuery,
  data: AaSessionList,
  async read({ who, params, query }, ctx) {
    const journey = await journeySeen(ctx.db, who, params.journeyID)
    const sessions = (await listAaSessions(ctx.db, journey)).map((session) => wire(ctx, session))
    return pageOfAll(sessions, pageRequest(query), ({ aaSessionID }) => aaSessionID)
  },
})

const create = acting({
  method: 'POST',
  path,
  section,
  summary: 'The session in which the borrower of an offer gives the consent its lender asks for',
  params: JourneyParams,
  body: AaSessionRequest,
  data: WireSessionSchema,
  statuses: [201],
  async act(tx, { who, params, body, at }, ctx) {
    const journey = await activeJourneyOf(tx, who, params.journeyID)
    const session = await createAaSession({ ...ctx, tx, at }, journey, body.offerID.toLowerCase(), body.aaID)
    return answer(201, wire(ctx, session))
  },
})

const get = reading({
  path: one,
  section,
  summary: 'One session',
  params: AaSessionParams,
  data: WireSessionSchema,
  async read({ who, params }, ctx) {
    const journey = await journeySeen(ctx.db, who, params.journeyID)
    return wire(ctx, await aaSessionOf(ctx.db, journey, params.aaSessionID))
  },
})

const redirect = actingPrepared({
  method: 'POST',
  path: `${one}/redirect`,
  section: 'D2 §3',
  summary: 'A link to the aggregator, good for three minutes; a new one each time',
  params: AaSessionParams,
  body: AaRedirectRequest,
  data: AaRedirect,
  prepare: (ctx) => findAggregators(ctx),
  async act(tx, { who, params, body, at }, ctx, aggregators) {
    const journey = await activeJourneyOf(tx, who, params.journeyID)
    const options = { aggregators, returnUrl: body.returnURL }
    const minted = await mintRedirect({ ...ctx, tx, at }, journey, params.aaSessionID, options)
    return {
      aaSessionID: minted.session.aaSessionId,
      state: minted.session.state,
      redirectURL: minted.redirectUrl,
      reqdate: minted.reqdate,
      txnid: minted.txnid,
      expiresAt: minted.expiresAt.toISOString(),
    }
  },
})

const complete = acting({
  method: 'POST',
  path: `${one}/complete`,
  section,
  summary: "What the aggregator's redirect carried back; our servers ask the aggregator whether it is so",
  params: AaSessionParams,
  body: AaCompleteRequest,
  data: WireSessionSchema,
  async act(tx, { who, params, body, at }, ctx) {
    const journey = await activeJourneyOf(tx, who, params.journeyID)
    return wire(ctx, await completeAaSession({ ...ctx, tx, at }, journey, params.aaSessionID, body))
  },
})

const reconcile = acting({
  method: 'POST',
  path: `${one}/reconcile`,
  section,
  summary: 'Ask the aggregator once more, whatever is known, or the lender that was told of the approval',
  params: AaSessionParams,
  body: NoBody,
  data: WireSessionSchema,
  async act(tx, { who, params, at }, ctx) {
    const journey = await activeJourneyOf(tx, who, params.journeyID)
    const session = await aaSessionOf(tx, journey, params.aaSessionID)
    return wire(ctx, await reconcileAaSession(tx, journey, session, at))
  },
})

export const aaRoutes = [list, create, get, redirect, complete, reconcile]
