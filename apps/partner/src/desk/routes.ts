// The API of the desk: the routes of all pages, and the page that shows a refusal.

import { Refusal } from '@lendloom/foundation/refusal'
import { OneOf, Type } from '@lendloom/foundation/schema'
import { html } from '@lendloom/http/markup'
import { type Api, answer } from '@lendloom/http/server'
import type { Context } from '#partner/context.ts'
import { approvalRoutes } from './approval/approvals-page.ts'
import { arrearsRoutes } from './arrears/arrears-routes.ts'
import { collectionsRoutes } from './arrears/collections-page.ts'
import { actsRoutes } from './audit/audit-log-page.ts'
import { booksRoutes } from './books/books-page.ts'
import { financialsRoutes } from './books/financials-page.ts'
import { moneyRoutes } from './books/payments-page.ts'
import { payoffRoutes } from './books/payoff-page.ts'
import { receiptRoutes } from './books/receipt-page.ts'
import { refundsRoute } from './books/refunds-page.ts'
import { reportRoutes } from './books/reports-page.ts'
import { statementRoutes } from './books/statements-page.ts'
import { taxDocumentRoutes } from './books/tax-documents-page.ts'
import { casesRoute } from './cases/case-list-page.ts'
import { caseRoutes } from './cases/case-routes.ts'
import { documentRoutes } from './cases/document-page.ts'
import { duplicateRoutes } from './cases/duplicates-page.ts'
import { exchangeRoutes } from './cases/exchange-page.ts'
import { type AnyDeskRoute, deskRoute, frameOf, withAuditEntries } from './desk-route.ts'
import { goTo, pageAnswer, renderFrame, styleSheets } from './frame.ts'
import { monthEndRoutes } from './month-end/page.ts'
import { overviewRoutes } from './overview-page.ts'
import { paperRoutes } from './papers-page.ts'
import { toSentence } from './parts/format.ts'
import { withTables } from './parts/table-csv.ts'
import { policyRoutes } from './policy/page.ts'
import { portfolioRoute } from './portfolio/page.ts'
import { statusOf, toOverview } from './refusal-page.ts'
import { searchRoutes } from './search/page.ts'
import { limitRoutes } from './staff/approval-limits-page.ts'
import { anyStaff, PermissionRefusal, sameSite } from './staff/desk-auth.ts'
import { ownRoutes } from './staff/own-page.ts'
import { linkRoutes, signInLink } from './staff/password-link/page.ts'
import { linkTexts } from './staff/password-link/text-en.ts'
import { peopleRoutes } from './staff/people-page.ts'
import { signInRoutes } from './staff/sign-in.ts'
import { taskRoutes } from './task/routes.ts'

const styleSheet = deskRoute({
  method: 'GET',
  path: '/desk/desk.css',
  section: 'operation',
  summary: 'The style sheet of the desk',
  auth: sameSite,
  hidden: true,
  viewAct: null,
  query: Type.Object({ theme: Type.Optional(OneOf(['light', 'dark'])) }),
  handle: ({ query: { theme } }) =>
    answer(200, styleSheets[theme ?? 'system'], {
      'content-type': 'text/css; charset=utf-8',
      'cache-control': 'max-age=300',
    }),
})

const redirectToDesk = deskRoute({
  method: 'GET',
  path: '/desk/',
  section: 'operation',
  summary: 'Redirects to /desk',
  auth: sameSite,
  hidden: true,
  viewAct: null,
  handle: () => goTo('/desk'),
})

const unknownPage = deskRoute({
  method: 'GET',
  path: '/desk/*',
  section: 'operation',
  summary: 'A page that does not exist',
  auth: anyStaff,
  hidden: true,
  viewAct: null,
  handle() {
    throw new Refusal('absent', 'this page does not exist')
  },
})

export const deskRoutes: AnyDeskRoute[] = [
  unknownPage,
  styleSheet,
  redirectToDesk,
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
  ...collectionsRoutes,
  ...payoffRoutes,
  ...paperRoutes,
  ...moneyRoutes,
  ...receiptRoutes,
  ...approvalRoutes,
  ...limitRoutes,
  ...policyRoutes,
  refundsRoute,
  ...booksRoutes,
  ...monthEndRoutes,
  ...financialsRoutes,
  ...taxDocumentRoutes,
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
  routes: deskRoutes.map(withTables).map(withAuditEntries),
  refuse(refusal, arrival) {
    if (refusal !== 'bug' && refusal.kind === 'bad-session') return goTo('/desk/sign-in')
    const isBadLink = refusal !== 'bug' && refusal.kind === 'invalid' && arrival.method === 'GET'
    const status = refusal === 'bug' ? 500 : statusOf(refusal)
    const textOf = (known: Refusal) => (isBadLink ? linkTexts.openAgain : toSentence(known.message))
    const message = refusal === 'bug' ? 'Something went wrong. The error was logged.' : textOf(refusal)
    const isForbidden = refusal instanceof PermissionRefusal
    const notice = isForbidden
      ? html`<p><strong>${refusal.routeName}</strong></p><p>${message}</p>`
      : html`<p class="${isBadLink ? 'card' : 'notice bad'}" role="alert">${message}</p>`
    const frame = frameOf(arrival)
    const body = html`${notice}${frame.staff ? toOverview : signInLink}`
    const otherTitle = isBadLink ? linkTexts.invalidLink : 'This did not work'
    const title = isForbidden ? 'Your role does not allow this' : otherTitle
    return pageAnswer(renderFrame({ title, ...frame, body }), status)
  },
}
