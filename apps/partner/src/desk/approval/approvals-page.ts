// The page of everything that waits for a second person: acts on cases, closings of months and statements, returns and
// settings; and the decisions on acts.

import { allOf } from '@lendloom/foundation/all-of'
import { keysOf } from '@lendloom/foundation/record'
import { Type, Uuid } from '@lendloom/foundation/schema'
import { formFrom } from '@lendloom/http/body'
import { type Html, html } from '@lendloom/http/markup'
import { businessDate } from '@lendloom/lending/calendar'
import type { Context } from '#partner/context.ts'
import { caseAddress } from '#partner/desk/arrears/worklist.ts'
import { noticeAfterAct } from '#partner/desk/audit/act-notice.ts'
import { returnCard } from '#partner/desk/books/receipt-return-part.ts'
import { type ReturnProposalLine, waitingReturns } from '#partner/desk/books/receipt-return-store.ts'
import { statementClosingCard } from '#partner/desk/books/statement-closing-part.ts'
import { type StatementClosingLine, waitingStatementClosings } from '#partner/desk/books/statement-closing-store.ts'
import { decisionForms, type OfferBasis, requestFacts } from '#partner/desk/cases/approval-requests-part.ts'
import { caseNumberText, inlineCaseNumber } from '#partner/desk/cases/case-number.ts'
import type { CaseView } from '#partner/desk/cases/case-view.ts'
import { nameOfBorrower, openLead } from '#partner/desk/cases/open-lead.ts'
import { changeableSettings } from '#partner/desk/change/changeable-settings.ts'
import { approvalCard } from '#partner/desk/change/changes-part.ts'
import { type ChangeLine, waitingChanges } from '#partner/desk/change/store.ts'
import { deskRoute } from '#partner/desk/desk-route.ts'
import { caseLink, deskPage, goTo } from '#partner/desk/frame.ts'
import { closingCard } from '#partner/desk/month-end/closing-part.ts'
import { type FactLine, factList } from '#partner/desk/parts/facts.ts'
import { capitalize, inr, toSentence } from '#partner/desk/parts/format.ts'
import { type PageQuery, pageLinks, pageOf, pagingQuery, windowOf } from '#partner/desk/parts/paging.ts'
import { csvMark, tableOf } from '#partner/desk/parts/table.ts'
import { slugOf } from '#partner/desk/parts/table-slug.ts'
import { waitText } from '#partner/desk/queue/waiting-time.ts'
import { statusOf } from '#partner/desk/refusal-page.ts'
import { anyStaff, may, type SignedIn } from '#partner/desk/staff/desk-auth.ts'
import { type Act, can } from '#partner/desk/staff/staff-acts.ts'
import { leadOfCase } from '#partner/origination/case/store.ts'
import { bankReviewOf, bankRulesOn } from '#partner/origination/review/bank/store.ts'
import { type MonthCloseLine, waitingClosings } from '#partner/records/report/month-closing-store.ts'
import { requestProposal } from './act-or-request.ts'
import { type ApprovalLimit, whyMayNotApprove } from './approval-rules.ts'
import { checkedActs } from './checked-acts.ts'
import { approve, refuse, withdraw } from './four-eyes.ts'
import { requestContentOf, requestedTerms } from './request-content.ts'
import { ChangedCase, versionQuery } from './seen-version.ts'
import { listLimits, listWaiting, type RequestLine, waitingInOrder } from './store.ts'
import { type TurnCard, turnOf, turnSections } from './turns.ts'

const path = '/desk/approvals'
const table = 'Pending approvals'
/** The page is short, because the content of each request needs its own queries. */
const perPage = 20
const sharedOptions = { section: 'operation', hidden: true, viewAct: 'LIST_VIEWED' } as const
const params = Type.Object({
  caseRef: Type.String({ maxLength: 200 }),
  requestId: Uuid,
})

interface ApprovalsPageOptions {
  query?: PageQuery
  problem?: Html | string
  status?: number
  back?: Html
}

/** Reads all proposals in one snapshot, and renders the page. */
async function approvalsPage(
  ctx: Context,
  who: SignedIn,
  { query = {}, problem, status = 200, back }: ApprovalsPageOptions,
) {
  const now = ctx.clock()
  const window = windowOf(query, table, waitingInOrder, perPage)
  const { page, rows, limits, closings, statements, returns, changes } = await ctx.db.snapshot(async (db) => {
    const { fetched, rules, ...others } = await allOf({
      fetched: listWaiting(db, now, window),
      limits: listLimits(db),
      rules: bankRulesOn(db, ctx.config, businessDate(now)),
      closings: waitingClosings(db, now),
      statements: waitingStatementClosings(db, now),
      returns: can(who, 'RECEIPT_RETURNED') ? waitingReturns(db, now) : Promise.resolve([]),
      changes: can(who, 'POLICY_CHANGED') ? waitingChanges(db, keysOf(changeableSettings), now) : Promise.resolve([]),
    })
    const page = pageOf(table, fetched, window)
    const context = { at: now, isUnmasked: false, isRevealed: false }
    const rows = await Promise.all(
      page.rows.map(async (request) => {
        const lead = openLead(ctx.seal, request.caseRef, await leadOfCase(db, request.caseRef))
        const content = await requestContentOf(db, ctx, request, context)
        const terms = requestedTerms(ctx, request)
        const offer = terms && { ...(await bankReviewOf(db, ctx.seal, request.caseRef)), rules, terms }
        return { request, lead, content, offer }
      }),
    )
    return { page, ...others, rows }
  })
  const body = html`<section><div class="head"><p class="quiet">A request that no one decides within seven days expires.</p>${can(who, 'LIMITS_CHANGED') && html`<a class="secondary" href="/desk/limits">Approval limits</a>`}</div>
${query.csv ? requestTable(rows, now) : requestCards(rows, { who, limits, now, closings, statements, returns, changes })}${pageLinks(query, page)}</section>`
  return deskPage(
    ctx,
    who,
    {
      title: 'Approvals',
      area: path,
      problem: problem ?? null,
      ...(back && { back }),
      done: await noticeAfterAct(ctx, who, query.done),
      body,
    },
    status,
  )
}

