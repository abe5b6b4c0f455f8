// The page of approval limits: the amounts up to which each role may act alone, and up to which it may approve.

import { formFrom } from '@lendloom/http/body'
import { html } from '@lendloom/http/markup'
import type { Context } from '#partner/context.ts'
import { type ApprovalLimit, checkedActNames } from '#partner/desk/approval/approval-rules.ts'
import { checkedActs } from '#partner/desk/approval/checked-acts.ts'
import { listLimits } from '#partner/desk/approval/store.ts'
import { changeNotices } from '#partner/desk/change/changes-part.ts'
import { proposeChange } from '#partner/desk/change/propose-change.ts'
import { hasOtherAdmin, waitingChanges } from '#partner/desk/change/store.ts'
import { deskRoute } from '#partner/desk/desk-route.ts'
import { deskPage, goTo } from '#partner/desk/frame.ts'
import { amountPattern, fieldRenderer, type RefusedForm, reasonAttributes } from '#partner/desk/parts/form-parts.ts'
import { amountValue, capitalize, labelOf, toSentence } from '#partner/desk/parts/format.ts'
import { tableOf } from '#partner/desk/parts/table.ts'
import { policyPath } from '#partner/desk/policy/policy-section.ts'
import { policyTexts } from '#partner/desk/policy/text-en.ts'
import { statusOf } from '#partner/desk/refusal-page.ts'
import type { Role, Staff } from '#partner/people/person.ts'
import { deciderRoles, soleActors } from './approval-limits-setting.ts'
import { may } from './desk-auth.ts'

const path = '/desk/limits'
const common = { section: 'operation', auth: may('LIMITS_CHANGED'), hidden: true, viewAct: null } as const

function limitField(
  limits: ApprovalLimit[],
  field: Pick<ApprovalLimit, 'role' | 'act'>,
  kind: 'alone' | 'approve',
  refusedForm: RefusedForm | null,
) {
  const { role, act } = field
  const limit = limits.find((each) => each.role === role && each.act === act)
  const paise = (kind === 'alone' ? limit?.alonePaise : limit?.approvePaise) ?? 0n
  const name = `${kind}.${act}.${role}`
  const label = `${labelOf(role)}, ${checkedActs[act].label}, ${kind === 'alone' ? 'alone' : 'for others'}`
  return html`<input name="${name}" value="${refusedForm?.form.get(name) ?? amountValue(paise)}" inputmode="decimal" pattern="${amountPattern}" aria-label="${label}"${refusedForm?.field === name && html` aria-invalid="true"`} required>`
}

interface LimitsPageRequest {
  at: Date
  refusedForm: RefusedForm | null
  status?: number
}

async function limitsPage(ctx: Context, who: Staff, { at, refusedForm, status }: LimitsPageRequest) {
  const [limits, pendingChanges, hasSecondAdmin] = await ctx.db.snapshot((db) =>
    Promise.all([listLimits(db), waitingChanges(db, ['LIMITS'], at), hasOtherAdmin(db, who.staffId)]),
  )
  const rows = checkedActNames.flatMap((act) => {
    const label = capitalize(checkedActs[act].label)
    const cells = (kind: 'alone' | 'approve', mayAct: readonly Role[]) =>
      deciderRoles.map((role) => mayAct.includes(role) && limitField(limits, { role, act }, kind, refusedForm))
    const sole = soleActors(act)
    return [
      ...(sole.length > 0 ? [[`${label}, by one person`, ...cells('alone', sole)]] : []),
      [label, ...cells('approve', deciderRoles)],
    ]
  })
  const reasonField = fieldRenderer(
    'limits',
    refusedForm,
  )({ name: 'reason', label: policyTexts.reason, attributes: reasonAttributes })
  const body = html`${changeNotices(pendingChanges, hasSecondAdmin)}<section><p>The highest amount that each role may approve, in rupees; 0 means not allowed. A second admin must confirm new limits.</p>
<form method="post" action="${path}">${tableOf('Limits', ['Action', ...deciderRoles.map((role) => ({ number: labelOf(role) }))], rows, { empty: '', csv: false })}
<p class="hint">A person with several roles has the highest of their limits. Payouts, refunds and waivers always need a second person.</p>
<div class="narrow">${reasonField}</div><p><button class="primary">${policyTexts.button}</button></p></form></section>`
  const title = 'Approval limits'
  return deskPage(ctx, who, { title, area: '/desk/approvals', problem: refusedForm?.message ?? null, body }, status)
}

const show = deskRoute({
  ...common,
  method: 'GET',
  path,
  summary: 'The approval limits',
  handle: ({ who, at }, ctx) => limitsPage(ctx, who, { at, refusedForm: null }),
})

const propose = deskRoute({
  ...common,
  method: 'POST',
  path,
  summary: 'Propose approval limits',
  accepts: 'raw',
  async handle({ who, raw, at }, ctx) {
    await proposeChange(ctx, who, { setting: 'LIMITS', subject: '', form: formFrom(raw), at })
    return goTo(`${policyPath}#changes`)
  },
  onRefusal({ who, raw, at }, refusal, ctx) {
    const { message, details } = refusal
    const refusedForm = {
      form: formFrom(raw),
      action: 'limits',
      field: details.field ?? null,
      message: toSentence(message),
    }
    return limitsPage(ctx, who, { at, refusedForm, status: statusOf(refusal) })
  },
})

export const limitRoutes = [show, propose]
