// The page of refunds: those due, longest waiting first, and those in progress.

import { Type } from '@lendloom/foundation/schema'
import { html } from '@lendloom/http/markup'
import { nameOfBorrower, openLead } from '#partner/desk/cases/open-lead.ts'
import { deskRoute } from '#partner/desk/desk-route.ts'
import { caseLink, deskPage } from '#partner/desk/frame.ts'
import { badge, formatTime, inr, labelOf } from '#partner/desk/parts/format.ts'
import { pageLinks, pagingQuery, readPage } from '#partner/desk/parts/paging.ts'
import { tableOf } from '#partner/desk/parts/table.ts'
import { waitText } from '#partner/desk/queue/waiting-time.ts'
import { anyStaff } from '#partner/desk/staff/desk-auth.ts'
import {
  listRefundsDue,
  pendingRefunds,
  pendingRefundsOrder,
  refundsDueOrder,
} from '#partner/servicing/collection/transfer/store.ts'

const path = '/desk/refunds'
const perPage = 50
const tables = { due: 'Refunds due', inProgress: 'Refunds in progress' } as const

export const refundsRoute = deskRoute({
  method: 'GET',
  path,
  section: 'operation',
  summary: 'Refunds due to borrowers',
  auth: anyStaff,
  hidden: true,
  viewAct: 'LIST_VIEWED',
  query: Type.Object(pagingQuery(tables.due, tables.inProgress)),
  async handle({ who, query }, ctx) {
    const now = ctx.clock()
    const [due, inProgress] = await ctx.db.snapshot((db) =>
      Promise.all([
        readPage(query, { table: tables.due, keyset: refundsDueOrder, perPage }, (window) =>
          listRefundsDue(db, window),
        ),
        readPage(query, { table: tables.inProgress, keyset: pendingRefundsOrder, perPage }, (window) =>
          pendingRefunds(db, window),
        ),
      ]),
    )
    const body = html`<section><h2>${tables.due}</h2>
<p>Overpaid amounts. Refund them from the case page, with a second person’s approval.</p>
${tableOf(
  tables.due,
  ['Borrower', 'Loan', { number: 'Amount' }, 'Age', 'Last refund failed'],
  due.rows.map((each) => [
    caseLink(each.caseRef, nameOfBorrower(openLead(ctx.seal, each.caseRef, each.leadSealed))),
    each.loanId,
    inr(each.paise),
    waitText('refunds', each.since, now),
    each.failureCode && labelOf(each.failureCode),
  ]),
  { empty: 'No refunds due.' },
)}${pageLinks(query, due)}</section>
<section><h2>${tables.inProgress}</h2>
<p>Refunds that the bank has not confirmed yet.</p>
${tableOf(
  tables.inProgress,
  ['Borrower', 'Loan', 'State', { number: 'Amount' }, 'Ordered'],
  inProgress.rows.map((each) => [
    caseLink(each.caseRef, nameOfBorrower(openLead(ctx.seal, each.caseRef, each.leadSealed))),
    each.loanId,
    badge(each.status),
    inr(each.amountPaise),
    formatTime(each.createdAt),
  ]),
  { empty: 'No refunds in progress.' },
)}${pageLinks(query, inProgress)}</section>`
    return deskPage(ctx, who, { title: 'Refunds', area: path, body })
  },
})
