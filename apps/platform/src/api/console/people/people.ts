// People and invitations of the console: admins invite people, change roles and remove people.

import { Refusal } from '@lendloom/foundation/refusal'
import { answer } from '@lendloom/http/server'
import { listLinkedIds } from '@lendloom/identity/open-id/store'
import { tenantIn, tenantKeyOf } from '@lendloom/identity/person'
import {
  AcceptReply,
  AcceptRequest,
  type Colleague,
  type Invitation,
  InvitationParams,
  InvitationRequest,
  Invitations,
  InvitationView,
  InvitationViewRequest,
  ListOfTenant,
  NewInvitation,
  OfTenant,
  People,
  PersonParams,
  RoleRequest,
} from '@lendloom/wire/console/staff'
import { consoleCall, consolePrefix, pageById, pageOfRows, personWire } from '#platform/api/console/console-route.ts'
import { listTenantNames } from '#platform/api/console/tenant-store.ts'
import { type Context, route } from '#platform/context.ts'
import { fromOwnPage, inConsole } from '#platform/people/console-authentication.ts'
import { listInvitations } from '#platform/people/invitation/store.ts'
import {
  acceptInvitation,
  invitationOf,
  invitePerson,
  mailInvitation,
  type OpenInvitation,
  unsealInvitation,
  withdrawInvitation,
} from '#platform/people/invitation.ts'
import { changeRole, removePerson } from '#platform/people/manage-people.ts'
import { identityOf, personIdOf, roleFor, tenantOrPlatform } from '#platform/people/person.ts'
import { listPeople, type PersonListRow } from '#platform/people/store.ts'
import { atPlatform } from './own-account.ts'
import { namesOf } from './staff-names.ts'
import { listIdentities } from './staff-store.ts'

const byAdmins = { ...consoleCall, auth: inConsole('admin') } as const
const byAdminsAndOperators = { ...consoleCall, auth: inConsole('admin', 'operator') } as const

const list = route({
  ...byAdminsAndOperators,
  method: 'GET',
  path: `${consolePrefix}/people`,
  summary: 'People who may sign in to the console',
  query: ListOfTenant,
  reply: { 200: People },
  async handle({ who, query }, ctx): Promise<People> {
    const tenantId = tenantKeyOf(tenantOrPlatform(who, query.tenantId))
    const page = pageById(query)
    const rows = await listPeople(ctx.db, tenantId, { ...page, limit: page.limit + 1 })
    const personIds = rows.map(({ personId }) => personId)
    const linkedIds = await listLinkedIds(ctx.db, tenantId, personIds)
    return pageOfRows(rows, page, {
      item: (row) => colleagueWire(ctx, row, linkedIds),
      cursor: ({ personId }) => personId,
    })
  },
})

function colleagueWire(ctx: Context, row: PersonListRow, linkedIds: string[]): Colleague {
  const { personId, role, tenantId, hasTotp, passkeyCount, createdAt, lastUsedAt } = row
  return {
    personId,
    ...identityOf(ctx.seal, row),
    role,
    tenantId: tenantIn(tenantId),
    twoFactor: hasTotp,
    passkeys: passkeyCount,
    hasLinkedAccount: linkedIds.includes(personId),
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt && atPlatform(ctx, lastUsedAt),
  }
}

const change = route({
  ...byAdmins,
  method: 'PATCH',
  path: `${consolePrefix}/people/{personId}`,
  summary: "Change a person's role",
  params: PersonParams,
  query: OfTenant,
  body: RoleRequest,
  async handle({ who, params, query, body, at }, ctx) {
    const tenantId = tenantOrPlatform(who, query.tenantId)
    const role = roleFor(tenantId, body.role)
    const key = { tenantId: tenantKeyOf(tenantId), personId: params.personId }
    await ctx.db.tx((tx) => changeRole({ ...ctx, tx, at }, who, key, role))
    return answer(204, null)
  },
})

const remove = route({
  ...byAdmins,
  method: 'DELETE',
  path: `${consolePrefix}/people/{personId}`,
  summary: 'Remove a person',
  params: PersonParams,
  query: OfTenant,
  async handle({ who, params, query, at }, ctx) {
    const key = { tenantId: tenantKeyOf(tenantOrPlatform(who, query.tenantId)), personId: params.personId }
    await ctx.db.tx((tx) => removePerson({ ...ctx, tx, at }, who, key))
    return answer(204, null)
  },
})

