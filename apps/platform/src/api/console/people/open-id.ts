// Signing in to the console with an OpenID provider, and a person's linked accounts.

import { fieldsOf } from '@lendloom/foundation/record'
import { Refusal } from '@lendloom/foundation/refusal'
import { privateHeaders } from '@lendloom/http/page-frame'
import { type Answer, type Api, answer, anyone } from '@lendloom/http/server'
import { beginOpenId, finishOpenId, openIdSeconds, signInByOpenId, unlinkOpenId } from '@lendloom/identity/open-id'
import { listLinks, type OpenIdLinkRow } from '@lendloom/identity/open-id/store'
import { passkeyOrigin } from '@lendloom/identity/passkey/relying-party'
import { keyOf } from '@lendloom/identity/person'
import { openIdCookie, openIdCookieIn } from '@lendloom/identity/session'
import type { OpenIdProblem } from '@lendloom/identity/sign-in-failures'
import {
  CodeRequest,
  LinkedAccountParams,
  LinkedAccounts,
  OpenIdReply,
  OpenIdRequest,
  SignInReply,
  SignInWays,
} from '@lendloom/wire/console/staff'
import { consoleCall, consolePrefix, personWire } from '#platform/api/console/console-route.ts'
import { type Context, route } from '#platform/context.ts'
import { fromOwnPage, inConsole } from '#platform/people/console-authentication.ts'
import { openIdReturnPath } from '#platform/people/console-staff.ts'

const methods = route({
  ...consoleCall,
  method: 'GET',
  path: `${consolePrefix}/sign-in/ways`,
  summary: 'Sign-in methods besides a password',
  auth: fromOwnPage,
  reply: { 200: SignInWays },
  handle: (_call, ctx): SignInWays => ({
    openId: ctx.openId ? ctx.config.OPENID_NAME : null,
    passkeyOrigin: passkeyOrigin(ctx.staff),
    sandbox: ctx.config.SANDBOX,
  }),
})

const begin = route({
  ...consoleCall,
  method: 'POST',
  path: `${consolePrefix}/sign-in/openid`,
  summary: "Redirect to the OpenID provider; a cookie stores the sign-in's state",
  auth: fromOwnPage,
  body: OpenIdRequest,
  reply: { 200: OpenIdReply },
  async handle({ body, ip: address, at }, ctx) {
    const { url, sealedRequest } = await beginOpenId(ctx, { address, next: body.next }, at)
    return answer(200, { url }, { 'set-cookie': openIdCookie(ctx.staff, sealedRequest, openIdSeconds) })
  },
})

const finish = route({
  ...consoleCall,
  method: 'POST',
  path: `${consolePrefix}/sign-in/openid/code`,
  summary: 'Complete an OpenID sign-in with the second factor',
  auth: fromOwnPage,
  body: CodeRequest,
  reply: { 200: SignInReply },
  async handle({ body, ip: address, headers, at }, ctx) {
    const sealedIdentity = openIdCookieIn(ctx.staff, headers)
    const signedIn = await finishOpenId(ctx, { code: body.code, sealedIdentity, address, headers }, at)
    if (!signedIn) throw new Refusal('bad-session', 'the code is wrong or was already used')
    const { person, next, cookies } = signedIn
    const clearedCookie = openIdCookie(ctx.staff, '', 0)
    return answer(200, { person: personWire(person), next }, { 'set-cookie': [...cookies, clearedCookie] })
  },
})

const ownRoute = { ...consoleCall, auth: inConsole() } as const

const list = route({
  ...ownRoute,
  method: 'GET',
  path: `${consolePrefix}/linked-accounts`,
  summary: 'Your linked accounts at the OpenID provider',
  reply: { 200: LinkedAccounts },
  async handle({ who }, { db }): Promise<LinkedAccounts> {
    return { items: (await listLinks(db, keyOf(who))).map(linkWire), next: null }
  },
})

const linkWire = ({ linkId, issuer, createdAt, usedAt }: OpenIdLinkRow) => ({
  linkId,
  issuer,
  createdAt: createdAt.toISOString(),
  usedAt: usedAt.toISOString(),
})

const unlink = route({
  ...ownRoute,
  method: 'DELETE',
  path: `${consolePrefix}/linked-accounts/{linkId}`,
  summary: 'Unlink one of your accounts, and end your other sessions',
  params: LinkedAccountParams,
  async handle({ who, params, ip: address, at }, ctx) {
    await unlinkOpenId(ctx, who, { ...params, address }, at)
    return answer(204, null)
  },
})

export const openIdRoutes = [methods, begin, finish, list, unlink]

const returnRoute = route({
  ...consoleCall,
  method: 'GET',
  path: openIdReturnPath,
  summary: 'Return from the OpenID provider; signs in, or shows the reason on the sign-in page',
  // The cookie proves that this browser started the sign-in.
  auth: anyone,
  async handle({ query, ip: address, headers, at }, ctx) {
    const sealedRequest = openIdCookieIn(ctx.staff, headers)
    const signedIn = await signInByOpenId(ctx, { query: fieldsOf(query), sealedRequest, address, headers }, at)
    const clearedCookie = openIdCookie(ctx.staff, '', 0)
    if (typeof signedIn === 'object' && 'needs' in signedIn)
      return toPage('/console?sign-in=code', [openIdCookie(ctx.staff, signedIn.sealedIdentity, openIdSeconds)])
    if (typeof signedIn === 'string') return toPage(signInPage(signedIn), [clearedCookie])
    return toPage(signedIn.next, [...signedIn.cookies, clearedCookie])
  },
})

/** `problem` is a fixed code, so the URL never contains text from a request. */
const signInPage = (problem: OpenIdProblem): string => `/console?sign-in=${problem}`

const toPage = (location: string, cookies: string[]): Answer =>
  answer(303, '', { location, 'set-cookie': cookies, ...privateHeaders })

/** The API of the return address. Refusals redirect to the sign-in page, because a browser navigates here. */
export const openIdReturnApi: Api<Context> = {
  prefix: openIdReturnPath,
  routes: [returnRoute],
  refuse: () => toPage(signInPage('failed'), []),
}
