// Pages and routes to sign in to the desk (with a password and a code, or through the OpenID provider) and to sign out.

import { fieldsOf } from '@lendloom/foundation/record'
import { Refusal } from '@lendloom/foundation/refusal'
import { formFrom } from '@lendloom/http/body'
import { type Html, html } from '@lendloom/http/markup'
import { type Answer, answer, anyone } from '@lendloom/http/server'
import type { RequestHeaders } from '@lendloom/http/session-cookie'
import { beginOpenId, finishOpenId, openIdSeconds, signInByOpenId } from '@lendloom/identity/open-id'
import { signOut } from '@lendloom/identity/own-account'
import { openIdCookie, openIdCookieIn } from '@lendloom/identity/session'
import { finishSignIn, signIn } from '@lendloom/identity/sign-in'
import type { OpenIdProblem } from '@lendloom/identity/sign-in-failures'
import type { Context } from '#partner/context.ts'
import { deskRoute } from '#partner/desk/desk-route.ts'
import { goTo, pageAnswer, renderFrame } from '#partner/desk/frame.ts'
import { toSentence } from '#partner/desk/parts/format.ts'
import { anyStaff, sameSite } from './desk-auth.ts'
import { openIdReturnPath } from './desk-sign-in.ts'
import { signInTexts as texts } from './sign-in-text-en.ts'

const path = '/desk/sign-in'
const routeDefaults = { section: 'operation', hidden: true, viewAct: null } as const
const postDefaults = { ...routeDefaults, auth: sameSite, method: 'POST', accepts: 'raw' } as const

const pageOf = ({ config }: Context, body: Html, status = 200): Answer =>
  pageAnswer(
    renderFrame({
      title: texts.title,
      staff: null,
      body,
      lender: config.PARTNER_LENDER_NAME,
      isSandbox: config.SANDBOX,
    }),
    status,
  )

const renderProblem = (problem: string | null): Html | null =>
  problem === null ? null : html`<p class="notice bad" role="alert">${problem}</p>`

/** What a person without an account or without its password can do. */
const helpParts = ({ config }: Context, email: string): Html =>
  html`${config.SANDBOX && html`<p>${texts.sandbox.file} <code>.lendloom/sandbox.json</code>${texts.sandbox.writtenBy} <code>npm start</code> ${texts.sandbox.key} <code>desk</code>.</p>`}
<details class="folded"><summary>${texts.forgotten}</summary><p>${texts.reset}</p><p><code>lendloom desk password ${email || 'you@example.com'}</code></p></details>
<p>${texts.noAccount}</p>`

const signInPage = (ctx: Context, email: string, problem: string | null, status = 200): Answer =>
  pageOf(
    ctx,
    html`<form class="card sign-in" method="post" action="${path}">
${renderProblem(problem)}
<label><span>Email</span><input type="email" name="email" value="${email}" autocomplete="username" required${!email && html` autofocus`}></label>
<label><span>Password</span><input type="password" name="password" autocomplete="current-password" required${email && html` autofocus`}></label>
<button class="primary">Sign in</button>
${ctx.openId && html`<a class="button secondary other-way" href="${path}/openid">${texts.openId(ctx.staff.openIdName)}</a>`}
<div class="help">${helpParts(ctx, email)}</div>
</form>`,
    status,
  )

/** `ticket` proves that the password was correct. It is null after an OpenID sign-in, which a browser cookie proves. */
const codePage = (ctx: Context, ticket: string | null, problem: string | null, status = 200): Answer =>
  pageOf(
    ctx,
    html`<form class="card sign-in" method="post" action="${path}/${ticket === null ? 'openid/' : ''}code">
${renderProblem(problem)}
<p>${texts.codePrompt}</p>
${ticket !== null && html`<input type="hidden" name="ticket" value="${ticket}">`}
<label><span>Code</span><input name="code" inputmode="text" autocomplete="one-time-code" maxlength="20" required autofocus></label>
<button class="primary">Sign in</button>
<a class="other-way" href="${path}">${texts.startAgain}</a>
</form>`,
    status,
  )

/**
 * Runs a sign-in step. If the step is refused as `rate-limited` or `upstream`, returns the page with the problem and,
 * if known, the seconds until the next attempt.
 */
async function withLimitPage(page: (problem: string) => Answer, run: () => Promise<Answer>): Promise<Answer> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof Refusal) || !['rate-limited', 'upstream'].includes(error.kind)) throw error
    const { retryAfterSeconds } = error.details
    if (retryAfterSeconds === undefined) return page(toSentence(error.message))
    const { body, headers } = page(`${toSentence(error.message)} ${texts.retryIn(retryAfterSeconds)}`)
    return answer(429, body, { ...headers, 'retry-after': String(retryAfterSeconds) })
  }
}

const showSignIn = deskRoute({
  ...routeDefaults,
  auth: sameSite,
  method: 'GET',
  path,
  summary: 'The sign-in page',
  handle: (_, ctx) => signInPage(ctx, '', null),
})

