// The credentials that must not open the operations of an owner, and the gates that each of them does open.
import { randomUUID } from 'node:crypto'
import type { Context } from '@lendloom/platform/src/context.ts'
import { issueKey, type KeyScope, scopes } from '@lendloom/platform/src/integrators/access/api-key.ts'
import type { SandboxTenant } from '@lendloom/platform/src/integrators/access/sandbox-tenants.ts'
import { createApplication } from '@lendloom/platform/src/integrators/access/tenant.ts'
import { type Borrower, enter, newApplicant, openSession, type SessionRequest } from '@lendloom/tests/setup/borrower'
import { consoleUser } from '@lendloom/tests/setup/console'
import { type HeadlessBorrower, startHeadlessJourney } from '@lendloom/tests/setup/headless'
import { ask } from '@lendloom/tests/setup/platform'
import { platformRoles, tenantRoles } from '@lendloom/wire/console/lists'
import type { Gate } from '../api/gates.ts'
import { idempotencyKey, type Owner } from '../api/owner.ts'
import { signInAtDesk } from '../api/staff.ts'
import type { Installation } from '../setup/installation.ts'
import type { Forger } from './forged.ts'

export interface Credential {
  name: string
  headers: Record<string, string>
  /** Where it is the valid credential of another party, which may act on its own data. */
  opens: Gate[]
  /** Where it is the owner's own credential; it must not open any other gate. */
  own?: Gate[]
  /** A session of the same borrower, for another journey: it may see the borrower's own data. */
  isSamePerson?: true
  /** The scope that this key lacks; it is the owner's own key otherwise. */
  lacks?: KeyScope
  /** The role of staff of the owner's tenant or of the platform, or of the desk, for the matrix of roles. */
  role?: string
  /** Adds the owner's tenant id to the query, as platform staff does. */
  namesTenant?: true
}

const bearerOf = (token: string) => ({ authorization: `Bearer ${token}` })

/** Other parties on the platform: another tenant, another application, another borrower. */
export interface OtherParties {
  tenant: Owner
  applicationKey: string
  neighbour: { headless: HeadlessBorrower; embed: Borrower }
}

export interface Site {
  installation: Installation
  ctx: Context
  otherPlatform: Forger
  secondPartner: Forger
  deskCookies: Map<string, string>
}

export async function otherPartiesOf({ installation, ctx }: Site, owner: Owner, other: Owner): Promise<OtherParties> {
  const { platformUrl } = installation
  const { tenantId } = owner.tenant
  const at = new Date()
  const { apiKey } = await ctx.db.tx(async (tx) => {
    const applicationId = await createApplication(tx, { tenantId, name: 'Another app', origins: [] }, at)
    return issueKey(tx, { ...usualKey, tenantId, applicationId, scopes: [...scopes] }, at)
  })
  const headless = await startHeadlessJourney(platformUrl, owner.tenant, newApplicant())
  const { body } = await openSession(platformUrl, owner.tenant, newApplicant())
  const embed = await enter(platformUrl, body.embedUrl)
  return { tenant: other, applicationKey: apiKey, neighbour: { headless, embed } }
}

const usualKey = { label: 'wall', isLive: false, expiresAt: null }

/** Keys, sessions and bearers. Staff is separate: `staffCredentials`. */
export async function credentialsFor(site: Site, owner: Owner, otherParties: OtherParties): Promise<Credential[]> {
  const { tenant, applicationKey, neighbour } = otherParties
  const { credentials } = site.installation
  const key = (name: string, token: string, opens: Gate[] = []): Credential => ({
    name,
    headers: bearerOf(token),
    opens,
  })
  return [
    { name: 'no credential', headers: {}, opens: [] },
    key('a made-up bearer', 'sk_test_0000000000000000000000000000000000000000000'),
    key('key of another tenant', tenant.tenant.apiKey, ['api key']),
    key('key of another application', applicationKey, ['api key']),
    ...(await spoiltKeys(site, owner)),
    key('session of another tenant’s borrower', tenant.headless.sessionToken, ['headless session', 'refresh token']),
    key('session of another borrower', neighbour.headless.sessionToken, ['headless session', 'refresh token']),
    key('page of another tenant’s borrower', tenant.embed.sessionToken, ['embed session']),
    key('page of another borrower', neighbour.embed.sessionToken, ['embed session']),
    { ...key('page of another product', owner.goldEmbed.sessionToken, ['embed session']), isSamePerson: true },
    ...(await expiredSessions(site, owner)),
    { ...key('the owner’s key', owner.tenant.apiKey), own: ['api key'] },
    { ...key('the owner’s session', owner.headless.sessionToken), own: ['headless session', 'refresh token'] },
    { ...key('the owner’s page', owner.embed.sessionToken), own: ['embed session'] },
    key('bearer of another platform', site.otherPlatform.bearer, ['platform at the partner']),
    key('bearer of another partner', site.secondPartner.bearer, ['partner at the platform']),
    { ...key('bearer of the owner’s platform', credentials.bearer), own: ['platform at the partner'] },
    { ...key('bearer of the owner’s partner', credentials.webhook.bearer), own: ['partner at the platform'] },
  ]
}

