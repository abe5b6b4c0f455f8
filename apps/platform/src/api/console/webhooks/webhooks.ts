// Webhook endpoints in the console: their health, and how developers and operators change and test them.

import { secondsAfter } from '@lendloom/foundation/clock'
import { maskedText } from '@lendloom/foundation/mask'
import { Refusal } from '@lendloom/foundation/refusal'
import { isUuid } from '@lendloom/foundation/uuid'
import { answer } from '@lendloom/http/server'
import { ListOfTenant, OfTenant } from '@lendloom/wire/console/staff'
import {
  ChangeEndpointRequest,
  countLimit,
  EndpointParams,
  Endpoint as EndpointSchema,
  Endpoints,
  type Endpoint as EndpointWire,
  NewEndpoint,
  NewEndpointRequest,
  RotatedSecret,
  SignatureRequest,
  SignatureResult,
  TestResult,
} from '@lendloom/wire/console/webhooks'
import { consolePrefix, pageById, pageOfRows } from '#platform/api/console/console-route.ts'
import { namesOf } from '#platform/api/console/people/staff-names.ts'
import { listIdentities } from '#platform/api/console/people/staff-store.ts'
import { byAnyUser, byDevelopers } from '#platform/api/console/rights.ts'
import { applicationsOf, requireApplication } from '#platform/api/console/tenant-store.ts'
import { examples } from '#platform/api/reference/texts.ts'
import { type ConsolePerson, type Context, route } from '#platform/context.ts'
import { checkSignature, readHeaders } from '#platform/integrators/webhook/check-signature.ts'
import { bodyContext } from '#platform/integrators/webhook/delivery.ts'
import { deliveryPolicyOf } from '#platform/integrators/webhook/delivery-policy.ts'
import { openAccess, shownAccess } from '#platform/integrators/webhook/endpoint/endpoint-access.ts'
import { type SealedSecrets, secretsOf } from '#platform/integrators/webhook/endpoint/endpoint-secret.ts'
import {
  type EndpointRow,
  findEndpoint,
  secretsOfApplications,
  secretsOfEndpoint,
} from '#platform/integrators/webhook/endpoint/store.ts'
import {
  accessIn,
  changeIn,
  changeSubscription,
  checkAddresses,
  pauseEndpoint,
  registerEndpoint,
  removeEndpoint,
  requireLockedEndpoint,
  requireLockedUrl,
  resumeEndpoint,
  rotateEndpointSecret,
} from '#platform/integrators/webhook/manage-endpoints.ts'
import { sendTest } from '#platform/integrators/webhook/send-test-event.ts'
import { noteStaffAct } from '#platform/people/audit.ts'
import { commandLine, tenantOf, tenantOrPlatform } from '#platform/people/person.ts'
import { bodyWire, endpointWire, headersWire } from './webhook-view.ts'
import {
  findSentBody,
  listNamedEndpoints,
  type NamedEndpoint,
  readBacklogs,
  readRecentActivity,
} from './webhooks-store.ts'

const path = `${consolePrefix}/webhooks/endpoints`
const endpointPath = `${path}/{endpointId}`
const endpointRoute = { params: EndpointParams, query: OfTenant } as const

const daySeconds = 86_400
const maxUpdatesForHealth = 20_000

/** Adds health to endpoints. A list of several tenants starts with the failing and disabled endpoints. */
async function withHealth(ctx: Context, endpoints: NamedEndpoint[], at: Date): Promise<EndpointWire[]> {
  const tenants = [...Map.groupBy(endpoints, ({ tenantId }) => tenantId).values()]
  const wires = (await Promise.all(tenants.map((each) => healthInTenant(ctx, each, at)))).flat()
  const isFailing = ({ health }: EndpointWire) => health === 'failing' || health === 'disabled'
  return tenants.length < 2 ? wires : [...wires.filter(isFailing), ...wires.filter((each) => !isFailing(each))]
}

