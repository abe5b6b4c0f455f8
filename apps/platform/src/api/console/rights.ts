// Roles that may use a route of the console.
import type { Auth } from '@lendloom/http/server'
import type { ConsolePerson, Context } from '#platform/context.ts'
import { inConsole } from '#platform/people/console-authentication.ts'
import { consoleCall } from './console-route.ts'

/** Routes for every signed-in person. */
export const byAnyUser = { ...consoleCall, auth: inConsole() } as const
/** Routes for developers and admins, and for operators, who act on their behalf. */
export const byDevelopers = { ...consoleCall, auth: inConsole('developer', 'admin', 'operator') } as const

/** Listening pulls the updates of every borrower, so outside a sandbox operators may not do it for developers. */
const mayListen: Auth<Context, ConsolePerson> = {
  ...inConsole(),
  check(arrival, ctx) {
    const auth = ctx.config.SANDBOX ? byDevelopers.auth : inConsole('developer', 'admin')
    return auth.check(arrival, ctx)
  },
}
/** Routes of listeners. */
export const byListeners = { ...consoleCall, auth: mayListen } as const
