// The lenders' API: network messages, borrower forms and pages, and linked documents.

import type { Api } from '@lendloom/http/server'
import { refusedAs } from '@lendloom/wire/network/errors'
import type { Context } from '#sandbox/core/context.ts'
import { showGoldRates } from '#sandbox/lender/gold-loan/public-pages.ts'
import { showVisit, submitVisit } from '#sandbox/lender/gold-loan/visit-page.ts'
import { documentRoutes } from './document-routes.ts'
import { showForm, submitForm } from './form-routes.ts'
import { showPage, submitPage } from './page-routes.ts'
import { showPayment, submitPayment } from './payment-page.ts'
import { receive } from './receive-request.ts'

export const lenderApi: Api<Context> = {
  prefix: '/lenders',
  routes: [
    receive,
    showForm,
    submitForm,
    showPage,
    submitPage,
    showVisit,
    submitVisit,
    showPayment,
    submitPayment,
    ...documentRoutes,
    showGoldRates,
  ],
  refuse: refusedAs('BPP'),
}
