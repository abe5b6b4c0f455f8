// Webhook endpoints in the console: their health, and the acts of developers and operators.
import { ListOfTenant, OfTenant } from '#contract/console/staff.ts'
import {
  ChangeEndpointRequest,
  EndpointParams,
  Endpoint as EndpointSchema,
  Endpoints,
  type Endpoint as EndpointWire,
  mostCounted,
  NewEndpoint,
  NewEndpointRequest,
  RotatedSecret,
  SignatureRequest,
  SignatureResult,
  TestResult,
} from '#contract/console/webhooks.ts'
import { isUuid } from '#kit/crypto/id.ts'
import { invalid, Refusal } from '#kit/http/refusal.ts'
import { answer } from '#kit/http/server.ts'
import { secondsAfter } from '#kit/runtime/clock.ts'
import { maskedText } from '#kit/runtime/mask.ts'
import { examples } from '#platform/api-texts.ts'
import { byAnybody, byDevelopers } from '#platform/console/rights.ts'
import { pageById, paged, prefix } from '#platform/console/route.ts'
import { applicationsOf } from '#platform/console/store.ts'
import { type ConsolePerson, type Context, route } from '#platform/context.ts'
import { noteStaffAct } from '#platform/staff/audit.ts'
import { tenantOf, tenantOrPlatform } from '#platform/staff/person.ts'
import { checkSignature, headersIn } from '#platform/webhook/check-signature.ts'
import { bodyContext, deliveryPolicyOf } from '#platform/webhook/delivery.ts'
import {
  type EndpointRow,
  findEndpoint,
  type SealedSecrets,
  secretsOf,
  secretsOfApplications,
  secretsOfEndpoint,
} from '#platform/webhook/endpoint/store.ts'
import {
  change,
  checkEndpointUrl,
  endpointLocked,
  pause,
  register,
  remove,
  resume,
  rotate,
} from '#platform/webhook/manage-endpoints.ts'
import { sendTest } from '#platform/webhook/send-test.ts'
import { bodyWire, endpointWire, headersWire } from './webhook-view.ts'
import { backlogs, latelySeen, type SeenEndpoint, seenEndpoints, sentBody } from './webhooks-store.ts'

const path = `${prefix}/webhooks/endpoints`
const one = `${path}/{endpointId}`
const ofOne = { params: EndpointParams, query: OfTenant } as const

const daySeconds = 86_400
/** Newest updates per application that the health considers. */
const mostLately = 20_000

/** Endpoints with recent answers and pending deliveries. Across tenants, failing ones come first. */
async function withHealth(ctx: Context, endpoints: SeenEndpoint[], at: Date): Promise<EndpointWire[]> {
  const tenants = [...Map.groupBy(endpoints, ({ tenantId }) => tenantId).values()]
  const wires = (await Promise.all(tenants.map((each) => healthInTenant(ctx, each, at)))).flat()
  const isFailing = ({ health }: EndpointWire) => health === 'failing' || health === 'disabled'
  return tenants.length < 2 ? wires : [...wires.filter(isFailing), ...wires.filter((each) => !isFailing(each))]
}

async function healthInTenant(ctx: Context, endpoints: SeenEndpoint[], at: Date): Promise<EndpointWire[]> {
  const [first] = endpoints
  if (!first) return []
  const { tenantId } = first
  const applicationIds = [...new Set(endpoints.map(({ applicationId }) => applicationId))]
  const endpointIds = endpoints.map(({ endpointId }) => endpointId)
  const [lately, waiting] = await Promise.all([
    latelySeen(ctx.db, tenantId, { applicationIds, since: secondsAfter(at, -daySeconds), most: mostLately }),
    backlogs(ctx.db, tenantId, { endpointIds, since: secondsAfter(at, -30 * daySeconds), most: mostCounted + 1 }),
  ])
  const isOf =
    ({ endpointId }: { endpointId: string }) =>
    ({ endpointId: id }: { endpointId: string }) =>
      id === endpointId
  return endpoints.map((each) => endpointWire(each, lately.find(isOf(each)), waiting.find(isOf(each)), at))
}

async function endpointSeen(ctx: Context, tenantId: string, endpointId: string, at: Date): Promise<EndpointWire> {
  const found = await seenEndpoints(ctx.db, tenantId, { endpointId, after: null, limit: 1 })
  const [wire] = await withHealth(ctx, found, at)
  if (!wire) throw absent()
  return wire
}