const invitations = route({
  ...byAdminsAndOperators,
  method: 'GET',
  path: `${consolePrefix}/people/invitations`,
  summary: 'Open invitations',
  query: ListOfTenant,
  reply: { 200: Invitations },
  async handle({ who, query, at }, { db, seal }): Promise<Invitations> {
    const tenantId = tenantKeyOf(tenantOrPlatform(who, query.tenantId))
    const page = pageById(query)
    const rows = await listInvitations(db, tenantId, { ...page, limit: page.limit + 1, at })
    const item = (row: (typeof rows)[number]) => invitationWire(unsealInvitation(seal, row))
    return pageOfRows(rows, page, { item, cursor: ({ invitationId }) => invitationId })
  },
})

const invitationWire = ({ createdAt, expiresAt, ...invitation }: OpenInvitation): Invitation => ({
  ...invitation,
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
})

const createInvitation = route({
  ...byAdmins,
  method: 'POST',
  path: `${consolePrefix}/people/invitations`,
  summary: 'Invite a person by mail; without a mail server the response has the link',
  body: InvitationRequest,
  reply: { 201: NewInvitation },
  async handle({ who, body, at }, ctx) {
    const tenantId = tenantOrPlatform(who, body.tenantId)
    const tenantName = await requireExistingTenant(ctx, tenantId)
    const inviterName = personIdOf(who) === null ? 'An administrator' : who.name
    const request = { ...body, tenantId, role: roleFor(tenantId, body.role) }
    const { invitation, link, mailed } = await ctx.db.tx(async (tx) => {
      const issued = await invitePerson({ ...ctx, tx, at }, who, request, ctx.config.PUBLIC_URL)
      return {
        ...issued,
        mailed: await mailInvitation({ ...ctx, tx, at }, issued.invitation, {
          inviterName,
          tenantName,
          link: issued.link,
        }),
      }
    })
    return answer(201, { ...invitationWire(invitation), mailed, link: mailed ? null : link } satisfies NewInvitation)
  },
})

/** Returns the tenant's name, or null for the platform. Throws `absent` for an unknown tenant. */
export async function requireExistingTenant({ db }: Context, tenantId: string | null): Promise<string | null> {
  if (tenantId === null) return null
  const [tenant] = await listTenantNames(db, tenantId)
  if (!tenant) throw new Refusal('absent', 'there is no such tenant')
  return tenant.name
}

const withdraw = route({
  ...byAdmins,
  method: 'DELETE',
  path: `${consolePrefix}/people/invitations/{invitationId}`,
  summary: 'Withdraw an invitation',
  params: InvitationParams,
  query: OfTenant,
  async handle({ who, params, query, at }, ctx) {
    const tenantId = tenantKeyOf(tenantOrPlatform(who, query.tenantId))
    await ctx.db.tx((tx) => withdrawInvitation({ tx, at }, who, { tenantId, invitationId: params.invitationId }))
    return answer(204, null)
  },
})

const viewInvitation = route({
  ...consoleCall,
  // A POST, so that the token is not part of a URL.
  method: 'POST',
  path: `${consolePrefix}/invitations/view`,
  summary: 'The team, role and inviter of an open invitation',
  auth: fromOwnPage,
  body: InvitationViewRequest,
  reply: { 200: InvitationView },
  async handle({ body, at }, { db, seal }): Promise<InvitationView> {
    const row = await invitationOf(db, body.token, at)
    const { email, name, role, tenantId } = unsealInvitation(seal, row)
    const [tenant] = tenantId === null ? [] : await listTenantNames(db, tenantId)
    const inviters = row.invitedBy === null ? [] : await listIdentities(db, row.tenantId, [row.invitedBy])
    const [inviter] = namesOf(seal, inviters).values()
    return { email, name, role, tenant: tenant?.name ?? null, inviter: inviter ?? null }
  },
})

const accept = route({
  ...consoleCall,
  method: 'POST',
  path: `${consolePrefix}/invitations/accept`,
  summary: 'Accept an invitation and sign in',
  auth: fromOwnPage,
  body: AcceptRequest,
  reply: { 200: AcceptReply },
  async handle({ body, ip: address, headers, at }, ctx) {
    const { person, cookies } = await acceptInvitation(ctx, { ...body, address, headers }, at)
    return answer(200, { person: personWire(person) }, { 'set-cookie': cookies })
  },
})

export const peopleRoutes = [list, change, remove, invitations, createInvitation, withdraw, viewInvitation, accept]
