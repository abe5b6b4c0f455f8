// Routes by which admins list and end the sessions of a person.

import { Refusal } from '@lendloom/foundation/refusal'
import { answer } from '@lendloom/http/server'
import { tenantKeyOf } from '@lendloom/identity/person'
import type { PersonKey } from '@lendloom/identity/sign-in-program'
import { OfTenant, PersonParams, PersonSessionParams, Sessions } from '@lendloom/wire/console/staff'
import { consoleCall, consolePrefix } from '#platform/api/console/console-route.ts'
import { type ConsolePerson, route } from '#platform/context.ts'
import { inConsole } from '#platform/people/console-authentication.ts'
import { endAllSessions, endSessionOf } from '#platform/people/manage-people.ts'
import { tenantOrPlatform } from '#platform/people/person.ts'
import { findPerson } from '#platform/people/store.ts'
import { sessionList } from './own-account.ts'

const byAdmins = { ...consoleCall, auth: inConsole('admin'), query: OfTenant } as const
const path = `${consolePrefix}/people/{personId}/sessions`

const keyIn = (who: ConsolePerson, { personId }: { personId: string }, query: { tenantId?: string }): PersonKey => ({
  tenantId: tenantKeyOf(tenantOrPlatform(who, query.tenantId)),
  personId,
})

const list = route({
  ...byAdmins,
  method: 'GET',
  path,
  summary: "A user's active sessions",
  params: PersonParams,
  reply: { 200: Sessions },
  async handle({ who, params, query }, ctx): Promise<Sessions> {
    const key = keyIn(who, params, query)
    if (!(await findPerson(ctx.db, key.tenantId, key.personId))) throw new Refusal('absent', 'there is no such person')
    return sessionList(ctx, key, who.sessionId)
  },
})

const endOne = route({
  ...byAdmins,
  method: 'DELETE',
  path: `${path}/{sessionId}`,
  summary: "End one of a user's sessions",
  params: PersonSessionParams,
  async handle({ who, params, query, at }, ctx) {
    const key = keyIn(who, params, query)
    await ctx.db.tx((tx) => endSessionOf({ ...ctx, tx, at }, who, key, params.sessionId))
    return answer(204, null)
  },
})

const endAll = route({
  ...byAdmins,
  method: 'DELETE',
  path,
  summary: "End all of a user's sessions",
  params: PersonParams,
  async handle({ who, params, query, at }, ctx) {
    await ctx.db.tx((tx) => endAllSessions({ ...ctx, tx, at }, who, keyIn(who, params, query)))
    return answer(204, null)
  },
})

export const personSessionRoutes = [list, endOne, endAll]