const absent = () => new Refusal('absent', 'there is no such webhook endpoint')

const list = route({
  ...byAnybody,
  method: 'GET',
  path,
  summary: 'Webhook endpoints with their health; platform staff see all tenants unless they select one',
  query: ListOfTenant,
  reply: { 200: Endpoints },
  async handle({ who, query, at }, ctx): Promise<Endpoints> {
    const tenantId = tenantOrPlatform(who, query.tenantId)
    const page = pageById(query)
    const [rows, applications] = await Promise.all([
      seenEndpoints(ctx.db, tenantId, { endpointId: null, after: page.after, limit: page.limit + 1 }),
      tenantId === null ? [] : applicationsOf(ctx.db, tenantId),
    ])
    const { items, next } = paged(rows, page, { item: (row) => row, cursor: ({ endpointId }) => endpointId })
    return { items: await withHealth(ctx, items, at), next, applications }
  },
})

const get = route({
  ...byAnybody,
  ...ofOne,
  method: 'GET',
  path: one,
  summary: 'A webhook endpoint with its health',
  reply: { 200: EndpointSchema },
  handle: ({ who, params, query, at }, ctx) => endpointSeen(ctx, tenantOf(who, query.tenantId), params.endpointId, at),
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
    const { applicationId, url, statuses = null } = body
    const applications = await applicationsOf(ctx.db, tenantId)
    if (!applications.some((each) => each.applicationId === applicationId))
      throw invalid({ path: 'applicationId', message: 'is not an application of this tenant' })
    await checkEndpointUrl(url, deliveryPolicyOf(ctx.config))
    const made = await ctx.db.tx(async (tx) => {
      const added = await register(tx, ctx.seal, { tenantId, applicationId }, { url, statuses, at })
      await noted({ tx, at }, who, 'WEBHOOK_ADDED', added.endpoint)
      return added
    })
    const { endpointId } = made.endpoint
    return answer(201, { endpoint: await endpointSeen(ctx, tenantId, endpointId, at), secret: made.secret })
  },
})

/** The audit details of an endpoint: its id and host, because the rest of the URL may be secret. */
const noted = (
  write: Parameters<typeof noteStaffAct>[0],
  who: ConsolePerson,
  act: string,
  { tenantId, endpointId, url }: EndpointRow,
): Promise<void> =>
  noteStaffAct(write, who, { act, subject: endpointId, tenantId, detail: { host: new URL(url).host } })

interface EndpointAct {
  method: 'POST' | 'PATCH' | 'DELETE'
  part: string
  summary: string
  act: string
  run(tx: Parameters<typeof pause>[0], endpoint: EndpointRow, at: Date): Promise<unknown>
}

/** An act on a locked endpoint with its audit entry; returns the endpoint afterwards. */
const acting = ({ method, part, summary, act, run }: EndpointAct) =>
  route({
    ...byDevelopers,
    ...ofOne,
    method,
    path: one + part,
    summary,
    reply: { 200: EndpointSchema },
    async handle({ who, params: { endpointId }, query, at }, ctx) {
      const tenantId = tenantOf(who, query.tenantId)
      await ctx.db.tx(async (tx) => {
        const endpoint = await endpointLocked(tx, tenantId, endpointId)
        await run(tx, endpoint, at)
        await noted({ tx, at }, who, act, endpoint)
      })
      return method === 'DELETE' ? answer(204, null) : endpointSeen(ctx, tenantId, endpointId, at)
    },
  })

const acts = [
  acting({ method: 'POST', part: '/pause', summary: 'Pause deliveries', act: 'WEBHOOK_PAUSED', run: pause }),
  acting({ method: 'POST', part: '/resume', summary: 'Resume deliveries', act: 'WEBHOOK_RESUMED', run: resume }),
  acting({
    method: 'DELETE',
    part: '',
    summary: 'Remove a webhook endpoint',
    act: 'WEBHOOK_REMOVED',
    run: (tx, endpoint) => remove(tx, endpoint, endpoint.endpointId),
  }),
]

