// GET and POST /open/{token}: opens the journey of a link that was sent, on each device after a code by SMS (D1 §2.2).

import { Refusal } from '@lendloom/foundation/refusal'
import { Closed, Type } from '@lendloom/foundation/schema'
import { isUuid } from '@lendloom/foundation/uuid'
import { formFrom } from '@lendloom/http/body'
import { privateHeaders, redirect } from '@lendloom/http/page-frame'
import { plainPage } from '@lendloom/http/plain-page'
import { type Answer, type Api, type Arrival, answer, pathToken } from '@lendloom/http/server'
import { refuseOtherSites, tokenCookie, tokenIn } from '@lendloom/http/session-cookie'
import { refusedExchange } from '@lendloom/wire/exchange/error'
import { type Context, route } from '#platform/context.ts'
import {
  codeMinutes,
  embedTokenOf,
  enterCode,
  isKnownDevice,
  linkPath,
  makeCode,
  mayEnterCode,
  type OpenLink,
  openLinkOf,
  requireFurtherDevice,
} from '#platform/integrators/access/journey-link.ts'
import { isUnsubmitted } from '#platform/lending/journey/journey.ts'
import { findJourney } from '#platform/lending/journey/store.ts'
import { readerOf } from '#platform/lending/page-text/page-text.ts'
import { readProfile } from '#platform/lending/profile/edit-profile.ts'
import { queueSms } from '#platform/sms/send-sms.ts'
import { entryPage, gonePage, linkReader, pausePage, queryOf, spentPage, startPage } from './link-page.ts'

const path = `${linkPath}/{token}`

const commonRoute = {
  section: 'D1 §2.2',
  auth: pathToken((token, ctx: Context, at) => openLinkOf(ctx, token, at)),
  hidden: true,
  params: Closed({ token: Type.String({ minLength: 1, maxLength: 400 }) }),
  query: Type.Object({
    lang: Type.Optional(Type.String({ maxLength: 10 })),
    code: Type.Optional(Type.String({ maxLength: 40 })),
  }),
} as const

const show = route({
  ...commonRoute,
  method: 'GET',
  path,
  summary: 'Open the journey on a known device, or ask for a code',
  async handle({ who: link, params, query, headers, at }, ctx) {
    const device = tokenIn(headers, cookieName(link))
    if (device !== undefined && (await isKnownDevice(ctx, link, device))) {
      const embedToken = await ctx.db.tx((tx) => embedTokenOf({ ...ctx, tx, at }, link))
      return redirect(await pageUrlOf(ctx, link, { embedToken, lang: query.lang }))
    }
    const reader = await readerFor(ctx, link, { params, query, headers })
    const digits = await digitsOf(ctx, link)
    const { code: codeId } = query
    const isWaiting = codeId !== undefined && isUuid(codeId) && (await mayEnterCode(ctx, link, codeId, at))
    return isWaiting ? entryPage(reader, { digits, codeId }) : startPage(reader, digits)
  },
})

const sendCode = route({
  ...commonRoute,
  method: 'POST',
  path: `${path}/code`,
  summary: 'Send a code by SMS to the mobile number of the journey',
  accepts: 'raw',
  async handle({ who: link, params, query, raw, headers, ip, at }, ctx) {
    refuseOtherSites(headers, ctx.config.PUBLIC_URL)
    const reader = await readerFor(ctx, link, { params, query, headers })
    const { t, app, language } = reader
    const mobile = await mobileOf(ctx, link)
    const made = await makeCode(ctx, link, { mobile, ip, at }, (txContext, { code, expiresAt }) => {
      const text = t('link.sms', { code, app, minutes: codeMinutes })
      return queueSms(txContext, link, { to: `+91${mobile}`, text, template: `link_code_${language}` }, expiresAt)
    })
    if ('pausedUntil' in made) {
      const codeId = formFrom(raw).get('id') ?? ''
      const isWaiting = !made.isForTries && isUuid(codeId) && (await mayEnterCode(ctx, link, codeId, at))
      return isWaiting
        ? entryPage(reader, { digits: lastDigits(mobile), codeId, paused: { pause: made, at } })
        : pausePage(reader, made, at)
    }
    return redirect(`${linkPath}/${params.token}?${queryOf(language, made.codeId)}`)
  },
})

