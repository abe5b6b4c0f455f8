// Sessions in which a borrower consents at an account aggregator, because a lender requests it (D2 §4).

import { pageOfAll, pageRequest } from '@lendloom/http/pagination'
import { answer } from '@lendloom/http/server'
import { englishOf } from '@lendloom/lending/reason/reason'
import { NoBody } from '@lendloom/wire/basic-schemas'
import {
  AaCompleteRequest,
  AaRedirect,
  AaRedirectRequest,
  AaSessionList,
  AaSessionRequest,
  type AaSessionView as WireSession,
  AaSessionView as WireSessionSchema,
} from '@lendloom/wire/headless/aa-session'
import { PageQuery } from '@lendloom/wire/headless/paging'
import { AaSessionParams, JourneyParams } from '@lendloom/wire/headless/path-parameters'
import type { Context } from '#platform/context.ts'
import { type AaSession, aaActionOf, aaIdOf } from '#platform/lenders/network/consent/aa-session.ts'
import {
  aaSessionOf,
  createAaSession,
  findAggregators,
  mintRedirect,
} from '#platform/lenders/network/consent/aggregator-redirect.ts'
import { reconcileAaSession } from '#platform/lenders/network/consent/poll-consent-status.ts'
import { completeAaSession } from '#platform/lenders/network/consent/return-from-aggregator.ts'
import { listAaSessions } from '#platform/lenders/network/consent/store.ts'
import { actRoute, lockActiveJourney, preparedActRoute, readJourney, readRoute } from './headless-route.ts'

const path = '/journeys/{journeyID}/aa/sessions'
const sessionPath = `${path}/{aaSessionID}`
const section = 'D2 §4'

const sessionWire = (ctx: Context, session: AaSession): WireSession => ({
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

const list = readRoute({
  path,
  section,
  operationId: 'listAaSessions',
  summary: 'List the consents that lenders request, with their states',
  params: JourneyParams,
  query: PageQuery,
  data: AaSessionList,
  async read({ who, params, query }, ctx) {
    const journey = await readJourney(ctx.db, who, params.journeyID)
    const sessions = (await listAaSessions(ctx.db, journey)).map((session) => sessionWire(ctx, session))
    return pageOfAll(sessions, pageRequest(query), ({ aaSessionID }) => aaSessionID)
  },
})

const create = actRoute({
  method: 'POST',
  path,
  section,
  operationId: 'createAaSession',
  summary: 'Create a session in which the borrower gives the consent that the offer’s lender requests',
  params: JourneyParams,
  body: AaSessionRequest,
  data: WireSessionSchema,
  statuses: [201],
  async act(tx, { who, params, body, at }, ctx) {
    const journey = await lockActiveJourney(tx, who, params.journeyID)
    const session = await createAaSession({ ...ctx, tx, at }, journey, body.offerID.toLowerCase(), body.aaID)
    return answer(201, sessionWire(ctx, session))
  },
})

const get = readRoute({
  path: sessionPath,
  section,
  operationId: 'getAaSession',
  summary: 'Get a consent session',
  params: AaSessionParams,
  data: WireSessionSchema,
  async read({ who, params }, ctx) {
    const journey = await readJourney(ctx.db, who, params.journeyID)
    return sessionWire(ctx, await aaSessionOf(ctx.db, journey, params.aaSessionID))
  },
})

const redirect = preparedActRoute({
  method: 'POST',
  path: `${sessionPath}/redirect`,
  section: 'D2 §3',
  operationId: 'createAaRedirect',
  summary: 'Create a link to the aggregator, valid for three minutes',
  params: AaSessionParams,
  body: AaRedirectRequest,
  data: AaRedirect,
  prepare: (ctx) => findAggregators(ctx),
  async act(tx, { who, params, body, at }, ctx, aggregators) {
    const journey = await lockActiveJourney(tx, who, params.journeyID)
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

const complete = actRoute({
  method: 'POST',
  path: `${sessionPath}/complete`,
  section,
  operationId: 'completeAaSession',
  summary: "Send the parameters of the aggregator's redirect, which our servers verify with the aggregator",
  params: AaSessionParams,
  body: AaCompleteRequest,
  data: WireSessionSchema,
  async act(tx, { who, params, body, at }, ctx) {
    const journey = await lockActiveJourney(tx, who, params.journeyID)
    return sessionWire(ctx, await completeAaSession({ ...ctx, tx, at }, journey, params.aaSessionID, body))
  },
})

const reconcile = actRoute({
  method: 'POST',
  path: `${sessionPath}/reconcile`,
  section,
  operationId: 'reconcileAaSession',
  summary: 'Query the aggregator again; after an approval, query the lender',
  params: AaSessionParams,
  body: NoBody,
  data: WireSessionSchema,
  async act(tx, { who, params, at }, ctx) {
    const journey = await lockActiveJourney(tx, who, params.journeyID)
    const session = await aaSessionOf(tx, journey, params.aaSessionID)
    return sessionWire(ctx, await reconcileAaSession(tx, journey, session, at))
  },
})

export const aaRoutes = [list, create, get, redirect, complete, reconcile]
