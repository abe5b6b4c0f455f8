// Whoever is signed in: their own password.
import { formFrom } from '#kit/http/form.ts'
import { html } from '#kit/http/markup.ts'
import { Refusal } from '#kit/http/refusal.ts'
import type { Context } from '#partner/context.ts'
import { deskRoute, statusOf } from './desk-route.ts'
import { sentence } from './format.ts'
import { deskPage, goTo } from './frame.ts'
import { listLinks } from './password-link/store.ts'
import { linkText, linkTexts } from './password-link/text-en.ts'
import { atDesk, hashOf, may, provesPassword, type Staff } from './staff.ts'
import { noteAct } from './staff-act.ts'
import { holdProven, writePassword } from './store.ts'

const path = '/desk/me'
const common = { section: 'operation', auth: atDesk, hidden: true, shows: null } as const

async function ownPage(
  ctx: Context,
  who: Staff,
  { problem, done }: { problem?: string; done?: boolean },
  status = 200,
) {
  const field = (name: string, label: string, complete: string) =>
    html`<label><span>${label}</span><input type="password" name="${name}" autocomplete="${complete}" required></label>`
  const [link] = await listLinks(ctx.db, who.staffId)
  const body = html`${done && html`<p class="notice good" role="status">The password was changed. Everywhere else you are signed out.</p>`}
<form class="card sign-in" method="post" action="${path}/password">
<h2>Change your password</h2>
<p>You sign in as ${who.email}.${link && html` ${linkText(link)}.`}</p>
${who.knownTo.length > 0 && html`<p><strong>${linkTexts.known}</strong></p>`}
${field('password', 'Present password', 'current-password')}
${field('fresh', 'New password, at least 12 characters', 'new-password')}
${field('again', 'New password once more', 'new-password')}
<button class="primary">Change</button>
</form>`
  return deskPage(ctx, who, { title: who.name, here: path, problem: problem ?? null, body }, status)
}

const show = deskRoute({
  ...common,
  method: 'GET',
  path,
  summary: 'Whoever is signed in',
  handle: ({ who }, ctx) => ownPage(ctx, who, {}),
})

const change = deskRoute({
  ...common,
  auth: may('PASSWORD_CHANGED'),
  method: 'POST',
  path: `${path}/password`,
  summary: 'Change the own password',
  accepts: 'raw',
  async handle({ who, raw, at }, ctx) {
    const form = formFrom(raw)
    const [fresh, again] = [form.get('fresh') ?? '', form.get('again') ?? '']
    if (fresh !== again) throw new Refusal('invalid', 'the new password was written in two ways', { field: 'again' })
    const trying = { email: who.email, address: null, device: who.session }
    const wrong = () => new Refusal('invalid', 'the present password is wrong', { field: 'password' })
    const proven = await provesPassword(ctx, trying, form.get('password') ?? '', at)
    if (!proven) throw wrong()
    const hash = await hashOf(fresh)
    await ctx.db.tx(async (tx) => {
      if (!(await holdProven(tx, proven))) throw wrong()
      await writePassword(tx, who.staffId, hash, who.session)
      await noteAct(tx, { staffId: who.staffId, act: 'PASSWORD_CHANGED', about: {}, at })
    })
    return goTo(`${path}/done`)
  },
  again: ({ who }, refusal, ctx) => ownPage(ctx, who, { problem: sentence(refusal.message) }, statusOf(refusal)),
})

const done = deskRoute({
  ...common,
  method: 'GET',
  path: `${path}/done`,
  summary: 'The own password was changed',
  handle: ({ who }, ctx) => ownPage(ctx, who, { done: true }),
})

export const ownRoutes = [show, change, done]