const changeOne = route({
  ...byDevelopers,
  ...ofOne,
  method: 'PATCH',
  path: one,
  summary: 'Change the address of a webhook endpoint, or what it is told',
  body: ChangeEndpointRequest,
  reply: { 200: EndpointSchema },
  async handle({ who, params: { endpointId }, query, body, at }, ctx) {
    const tenantId = tenantOf(who, query.tenantId)
    if (body.url !== undefined) await checkEndpointUrl(body.url, deliveryPolicyOf(ctx.config))
    await ctx.db.tx(async (tx) => {
      const changed = await change(tx, await endpointLocked(tx, tenantId, endpointId), body)
      await noted({ tx, at }, who, 'WEBHOOK_CHANGED', changed)
    })
    return endpointSeen(ctx, tenantId, endpointId, at)
  },
})

const rotateSecret = route({
  ...byDevelopers,
  ...ofOne,
  method: 'POST',
  path: `${one}/rotate-secret`,
  summary: 'Give a webhook endpoint a new secret; the old one signs beside it for a day',
  reply: { 200: RotatedSecret },
  handle: ({ who, params: { endpointId }, query, at }, ctx) =>
    ctx.db.tx(async (tx): Promise<RotatedSecret> => {
      const endpoint = await endpointLocked(tx, tenantOf(who, query.tenantId), endpointId)
      const { secret, oldSecretUntil } = await rotate(tx, ctx.seal, endpoint, { endpointId, at })
      await noted({ tx, at }, who, 'WEBHOOK_SECRET_ROTATED', endpoint)
      return { secret, oldSecretUntil: oldSecretUntil.toISOString() }
    }),
})

const test = route({
  ...byDevelopers,
  ...ofOne,
  method: 'POST',
  path: `${one}/test`,
  summary: 'Send a test event to this endpoint alone',
  reply: { 200: TestResult },
  async handle({ who, params: { endpointId }, query, at }, ctx): Promise<TestResult> {
    const tenantId = tenantOf(who, query.tenantId)
    const endpoint = await ctx.db.tx(async (tx) => {
      const found = await endpointLocked(tx, tenantId, endpointId)
      await noted({ tx, at }, who, 'WEBHOOK_TESTED', found)
      return found
    })
    const { isSuccess, words, body, tookMs, headers, sent } = await sendTest(ctx, endpoint, exampleUpdate, at)
    const request = { method: 'POST', url: endpoint.url, headers: headersWire(headers), body: bodyWire(sent) }
    return { isSuccess, answer: words, tookMs, body: body && maskedText(body.toString('utf8')), request }
  },
})
const exampleUpdate = Object(examples.lifecycleUpdate?.request)

const check = route({
  ...byDevelopers,
  ...ofOne,
  method: 'POST',
  path: `${one}/check-signature`,
  summary: 'Learn whether a message was signed for this endpoint, and why not',
  body: SignatureRequest,
  maxBytes: 1 << 20,
  reply: { 200: SignatureResult },
  async handle({ who, params: { endpointId }, query, body, at }, ctx): Promise<SignatureResult> {
    const { db, seal } = ctx
    const endpoint = await findEndpoint(db, tenantOf(who, query.tenantId), endpointId)
    if (!endpoint) throw absent()
    await db.tx((tx) => noted({ tx, at }, who, 'WEBHOOK_SIGNATURE_CHECKED', endpoint))
    const headers = headersIn(body.headers)
    const eventId = headers.get('webhook-id') ?? ''
    const [sent, own, all] = await Promise.all([
      isUuid(eventId) ? sentBody(db, endpoint, eventId.toLowerCase()) : undefined,
      secretsOfEndpoint(db, endpoint),
      secretsOfApplications(db, [endpoint]),
    ])
    const valid = (sealed: SealedSecrets) => secretsOf(seal, endpoint.tenantId, sealed, at)
    const known = {
      secrets: own.flatMap(valid),
      others: all.filter((each) => each.endpointId !== endpointId).map((each) => ({ ...each, secrets: valid(each) })),
      sent: sent ? seal.open(sent.bodySealed, bodyContext({ ...endpoint, ...sent })) : null,
    }
    const found = checkSignature({ headers, body: Buffer.from(body.body) }, known, at)
    return { ...found, deliveryId: sent?.deliveryId ?? null }
  },
})

export const endpointRoutes = [list, get, create, ...acts, changeOne, rotateSecret, test, check]
