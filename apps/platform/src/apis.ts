// All APIs of the platform. Each API has a path prefix; the root API handles every other path.

import { healthRoutes } from '@lendloom/http/health-routes'
import type { Api } from '@lendloom/http/server'
import { refused } from '@lendloom/wire/headless/envelope'
import { autopilotApi } from '#platform/api/autopilot/advance-journey.ts'
import { borrowerPages } from '#platform/api/borrower-pages/routes.ts'
import { consoleApi, consolePages } from '#platform/api/console/routes.ts'
import { demoApi } from '#platform/api/demo/routes.ts'
import { frontPage } from '#platform/api/front-page.ts'
import { headlessApi } from '#platform/api/headless/routes.ts'
import { hybridApi } from '#platform/api/hosted/hybrid/routes.ts'
import { hostedApi } from '#platform/api/hosted/routes.ts'
import { linkApi } from '#platform/api/link/routes.ts'
import { subscriberApi } from '#platform/api/ondc/routes.ts'
import { aaApi } from '#platform/api/page/aa-return.ts'
import { embedApi, pageApi } from '#platform/api/page/routes.ts'
import { partnerApi } from '#platform/api/partner/routes.ts'
import { providerApi } from '#platform/api/providers/routes.ts'
import { platformApi } from '#platform/api/reference/openapi.ts'
import { networkFault, networkMissing } from '#platform/lenders/network/entry-watch.ts'
import { isSubscribing } from '#platform/lenders/network/subscribe.ts'
import { statementApi } from '#platform/lending/portfolio/statement-file.ts'
import { openIdReturnApi } from './api/console/people/open-id.ts'
import { goApi } from './api/headless/step-redirect.ts'
import { consentApi } from './api/hosted/hybrid/consent-redirect.ts'
import { apiPages } from './api/reference/pages.ts'
import type { Context } from './context.ts'
import { reportFault } from './lenders/network/report/report-messages.ts'

const notReadyReason = (ctx: Context): string | null =>
  isSubscribing(ctx) ? 'not on the network yet' : networkMissing(ctx)

/** The root API, which also serves the API reference of `apis`. */
const rootApi = (apis: Api<Context>[]): Api<Context> => ({
  prefix: '/',
  routes: [
    ...frontPage,
    ...healthRoutes<Context>(notReadyReason, (ctx) => networkFault(ctx) ?? reportFault(ctx)),
    ...apiPages(({ PUBLIC_URL }) => platformApi(apis, PUBLIC_URL)),
  ],
  refuse: refused,
})

/** Served only in the sandbox. */
const sandboxApis: Api<Context>[] = [autopilotApi, demoApi]

/** The APIs that this configuration serves. */
export function platformApis({ config }: { config: Pick<Context['config'], 'SANDBOX'> }): Api<Context>[] {
  const apis = [
    hostedApi,
    hybridApi,
    headlessApi,
    embedApi,
    pageApi,
    linkApi,
    aaApi,
    consentApi,
    statementApi,
    subscriberApi,
    goApi,
    consoleApi,
    openIdReturnApi,
    consolePages,
    partnerApi,
    providerApi,
    ...borrowerPages,
    ...(config.SANDBOX ? sandboxApis : []),
  ]
  return [...apis, rootApi(apis)]
}