async function healthInTenant(ctx: Context, endpoints: NamedEndpoint[], at: Date): Promise<EndpointWire[]> {
  const [first] = endpoints
  if (!first) return []
  const { tenantId } = first
  const applicationIds = [...new Set(endpoints.map(({ applicationId }) => applicationId))]
  const endpointIds = endpoints.map(({ endpointId }) => endpointId)
  const listenerPeople = endpoints.flatMap(({ listenerPersonId }) => listenerPersonId ?? [])
  const [activities, backlogs, people] = await Promise.all([
    readRecentActivity(ctx.db, tenantId, {
      applicationIds,
      since: secondsAfter(at, -daySeconds),
      limit: maxUpdatesForHealth,
    }),
    readBacklogs(ctx.db, tenantId, { endpointIds, since: secondsAfter(at, -30 * daySeconds), limit: countLimit + 1 }),
    listenerPeople.length > 0 ? listIdentities(ctx.db, tenantId, listenerPeople) : [],
  ])
  const names = namesOf(ctx.seal, people)
  const findOf = <Row extends { endpointId: string }>(rows: Row[], { endpointId }: NamedEndpoint) =>
    rows.find((row) => row.endpointId === endpointId)
  const stateOf = (endpoint: NamedEndpoint) => ({
    endpoint,
    activity: findOf(activities, endpoint),
    backlog: findOf(backlogs, endpoint),
    listenerName: listenerNameOf(endpoint, names),
    access: shownAccess(openAccess(ctx.seal, endpoint)),
  })
  return endpoints.map((endpoint) => endpointWire(stateOf(endpoint), deliveryPolicyOf(ctx.config), at))
}

/** The person whose command line listens; null for any other endpoint. */
function listenerNameOf(
  { listensUntil, listenerPersonId, feedAt }: NamedEndpoint,
  names: Map<string, string>,
): string | null {
  if (!listensUntil || feedAt) return null
  return listenerPersonId === null ? commandLine.name : (names.get(listenerPersonId) ?? listenerPersonId)
}

async function readEndpoint(ctx: Context, tenant: string | null, endpointId: string, at: Date): Promise<EndpointWire> {
  const rows = await listNamedEndpoints(ctx.db, tenant, { endpointId, after: null, limit: 1 })
  const [wire] = await withHealth(ctx, rows, at)
  if (!wire) throw absent()
  return wire
}

const absent = () => new Refusal('absent', 'there is no such webhook endpoint')

const list = route({
  ...byAnyUser,
  method: 'GET',
  path,
  summary: 'Webhook endpoints with their health; platform staff see all tenants unless they select one',
  query: ListOfTenant,
  reply: { 200: Endpoints },
  async handle({ who, query, at }, ctx): Promise<Endpoints> {
    const tenantId = tenantOrPlatform(who, query.tenantId)
    const page = pageById(query)
    const [rows, applications] = await Promise.all([
      listNamedEndpoints(ctx.db, tenantId, { endpointId: null, after: page.after, limit: page.limit + 1 }),
      tenantId === null ? [] : applicationsOf(ctx.db, tenantId),
    ])
    const { items, next } = pageOfRows(rows, page, { item: (row) => row, cursor: ({ endpointId }) => endpointId })
    return { items: await withHealth(ctx, items, at), next, applications }
  },
})

const get = route({
  ...byAnyUser,
  ...endpointRoute,
  method: 'GET',
  path: endpointPath,
  summary: 'A webhook endpoint with its health; platform staff need not select its tenant',
  reply: { 200: EndpointSchema },
  handle: ({ who, params: { endpointId }, query, at }, ctx) =>
    readEndpoint(ctx, tenantOrPlatform(who, query.tenantId), endpointId, at),
})

