// The API of D2: an app's server creates sessions, and the borrower's app makes all other calls.

import type { Api } from '@lendloom/http/server'
import { refused } from '@lendloom/wire/headless/envelope'
import { headerVersion, versionHeader } from '@lendloom/wire/headless/session'
import type { Context } from '#platform/context.ts'
import { aaRoutes } from './aa-sessions.ts'
import { createHeadlessSession, refreshSession } from './create-session.ts'
import { headlessPrefix } from './headless-route.ts'
import { journeyRoutes } from './journeys.ts'
import { offerRoutes } from './offers.ts'
import { operationRoutes } from './operations.ts'
import { profileRoutes } from './profile.ts'
import { servicingRoutes } from './servicing.ts'
import { stepRoutes } from './steps.ts'

export const headlessApi: Api<Context> = {
  prefix: headlessPrefix,
  routes: [
    createHeadlessSession,
    refreshSession,
    ...journeyRoutes,
    ...operationRoutes,
    ...profileRoutes,
    ...offerRoutes,
    ...stepRoutes,
    ...aaRoutes,
    ...servicingRoutes,
  ],
  headers: (requestHeaders) => ({ [versionHeader]: headerVersion(requestHeaders), 'cache-control': 'no-store' }),
  blankIsAbsent: true,
  closedQuery: true,
  refuse: refused,
}
