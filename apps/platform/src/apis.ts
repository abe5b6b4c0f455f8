// All APIs of the platform. Each API has a path prefix; the root API handles every other path.

import { frontRoutes, operationLinks } from '@lendloom/http/front-page'
import { healthRoutes } from '@lendloom/http/health'
import { openapi } from '@lendloom/http/openapi'
import type { OpenApiDocument } from '@lendloom/http/openapi-document'
import type { Api } from '@lendloom/http/server'
import { codes, ErrorEnvelope, refused } from '@lendloom/wire/headless/envelope'
import { headlessHeaders } from '@lendloom/wire/headless/session'
import { HybridError } from '@lendloom/wire/hosted/hybrid'
import { LifecycleUpdate } from '@lendloom/wire/hosted/lifecycle'
import { statuses } from '@lendloom/wire/hosted/lifecycle-status'
import { autopilotApi } from '#platform/api/autopilot/advance-journey.ts'
import { consoleApi, consolePages } from '#platform/api/console/routes.ts'
import { demoApi } from '#platform/api/demo/routes.ts'
import { goApi } from '#platform/api/headless/go.ts'
import { headlessApi } from '#platform/api/headless/routes.ts'
import { consentApi } from '#platform/api/hosted/hybrid/give-consent.ts'
import { hybridApi } from '#platform/api/hosted/hybrid/routes.ts'
import { hostedApi } from '#platform/api/hosted/routes.ts'
import { subscriberApi } from '#platform/api/ondc/routes.ts'
import { aaApi } from '#platform/api/page/aa-return.ts'
import { embedApi, pageApi } from '#platform/api/page/routes.ts'
import { partnerApis } from '#platform/api/receiver/routes.ts'
import { networkFault, networkMissing } from '#platform/lenders/network/entry-watch.ts'
import { reportFault } from '#platform/lenders/network/report/work.ts'
import { isSubscribing } from '#platform/lenders/network/subscribe.ts'
import { statementApi } from '#platform/lending/portfolio/statement-file.ts'
import { openIdReturnApi } from './api/console/people/open-id.ts'
import { components } from './api-components.ts'
import { apiPages } from './api-pages.ts'
import { examples, groups, statusMeanings, texts, webhookHeaders } from './api-texts.ts'
import type { Context } from './context.ts'

/** The version of the API for integrators. */
const version = '2026-11-01'

const notReadyReason = (ctx: Context): string | null =>
  isSubscribing(ctx) ? 'not on the network yet' : networkMissing(ctx)
const frontPage = frontRoutes<Context>(({ config: { SANDBOX } }) => ({
  title: 'Lendloom',
  about:
    'The platform that connects apps that offer credit with lenders. Borrowers start in the app where they found the offer and continue there until the money arrives.',
  groups: [
    {
      title: 'For app developers',
      links: [
        ...(SANDBOX
          ? [{ href: '/demo', text: 'Demo', about: 'An app that offers credit, next to its server: start here' }]
          : []),
        { href: '/docs/guide/', text: 'Guides', about: 'Quickstarts for Node and Python, and a page for every task' },
        { href: '/docs', text: 'API reference', about: `Every call that an app can make, version ${version}` },
        { href: '/openapi.json', text: 'OpenAPI', about: 'The same API as a document, to generate a client' },
      ],
    },
    {
      title: 'For lenders',
      links: [
        { href: '/docs/partner-exchange', text: 'Partner exchange', about: 'For lenders outside the open network' },
      ],
    },
    {
      title: 'For staff and operators',
      links: [
        {
          href: '/console',
          text: 'Console',
          about: 'Journeys, webhooks, complaints, keys and people; sign-in required',
        },
        ...operationLinks,
      ],
    },
  ],
}))
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

export function platformApis({ config }: { config: Pick<Context['config'], 'SANDBOX'> }): Api<Context>[] {
  const apis = [
    hostedApi,
    hybridApi,
    headlessApi,
    embedApi,
    pageApi,
    aaApi,
    consentApi,
    statementApi,
    subscriberApi,
    goApi,
    consoleApi,
    openIdReturnApi,
    consolePages,
    ...partnerApis,
    ...(config.SANDBOX ? sandboxApis : []),
  ]
  return [...apis, rootApi(apis)]
}

const refusals = { prefix: '', schema: ErrorEnvelope, codes }
const hybridRefusals = { prefix: 'Hybrid', schema: HybridError, codes }

/** A webhook for each status. All have the same body, whose example is the last one's. */
const lifecycleWebhooks = Object.fromEntries(
  statuses.map((status) => [
    status,
    {
      post: {
        operationId: `receive_${status.toLowerCase()}`.replace(/_(\w)/g, (_, first: string) => first.toUpperCase()),
        security: [],
        summary: statusMeanings[status],
        description:
          'Posted to each webhook endpoint of the application and to the session’s callback URL, once per status, signed as in [Standard Webhooks](https://www.standardwebhooks.com) 1.0.0. A resent event has the same `webhook-id`.',
        tags: ['Webhooks'],
        'x-section': 'D1 §2.4, §6',
        parameters: webhookHeaders,
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: LifecycleUpdate,
              ...(status === 'DISBURSED' && { example: examples.lifecycleUpdate?.request }),
            },
          },
        },
        responses: { '2XX': { description: 'Received' }, 410: { description: 'Disable this endpoint' } },
      },
    },
  ]),
)

/** Builds the OpenAPI document of all calls for integrators. */
export const platformApi = (apis: Api<Context>[], publicUrl: string): OpenApiDocument =>
  openapi(apis, {
    title: 'Lendloom',
    version,
    description:
      'Hosted borrower journeys over the open credit network. All errors have the same envelope; amounts are decimal strings in rupees.',
    serverUrl: publicUrl,
    securitySchemes: {
      apiKey: {
        type: 'http',
        scheme: 'bearer',
        description: 'An API key, `sk_test_…` or `sk_live_…`; for your server only',
      },
      sessionToken: {
        type: 'http',
        scheme: 'bearer',
        description: 'A borrower’s session token, `st_…`, valid for half an hour',
      },
      refreshToken: {
        type: 'http',
        scheme: 'bearer',
        description:
          'Either token of a pair: the refresh token, `rt_…`, valid for seven days and single use, or the session token',
      },
    },
    webhooks: lifecycleWebhooks,
    groups,
    texts,
    headers: { [headlessApi.prefix]: headlessHeaders },
    refusals: Object.fromEntries(apis.map((api) => [api.prefix, api === hybridApi ? hybridRefusals : refusals])),
    schemas: components,
  })
