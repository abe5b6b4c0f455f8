// Routes that list and resend the deliveries of lifecycle updates (D1 §6).

import { Refusal } from '@lendloom/foundation/refusal'
import { isUuid } from '@lendloom/foundation/uuid'
import { pageOf, pageRequest } from '@lendloom/http/pagination'
import { answer } from '@lendloom/http/server'
import { NoBody } from '@lendloom/wire/basic-schemas'
import {
  ById,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookDeliveryQuery,
} from '@lendloom/wire/hosted/webhook-endpoint'
import { route } from '#platform/context.ts'
import { apiKey } from '#platform/integrators/access/api-key.ts'
import { type DeliveryRow, noFilter } from '#platform/integrators/webhook/delivery.ts'
import { resendDelivery } from '#platform/integrators/webhook/resend-delivery.ts'
import { listDeliveries } from '#platform/integrators/webhook/store.ts'
import { runOncePerKey } from './once-per-key.ts'

const path = '/api/lab/webhook-deliveries'
const auth = apiKey('webhooks')
const section = 'D1 §6'

const listRoute = route({
  method: 'GET',
  path,
  section,
  operationId: 'listWebhookDeliveries',
  summary: 'List deliveries of lifecycle updates, newest first',
  auth,
  query: WebhookDeliveryQuery,
  reply: { 200: WebhookDeliveryList },
  async handle({ who, query }, { db }) {
    const { limit, after } = pageRequest(query)
    const filter = {
      ...noFilter,
      before: after,
      journeyId: query.journeyID ?? null,
      endpointId: query.endpointID ?? null,
      status: query.status ?? null,
      state: query.state ?? null,
      isMissing: query.missing === 'true',
    }
    const rows = await listDeliveries(db, who, filter, limit + 1)
    return { data: pageOf(rows, limit, toWireDelivery, ({ deliveryId }) => deliveryId) }
  },
})

const replayRoute = route({
  method: 'POST',
  path: `${path}/{id}/replay`,
  section,
  operationId: 'replayWebhookDelivery',
  summary: 'Resend an event under the same webhook-id',
  auth,
  params: ById,
  body: NoBody,
  reply: { 202: WebhookDelivery },
  handle(call, ctx) {
    const { who, params, at } = call
    return runOncePerKey(ctx, { operation: `POST ${path}/{id}/replay` }, call, async (tx) => {
      if (!isUuid(params.id)) throw new Refusal('absent', 'there is no such delivery')
      return answer(202, toWireDelivery(await resendDelivery(tx, who, params.id, at)))
    })
  },
})

export const webhookDeliveries = [listRoute, replayRoute]

const toWireDelivery = (delivery: DeliveryRow): WebhookDelivery => ({
  id: delivery.deliveryId,
  endpointID: delivery.isCallback ? null : delivery.destinationId,
  webhookID: delivery.eventId,
  journeyID: delivery.journeyId,
  sequence: delivery.sequence,
  status: delivery.status,
  state: delivery.state,
  attempts: delivery.attempt,
  lastAnswer: delivery.lastAnswer,
  lastAttemptAt: delivery.lastAttemptAt?.toISOString() ?? null,
  nextAttemptAt: delivery.dueAt?.toISOString() ?? null,
  deliveredAt: delivery.deliveredAt?.toISOString() ?? null,
  createdAt: delivery.createdAt.toISOString(),
})
