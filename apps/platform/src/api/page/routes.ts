// Routes of the hosted page: HTML and files under /lab, the API under /api/embed.

import type { Api } from '@lendloom/http/server'
import { refused } from '@lendloom/wire/headless/envelope'
import type { Context } from '#platform/context.ts'
import { logoRoute } from '#platform/lenders/network/logo.ts'
import { askOtherLenders } from './ask-other-lenders.ts'
import { complaintRoutes } from './complaint-acts.ts'
import { enterHandle, openAggregator } from './consent-acts.ts'
import { listGivenConsents } from './consents.ts'
import { drawdownRoutes } from './drawdown-acts.ts'
import { reminderPage } from './due-date-calendar.ts'
import { openEarlierLoan } from './earlier-loan.ts'
import { enterRoute, readJourneyRoute } from './enter-page.ts'
import { checkFunds, fetchFunds, fundsReturn } from './fund-statement.ts'
import { grievanceRoutes } from './grievance-acts.ts'
import { bankBranch } from './ifsc.ts'
import {
  acceptRoute,
  bankAccountRoute,
  declineRoute,
  openStepPageRoute,
  returnFromStepRoute,
  saveProfileRoute,
  selectRoute,
  submitRoute,
  withdrawRoute,
} from './journey-acts.ts'
import { pincodePlace } from './pincode.ts'
import { privacyPage } from './privacy-page.ts'
import { giveRating, requestService } from './servicing-acts.ts'
import { pageAssets, showPages } from './show-page.ts'
import { visitPage } from './visit-calendar.ts'

export const embedApi: Api<Context> = {
  prefix: '/api/embed',
  routes: [
    enterRoute,
    readJourneyRoute,
    askOtherLenders,
    openEarlierLoan,
    saveProfileRoute,
    submitRoute,
    selectRoute,
    acceptRoute,
    declineRoute,
    openStepPageRoute,
    returnFromStepRoute,
    bankAccountRoute,
    bankBranch,
    pincodePlace,
    listGivenConsents,
    withdrawRoute,
    requestService,
    giveRating,
    ...drawdownRoutes,
    ...grievanceRoutes,
    ...complaintRoutes,
    openAggregator,
    enterHandle,
    fetchFunds,
    checkFunds,
  ],
  /** Borrowers' data must not be cached. */
  headers: () => ({ 'cache-control': 'no-store' }),
  refuse: refused,
}

export const pageApi: Api<Context> = {
  prefix: '/lab',
  routes: [...showPages, ...pageAssets, privacyPage, logoRoute, reminderPage, visitPage, fundsReturn],
  refuse: refused,
}
