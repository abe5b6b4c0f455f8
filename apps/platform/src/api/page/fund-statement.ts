// Routes for the fund statement: the redirect to the registrar, and the return to the hosted page (FIS12 §10.1).

import { Refusal } from '@lendloom/foundation/refusal'
import { Closed, Type } from '@lendloom/foundation/schema'
import { html } from '@lendloom/http/markup'
import { plainPage } from '@lendloom/http/plain-page'
import { anyone } from '@lendloom/http/server'
import { EmbedFundsPollRequest, EmbedFundsRequest } from '@lendloom/wire/hosted/embed-funds'
import { EmbedOpenReply } from '@lendloom/wire/hosted/embed-requests'
import { EmbedViewReply } from '@lendloom/wire/hosted/embed-view'
import { route } from '#platform/context.ts'
import { dayUrl, openDayLink } from '#platform/day-link.ts'
import { embedSession } from '#platform/integrators/access/embed-session.ts'
import { pollNow } from '#platform/lending/fund-statement/poll-statement.ts'
import { requestStatement, storeAttempt } from '#platform/lending/fund-statement/request-statement.ts'
import { findJourney, lockJourney } from '#platform/lending/journey/store.ts'
import { readerOf } from '#platform/lending/page-text/page-text.ts'
import { pageViewOf } from './page-view.ts'
import { runAct, withLockedJourney } from './run-act.ts'

const section = 'FIS12 §10.1'
const returnLink = { prefix: '/lab/funds', context: 'funds return link' }

export const fetchFunds = route({
  method: 'POST',
  path: '/api/embed/funds',
  section,
  summary: "Go to the registrar and fetch a statement of the borrower's mutual funds",
  auth: embedSession,
  hidden: true,
  body: EmbedFundsRequest,
  reply: { 200: EmbedOpenReply },
  async handle({ who, body, at }, ctx) {
    const journeyBefore = await findJourney(ctx.db, who.tenantId, who.journeyId)
    if (!journeyBefore) throw new Refusal('absent', 'there is no such journey')
    const returnUrl = dayUrl(ctx, returnLink, [journeyBefore.tenantId, journeyBefore.journeyId], at)
    const attempt = await requestStatement(ctx, journeyBefore, { mobile: body.contactNumber, returnUrl })
    await withLockedJourney(ctx, who, (tx, journey) => storeAttempt({ tx, at }, journey, attempt))
    return { url: attempt.url, view: await pageViewOf(ctx, who, null, at) }
  },
})

export const checkFunds = route({
  method: 'POST',
  path: '/api/embed/funds/look',
  section,
  summary: 'Query the registrar for the statement now',
  auth: embedSession,
  hidden: true,
  body: EmbedFundsPollRequest,
  reply: { 200: EmbedViewReply },
  handle: ({ who, at }, ctx) => runAct(ctx, who, { at }, (tx, journey) => pollNow(tx, journey, at)),
})

/** Queries the registrar's server. Ignores the query parameters, because a browser could forge them. */
export const fundsReturn = route({
  method: 'GET',
  path: `${returnLink.prefix}/{token}`,
  section,
  summary: 'Get the page to which the registrar redirects the borrower',
  auth: anyone,
  hidden: true,
  params: Closed({ token: Type.String({ minLength: 1, maxLength: 2000 }) }),
  query: Type.Object({}),
  async handle({ params, headers, at }, ctx) {
    const [tenantId = '', journeyId = ''] = openDayLink(ctx, returnLink, params.token, at)
    await ctx.db.tx(async (tx) => {
      const journey = await lockJourney(tx, tenantId, journeyId)
      if (journey?.active) await pollNow(tx, journey, at)
    })
    const { language, t } = readerOf(headers)
    const body = html`<p role="status">${t('fundsReturn.back')}</p><p>${t('aggregatorReturn.close')}</p>`
    return plainPage({ language, title: t('fundsReturn.title'), body, closesWindow: true })
  },
})