interface RequestView {
  request: RequestLine
  lead: CaseView['lead']
  content: FactLine[]
  offer: OfferBasis | null
}

interface CardContext {
  who: SignedIn
  limits: ApprovalLimit[]
  now: Date
  closings: MonthCloseLine[]
  statements: StatementClosingLine[]
  returns: ReturnProposalLine[]
  changes: ChangeLine[]
}

/** Whether the approver must compare the account number or the payer, which only the case page reveals. */
const isDecidedOnCase = (act: RequestLine['act']): boolean =>
  act === 'ACCOUNT' || act === 'POSTING' || act === 'TRANSFER_RETURN'

/** Renders one card per proposal, so that the page fits a phone, and a link to the CSV file of the requests. */
function requestCards(rows: RequestView[], context: CardContext): Html {
  const { who, limits, now, closings, statements, returns, changes } = context
  const cards = [
    ...changes.map((each) => approvalCard(each, who, now)),
    ...closings.map((each) => closingCard(each, who, now)),
    ...statements.map((each) => statementClosingCard(each, who, now)),
    ...returns.map((each) => returnCard(each, who, { limits, now })),
    ...rows.map((each) => requestCard(each, context)),
  ]
  if (cards.length === 0) return html`<p class="empty">Nothing to approve.</p>`
  return html`${rows.length > 0 && csvMark(table)}<div id="${slugOf(table)}">${turnSections(cards)}</div>`
}

/** The card of a request. What this person cannot approve has its details folded. */
function requestCard({ request, lead, content, offer }: RequestView, { who, limits, now }: CardContext): TurnCard {
  const { act, caseRef, madeAt: since } = request
  const mayConfirm = can(who, 'REQUEST_APPROVED') && whyMayNotApprove(limits, who, request) === null
  const turn = turnOf(request, who, mayConfirm)
  const card = html`<section class="card todo" aria-label="${capitalize(checkedActs[act].label)}">
<h3>${capitalize(checkedActs[act].label)}</h3>
<p><strong>${nameOfBorrower(lead)}</strong> · ${caseLink(caseRef, inlineCaseNumber(request))}</p>
${requestFacts(request, { lead, content, offer, now, folds: turn === 'YOURS' ? 'TERMS' : 'CONTENT' })}
${
  isDecidedOnCase(act) && turn === 'YOURS'
    ? html`<p><a class="primary" href="${caseAddress(caseRef, undefined)}">See the ${act === 'ACCOUNT' ? 'account' : 'payer'} and decide</a></p>`
    : decisionForms(request, who, { limits, now })
}</section>`
  return { turn, since, card }
}

/** Renders the requests as a table for the CSV file. */
const requestTable = (rows: RequestView[], now: Date): Html =>
  tableOf(
    table,
    ['What', 'Number', { number: 'Amount' }, 'Details', 'Requested by', 'Age', 'Reason'],
    rows.map(({ request, content }) => [
      capitalize(checkedActs[request.act].label),
      caseNumberText(request),
      inr(request.amountPaise),
      factList(content),
      request.maker,
      waitText('approvals', request.madeAt, now),
      request.reason,
    ]),
    { empty: 'Nothing to approve.' },
  )

const show = deskRoute({
  ...sharedOptions,
  auth: anyStaff,
  method: 'GET',
  path,
  summary: 'Requests that wait for approval',
  query: Type.Object({ done: Type.Optional(Type.String()), ...pagingQuery(table) }),
  handle: ({ who, query }, ctx) => approvalsPage(ctx, who, { query }),
})

/** The route of one decision about a request. */
const decide = (name: string, summary: string, act: Act, perform: typeof approve) =>
  deskRoute({
    ...sharedOptions,
    auth: may(act),
    method: 'POST',
    path: `${path}/{caseRef}/{requestId}/${name}`,
    params,
    query: versionQuery,
    summary,
    accepts: 'raw',
    async handle({ who, params: { caseRef, requestId }, query: { version, list }, raw, at }, ctx) {
      const reason = formFrom(raw).get('reason')?.trim().slice(0, 500) || null
      const decision = { caseRef, requestId, reason, version, at }
      await perform(ctx, who, requestProposal(ctx, who, decision), decision)
      return goTo(list ? caseAddress(caseRef, list, `?done=${act}`) : `${path}?done=${act}`)
    },
    onRefusal: ({ who, params: { caseRef }, query: { list } }, refusal, ctx) =>
      approvalsPage(ctx, who, {
        problem: html`${toSentence(refusal.message)}${refusal instanceof ChangedCase && html` <a href="${caseAddress(caseRef, list, '?tab=history')}">See what changed</a>`}`,
        status: statusOf(refusal),
        back: html`<a href="${caseAddress(caseRef, list)}">Case</a>`,
      }),
  })

export const approvalRoutes = [
  show,
  decide('approve', 'Approve a request, which performs the act', 'REQUEST_APPROVED', approve),
  decide('refuse', 'Refuse a request', 'REQUEST_REFUSED', refuse),
  decide('withdraw', 'Withdraw your own request', 'REQUEST_WITHDRAWN', withdraw),
]