const submitPassword = deskRoute({
  ...postDefaults,
  path,
  summary: 'Sign in with email and password',
  handle({ raw, headers, ip: address, at }, ctx) {
    const form = formFrom(raw)
    const email = form.get('email') ?? ''
    const password = form.get('password') ?? ''
    return withLimitPage(
      (problem) => signInPage(ctx, email, problem, 429),
      async () => {
        const signedIn = await signIn(ctx, { email, password, address, headers }, at)
        if (signedIn === 'wrong') return signInPage(ctx, email, texts.wrongPassword, 401)
        return 'ticket' in signedIn
          ? codePage(ctx, signedIn.ticket, null)
          : goTo('/desk', { 'set-cookie': signedIn.cookies })
      },
    )
  },
})

const submitCode = deskRoute({
  ...postDefaults,
  path: `${path}/code`,
  summary: 'Submit the code of the second factor after the password',
  handle({ raw, headers, ip: address, at }, ctx) {
    const form = formFrom(raw)
    const ticket = form.get('ticket') ?? ''
    const code = form.get('code') ?? ''
    return withLimitPage(
      (problem) => codePage(ctx, ticket, problem, 429),
      async () => {
        const signedIn = await finishSignIn(ctx, { ticket, code, address, headers }, at)
        if (signedIn === 'expired') return signInPage(ctx, '', texts.problems.expired, 401)
        if (signedIn === 'wrong') return codePage(ctx, ticket, texts.wrongCode, 401)
        return goTo('/desk', { 'set-cookie': signedIn.cookies })
      },
    )
  },
})

const signOutRoute = deskRoute({
  ...routeDefaults,
  method: 'POST',
  path: '/desk/sign-out',
  summary: 'End the session',
  auth: anyStaff,
  accepts: 'raw',
  handle: async ({ who, at }, ctx) => goTo(path, { 'set-cookie': await signOut(ctx, who, at) }),
})

const beginOpenIdRoute = deskRoute({
  ...routeDefaults,
  auth: sameSite,
  method: 'GET',
  path: `${path}/openid`,
  summary: 'Redirect to the OpenID provider',
  handle: ({ ip: address, at }, ctx) =>
    withLimitPage(
      (problem) => signInPage(ctx, '', problem, 503),
      async () => {
        const { url, sealedRequest } = await beginOpenId(ctx, { address, next: '/desk' }, at)
        return goTo(url, { 'set-cookie': [openIdCookie(ctx.staff, sealedRequest, openIdSeconds)] })
      },
    ),
})

/**
 * Sets the session cookies on a page that opens the desk. A redirect would not work, because the browser sends no
 * SameSite=Strict cookie with a redirect that another site started.
 */
function signedInPage(ctx: Context, cookies: string[]): Answer {
  const { status, body, headers } = pageOf(
    ctx,
    html`<p class="notice good" role="status">${texts.signedIn} <a href="/desk">${texts.goToDesk}</a></p>`,
  )
  return answer(status, body, {
    ...headers,
    refresh: '0;url=/desk',
    'set-cookie': [...cookies, openIdCookie(ctx.staff, '', 0)],
  })
}

const finishOpenIdRoute = deskRoute({
  ...routeDefaults,
  // Another site may send the request, because the provider redirects here. The sealed sign-in cookie proves which
  // browser started the sign-in.
  auth: anyone,
  method: 'GET',
  path: openIdReturnPath,
  summary: 'Return from the OpenID provider',
  async handle({ query, ip: address, headers, at }, ctx) {
    const signedIn = await signInByOpenId(
      ctx,
      { query: fieldsOf(query), sealedRequest: openIdCookieIn(ctx.staff, headers), address, headers },
      at,
    )
    if (typeof signedIn === 'string')
      return withOpenIdCookie(ctx, signInPage(ctx, '', problemText(signedIn), 401), '', 0)
    if ('needs' in signedIn)
      return withOpenIdCookie(ctx, codePage(ctx, null, null), signedIn.sealedIdentity, openIdSeconds)
    return signedInPage(ctx, signedIn.cookies)
  },
})

const problemText = (problem: OpenIdProblem): string => texts.problems[problem]

const withOpenIdCookie = (ctx: Context, { status, body, headers }: Answer, value: string, seconds: number): Answer =>
  answer(status, body, { ...headers, 'set-cookie': [openIdCookie(ctx.staff, value, seconds)] })

const codeAfterOpenId = deskRoute({
  ...postDefaults,
  path: `${path}/openid/code`,
  summary: 'Submit the code of the second factor after the OpenID provider',
  handle: ({ raw, ip: address, headers, at }, ctx) =>
    withLimitPage(
      (problem) => codePage(ctx, null, problem, 429),
      async () => codeAnswer(ctx, { code: formFrom(raw).get('code') ?? '', address, headers }, at),
    ),
})

async function codeAnswer(
  ctx: Context,
  client: { code: string; address: string; headers: RequestHeaders },
  at: Date,
): Promise<Answer> {
  try {
    const signedIn = await finishOpenId(
      ctx,
      { ...client, sealedIdentity: openIdCookieIn(ctx.staff, client.headers) },
      at,
    )
    return signedIn ? signedInPage(ctx, signedIn.cookies) : codePage(ctx, null, texts.wrongCode, 401)
  } catch (error) {
    if (!(error instanceof Refusal && error.kind === 'bad-session')) throw error
    return signInPage(ctx, '', toSentence(error.message), 401)
  }
}

export const signInRoutes = [
  showSignIn,
  submitPassword,
  submitCode,
  signOutRoute,
  beginOpenIdRoute,
  finishOpenIdRoute,
  codeAfterOpenId,
]
