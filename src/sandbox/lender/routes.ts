// The lenders' API: messages of the network, forms and pages of borrowers, and the documents behind every link.

import { refusedAs } from '#contract/network/refused.ts'
import type { Api } from '#kit/http/server.ts'
import type { Context } from '#sandbox/context.ts'
import { documentRoutes } from './documents/routes.ts'
import { showForm, submitForm } from './forms/routes.ts'
import { showVisit, submitVisit } from './gold/visit-page.ts'
import { showPage, submitPage } from './pages/routes.ts'
import { receive } from './receive.ts'
import { showPayment, submitPayment } from './servicing/page.ts'

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
  ],
  refuse: refusedAs('BPP'),
}
