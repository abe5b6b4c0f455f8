// The fund statement on the hosted page: the link to the registrar, and the result (FIS12 §10.1).

import { EmbedOpenReply, EmbedViewReply } from '#contract/hosted/embed.ts'
import { EmbedFundsLookRequest, EmbedFundsRequest } from '#contract/hosted/embed-consents.ts'
import { html } from '#kit/http/markup.ts'
import { plainPage } from '#kit/http/plain-page.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { Closed, Type } from '#kit/http/schema.ts'
import { anyone } from '#kit/http/server.ts'
import { embedSession } from '#platform/access/embed-session.ts'
import { route } from '#platform/context.ts'
import { dayUrl, openDayLink } from '#platform/day-link.ts'
import { askRegistrar, storeAttempt } from '#platform/fund-statement/begin.ts'
import { lookNow } from '#platform/fund-statement/look.ts'
import { findJourney, lockJourney } from '#platform/journey/store.ts'
import { readerOf } from '#platform/page-text/page-text.ts'
import { acted, underLock } from './act.ts'
import { viewOf } from './view.ts'

const section = 'FIS12 §10.1'
const link = { prefix: '/lab/funds', context: 'funds return link' }

export const fetchFunds = route({
  method: 'POST',
  path: '/api/embed/funds',
  section,
  summary: 'Go to the registrar and fetch a statement of the mutual funds that are held',
  auth: embedSession,
  hidden: true,
  body: EmbedFundsRequest,
  reply: { 200: EmbedOpenReply },
  async handle({ who, body, at }, ctx) {
    const before = await findJourney(ctx.db, who.tenantId, who.journeyId)
    if (!before) throw new Refusal('absent', 'there is no such journey')
    const returnUrl = dayUrl(ctx, link, [before.tenantId, before.journeyId], at)
    const taken = await askRegistrar(ctx, before, { mobile: body.contactNumber, returnUrl })
    await underLock(ctx, who, (tx, journey) => storeAttempt({ tx, at }, journey, taken))
    return { url: taken.url, view: await viewOf(ctx, who, null, at) }
  },
})

export const lookForFunds = route({
  method: 'POST',
  path: '/api/embed/funds/look',
  section,
  summary: 'Ask the registrar at once what became of the statement',
  auth: embedSession,
  hidden: true,
  body: EmbedFundsLookRequest,
  reply: { 200: EmbedViewReply },
  handle: ({ who, at }, ctx) => acted(ctx, who, { at }, (tx, journey) => lookNow(tx, journey, at)),
})

/** The registrar's parameters are only a hint: its server is asked. */
export const fundsReturn = route({
  method: 'GET',
  path: `${link.prefix}/{token}`,
  section,
  summary: 'Where the registrar sends the borrower back to',
  auth: anyone,
  hidden: true,
  params: Closed({ token: Type.String({ minLength: 1, maxLength: 2000 }) }),
  query: Type.Object({}),
  async handle({ params, headers, at }, ctx) {
    const [tenantId = '', journeyId = ''] = openDayLink(ctx, link, params.token, at)
    await ctx.db.tx(async (tx) => {
      const journey = await lockJourney(tx, tenantId, journeyId)
      if (journey?.active) await lookNow(tx, journey, at)
    })
    const { language, t } = readerOf(headers)
    const body = html`<p role="status">${t('fundsReturn.back')}</p><p>${t('aggregatorReturn.close')}</p>`
    return plainPage({ language, title: t('fundsReturn.title'), body, status: 200 })
  },
})
