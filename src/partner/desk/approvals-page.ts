// What waits for approval, the longest waiting first, and the decisions on it: approve, refuse with a reason, withdraw.

import { uuidPattern } from '#kit/crypto/id.ts'
import { formFrom } from '#kit/http/form.ts'
import { type Html, html } from '#kit/http/markup.ts'
import { Type } from '#kit/http/schema.ts'
import type { Context } from '#partner/context.ts'
import { contentOf } from './approval/content.ts'
import { approveRequest, refuseRequest, withdrawRequest } from './approval/decide.ts'
import { listLimits, listWaiting, waitingInOrder } from './approval/store.ts'
import { checkedActs } from './checked-acts.ts'
import { deskRoute, statusOf } from './desk-route.ts'
import { capital, inr, sentence } from './format.ts'
import { caseLink, deskPage, type Fact, goTo, tableOf } from './frame.ts'
import { waiting as waitingFor } from './queue/age.ts'
import { decisionForms } from './requests-part.ts'
import { can } from './roles.ts'
import { atDesk, may, type Staff } from './staff.ts'
import type { Act } from './staff-act.ts'
import { pageLinks, pageOf, type Query, turnsOf, windowOf } from './turn-page.ts'

const path = '/desk/approvals'
const table = 'Pending approvals'
/** Of each it is read what it is about. */
const perPage = 20
const common = { section: 'operation', hidden: true, shows: 'LIST_VIEWED' } as const
const params = Type.Object({
  caseRef: Type.String({ maxLength: 200 }),
  requestId: Type.String({ pattern: uuidPattern }),
})

interface ApprovalsShown {
  query?: Query
  problem?: string
  status?: number
}

async function approvalsPage(ctx: Context, who: Staff, { query = {}, problem, status = 200 }: ApprovalsShown) {
  const now = ctx.clock()
  const window = windowOf(query, table, waitingInOrder, perPage)
  const { page, contents, limits } = await ctx.db.snapshot(async (db) => {
    const [found, limits] = await Promise.all([listWaiting(db, now, window), listLimits(db)])
    const page = pageOf(table, found, window)
    const looked = { at: now, isWhole: false }
    const read = await Promise.all(
      page.rows.map(async (each) => [each.requestId, await contentOf(db, ctx, each, looked)] as const),
    )
    return { page, limits, contents: new Map(read) }
  })
  const body = html`<section><p>Whoever asks for something does not approve it. What nobody decides within seven days is no longer asked for.</p>
${tableOf(
  table,
  ['What', 'Loan', { number: 'Amount' }, 'In detail', 'Asked for by', 'Age', 'Reason', ''],
  page.rows.map((each) => [
    capital(checkedActs[each.act].label),
    caseLink(each.caseRef, each.loanId),
    inr(each.amountPaise),
    detailsOf(contents.get(each.requestId) ?? []),
    each.maker,
    waitingFor('approvals', each.madeAt, now),
    each.reason,
    // The whole number, to be compared, stands on the page of the case.
    each.act === 'ACCOUNT' && each.madeBy !== who.staffId
      ? caseLink(each.caseRef, 'See the account and decide')
      : decisionForms(each, who, limits),
  ]),
  { empty: 'Nothing waits for approval.' },
)}${pageLinks(query, page)}
${can(who, 'LIMITS_CHANGED') && html`<p><a href="/desk/limits">Limits of approval</a></p>`}</section>`
  return deskPage(ctx, who, { title: table, here: path, problem: problem ?? null, body }, status)
}

/** Each on a line of its own, in the file of the table too. */
const detailsOf = (facts: Fact[]): Html =>
  html`<ul class="changes">${facts
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([label, value]) => html`<li><span class="quiet">${label}:</span> ${value}</li>\n`)}</ul>`

const show = deskRoute({
  ...common,
  auth: atDesk,
  method: 'GET',
  path,
  summary: 'What waits for approval',
  query: Type.Object(turnsOf(table)),
  handle: ({ who, query }, ctx) => approvalsPage(ctx, who, { query }),
})

const decide = (name: string, summary: string, act: Act, run: typeof approveRequest) =>
  deskRoute({
    ...common,
    auth: may(act),
    method: 'POST',
    path: `${path}/{caseRef}/{requestId}/${name}`,
    params,
    summary,
    accepts: 'raw',
    async handle({ who, params: { caseRef, requestId }, raw, at }, ctx) {
      const reason = formFrom(raw).get('reason')?.trim().slice(0, 500) || null
      await run(ctx, who, { caseRef, requestId, reason, at })
      return goTo(path)
    },
    again: ({ who }, refusal, ctx) =>
      approvalsPage(ctx, who, { problem: sentence(refusal.message), status: statusOf(refusal) }),
  })

export const approvalRoutes = [
  show,
  decide('approve', 'Approve what somebody asked for, which does it', 'REQUEST_APPROVED', approveRequest),
  decide('refuse', 'Refuse what somebody asked for', 'REQUEST_REFUSED', refuseRequest),
  decide('withdraw', 'Withdraw what one asked for', 'REQUEST_WITHDRAWN', withdrawRequest),
]