const checkCode = route({
  ...commonRoute,
  method: 'POST',
  path,
  summary: 'Check the code, and open the journey on this device',
  accepts: 'raw',
  async handle({ who: link, params, query, raw, headers, ip, at }, ctx) {
    refuseOtherSites(headers, ctx.config.PUBLIC_URL)
    const reader = await readerFor(ctx, link, { params, query, headers })
    const { t } = reader
    const form = formFrom(raw)
    const codeId = form.get('id') ?? ''
    const code = (form.get('code') ?? '').replace(/\s/g, '')
    if (!isUuid(codeId)) return spentPage(reader)
    const mobile = await mobileOf(ctx, link)
    const askAgain = (wrong: string) => entryPage(reader, { digits: lastDigits(mobile), codeId, wrong })
    if (!/^\d{6}$/.test(code)) return askAgain(t('link.malformed'))
    const result = await enterCode(ctx, link, { codeId, code, mobile, ip, at })
    if (result.is === 'spent') return spentPage(reader)
    if (result.is === 'paused') return pausePage(reader, { pausedUntil: result.pausedUntil, isForTries: true }, at)
    if (result.is === 'wrong') return askAgain(t('link.wrong', { count: result.triesLeft }))
    const { embedToken, deviceToken } = result
    return answer(303, '', {
      ...privateHeaders,
      location: await pageUrlOf(ctx, link, { embedToken, lang: query.lang }),
      'set-cookie': deviceCookie(ctx, link, deviceToken, at),
    })
  },
})

interface LinkCall {
  params: { token: string }
  query: { lang?: string }
  headers: Arrival['headers']
}

/** For whom the pages of a new device are written. Throws `absent` if no further device may open the link. */
function readerFor(ctx: Context, link: OpenLink, { params, query, headers }: LinkCall) {
  requireFurtherDevice(link)
  return linkReader(ctx, link, { ...readerOf(headers, query.lang), token: params.token })
}

const cookieName = ({ linkId }: OpenLink): string => `lendloom_link_${linkId}`

/** Also sent when the borrower comes from a message or a mail in the browser. */
const deviceCookie = ({ config }: Context, link: OpenLink, value: string, at: Date): string =>
  tokenCookie({
    name: cookieName(link),
    value,
    seconds: Math.floor((link.expiresAt.getTime() - at.getTime()) / 1000),
    publicUrl: config.PUBLIC_URL,
    isSentOnReturn: true,
  })

/** The mobile number of the journey, in ten digits. A link of an erased journey no longer works. */
async function mobileOf(ctx: Context, link: OpenLink): Promise<string> {
  const { person } = await readProfile(ctx.db, ctx, link)
  const { mobile } = person.personal
  if (mobile === '') throw new Refusal('absent', 'this link no longer works')
  return mobile
}

/** The last digits of the number, by which the borrower knows it. */
const digitsOf = async (ctx: Context, link: OpenLink): Promise<string> => lastDigits(await mobileOf(ctx, link))
const lastDigits = (mobile: string): string => mobile.slice(-2)

/** The address of the hosted page. Its token is in the fragment, and nothing in it names the borrower. */
async function pageUrlOf(
  { db }: Context,
  { tenantId, applicationId, journeyId }: OpenLink,
  { embedToken, lang }: { embedToken: string; lang: string | undefined },
): Promise<string> {
  const journey = await findJourney(db, tenantId, journeyId)
  const query = new URLSearchParams({
    tenant_id: tenantId,
    application_id: applicationId,
    ...(journey && { journey_type: journey.type }),
    ...(journey && !isUnsubmitted(journey) && { form: 'sent' }),
    ...(lang !== undefined && { lang }),
  })
  return `/lab/embed?${query}#token=${embedToken}`
}

export const linkApi: Api<Context> = {
  prefix: linkPath,
  routes: [show, sendCode, checkCode],
  refuse(refusal, arrival): Answer {
    const { status } = refusedExchange(refusal, arrival)
    const reader = readerOf(arrival.headers, new URLSearchParams(arrival.search).get('lang') ?? undefined)
    if (refusal !== 'bug' && ['absent', 'invalid'].includes(refusal.kind)) return gonePage(reader)
    const { language, t } = reader
    const body = t(refusal === 'bug' ? 'refused.bug' : 'refused.notNow')
    return plainPage({ language, status, title: t('refused.title'), body })
  },
}
