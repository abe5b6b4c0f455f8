// The page of the lender's policy, and the routes to propose, confirm, refuse or withdraw a change.

import { Refusal } from '@lendloom/foundation/refusal'
import { Type, Uuid } from '@lendloom/foundation/schema'
import { formFrom } from '@lendloom/http/body'
import { html } from '@lendloom/http/markup'
import { businessDate } from '@lendloom/lending/calendar'
import type { Context } from '#partner/context.ts'
import { approve, refuse, withdraw } from '#partner/desk/approval/four-eyes.ts'
import { noticeAfterAct } from '#partner/desk/audit/act-notice.ts'
import { changeNotices, changesPart } from '#partner/desk/change/changes-part.ts'
import { changeProposal, proposeChange } from '#partner/desk/change/propose-change.ts'
import type { SettingName } from '#partner/desk/change/setting-change.ts'
import { hasOtherAdmin, listChanges } from '#partner/desk/change/store.ts'
import { deskRoute } from '#partner/desk/desk-route.ts'
import { deskPage, goTo } from '#partner/desk/frame.ts'
import type { RefusedForm } from '#partner/desk/parts/form-parts.ts'
import { toSentence } from '#partner/desk/parts/format.ts'
import { statusOf } from '#partner/desk/refusal-page.ts'
import { anyStaff, may, type SignedIn } from '#partner/desk/staff/desk-auth.ts'
import { type Act, can } from '#partner/desk/staff/staff-acts.ts'
import { bankRuleDays, bankRulesOn } from '#partner/origination/review/bank/store.ts'
import { holidaysOf, policiesFrom } from '#partner/servicing/collection/policy/store.ts'
import { ratesFrom } from '#partner/servicing/loan/class/store.ts'
import {
  automaticDecisionRoutes,
  automaticDecisionsId,
  automaticDecisionsPart,
  readAutomaticDecisions,
} from './automatic-decisions.ts'
import { bankRulesPart } from './bank-rules.ts'
import { debitsPart } from './debit-policy.ts'
import { holidaysPart } from './holidays.ts'
import { mailsPart } from './mails-part.ts'
import { policyPath as path } from './policy-section.ts'
import { provisionsPart } from './provision-rates.ts'
import { railsPart } from './rails-part.ts'
import {
  automaticTexts,
  bankRuleTexts,
  debitTexts,
  holidayTexts,
  mailTexts,
  provisionTexts,
  railTexts,
  policyTexts as texts,
} from './text-en.ts'

const maxChanges = 50
const common = { section: 'operation', hidden: true, viewAct: null } as const
const yearPattern = '^20[0-9]{2}$'

interface PolicyPageRequest {
  year: string | undefined
  at: Date
  problem?: string
  refusedForm?: RefusedForm
  status?: number
  /** The act that led to the page. */
  done?: string | undefined
}

async function policyPage(
  ctx: Context,
  who: SignedIn,
  { year: requestedYear, at, problem, refusedForm, status, done }: PolicyPageRequest,
) {
  const today = businessDate(at)
  const year = requestedYear ?? today.slice(0, 4)
  const mayPropose = can(who, 'CHANGE_PROPOSED')
  const view = await ctx.db.snapshot(async (db) => {
    const [policies, holidays, rates, rules, laterDays, changes, hasSecondAdmin, automatic] = await Promise.all([
      policiesFrom(db, today),
      holidaysOf(db, year),
      ratesFrom(db, today),
      bankRulesOn(db, ctx.config, today),
      bankRuleDays(db, today),
      mayPropose ? listChanges(db, maxChanges) : [],
      mayPropose ? hasOtherAdmin(db, who.staffId) : true,
      readAutomaticDecisions(db, ctx.config),
    ])
    return { policies, holidays, rates, rules, laterDays, changes, hasSecondAdmin, automatic }
  })
  const partContext = { at, mayPropose, refusedForm: refusedForm ?? null }
  const body = html`<p>${texts.lead}</p>${changeNotices([], view.hasSecondAdmin)}
${sectionLinks(mayPropose)}<div class="wraps">${automaticDecisionsPart(view.automatic, ctx.config.SANDBOX && can(who, 'RULES_ON'))}${mayPropose && changesPart(view.changes, who, at)}
<div class="halves"><div>${debitsPart(view.policies, partContext)}
${provisionsPart(view.rates, partContext)}</div>
<div>${railsPart()}
${holidaysPart({ year, holidays: view.holidays }, partContext)}</div></div>
<div class="halves">${bankRulesPart({ rules: view.rules, laterDays: view.laterDays }, partContext)}
${view.policies[0] && mailsPart(ctx, view.policies[0], today)}</div></div>`
  return deskPage(
    ctx,
    who,
    { title: texts.title, area: path, problem: problem ?? null, done: await noticeAfterAct(ctx, who, done), body },
    status,
  )
}

