// An integrator's API keys, and the origins that may embed its journeys.

import { daysAfter } from '@lendloom/foundation/clock'
import { isNetwork } from '@lendloom/foundation/config'
import { invalid, Refusal } from '@lendloom/foundation/refusal'
import { answer } from '@lendloom/http/server'
import {
  ApplicationParams,
  Applications,
  KeyParams,
  KeyRequest,
  Keys,
  NewKeyReply,
  OriginCheck,
  OriginCheckRequest,
  OriginsRequest,
  RollRequest,
} from '@lendloom/wire/console/developers'
import { OfTenant } from '@lendloom/wire/console/staff'
import { calendarDate } from '@lendloom/wire/identifier'
import { consoleCall, consolePrefix } from '#platform/api/console/console-route.ts'
import { requireExistingTenant } from '#platform/api/console/people/people.ts'
import { byDevelopers } from '#platform/api/console/rights.ts'
import { applicationsOf } from '#platform/api/console/tenant-store.ts'
import { route } from '#platform/context.ts'
import { issueKey } from '#platform/integrators/access/api-key.ts'
import { rollKey } from '#platform/integrators/access/roll-key.ts'
import { listKeys, revokeKey } from '#platform/integrators/access/store.ts'
import { findApplication } from '#platform/integrators/access/tenant/store.ts'
import { allowOrigins } from '#platform/integrators/access/tenant.ts'
import { deliveryPolicyOf } from '#platform/integrators/webhook/delivery-policy.ts'
import { fetchPageHeaders } from '#platform/integrators/webhook/fetch-page-headers.ts'
import { noteStaffAct } from '#platform/people/audit.ts'
import { inConsole } from '#platform/people/console-authentication.ts'
import { tenantOf } from '#platform/people/person.ts'
import { checkEmbedding } from './embed-check.ts'

const path = `${consolePrefix}/developers`
const managementRoute = { ...consoleCall, auth: inConsole('developer', 'admin'), query: OfTenant } as const

const applications = route({
  ...byDevelopers,
  method: 'GET',
  path: `${path}/applications`,
  summary: "A tenant's applications with their allowed origins",
  query: OfTenant,
  reply: { 200: Applications },
  handle: async ({ who, query }, { db }) => ({
    items: await applicationsOf(db, tenantOf(who, query.tenantId)),
    next: null,
  }),
})

const origins = route({
  ...managementRoute,
  method: 'PUT',
  path: `${path}/applications/{applicationId}/origins`,
  summary: "Set the origins that may embed an application's journeys",
  params: ApplicationParams,
  body: OriginsRequest,
  async handle({ who, query, params: { applicationId }, body, at }, ctx) {
    const tenantId = tenantOf(who, query.tenantId)
    await ctx.db.tx(async (tx) => {
      await allowOrigins(tx, tenantId, applicationId, body.origins)
      const detail = { origins: body.origins.join(' ') }
      await noteStaffAct({ tx, at }, who, { act: 'ORIGINS_CHANGED', subject: applicationId, tenantId, detail })
    })
    return answer(204, null)
  },
})

const keys = route({
  ...byDevelopers,
  method: 'GET',
  path: `${path}/keys`,
  summary: "A tenant's API keys, without secrets",
  query: OfTenant,
  reply: { 200: Keys },
  async handle({ who, query }, ctx) {
    const tenantId = tenantOf(who, query.tenantId)
    await requireExistingTenant(ctx, tenantId)
    const rows = await listKeys(ctx.db, tenantId)
    const items = rows.reverse().map(({ createdAt, expiresAt, revokedAt, ...row }) => ({
      ...row,
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt?.toISOString() ?? null,
      revokedAt: revokedAt?.toISOString() ?? null,
    }))
    return { items, next: null }
  },
})

