// Money that is to be returned to borrowers, the longest waiting first, and what is on its way to them.

import { html } from '#kit/http/markup.ts'
import { refundsUnderWay, toRefund } from '#partner/collection/transfer/store.ts'
import { route } from '#partner/context.ts'
import { badge, inr, plain, when } from './format.ts'
import { caseLink, deskPage, tableOf } from './frame.ts'
import { waiting } from './queue/age.ts'
import { atDesk } from './staff.ts'

const path = '/desk/refunds'
const most = 200

export const refundsRoute = route({
  method: 'GET',
  path,
  section: 'operation',
  summary: 'What is to be returned to borrowers',
  auth: atDesk,
  hidden: true,
  async handle({ who }, ctx) {
    const now = ctx.clock()
    const [due, underWay] = await ctx.db.snapshot((db) => Promise.all([toRefund(db, most), refundsUnderWay(db, most)]))
    const body = html`<section><h2>Refunds due</h2>
<p>Paid beyond everything that was owed. It is returned from the page of its case, with a second person’s approval.</p>
${tableOf(
  'Refunds due',
  ['Loan', { number: 'Amount' }, 'Age', 'Last refund failed'],
  due.map((each) => [
    caseLink(each.caseRef, each.loanId),
    inr(each.paise),
    waiting('refunds', each.since, now),
    each.failed && plain(each.failed),
  ]),
  { empty: 'Nobody has paid too much.' },
)}</section>
<section><h2>Refunds in progress</h2>
${tableOf(
  'Refunds in progress',
  ['Loan', 'State', { number: 'Amount' }, 'Ordered'],
  underWay.map((each) => [
    caseLink(each.caseRef, each.loanId),
    badge(each.status),
    inr(each.amountPaise),
    when(each.createdAt),
  ]),
  { empty: 'Nothing is on its way.' },
)}</section>`
    return deskPage(ctx, who, { title: 'Refunds', here: path, body })
  },
})
