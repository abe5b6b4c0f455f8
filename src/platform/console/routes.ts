// The console's API: everything that its page, and only its page, asks of the platform.
import { refused } from '#contract/headless/envelope.ts'
import type { Api } from '#kit/http/server.ts'
import type { Context } from '#platform/context.ts'
import { auditRoutes } from './audit.ts'
import { ownAccountRoutes } from './own-account.ts'
import { passkeyRoutes } from './passkeys.ts'
import { peopleRoutes } from './people.ts'
import { prefix } from './route.ts'
import { signInRoutes } from './sign-in.ts'

export const consoleApi: Api<Context> = {
  prefix,
  closedQuery: true,
  headers: () => ({ 'cache-control': 'no-store' }),
  routes: [...signInRoutes, ...passkeyRoutes, ...ownAccountRoutes, ...peopleRoutes, ...auditRoutes],
  refuse: refused,
}