const create = route({
  ...managementRoute,
  method: 'POST',
  path: `${path}/keys`,
  summary: 'Create an API key, which is shown only in this response',
  body: KeyRequest,
  reply: { 201: NewKeyReply },
  async handle({ who, query, body, at }, ctx) {
    const tenantId = tenantOf(who, query.tenantId)
    const { applicationId, label, scopes, addresses = [], isLive = !ctx.config.SANDBOX } = body
    const invalidIndex = addresses.findIndex((each) => !isNetwork(each))
    if (invalidIndex >= 0)
      throw invalid({
        path: `addresses[${invalidIndex}]`,
        message: 'must be an IP address or a network such as 10.0.0.0/8',
      })
    const created = await ctx.db.tx(async (tx) => {
      if (!(await findApplication(tx, tenantId, applicationId)))
        throw new Refusal('absent', 'there is no such application')
      const expiresAt = expiryOf(body, at)
      const key = await issueKey(tx, { tenantId, applicationId, label, scopes, isLive, expiresAt, addresses }, at)
      const detail = {
        label,
        scopes: scopes.join(' '),
        ...(addresses.length > 0 && { addresses: addresses.join(' ') }),
      }
      await noteStaffAct({ tx, at }, who, { act: 'KEY_CREATED', subject: key.keyId, tenantId, detail })
      return key
    })
    return answer(201, created)
  },
})

/** Throws `invalid` if the day is not in the future, or beside a number of days. */
function expiryOf({ expiresInDays, expiresOn }: KeyRequest, at: Date): Date | null {
  if (expiresOn !== undefined && expiresInDays !== undefined)
    throw invalid({ path: 'expiresOn', message: 'cannot be combined with expiresInDays' })
  if (expiresOn === undefined) return expiresInDays === undefined ? null : daysAfter(at, expiresInDays)
  // A date that no calendar has would become one of the next month.
  if (calendarDate(expiresOn) !== expiresOn)
    throw invalid({ path: 'expiresOn', message: 'must be a day such as 2026-11-21' })
  const day = new Date(`${expiresOn}T00:00:00+05:30`)
  if (!(day > at)) throw invalid({ path: 'expiresOn', message: 'must be a day in the future' })
  return day
}

const checkEmbed = route({
  ...byDevelopers,
  method: 'POST',
  path: `${path}/applications/{applicationId}/embed-check`,
  summary: 'Check whether a page can embed the hosted journey',
  params: ApplicationParams,
  query: OfTenant,
  body: OriginCheckRequest,
  reply: { 200: OriginCheck },
  async handle({ who, query, params: { applicationId }, body }, { db, config }): Promise<OriginCheck> {
    const application = await findApplication(db, tenantOf(who, query.tenantId), applicationId)
    if (!application) throw new Refusal('absent', 'there is no such application')
    const page = URL.parse(body.url)
    if (!page || !/^https?:$/.test(page.protocol))
      throw invalid({ path: 'url', message: 'must be the address of a page, such as https://app.example/loans' })
    const check = { page, allowedOrigins: application.origins, frameUrl: `${config.PUBLIC_URL}/lab/embed` }
    const pageAnswer = await fetchPageHeaders(page.href, deliveryPolicyOf(config))
    return { origin: page.origin, findings: checkEmbedding({ ...check, answer: pageAnswer }) }
  },
})

const roll = route({
  ...managementRoute,
  method: 'POST',
  path: `${path}/keys/{keyId}/roll`,
  summary: 'Roll a key: create a new one, while the old one works for some hours',
  params: KeyParams,
  body: RollRequest,
  reply: { 201: NewKeyReply },
  async handle({ who, query, params: { keyId }, body: { overlapHours }, at }, ctx) {
    const tenantId = tenantOf(who, query.tenantId)
    const created = await ctx.db.tx(async (tx) => {
      const key = await rollKey({ tx, at }, { tenantId, keyId, overlapHours, isLive: !ctx.config.SANDBOX })
      const detail = { former: keyId, overlapHours }
      await noteStaffAct({ tx, at }, who, { act: 'KEY_ROLLED', subject: key.keyId, tenantId, detail })
      return key
    })
    return answer(201, created)
  },
})

const revoke = route({
  ...managementRoute,
  method: 'DELETE',
  path: `${path}/keys/{keyId}`,
  summary: 'Revoke an API key: within seconds it and the headless sessions that it opened stop working',
  params: KeyParams,
  async handle({ who, query, params: { keyId }, at }, ctx) {
    const tenantId = tenantOf(who, query.tenantId)
    await ctx.db.tx(async (tx) => {
      if (!(await revokeKey(tx, tenantId, keyId, at))) throw new Refusal('absent', 'there is no such key')
      await noteStaffAct({ tx, at }, who, { act: 'KEY_REVOKED', subject: keyId, tenantId })
    })
    return answer(204, null)
  },
})

export const developerRoutes = [applications, origins, checkEmbed, keys, create, roll, revoke]