const create = route({
  ...byDevelopers,
  method: 'POST',
  path,
  summary: 'Add a webhook endpoint; its secret is shown once',
  query: OfTenant,
  body: NewEndpointRequest,
  reply: { 201: NewEndpoint },
  async handle({ who, query, body, at }, ctx) {
    const tenantId = tenantOf(who, query.tenantId)
    const { applicationId, url, statuses = null, loanEvents = null } = body
    await requireApplication(ctx.db, tenantId, applicationId)
    await checkAddresses(body, deliveryPolicyOf(ctx.config))
    const created = await ctx.db.tx(async (tx) => {
      const added = await registerEndpoint(
        tx,
        ctx.seal,
        { tenantId, applicationId },
        { url, statuses, loanEvents, access: accessIn(body), at },
      )
      await noteEndpointAct({ tx, at }, who, 'WEBHOOK_ADDED', added.endpoint)
      return added
    })
    const { endpointId } = created.endpoint
    return answer(201, { endpoint: await readEndpoint(ctx, tenantId, endpointId, at), secret: created.secret })
  },
})

/** Writes an audit entry with the endpoint's id and host; the rest of the URL may be secret. */
export const noteEndpointAct = (
  write: Parameters<typeof noteStaffAct>[0],
  who: ConsolePerson,
  act: string,
  { tenantId, endpointId, url }: EndpointRow,
): Promise<void> =>
  noteStaffAct(write, who, { act, subject: endpointId, tenantId, detail: { host: new URL(url).host } })

interface EndpointAct {
  method?: 'POST' | 'DELETE'
  subpath: string
  summary: string
  act: string
  run(tx: Parameters<typeof pauseEndpoint>[0], endpoint: EndpointRow, at: Date): Promise<unknown>
}

/** Defines a route for an audited act on an endpoint. Returns the changed endpoint, and nothing after `DELETE`. */
const endpointActRoute = ({ method = 'POST', subpath, summary, act, run }: EndpointAct) =>
  route({
    ...byDevelopers,
    ...endpointRoute,
    method,
    path: endpointPath + subpath,
    summary,
    ...(method === 'POST' && { reply: { 200: EndpointSchema } }),
    async handle({ who, params: { endpointId }, query, at }, ctx) {
      const tenantId = tenantOf(who, query.tenantId)
      await ctx.db.tx(async (tx) => {
        const endpoint = await requireLockedEndpoint(tx, tenantId, endpointId)
        await run(tx, endpoint, at)
        await noteEndpointAct({ tx, at }, who, act, endpoint)
      })
      return method === 'DELETE' ? answer(204, null) : readEndpoint(ctx, tenantId, endpointId, at)
    },
  })

const actRoutes = [
  endpointActRoute({ subpath: '/pause', summary: 'Pause deliveries', act: 'WEBHOOK_PAUSED', run: pauseEndpoint }),
  endpointActRoute({ subpath: '/resume', summary: 'Resume deliveries', act: 'WEBHOOK_RESUMED', run: resumeEndpoint }),
  endpointActRoute({
    method: 'DELETE',
    subpath: '',
    summary: 'Remove a webhook endpoint',
    act: 'WEBHOOK_REMOVED',
    run: (tx, endpoint, at) => removeEndpoint({ tx, at }, endpoint, endpoint.endpointId),
  }),
]

const changeEndpoint = route({
  ...byDevelopers,
  ...endpointRoute,
  method: 'PATCH',
  path: endpointPath,
  summary: 'Change the URL, the statuses, the headers or the client credentials of a webhook endpoint',
  body: ChangeEndpointRequest,
  reply: { 200: EndpointSchema },
  async handle({ who, params: { endpointId }, query, body, at }, ctx) {
    const tenantId = tenantOf(who, query.tenantId)
    await checkAddresses(body, deliveryPolicyOf(ctx.config))
    await ctx.db.tx(async (tx) => {
      const endpoint = await requireLockedUrl(tx, tenantId, endpointId)
      const changed = await changeSubscription({ ...ctx, tx, at }, endpoint, changeIn(body))
      await noteEndpointAct({ tx, at }, who, 'WEBHOOK_CHANGED', changed)
    })
    return readEndpoint(ctx, tenantId, endpointId, at)
  },
})

