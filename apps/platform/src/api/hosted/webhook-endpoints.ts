// Routes that register, list, remove and rotate webhook endpoints for lifecycle updates (D1 §6).

import { isUuid } from '@lendloom/foundation/uuid'
import { pageOf, pageRequest } from '@lendloom/http/pagination'
import { answer } from '@lendloom/http/server'
import type { Seal } from '@lendloom/seal/seal'
import { NoBody } from '@lendloom/wire/basic-schemas'
import {
  ById,
  PageQuery,
  WebhookEndpoint,
  WebhookEndpointChange,
  WebhookEndpointCreated,
  WebhookEndpointList,
  WebhookEndpointRequest,
  WebhookSecretRotated,
} from '@lendloom/wire/hosted/webhook-endpoint'
import { route } from '#platform/context.ts'
import { apiKey } from '#platform/integrators/access/api-key.ts'
import { deliveryPolicyOf } from '#platform/integrators/webhook/delivery-policy.ts'
import { openAccess, shownAccess } from '#platform/integrators/webhook/endpoint/endpoint-access.ts'
import { type EndpointRow, listEndpoints } from '#platform/integrators/webhook/endpoint/store.ts'
import {
  absentEndpoint,
  accessIn,
  changeIn,
  changeSubscription,
  checkAddresses,
  registerEndpoint,
  removeEndpoint,
  requireLockedUrl,
  rotateEndpointSecret,
} from '#platform/integrators/webhook/manage-endpoints.ts'
import { runOncePerKey } from './once-per-key.ts'

const path = '/api/lab/webhook-endpoints'
const auth = apiKey('webhooks')
const section = 'D1 §6'

const createRoute = route({
  method: 'POST',
  path,
  section,
  operationId: 'createWebhookEndpoint',
  summary: 'Register a webhook endpoint; its secret is shown once',
  auth,
  body: WebhookEndpointRequest,
  reply: { 201: WebhookEndpointCreated },
  async handle(call, ctx) {
    const { who, body, at } = call
    await checkAddresses(body, deliveryPolicyOf(ctx.config))
    return runOncePerKey(ctx, { operation: `POST ${path}` }, call, async (tx) => {
      const subscription = {
        url: body.url,
        statuses: body.statuses ?? null,
        loanEvents: body.loanEvents ?? null,
        access: accessIn(body),
      }
      const { endpoint, secret } = await registerEndpoint(tx, ctx.seal, who, { ...subscription, at })
      return answer(201, { ...toWireEndpoint(ctx.seal, endpoint), secret }, noStore)
    })
  },
})

const listRoute = route({
  method: 'GET',
  path,
  section,
  operationId: 'listWebhookEndpoints',
  summary: 'List the webhook endpoints of the application, oldest first',
  auth,
  query: PageQuery,
  reply: { 200: WebhookEndpointList },
  async handle({ who, query }, { db, seal }) {
    const { limit, after } = pageRequest(query)
    const rows = await listEndpoints(db, who, after, limit + 1)
    return {
      data: pageOf(
        rows,
        limit,
        (row) => toWireEndpoint(seal, row),
        ({ endpointId }) => endpointId,
      ),
    }
  },
})

const changeRoute = route({
  method: 'PATCH',
  path: `${path}/{id}`,
  section,
  operationId: 'changeWebhookEndpoint',
  summary: 'Change the URL, the statuses, the headers or the client credentials of a webhook endpoint',
  auth,
  params: ById,
  body: WebhookEndpointChange,
  reply: { 200: WebhookEndpoint },
  async handle({ who, params, body, at }, ctx) {
    await checkAddresses(body, deliveryPolicyOf(ctx.config))
    const changed = await ctx.db.tx(async (tx) => {
      const endpoint = await requireLockedUrl(tx, who.tenantId, requireUuid(params.id))
      if (endpoint.applicationId !== who.applicationId) throw absentEndpoint()
      return changeSubscription({ ...ctx, tx, at }, endpoint, changeIn(body))
    })
    return toWireEndpoint(ctx.seal, changed)
  },
})

const removeRoute = route({
  method: 'DELETE',
  path: `${path}/{id}`,
  section,
  operationId: 'deleteWebhookEndpoint',
  summary: 'Remove a webhook endpoint and stop its pending deliveries',
  auth,
  params: ById,
  async handle({ who, params, at }, { db }) {
    await db.tx((tx) => removeEndpoint({ tx, at }, who, requireUuid(params.id)))
    return answer(204, undefined)
  },
})

const rotateSecretRoute = route({
  method: 'POST',
  path: `${path}/{id}/rotate-secret`,
  section,
  operationId: 'rotateWebhookSecret',
  summary: 'Rotate the secret of a webhook endpoint; the old secret also signs for 24 hours',
  auth,
  params: ById,
  body: NoBody,
  reply: { 200: WebhookSecretRotated },
  handle(call, ctx) {
    const { who, params, at } = call
    return runOncePerKey(ctx, { operation: `POST ${path}/{id}/rotate-secret` }, call, async (tx) => {
      const id = requireUuid(params.id)
      const { secret, oldSecretUntil } = await rotateEndpointSecret(tx, ctx.seal, who, { endpointId: id, at })
      return answer(200, { id, secret, oldSecretValidUntil: oldSecretUntil.toISOString() }, noStore)
    })
  },
})

export const webhookEndpoints = [createRoute, listRoute, changeRoute, removeRoute, rotateSecretRoute]

const noStore = { 'cache-control': 'no-store' }

function requireUuid(id: string): string {
  if (!isUuid(id)) throw absentEndpoint()
  return id
}

const toWireEndpoint = (seal: Seal, endpoint: EndpointRow): WebhookEndpoint => ({
  id: endpoint.endpointId,
  url: endpoint.url,
  statuses: endpoint.statuses,
  createdAt: endpoint.createdAt.toISOString(),
  disabledAt: endpoint.disabledAt?.toISOString() ?? null,
  disabledBecause: endpoint.disabledBecause,
  loanEvents: endpoint.loanEvents,
  ...shownAccess(openAccess(seal, endpoint)),
})
