// The limits of approval: up to which amount a role does an act alone, and up to which it approves it for others.

import { formFrom } from '#kit/http/form.ts'
import { type Html, html } from '#kit/http/markup.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { rupees } from '#kit/money/money.ts'
import { type Context, route } from '#partner/context.ts'
import { type CheckedName, checkedNames, isAlwaysChecked, type Limit } from './approval/request.ts'
import { listLimits, saveLimits } from './approval/store.ts'
import { checkedActs } from './checked-acts.ts'
import { paiseIn } from './form-fields.ts'
import { capital, plain, sentence } from './format.ts'
import { deskPage, goTo, tableOf } from './frame.ts'
import { can, mayDo, type Role, roles } from './roles.ts'
import { may, type Staff } from './staff.ts'
import { noteAct } from './staff-act.ts'

const path = '/desk/limits'
const common = { section: 'operation', auth: may('LIMITS_CHANGED'), hidden: true } as const

/** Only whoever may do an act does it alone, and only whoever decides requests approves it. */
const doing = (act: CheckedName): readonly Role[] => (isAlwaysChecked(act) ? [] : mayDo[checkedActs[act].act])
const deciding = roles.filter((role) => can({ roles: [role] }, 'REQUEST_APPROVED'))

function limitField(
  limits: Limit[],
  field: Pick<Limit, 'role' | 'act'>,
  of: 'alone' | 'approve',
  typed: URLSearchParams | null,
) {
  const { role, act } = field
  const found = limits.find((limit) => limit.role === role && limit.act === act)
  const paise = (of === 'alone' ? found?.alonePaise : found?.approvePaise) ?? 0n
  const name = `${of}.${act}.${role}`
  const words = `${plain(role)}, ${checkedActs[act].label}, ${of === 'alone' ? 'alone' : 'for others'}`
  return html`<input name="${name}" value="${typed?.get(name) ?? rupees(paise)}" inputmode="decimal" pattern="[0-9]{1,9}([.][0-9]{1,2})?" aria-label="${words}" required>`
}

async function limitsPage(ctx: Context, who: Staff, typed: URLSearchParams | null, problem: string | null) {
  const limits = await listLimits(ctx.db)
  const rows = checkedNames.flatMap((act) =>
    deciding.map((role): (string | Html | null)[] => [
      capital(checkedActs[act].label),
      plain(role),
      doing(act).includes(role) ? limitField(limits, { role, act }, 'alone', typed) : null,
      limitField(limits, { role, act }, 'approve', typed),
    ]),
  )
  const body = html`<section><p>In rupees; 0 is not at all. Whoever has several roles has the highest limit of them. Money that is given back or given up always needs a second person.</p>
<form method="post" action="${path}">${tableOf('Limits', ['Act', 'Role', 'Alone up to', 'Approves up to'], rows, { empty: '' })}
<p><button class="primary">Save the limits</button></p></form></section>`
  return deskPage(
    ctx,
    who,
    { title: 'Limits of approval', here: '/desk/approvals', problem, body },
    problem ? 400 : 200,
  )
}

const show = route({
  ...common,
  method: 'GET',
  path,
  summary: 'The limits of approval',
  handle: ({ who }, ctx) => limitsPage(ctx, who, null, null),
})

const limitsIn = (form: URLSearchParams): Limit[] =>
  checkedNames.flatMap((act) =>
    deciding.map((role) => ({
      role,
      act,
      alonePaise: doing(act).includes(role) ? paiseIn(form, `alone.${act}.${role}`) : 0n,
      approvePaise: paiseIn(form, `approve.${act}.${role}`),
    })),
  )

const save = route({
  ...common,
  method: 'POST',
  path,
  summary: 'Change the limits of approval',
  accepts: 'raw',
  async handle({ who, raw, at }, ctx) {
    const form = formFrom(raw)
    try {
      const wanted = limitsIn(form)
      await ctx.db.tx(async (tx) => {
        const before = await listLimits(tx)
        const isSame = (limit: Limit) =>
          before.some(
            (old) =>
              old.role === limit.role &&
              old.act === limit.act &&
              old.alonePaise === limit.alonePaise &&
              old.approvePaise === limit.approvePaise,
          )
        const changed = wanted.filter(
          (limit) =>
            !isSame(limit) &&
            (limit.alonePaise > 0n ||
              limit.approvePaise > 0n ||
              before.some((old) => old.role === limit.role && old.act === limit.act)),
        )
        if (changed.length === 0) return
        await saveLimits(tx, changed)
        const detail = Object.fromEntries(
          changed.map(({ role, act, alonePaise, approvePaise }) => [
            `${act} ${role}`,
            `${rupees(alonePaise)} / ${rupees(approvePaise)}`,
          ]),
        )
        await noteAct(tx, { staffId: who.staffId, act: 'LIMITS_CHANGED', about: { detail }, at })
      })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return limitsPage(ctx, who, form, sentence(error.message))
    }
    return goTo(path)
  },
})

export const limitRoutes = [show, save]
