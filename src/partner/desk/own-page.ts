// Whoever is signed in: their own password.
import { formFrom } from '#kit/http/form.ts'
import { html } from '#kit/http/markup.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { type Context, route } from '#partner/context.ts'
import { sentence } from './format.ts'
import { deskPage, goTo } from './frame.ts'
import { atDesk, hashOf, provesPassword, type Staff } from './staff.ts'
import { noteAct } from './staff-act.ts'
import { writePassword } from './store.ts'

const path = '/desk/me'
const common = { section: 'operation', auth: atDesk, hidden: true } as const

function ownPage(ctx: Context, who: Staff, { problem, done }: { problem?: string; done?: boolean }, status = 200) {
  const field = (name: string, label: string, complete: string) =>
    html`<label><span>${label}</span><input type="password" name="${name}" autocomplete="${complete}" required></label>`
  const body = html`${done && html`<p class="notice good" role="status">The password was changed. Everywhere else you are signed out.</p>`}
<form class="card sign-in" method="post" action="${path}/password">
<h2>Change your password</h2>
<p>You sign in as ${who.email}.</p>
${field('password', 'Present password', 'current-password')}
${field('fresh', 'New password, at least 12 characters', 'new-password')}
${field('again', 'New password once more', 'new-password')}
<button class="primary">Change</button>
</form>`
  return deskPage(ctx, who, { title: who.name, here: path, problem: problem ?? null, body }, status)
}

const show = route({
  ...common,
  method: 'GET',
  path,
  summary: 'Whoever is signed in',
  handle: ({ who }, ctx) => ownPage(ctx, who, {}),
})

const change = route({
  ...common,
  method: 'POST',
  path: `${path}/password`,
  summary: 'Change the own password',
  accepts: 'raw',
  async handle({ who, raw, at }, ctx) {
    try {
      const form = formFrom(raw)
      const [fresh, again] = [form.get('fresh') ?? '', form.get('again') ?? '']
      if (fresh !== again) return ownPage(ctx, who, { problem: 'The new password was written in two ways.' }, 400)
      const trying = { email: who.email, address: null, device: who.session }
      if (!(await provesPassword(ctx, trying, form.get('password') ?? '', at)))
        return ownPage(ctx, who, { problem: 'The present password is wrong.' }, 400)
      const hash = await hashOf(fresh)
      await ctx.db.tx(async (tx) => {
        await writePassword(tx, who.staffId, hash, who.session)
        await noteAct(tx, { staffId: who.staffId, act: 'PASSWORD_CHANGED', about: {}, at })
      })
      return goTo(`${path}/done`)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const status = error.kind === 'rate-limited' ? 429 : 400
      return ownPage(ctx, who, { problem: sentence(error.message) }, status)
    }
  },
})

const done = route({
  ...common,
  method: 'GET',
  path: `${path}/done`,
  summary: 'The own password was changed',
  handle: ({ who }, ctx) => ownPage(ctx, who, { done: true }),
})

export const ownRoutes = [show, change, done]
