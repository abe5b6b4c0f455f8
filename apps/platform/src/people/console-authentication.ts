// Authentication of the console: people with an open session, by role and tenant.

import { Refusal } from '@lendloom/foundation/refusal'
import type { Auth } from '@lendloom/http/server'
import { refuseOtherSites } from '@lendloom/http/session-cookie'
import { sessionIn } from '@lendloom/identity/session'
import type { Role } from '@lendloom/wire/console/staff'
import type { ConsolePerson, Context } from '#platform/context.ts'
import { authenticateCommandLine, requireSignedBody } from './authenticate-command-line.ts'

/**
 * Accepts the CLI, and signed-in people with one of the roles, or with any role if none is listed. Throws `bad-session`
 * without a session, `forbidden` for another role or a request from another site.
 */
export const inConsole = (...roles: Role[]): Auth<Context, ConsolePerson> => ({
  scheme: null,
  async check(arrival, ctx) {
    refuseOtherSites(arrival.headers, ctx.config.PUBLIC_URL)
    const person = authenticateCommandLine(arrival, ctx) ?? (await sessionIn(ctx, arrival.headers))?.person
    if (!person) throw new Refusal('bad-session', 'sign in first')
    if (roles.length > 0 && !roles.includes(person.role))
      throw new Refusal('forbidden', `requires the role ${roles.join(' or ')}; yours is ${person.role}`)
    return person
  },
  nameOf: ({ tenantId, personId }) => `${tenantId} ${personId}`,
  verifyBody: requireSignedBody,
})

/** Like `inConsole`, but only for platform staff; throws `absent` for tenant staff. */
export const platformStaffOnly = (...roles: Role[]): Auth<Context, ConsolePerson> => ({
  ...inConsole(...roles),
  async check(arrival, ctx) {
    const person = await inConsole(...roles).check(arrival, ctx)
    if (person.tenantId !== null) throw new Refusal('absent', 'there is nothing at this address')
    return person
  },
})

/** Accepts any caller whose request comes from our own page. */
export const fromOwnPage: Auth<Context, null> = {
  scheme: null,
  isPublic: true,
  check({ headers }, { config }) {
    refuseOtherSites(headers, config.PUBLIC_URL)
    return null
  },
}