const rotateSecret = route({
  ...byDevelopers,
  ...endpointRoute,
  method: 'POST',
  path: `${endpointPath}/rotate-secret`,
  summary: 'Rotate the secret of a webhook endpoint; updates are also signed with the old secret for a day',
  reply: { 200: RotatedSecret },
  handle: ({ who, params: { endpointId }, query, at }, ctx) =>
    ctx.db.tx(async (tx): Promise<RotatedSecret> => {
      const endpoint = await requireLockedUrl(tx, tenantOf(who, query.tenantId), endpointId)
      const { secret, oldSecretUntil } = await rotateEndpointSecret(tx, ctx.seal, endpoint, { endpointId, at })
      await noteEndpointAct({ tx, at }, who, 'WEBHOOK_SECRET_ROTATED', endpoint)
      return { secret, oldSecretUntil: oldSecretUntil.toISOString() }
    }),
})

const test = route({
  ...byDevelopers,
  ...endpointRoute,
  method: 'POST',
  path: `${endpointPath}/test`,
  summary: 'Send a test event to this endpoint only',
  reply: { 200: TestResult },
  async handle({ who, params: { endpointId }, query, at }, ctx): Promise<TestResult> {
    const tenantId = tenantOf(who, query.tenantId)
    const endpoint = await ctx.db.tx(async (tx) => {
      const lockedEndpoint = await requireLockedUrl(tx, tenantId, endpointId)
      await noteEndpointAct({ tx, at }, who, 'WEBHOOK_TESTED', lockedEndpoint)
      return lockedEndpoint
    })
    const { isSuccess, answer, body, tookMs, headers, sent } = await sendTest(ctx, endpoint, exampleUpdate, at)
    const request = { method: 'POST', url: endpoint.url, headers: headersWire(headers), body: bodyWire(sent) }
    return { isSuccess, answer, tookMs, body: body && maskedText(body.toString('utf8')), request }
  },
})
const exampleUpdate = Object(examples.lifecycleUpdate?.request)

const check = route({
  ...byDevelopers,
  ...endpointRoute,
  method: 'POST',
  path: `${endpointPath}/check-signature`,
  summary: 'Check whether a message was signed for this endpoint, and if not, why',
  body: SignatureRequest,
  maxBytes: 600 * 1024,
  reply: { 200: SignatureResult },
  async handle({ who, params: { endpointId }, query, body, at }, ctx): Promise<SignatureResult> {
    const { db, seal } = ctx
    const endpoint = await findEndpoint(db, tenantOf(who, query.tenantId), endpointId)
    if (!endpoint) throw absent()
    await db.tx((tx) => noteEndpointAct({ tx, at }, who, 'WEBHOOK_SIGNATURE_CHECKED', endpoint))
    const headers = readHeaders(body.headers)
    const eventId = headers.get('webhook-id') ?? ''
    const [sent, ownSecrets, applicationSecrets] = await Promise.all([
      isUuid(eventId) ? findSentBody(db, endpoint, eventId.toLowerCase()) : undefined,
      secretsOfEndpoint(db, endpoint),
      secretsOfApplications(db, [endpoint]),
    ])
    const validSecrets = (sealed: SealedSecrets) => secretsOf(seal, endpoint.tenantId, sealed, at)
    const known = {
      secrets: ownSecrets.flatMap(validSecrets),
      otherEndpoints: applicationSecrets
        .filter((each) => each.endpointId !== endpointId)
        .map((each) => ({ ...each, secrets: validSecrets(each) })),
      sentBody: sent?.bodySealed ? seal.open(sent.bodySealed, bodyContext({ ...endpoint, ...sent })) : null,
    }
    const result = checkSignature({ headers, body: Buffer.from(body.body) }, known, at)
    return { ...result, deliveryId: sent?.deliveryId ?? null }
  },
})

export const endpointRoutes = [list, get, create, ...actRoutes, changeEndpoint, rotateSecret, test, check]
