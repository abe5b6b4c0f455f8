// The people of the desk: who works here and in which roles, added, changed and removed by an admin.

import { randomOctets } from '#kit/crypto/random.ts'
import type { Tx } from '#kit/db/sql.ts'
import { formFrom } from '#kit/http/form.ts'
import { type Html, html } from '#kit/http/markup.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { Type } from '#kit/http/schema.ts'
import { type Context, route } from '#partner/context.ts'
import { plain, sentence, when } from './format.ts'
import { button, deskPage, goTo, tableOf } from './frame.ts'
import { isRole, type Role, roles } from './roles.ts'
import { addStaff, type By, changeRoles, givePassword, may, removeFromStaff, type SignedIn } from './staff.ts'
import { listStaff } from './store.ts'

const path = '/desk/people'
const common = { section: 'operation', hidden: true } as const
const params = Type.Object({ email: Type.String({ maxLength: 254 }) })

interface Shown {
  problem?: string
  /** The password of somebody who was just added, or lost theirs: shown once. */
  fresh?: { email: string; password: string }
  typed?: { name: string; email: string; roles: Role[] }
}

const roleBoxes = (had: readonly Role[], whose: string): Html =>
  html`<fieldset class="roles"><legend class="unseen">Roles of ${whose}</legend>${roles.map(
    (role) =>
      html`<label><input type="checkbox" name="role" value="${role}"${had.includes(role) && html` checked`}> ${plain(role)}</label>`,
  )}</fieldset>`

async function peoplePage(ctx: Context, who: SignedIn, { problem, fresh, typed }: Shown, status = 200) {
  const people = await listStaff(ctx.db)
  const rows = people.map(({ email, name, roles: had, lastAt }) => {
    const action = `${path}/${encodeURIComponent(email)}`
    return [
      name,
      email,
      html`<form class="inline" method="post" action="${action}/roles">${roleBoxes(had, name)}<button class="secondary">Save</button></form>`,
      lastAt && when(lastAt),
      html`<div class="inline">${button(`${action}/password`, 'New password')}${email !== who.email && button(`${action}/remove`, 'Remove')}</div>`,
    ]
  })
  const body = html`${fresh && html`<p class="notice good" role="status">${fresh.email} signs in with <code>${fresh.password}</code>. Keep it now: it cannot be shown again.</p>`}
<section><h2>Who works here</h2>
<p>Other roles hold from the next click on. Whoever is removed stays known by what they did.</p>
${tableOf('Who works here', ['Name', 'E-mail', 'Roles', 'Last act', ''], rows, { empty: 'Nobody works here.' })}</section>
<section class="card"><h2>Add somebody</h2><form method="post" action="${path}">
<div class="fields"><label><span>Name</span><input name="name" value="${typed?.name ?? ''}" maxlength="100" required></label>
<label><span>E-mail</span><input type="email" name="email" value="${typed?.email ?? ''}" maxlength="254" required></label></div>
${roleBoxes(typed?.roles ?? ['viewer'], 'the new person')}
<button class="primary">Add</button></form></section>`
  return deskPage(ctx, who, { title: 'People', here: path, problem: problem ?? null, body }, status)
}

const rolesIn = (form: URLSearchParams): Role[] => form.getAll('role').filter(isRole)
const newPassword = (): string => randomOctets(15).toString('base64url')

const show = route({
  ...common,
  auth: may('ROLES_CHANGED'),
  method: 'GET',
  path,
  summary: 'Who works at the desk',
  handle: ({ who }, ctx) => peoplePage(ctx, who, {}),
})

const add = route({
  ...common,
  auth: may('STAFF_ADDED'),
  method: 'POST',
  path,
  summary: 'Add somebody',
  accepts: 'raw',
  async handle({ who, raw, at }, ctx) {
    const form = formFrom(raw)
    const typed = { name: form.get('name')?.trim() ?? '', email: form.get('email') ?? '', roles: rolesIn(form) }
    const password = newPassword()
    return refusedOn(ctx, who, typed, async () => {
      if (typed.name === '') throw new Refusal('invalid', 'a person has a name', { field: 'name' })
      await ctx.db.tx((tx) => addStaff(tx, { ...typed, password }, { staffId: who.staffId, at }))
      return peoplePage(ctx, who, { fresh: { email: typed.email.trim().toLowerCase(), password } })
    })
  },
})

/** What was typed is there again beside the reason why it was not done. */
async function refusedOn<T>(ctx: Context, who: SignedIn, typed: Shown['typed'], work: () => Promise<T>) {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal) || error.kind === 'absent') throw error
    const shown = { problem: sentence(error.message), ...(typed && { typed }) }
    return peoplePage(ctx, who, shown, error.kind === 'invalid' ? 400 : 409)
  }
}

type Changing = (tx: Tx, email: string, form: URLSearchParams, by: By) => Promise<void>

const change = (name: string, summary: string, act: 'ROLES_CHANGED' | 'STAFF_REMOVED', run: Changing) =>
  route({
    ...common,
    auth: may(act),
    method: 'POST',
    path: `${path}/{email}/${name}`,
    params,
    summary,
    accepts: 'raw',
    handle: ({ who, params: { email }, raw, at }, ctx) =>
      refusedOn(ctx, who, undefined, async () => {
        const form = formFrom(raw)
        await ctx.db.tx((tx) => run(tx, email, form, { staffId: who.staffId, at }))
        return goTo(path)
      }),
  })

const password = route({
  ...common,
  auth: may('STAFF_PASSWORD'),
  method: 'POST',
  path: `${path}/{email}/password`,
  params,
  summary: 'Give somebody another password, shown once',
  accepts: 'raw',
  async handle({ who, params: { email }, at }, ctx) {
    const fresh = { email, password: newPassword() }
    await ctx.db.tx((tx) => givePassword(tx, email, fresh.password, { staffId: who.staffId, at }))
    return peoplePage(ctx, who, { fresh })
  },
})

export const peopleRoutes = [
  show,
  add,
  password,
  change('roles', 'Change the roles of somebody', 'ROLES_CHANGED', (tx, email, form, by) =>
    changeRoles(tx, email, rolesIn(form), by),
  ),
  change('remove', 'Let somebody sign in no longer', 'STAFF_REMOVED', (tx, email, _form, by) =>
    removeFromStaff(tx, email, by),
  ),
]
