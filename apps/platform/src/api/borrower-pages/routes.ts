// The pages for the borrowers of lending partners.

import type { Api } from '@lendloom/http/server'
import { refusedExchange } from '@lendloom/wire/exchange/error'
import type { Context } from '#platform/context.ts'
import { agreementPrefix } from '#platform/lenders/partner/agreement-link.ts'
import { paperPrefix } from '#platform/lenders/partner/paper-link.ts'
import { indicativePathPrefix } from '#platform/lenders/partner/reactions/indicative-link.ts'
import { readerOf } from '#platform/lending/page-text/page-text.ts'
import { borrowerPage } from './borrower-page.ts'
import { showClaimPage, submitClaimForm } from './claim-page.ts'
import { keyFactsPage, termsPage } from './indicative-pages.ts'
import { agreementPage, paperPage } from './paper-page.ts'
import { shareStatement, showStatementPage } from './statement-page.ts'
import { verifyPage } from './verify-page.ts'

/** The borrower opens these links in a browser, so a refusal is answered with a page. */
const borrowerApi = (prefix: string, routes: Api<Context>['routes']): Api<Context> => ({
  prefix,
  routes,
  refuse(refusal, arrival) {
    const { status } = refusedExchange(refusal, arrival)
    const reader = readerOf(arrival.headers, new URLSearchParams(arrival.search).get('lang') ?? undefined)
    const { t } = reader
    const isBadLink = refusal !== 'bug' && ['absent', 'invalid'].includes(refusal.kind)
    const text = t(refusal === 'bug' ? 'refused.bug' : isBadLink ? 'refused.absent' : 'refused.notNow')
    return borrowerPage(reader, t('refused.title'), `${text} ${t('refused.backToApp')}`, { status })
  },
})

/** Served even if no partner is configured, because a partner may be added at runtime. */
export const borrowerPages: Api<Context>[] = [
  borrowerApi('/verify', [verifyPage]),
  borrowerApi('/statement', [showStatementPage, shareStatement]),
  borrowerApi(indicativePathPrefix, [keyFactsPage, termsPage]),
  borrowerApi('/repay', [showClaimPage, submitClaimForm]),
  borrowerApi(paperPrefix, [paperPage]),
  borrowerApi(agreementPrefix, [agreementPage]),
]
