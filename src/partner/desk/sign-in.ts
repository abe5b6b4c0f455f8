// Signing in and out of the desk.
import { formFrom } from '#kit/http/form.ts'
import { html } from '#kit/http/markup.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { answer } from '#kit/http/server.ts'
import type { Context } from '#partner/context.ts'
import { deskRoute } from './desk-route.ts'
import { framed, goTo, pageAnswer } from './frame.ts'
import { atDesk, ownPage, signIn, signOut } from './staff.ts'

const path = '/desk/sign-in'
const section = 'operation'

const signInPage = (ctx: Context, email: string, problem: string | null) =>
  framed({
    title: 'Sign in',
    staff: null,
    lender: ctx.config.PARTNER_LENDER_NAME,
    body: html`<form class="card sign-in" method="post" action="${path}">
${problem && html`<p class="notice bad" role="alert">${problem}</p>`}
<label><span>E-mail</span><input type="email" name="email" value="${email}" autocomplete="username" required${!email && html` autofocus`}></label>
<label><span>Password</span><input type="password" name="password" autocomplete="current-password" required${email && html` autofocus`}></label>
<button class="primary">Sign in</button>
</form>`,
  })

export const signInRoutes = [
  deskRoute({
    method: 'GET',
    path,
    section,
    summary: 'The page on which staff of the lender sign in',
    auth: ownPage,
    hidden: true,
    shows: null,
    handle: (_, ctx) => pageAnswer(signInPage(ctx, '', null)),
  }),
  deskRoute({
    method: 'POST',
    path,
    section,
    summary: 'Sign in with e-mail and password',
    auth: ownPage,
    hidden: true,
    shows: null,
    accepts: 'raw',
    async handle({ raw, headers, ip: address, at }, ctx) {
      const form = formFrom(raw)
      const email = form.get('email') ?? ''
      try {
        const attempt = { email, password: form.get('password') ?? '', address, headers }
        const cookies = await signIn(ctx, attempt, at)
        if (cookies) return goTo('/desk', { 'set-cookie': cookies })
        return pageAnswer(signInPage(ctx, email, 'E-mail or password is wrong.'), 401)
      } catch (error) {
        if (!(error instanceof Refusal) || error.kind !== 'rate-limited') throw error
        const { retryAfterSeconds = 1, isKnownDevice } = error.details
        const open = isKnownDevice
          ? ''
          : ' This way stays open meanwhile: a browser in which you have signed in before.'
        const problem = `Too many tries. Try again in ${retryAfterSeconds} seconds.${open}`
        const page = pageAnswer(signInPage(ctx, email, problem), 429)
        return answer(429, page.body, { ...page.headers, 'retry-after': String(retryAfterSeconds) })
      }
    },
  }),
  deskRoute({
    method: 'POST',
    path: '/desk/sign-out',
    section,
    summary: 'End the session',
    auth: atDesk,
    hidden: true,
    shows: null,
    accepts: 'raw',
    handle: async ({ who, at }, ctx) => goTo(path, { 'set-cookie': await signOut(ctx, who, at) }),
  }),
]