const sectionLinks = (mayPropose: boolean) =>
  html`<nav class="jumps" aria-label="On this page">${mayPropose && html`<a href="#changes">${texts.waiting}</a>`}${[
    [automaticDecisionsId, automaticTexts.title],
    ['debits', debitTexts.title],
    ['provisions', provisionTexts.title],
    ['rails', railTexts.title],
    ['holidays', holidayTexts.title],
    ['bank-rules', bankRuleTexts.title],
    ['mails', mailTexts.title],
  ].map(([id, title]) => html`<a href="#${id}">${title}</a>`)}</nav>`

const show = deskRoute({
  ...common,
  auth: anyStaff,
  method: 'GET',
  path,
  query: Type.Object({
    year: Type.Optional(Type.String({ pattern: yearPattern })),
    done: Type.Optional(Type.String()),
  }),
  summary: 'The policy of the lender, and its changes',
  handle: ({ who, query, at }, ctx) => policyPage(ctx, who, { year: query.year, at, done: query.done }),
})

function refusedPage(
  ctx: Context,
  who: SignedIn,
  refusal: Refusal,
  request: Pick<PolicyPageRequest, 'year' | 'at' | 'refusedForm'>,
) {
  const problem = toSentence(refusal.message)
  const refusedForm = request.refusedForm && {
    ...request.refusedForm,
    field: refusal.details.field ?? null,
    message: problem,
  }
  return policyPage(ctx, who, { ...request, problem, status: statusOf(refusal), ...(refusedForm && { refusedForm }) })
}

const yearIn = (form: URLSearchParams): string | undefined => new RegExp(yearPattern).exec(form.get('year') ?? '')?.[0]

const propose = (action: string, setting: SettingName, summary: string) =>
  deskRoute({
    ...common,
    auth: may('CHANGE_PROPOSED'),
    method: 'POST',
    path: `${path}/${action}`,
    summary,
    accepts: 'raw',
    async handle({ who, raw, at }, ctx) {
      const form = formFrom(raw)
      const year = yearIn(form)
      if (setting === 'HOLIDAYS' && year === undefined)
        throw new Refusal('invalid', 'year is required', { field: 'year' })
      await proposeChange(ctx, who, { setting, subject: setting === 'HOLIDAYS' ? (year ?? '') : '', form, at })
      return goTo(`${path}#changes`)
    },
    onRefusal({ who, raw, at }, refusal, ctx) {
      const form = formFrom(raw)
      const refusedForm = { form, action, field: null, message: '' }
      return refusedPage(ctx, who, refusal, { year: yearIn(form), at, refusedForm })
    },
  })

const decide = (name: string, summary: string, act: Act, decideProposal: typeof approve) =>
  deskRoute({
    ...common,
    auth: may(act),
    method: 'POST',
    path: `${path}/changes/{changeId}/${name}`,
    params: Type.Object({ changeId: Uuid }),
    summary,
    accepts: 'raw',
    async handle({ who, params: { changeId }, raw, at }, ctx) {
      const form = formFrom(raw)
      const reason = form.get('reason')?.trim().slice(0, 500) || null
      const decision = { changeId, reason, at }
      await decideProposal(ctx, who, changeProposal(ctx, who, decision), decision)
      return goTo(form.get('returnTo') === 'approvals' ? `/desk/approvals?done=${act}` : `${path}#changes`)
    },
    onRefusal: ({ who, at }, refusal, ctx) => refusedPage(ctx, who, refusal, { year: undefined, at }),
  })

export const policyRoutes = [
  show,
  ...automaticDecisionRoutes,
  propose('debits', 'DEBITS', 'Propose the policy of debits and contacts'),
  propose('holidays', 'HOLIDAYS', 'Propose the bank holidays of a year'),
  propose('provisions', 'PROVISIONS', 'Propose provision rates'),
  propose('bank-rules', 'BANK_RULES', 'Propose rules for bank data'),
  decide('confirm', 'Confirm a change of a setting, which applies it', 'POLICY_CHANGED', approve),
  decide('refuse', 'Refuse a change of a setting', 'CHANGE_REFUSED', refuse),
  decide('withdraw', 'Withdraw your own change', 'CHANGE_WITHDRAWN', withdraw),
]
