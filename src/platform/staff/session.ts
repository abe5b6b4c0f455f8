// Authentication of the console: people with an open session, by role and tenant.

import type { Role } from '#contract/console/staff.ts'
import { Refusal } from '#kit/http/refusal.ts'
import type { Auth } from '#kit/http/server.ts'
import { refuseOtherSites } from '#kit/http/session-cookie.ts'
import { sessionIn } from '#kit/staff/session.ts'
import type { ConsolePerson, Context } from '#platform/context.ts'
import { commandLineIn } from './command-line.ts'

/**
 * The command line, or the signed-in person with one of these roles; any role without a list. Refused as `bad-session`
 * without a session, and as `forbidden` for another role, or for a request of another site's page.
 */
export const inConsole = (...roles: Role[]): Auth<Context, ConsolePerson> => ({
  scheme: null,
  async check(arrival, ctx) {
    refuseOtherSites(arrival.headers, ctx.config.PUBLIC_URL)
    const person = commandLineIn(arrival, ctx) ?? (await sessionIn(ctx, arrival.headers))?.person
    if (!person) throw new Refusal('bad-session', 'sign in first')
    if (roles.length > 0 && !roles.includes(person.role))
      throw new Refusal('forbidden', `this takes the role ${roles.join(' or ')}, and yours is ${person.role}`)
    return person
  },
})

/** As `inConsole`, for people of the platform alone: to people of a tenant it looks absent. */
export const ofPlatform = (...roles: Role[]): Auth<Context, ConsolePerson> => ({
  scheme: null,
  async check(arrival, ctx) {
    const person = await inConsole(...roles).check(arrival, ctx)
    if (person.tenantId !== null) throw new Refusal('absent', 'there is nothing at this address')
    return person
  },
})

/** Anybody, but only from our own page. */
export const fromOwnPage: Auth<Context, null> = {
  scheme: null,
  check({ headers }, { config }) {
    refuseOtherSites(headers, config.PUBLIC_URL)
    return null
  },
}