async function spoiltKeys({ ctx }: Site, { tenant }: Owner): Promise<Credential[]> {
  const { tenantId, applicationId } = tenant
  const at = new Date()
  const own = { ...usualKey, tenantId, applicationId }
  const issue = (more: object, all: readonly KeyScope[] = scopes) =>
    ctx.db.tx(async (tx) => bearerOf((await issueKey(tx, { ...own, scopes: [...all], ...more }, at)).apiKey))
  const revoked = await ctx.db.tx((tx) => issueKey(tx, { ...own, scopes: [...scopes] }, at))
  await ctx.db`update api_key set revoked_at = ${at} where tenant_id = ${tenantId} and key_id = ${revoked.keyId}`
  const lacking = scopes.map(async (lacks): Promise<Credential> => {
    const headers = await issue(
      {},
      scopes.filter((scope) => scope !== lacks),
    )
    return { name: `key without the scope ${lacks}`, headers, opens: ['api key'], lacks }
  })
  return [
    { name: 'key outside its network', headers: await issue({ addresses: ['10.1.0.0/16'] }), opens: [] },
    { name: 'expired key', headers: await issue({ expiresAt: new Date(at.getTime() - 1000) }), opens: [] },
    { name: 'revoked key', headers: bearerOf(revoked.apiKey), opens: [] },
    ...(await Promise.all(lacking)),
  ]
}

/** New sessions of the owner's borrowers, which are then expired in the database. */
async function expiredSessions({ installation, ctx }: Site, owner: Owner): Promise<Credential[]> {
  const { platformUrl } = installation
  const [person, embedPerson] = owner.people
  if (!person || !embedPerson) throw new Error('an owner has people')
  const { sessionToken, refreshToken } = await unusedSession(platformUrl, owner.tenant, person.request)
  const { body } = await openSession(platformUrl, owner.tenant, embedPerson.request)
  const embed = await enter(platformUrl, body.embedUrl)
  const past = new Date(Date.now() - 60_000)
  const { tenantId } = owner.tenant
  await ctx.db`update headless_session set session_expires_at = ${past}, refresh_expires_at = ${past}
    where tenant_id = ${tenantId} and session_id = (
      select session_id from headless_session where tenant_id = ${tenantId} order by created_at desc limit 1)`
  await ctx.db`update embed_session set expires_at = ${past}
    where tenant_id = ${tenantId} and session_id = (
      select session_id from embed_session where tenant_id = ${tenantId} order by created_at desc limit 1)`
  return [
    { name: 'expired session', headers: bearerOf(sessionToken), opens: [] },
    { name: 'expired refresh token', headers: bearerOf(refreshToken), opens: [] },
    { name: 'expired page', headers: bearerOf(embed.sessionToken), opens: [] },
  ]
}

/** A session that made no call yet, because the platform caches callers for seconds. */
async function unusedSession(
  platformUrl: string,
  { apiKey }: SandboxTenant,
  { borrowerProviderID, profile }: SessionRequest,
) {
  const body = { borrowerExternalID: borrowerProviderID, journeyType: 'PERSONAL_LOAN', profile }
  const reply = await ask(`${platformUrl}/api/v1/headless/sessions`, {
    method: 'POST',
    key: apiKey,
    headers: idempotencyKey(),
    body,
  })
  if (reply.status !== 201) throw new Error(`no session: ${JSON.stringify(reply.body)}`)
  return reply.body.data as { sessionToken: string; refreshToken: string }
}

const staffGates: Gate[] = ['console', 'own console account']
const deskGates: Gate[] = ['desk', 'own desk account']

/** Console staff of the other tenant, of the owner's tenant and of the platform; desk staff; sessions that ended. */
export async function staffCredentials(site: Site, owner: Owner, other: Owner): Promise<Credential[]> {
  const { installation, ctx } = site
  const person = (role: (typeof tenantRoles)[number] | (typeof platformRoles)[number], tenantId: string | null) =>
    consoleUser({ url: installation.platformUrl, ctx }, { role, tenantId, email: `${randomUUID()}@wall.example` })
  const all: Credential[] = []
  for (const role of tenantRoles) {
    const { cookie } = await person(role, other.tenant.tenantId)
    const outsider = { headers: { cookie }, opens: staffGates }
    all.push({ name: `another tenant’s ${role}`, ...outsider })
    all.push({ name: `another tenant’s ${role}, naming the tenant`, ...outsider, namesTenant: true })
    const own = await person(role, owner.tenant.tenantId)
    all.push({ name: `${role} of the tenant`, headers: { cookie: own.cookie }, opens: staffGates, role })
  }
  for (const role of platformRoles) {
    const { cookie } = await person(role, null)
    const named = { role: `platform ${role}`, namesTenant: true } as const
    all.push({ name: `${role} of the platform`, headers: { cookie }, opens: staffGates, ...named })
  }
  for (const [role, cookie] of site.deskCookies)
    all.push({ name: `${role} of the desk`, headers: { cookie }, opens: deskGates, role: `desk ${role}` })
  const ended = await person('admin', owner.tenant.tenantId)
  const { sessionId } = ended.person
  await ctx.db`update person_session set expires_at = now() - interval '1 minute' where session_id = ${sessionId}`
  all.push({ name: 'ended session of the tenant’s admin', headers: { cookie: ended.cookie }, opens: [] })
  all.push({ name: 'ended session of the desk’s admin', headers: { cookie: await endedDeskSession(site) }, opens: [] })
  return all
}

async function endedDeskSession({ installation }: Site): Promise<string> {
  const cookie = await signInAtDesk(installation, 'admin')
  await installation.partnerDb`update person_session set expires_at = now() - interval '1 minute' where session_id = (
    select session_id from person_session order by created_at desc limit 1)`
  return cookie
}
