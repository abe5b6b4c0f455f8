// GET /aa/go/{token}: redirects the borrower to the account aggregator, or asks for another handle (D2 §3).

import { Refusal } from '@lendloom/foundation/refusal'
import { Closed, Type } from '@lendloom/foundation/schema'
import { formFrom } from '@lendloom/http/body'
import { type Html, html } from '@lendloom/http/markup'
import { plainPage } from '@lendloom/http/plain-page'
import { type Answer, type Api, answer, pathToken } from '@lendloom/http/server'
import { refused } from '@lendloom/wire/headless/envelope'
import { type Context, route } from '#platform/context.ts'
import { aaIdOf, handleEnding, mustEnterHandle } from '#platform/lenders/network/consent/aa-session.ts'
import {
  createAaSession,
  findAggregators,
  mintRedirect,
} from '#platform/lenders/network/consent/aggregator-redirect.ts'
import { openConsentToken } from '#platform/lenders/network/consent/consent-link.ts'
import { lockJourney } from '#platform/lending/journey/store.ts'
import { type Reader, readerOf } from '#platform/lending/page-text/page-text.ts'

/** The link is the credential. The borrower's app received the link at most half an hour ago. */
const linkRoute = {
  path: '/aa/go/{token}',
  auth: pathToken((token, { seal }: Context, at) => openConsentToken(seal, token, at)),
  hidden: true,
  params: Closed({ token: Type.String({ minLength: 1, maxLength: 500 }) }),
} as const

const giveConsent = route({
  ...linkRoute,
  method: 'GET',
  section: 'D2 §3',
  summary: 'Go to the account aggregator',
  async handle({ who, headers: requestHeaders, at }, ctx: Context) {
    const { tenantId, journeyId, offerId } = who
    const aggregators = await findAggregators(ctx)
    return ctx.db.tx(async (tx) => {
      const journey = await lockJourney(tx, tenantId, journeyId)
      if (!journey?.active) throw new Refusal('wrong-state', 'this application has ended')
      const session = await createAaSession({ ...ctx, tx, at }, journey, offerId, undefined)
      if (mustEnterHandle(session))
        return handlePage(readerOf(requestHeaders), aaIdOf(ctx, session), handleEnding(ctx, session).slice(1), null)
      const minted = await mintRedirect({ ...ctx, tx, at }, journey, session.aaSessionId, {
        aggregators,
        isImmediate: true,
      })
      const headers = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }
      return answer(302, '', { location: minted.redirectUrl, ...headers })
    })
  },
})

const enterHandle = route({
  ...linkRoute,
  method: 'POST',
  section: 'FIS12 §3.4',
  summary: 'Enter another handle at the account aggregator',
  accepts: 'raw',
  async handle({ who, raw, headers, at }, ctx: Context) {
    const reader = readerOf(headers)
    const { tenantId, journeyId, offerId } = who
    const aaId = formFrom(raw).get('aaID') ?? ''
    return ctx.db.tx(async (tx) => {
      const journey = await lockJourney(tx, tenantId, journeyId)
      if (!journey?.active) throw new Refusal('wrong-state', 'this application has ended')
      const session = await createAaSession({ ...ctx, tx, at }, journey, offerId, undefined)
      if (!mustEnterHandle(session)) return requestedPage(reader)
      try {
        await createAaSession({ ...ctx, tx, at }, journey, offerId, aaId)
      } catch (error) {
        if (!(error instanceof Refusal) || error.kind !== 'invalid') throw error
        return handlePage(reader, aaIdOf(ctx, session), handleEnding(ctx, session).slice(1), aaId.trim())
      }
      return requestedPage(reader)
    })
  },
})

/** Refusals are plain text, because borrowers open these links in a browser. */
export const consentApi: Api<Context> = {
  prefix: '/aa/go',
  routes: [giveConsent, enterHandle],
  refuse(refusal, arrival) {
    const kind = refusal === 'bug' ? 'bug' : refusal.kind
    const name = kind === 'absent' || kind === 'invalid' ? 'linkExpired' : kind === 'wrong-state' ? 'ended' : 'bug'
    const message = readerOf(arrival.headers).t(`aggregator.${name}`)
    return answer(refused(refusal, arrival).status, message, { 'content-type': 'text/plain; charset=utf-8' })
  },
}

const consentPage = ({ language }: Reader, title: string, body: Html, status = 200): Answer =>
  plainPage({ language, title, body, status, formAction: 'self' })

/**
 * Returns the page that asks for another handle at the same aggregator, because the lender did not find the borrower by
 * `refusedHandle` (error 80230). `enteredHandle` is unusable; null before the borrower has entered a handle.
 */
function handlePage(reader: Reader, refusedHandle: string, aggregator: string, enteredHandle: string | null): Answer {
  const { t } = reader
  const ending = `@${aggregator}`
  const hasWrongEnding =
    enteredHandle !== null && (!enteredHandle.endsWith(ending) || enteredHandle.length === ending.length)
  return consentPage(
    reader,
    t('aggregator.title'),
    html`<p>${t('aggregator.lead', { refused: refusedHandle })}</p>
<form method="post"><label>${t('aggregator.handle')}<input name="aaID" required autocomplete="off" autocapitalize="off" spellcheck="false" maxlength="201" placeholder="name${ending}"></label>
${enteredHandle !== null && html`<p class="fault" role="alert">${hasWrongEnding ? t('aggregator.wrongEnding', { ending }) : t('aggregator.sameAgain')}</p>`}
<button class="primary" type="submit">${t('aggregator.send')}</button></form>`,
    enteredHandle === null ? 200 : 400,
  )
}

const requestedPage = (reader: Reader): Answer =>
  consentPage(reader, reader.t('aggregator.requested'), html`<p>${reader.t('aggregator.requestedLead')}</p>`)
