// The console's API: everything that its page, and only its page, asks of the platform.
import { refused } from '#contract/headless/envelope.ts'
import type { Api } from '#kit/http/server.ts'
import type { Context } from '#platform/context.ts'
import { auditRoutes } from './audit.ts'
import { journeyRoutes } from './journeys.ts'
import { liveRoutes } from './live.ts'
import { ownAccountRoutes } from './own-account.ts'
import { peopleRoutes } from './people.ts'
import { revealRoutes } from './reveal.ts'
import { prefix } from './route.ts'
import { signInRoutes } from './sign-in.ts'
import { timelineRoutes } from './timeline.ts'

export const consoleApi: Api<Context> = {
  prefix,
  closedQuery: true,
  headers: () => ({ 'cache-control': 'no-store' }),
  routes: [
    ...signInRoutes,
    ...ownAccountRoutes,
    ...peopleRoutes,
    ...auditRoutes,
    ...journeyRoutes,
    ...timelineRoutes,
    ...revealRoutes,
    ...liveRoutes,
  ],
  refuse: refused,
}
