// The page on which a user chooses a password through a link.

import { Refusal } from '@lendloom/foundation/refusal'
import { Type } from '@lendloom/foundation/schema'
import { formFrom } from '@lendloom/http/body'
import { type Html, html } from '@lendloom/http/markup'
import { type Answer, type Auth, anyone } from '@lendloom/http/server'
import { refuseOtherSites } from '@lendloom/http/session-cookie'
import { digestOf } from '@lendloom/seal/token'
import type { Context } from '#partner/context.ts'
import { deskRoute } from '#partner/desk/desk-route.ts'
import { pageAnswer, renderFrame } from '#partner/desk/frame.ts'
import { toSentence } from '#partner/desk/parts/format.ts'
import { statusOf } from '#partner/desk/refusal-page.ts'
import { findOpenLink } from '#partner/people/password-link-store.ts'
import { choosePassword } from './password-link.ts'
import { linkTexts as texts } from './text-en.ts'

const path = '/desk/password/{token}'
const common = { section: 'operation', path, hidden: true, viewAct: null } as const
const params = Type.Object({ token: Type.String() })

/** Requires an open link, and a page of this site: web mail may open the page, but not send its form. */
const openLink: Auth<Context, null> = {
  scheme: null,
  async check({ pathParams, headers, at }, ctx) {
    refuseOtherSites(headers, ctx.config.PARTNER_PUBLIC_URL)
    const isOpen = await findOpenLink(ctx.db, digestOf(String(pathParams.token)), at)
    if (!isOpen) throw new Refusal('absent', texts.askAgain)
    return null
  },
}

const field = (name: string, label: string) =>
  html`<label><span>${label}</span><input type="password" name="${name}" autocomplete="new-password" required></label>`

const pageOf = ({ config }: Context, body: Html, status = 200, title = texts.title): Answer =>
  pageAnswer(renderFrame({ title, staff: null, lender: config.PARTNER_LENDER_NAME, body }), status)

export const signInLink = html`<p><a class="primary" href="/desk/sign-in">${texts.signIn}</a></p>`

async function linkPage(ctx: Context, token: string, at: Date, refusal?: Refusal): Promise<Answer> {
  if (!(await findOpenLink(ctx.db, digestOf(token), at)))
    return pageOf(ctx, html`<p class="card" role="alert">${texts.askAgain}</p>${signInLink}`, 404, texts.invalidLink)
  const body = html`${refusal && html`<p class="notice bad" role="alert">${toSentence(refusal.message)}</p>`}
<form class="card sign-in" method="post" action="/desk/password/${token}">
${field('password', texts.label)}
${field('again', texts.repeat)}
<button class="primary">${texts.button}</button>
</form>`
  return pageOf(ctx, body, refusal ? statusOf(refusal) : 200)
}

const show = deskRoute({
  ...common,
  auth: anyone,
  method: 'GET',
  params,
  summary: 'The page to choose a password through a link',
  handle: ({ params: { token }, at }, ctx) => linkPage(ctx, token, at),
})

const choose = deskRoute({
  ...common,
  auth: openLink,
  method: 'POST',
  params,
  summary: 'Save the password chosen through a link',
  accepts: 'raw',
  async handle({ params: { token }, raw, at }, ctx) {
    const form = formFrom(raw)
    const password = form.get('password') ?? ''
    const repeatedPassword = form.get('again') ?? ''
    try {
      if (password !== repeatedPassword) throw new Refusal('invalid', texts.passwordsDiffer, { field: 'again' })
      await choosePassword(ctx, token, password, at)
    } catch (error) {
      if (error instanceof Refusal) return linkPage(ctx, token, at, error)
      throw error
    }
    return pageOf(ctx, html`<p class="notice good" role="status">${texts.saved}</p>${signInLink}`)
  },
})

export const linkRoutes = [show, choose]
