// The desk of the lender: pages for its staff, and what they see when something is refused.

import { html } from '#kit/http/markup.ts'
import { type Api, answer } from '#kit/http/server.ts'
import type { Context } from '#partner/context.ts'
import { actsRoutes } from './acts-page.ts'
import { approvalRoutes } from './approvals-page.ts'
import { arrearsRoutes } from './arrears-routes.ts'
import { booksRoutes } from './books-page.ts'
import { caseRoutes } from './case-routes.ts'
import { casesRoute } from './cases.ts'
import { collectionsRoute } from './collections-page.ts'
import { type AnyDeskRoute, deskRoute, recorded, statusOf } from './desk-route.ts'
import { documentRoutes } from './document-page.ts'
import { duplicateRoutes } from './duplicates-page.ts'
import { exchangeRoutes } from './exchange-page.ts'
import { sentence } from './format.ts'
import { css, framed, goTo, pageAnswer } from './frame.ts'
import { limitRoutes } from './limits-page.ts'
import { moneyRoutes } from './money-page.ts'
import { overviewRoutes } from './overview.ts'
import { ownRoutes } from './own-page.ts'
import { paperRoutes } from './papers-page.ts'
import { linkRoutes } from './password-link/page.ts'
import { payoffRoutes } from './payoff-page.ts'
import { peopleRoutes } from './people-page.ts'
import { policyRoutes } from './policy/page.ts'
import { portfolioRoute } from './portfolio/page.ts'
import { receiptRoutes } from './receipt-page.ts'
import { refundsRoute } from './refunds-page.ts'
import { reportRoutes } from './reports-page.ts'
import { searchRoutes } from './search/page.ts'
import { signInRoutes } from './sign-in.ts'
import { ownPage } from './staff.ts'
import { statementRoutes } from './statements-page.ts'
import { withTables } from './table-csv.ts'
import { taskRoutes } from './task/routes.ts'

const style = deskRoute({
  method: 'GET',
  path: '/desk/desk.css',
  section: 'operation',
  summary: 'How the desk looks',
  auth: ownPage,
  hidden: true,
  shows: null,
  handle: () => answer(200, css, { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'max-age=300' }),
})

const slashed = deskRoute({
  method: 'GET',
  path: '/desk/',
  section: 'operation',
  summary: 'The same address as it is often typed',
  auth: ownPage,
  hidden: true,
  shows: null,
  handle: () => goTo('/desk'),
})

export const deskRoutes: AnyDeskRoute[] = [
  style,
  slashed,
  ...signInRoutes,
  ...overviewRoutes,
  portfolioRoute,
  ...searchRoutes,
  casesRoute,
  ...duplicateRoutes,
  ...caseRoutes,
  ...documentRoutes,
  ...arrearsRoutes,
  ...taskRoutes,
  collectionsRoute,
  ...payoffRoutes,
  ...paperRoutes,
  ...moneyRoutes,
  ...receiptRoutes,
  ...approvalRoutes,
  ...limitRoutes,
  ...policyRoutes,
  refundsRoute,
  ...booksRoutes,
  ...statementRoutes,
  ...reportRoutes,
  ...exchangeRoutes,
  ...actsRoutes,
  ...peopleRoutes,
  ...ownRoutes,
  ...linkRoutes,
]

export const deskApi: Api<Context> = {
  prefix: '/desk',
  routes: deskRoutes.map(withTables).map(recorded),
  refuse(refusal) {
    if (refusal !== 'bug' && refusal.kind === 'bad-session') return goTo('/desk/sign-in')
    const status = refusal === 'bug' ? 500 : statusOf(refusal)
    const words = refusal === 'bug' ? 'Something went wrong; it was written down.' : sentence(refusal.message)
    const body = html`<p class="notice bad" role="alert">${words}</p><p><a href="/desk">To the overview</a></p>`
    return pageAnswer(framed({ title: 'This did not work', staff: null, lender: 'The desk', body }), status)
  },
}
