// The subscriber API, which the network's lenders and its registry call.

import type { Api } from '@lendloom/http/server'
import { refusedAs } from '@lendloom/wire/network/errors'
import type { Context } from '#platform/context.ts'
import { onCallbacks } from './on-callback.ts'
import { onExtras } from './on-extra.ts'
import { grievanceText, onGrievances } from './on-grievance.ts'
import { onPageLeft } from './on-page-left.ts'
import { onSubscribe, siteVerification } from './on-subscribe.ts'
import { termsPage } from './terms-page.ts'

export const subscriberApi: Api<Context> = {
  prefix: '/ondc',
  routes: [
    ...onCallbacks,
    ...onGrievances,
    ...onExtras,
    onPageLeft,
    grievanceText,
    onSubscribe,
    siteVerification,
    termsPage,
  ],
  refuse: refusedAs('BAP'),
}
