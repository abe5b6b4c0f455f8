// All APIs of the platform, by the prefix of their paths: a path that no API answers falls to the root.
import { ErrorEnvelope, refused } from '#contract/headless/envelope.ts'
import { headlessHeaders } from '#contract/headless/session.ts'
import { HybridError } from '#contract/hosted/hybrid.ts'
import { LifecycleUpdate } from '#contract/hosted/lifecycle.ts'
import { frontRoutes, operationLinks } from '#kit/http/front-page.ts'
import { healthRoutes } from '#kit/http/health.ts'
import { type OpenApiDocument, openapi } from '#kit/http/openapi.ts'
import type { Api } from '#kit/http/server.ts'
import { apiPages } from '#platform/api-pages.ts'
import { examples, groups, texts } from '#platform/api-texts.ts'
import { autopilotApi } from '#platform/autopilot/advance-journey.ts'
import { consoleApi, consolePages } from '#platform/console/routes.ts'
import type { Context } from '#platform/context.ts'
import { demoApi } from '#platform/demo/routes.ts'
import { aaApi } from '#platform/embed/aa-return.ts'
import { embedApi, pageApi } from '#platform/embed/routes.ts'
import { goApi } from '#platform/headless/go.ts'
import { headlessApi } from '#platform/headless/routes.ts'
import { consentApi } from '#platform/hosted/hybrid/give-consent.ts'
import { hybridApi } from '#platform/hosted/hybrid/routes.ts'
import { hostedApi } from '#platform/hosted/routes.ts'
import { isSubscribing } from '#platform/network/subscribe.ts'
import { statementApi } from '#platform/portfolio/statement-file.ts'
import { partnerApis } from '#platform/receiver/routes.ts'
import { subscriberApi } from '#platform/subscriber/routes.ts'
import { openIdReturnApi } from './console/people/open-id.ts'

/** The version of the integrators' API. */
const version = '2026-11-01'

const lacks = (ctx: Context): string | null => (isSubscribing(ctx) ? 'not on the network yet' : null)
const front = frontRoutes<Context>(({ config: { SANDBOX } }) => ({
  title: 'Lendloom',
  about:
    'The lending platform between apps that offer credit and lenders who lend. Borrowers begin in the app where they found the offer, and go from there to the money.',
  groups: [
    {
      title: 'For app developers',
      links: [
        ...(SANDBOX
          ? [{ href: '/demo', text: 'Demo', about: 'An app that offers credit, beside its server: begin here' }]
          : []),
        { href: '/docs', text: 'API reference', about: `Every call that an app can make, version ${version}` },
        { href: '/openapi.json', text: 'OpenAPI', about: 'The same as a document, for a client of your own' },
        { href: '/postman.json', text: 'Postman collection', about: 'The same calls, with the token flow scripted' },
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
        { href: '/console', text: 'Console', about: 'Journeys, webhooks, complaints, keys and people; by sign-in' },
        ...operationLinks,
      ],
    },
  ],
}))
/** The root page; `apis` are those in the reference. */
const rootApi = (apis: Api<Context>[]): Api<Context> => ({
  prefix: '/',
  routes: [...front, ...healthRoutes<Context>(lacks), ...apiPages(({ PUBLIC_URL }) => platformApi(apis, PUBLIC_URL))],
  refuse: refused,
})

/** Served only with the sandbox. */
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

/** The OpenAPI of everything that an integrator may call. */
export const platformApi = (apis: Api<Context>[], publicUrl: string): OpenApiDocument =>
  openapi(apis, {
    title: 'Lendloom',
    version,
    description:
      'Hosted borrower journeys over the open credit network. Refusals come in one envelope everywhere; money is a decimal string in rupees.',
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
        description: 'The session token of a borrower, `st_…`, good for half an hour',
      },
      refreshToken: {
        type: 'http',
        scheme: 'bearer',
        description:
          'Either token of a pair: the refresh token, `rt_…`, good for seven days and once, or the session token',
      },
    },
    webhooks: {
      lifecycleUpdate: {
        post: {
          summary: 'A journey has reached a lifecycle status; signed as Standard Webhooks 1.0.0',
          description:
            'Posted to each webhook endpoint of the application and to the callback of the session, at most once for each status; the same event again carries the same `webhook-id`.',
          tags: ['Webhooks'],
          'x-section': 'D1 §2.4, §6',
          requestBody: {
            required: true,
            content: { 'application/json': { schema: LifecycleUpdate, example: examples.lifecycleUpdate?.request } },
          },
          responses: { '2XX': { description: 'Received' }, 410: { description: 'Send nothing more here' } },
        },
      },
    },
    groups,
    texts,
    headers: { [headlessApi.prefix]: headlessHeaders },
    errors: Object.fromEntries(apis.map((api) => [api.prefix, api === hybridApi ? HybridError : ErrorEnvelope])),
  })
