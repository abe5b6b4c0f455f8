// The lenders' door: messages of the network, forms and pages of borrowers, and the documents behind every link.

import { refusedAs } from '#contract/network/refused.ts'
import type { Door } from '#kit/http-server.ts'
import type { World } from '#sandbox/world.ts'
import { documentRoutes } from './documents/routes.ts'
import { showForm, submitForm } from './forms/routes.ts'
import { showVisit, submitVisit } from './gold/visit-page.ts'
import { showPage, submitPage } from './pages/routes.ts'
import { receive } from './receive.ts'
import { showPayment, submitPayment } from './servicing/page.ts'

export const lenderDoor: Door<World> = {
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
