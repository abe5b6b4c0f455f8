// All doors of the platform, the longest prefix first in mind: what is not answered by one falls to the root.
import { ErrorEnvelope, refused } from '#contract/headless/envelope.ts'
import { headlessHeaders } from '#contract/headless/headers.ts'
import { HybridError } from '#contract/hosted/hybrid.ts'
import { LifecycleUpdate } from '#contract/hosted/lifecycle.ts'
import { frontRoutes } from '#kit/front-page.ts'
import { healthRoutes } from '#kit/health.ts'
import type { Door } from '#kit/http-server.ts'
import { openapi } from '#kit/openapi.ts'
import { autopilotDoor } from '#platform/autopilot/advance-journey.ts'
import { demoDoor } from '#platform/demo/routes.ts'
import { aaDoor } from '#platform/embed/aa-return.ts'
import { embedDoor, pageDoor } from '#platform/embed/routes.ts'
import { isPartnered } from '#platform/exchange/call.ts'
import { goDoor } from '#platform/headless/go.ts'
import { headlessDoor } from '#platform/headless/routes.ts'
import { consentDoor } from '#platform/hosted/hybrid/give-consent.ts'
import { hybridDoor } from '#platform/hosted/hybrid/routes.ts'
import { hostedDoor } from '#platform/hosted/routes.ts'
import { isSubscribing } from '#platform/network/subscribe.ts'
import { statementDoor } from '#platform/portfolio/statement-file.ts'
import { partnerDoors } from '#platform/receiver/routes.ts'
import { subscriberDoor } from '#platform/subscriber/routes.ts'
import type { World } from '#platform/world.ts'

const lacks = (world: World): string | null => (isSubscribing(world) ? 'not on the network yet' : null)
const front = frontRoutes<World>(
  'Lendloom',
  'The lending platform between apps that offer credit and lenders who lend. Borrowers begin in the app where they found the offer.',
  ({ config }) => [
    { href: '/docs', text: 'API reference', about: 'Every call that an app can make, from the schemas that check it' },
    ...(config.SANDBOX
      ? [{ href: '/demo', text: 'Demo', about: 'An app that offers credit, played on this platform' }]
      : []),
    { href: '/healthz', text: 'Health', about: 'Whether this process is alive' },
  ],
)
const rootDoor: Door<World> = { prefix: '/', routes: [...front, ...healthRoutes<World>(lacks)], refuse: refused }

/** What exists only where the outside world is the sandbox. */
const sandboxDoors: Door<World>[] = [autopilotDoor, demoDoor]

export const platformDoors = ({ config }: Pick<World, 'config'>): Door<World>[] => [
  hostedDoor,
  hybridDoor,
  headlessDoor,
  embedDoor,
  pageDoor,
  aaDoor,
  consentDoor,
  statementDoor,
  subscriberDoor,
  goDoor,
  ...(isPartnered({ config }) ? partnerDoors : []),
  ...(config.SANDBOX ? sandboxDoors : []),
  rootDoor,
]

/** The OpenAPI of everything that an integrator may call. */
export const platformApi = (doors: Door<World>[], publicUrl: string): Record<string, unknown> =>
  openapi(doors, {
    title: 'Lendloom',
    version: '2026-11-01',
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
          description: 'D1 §2.4, §6',
          tags: ['D1'],
          requestBody: { required: true, content: { 'application/json': { schema: LifecycleUpdate } } },
          responses: { '2XX': { description: 'Received' }, 410: { description: 'Send nothing more here' } },
        },
      },
    },
    headers: { [headlessDoor.prefix]: headlessHeaders },
    errors: Object.fromEntries(doors.map((door) => [door.prefix, door === hybridDoor ? HybridError : ErrorEnvelope])),
  })
