// Routes that list and resend the deliveries of lifecycle updates (D1 §6).

import { Refusal } from '@lendloom/foundation/refusal'
import { isUuid } from '@lendloom/foundation/uuid'
import { pageOf, pageRequest } from '@lendloom/http/pagination'
import { answer } from '@lendloom/http/server'
import type { Tx } from '@lendloom/postgres/sql'
import { NoBody } from '@lendloom/wire/basic-schemas'
import type { LifecycleStatus } from '@lendloom/wire/hosted/lifecycle'
import type { LoanEventType } from '@lendloom/wire/hosted/loan-event'
import { numberOfUpdate } from '@lendloom/wire/hosted/loan-event-types'
import {
  ById,
  LoanEventDelivery,
  LoanEventDeliveryList,
  LoanEventDeliveryQuery,
  WebhookDelivery,
  WebhookDeliveryList,
  WebhookDeliveryQuery,
} from '@lendloom/wire/hosted/webhook-endpoint'
import { type Context, route } from '#platform/context.ts'
import { apiKey } from '#platform/integrators/access/api-key.ts'
import { type DeliveryRow, type ListFilter, noFilter } from '#platform/integrators/webhook/delivery.ts'
import { resendDelivery } from '#platform/integrators/webhook/resend-delivery.ts'
import { listDeliveries, type Owner } from '#platform/integrators/webhook/store.ts'
import { runOncePerKey } from './once-per-key.ts'

const auth = apiKey('webhooks')
const section = 'D1 §6'
const path = '/api/lab/webhook-deliveries'
const loanPath = '/api/lab/loan-event-deliveries'

interface ListedBy {
  journeyID?: string
  endpointID?: string
  state?: DeliveryRow['state']
  missing?: 'true'
  limit?: string
  cursor?: string
}

/** One page of the deliveries of lifecycle updates, or of events of loans. */
async function pageOfDeliveries<Item>(
  { db }: Pick<Context, 'db'>,
  who: Owner,
  query: ListedBy,
  of: Pick<ListFilter, 'status' | 'isOfLoan'> & { toItem(delivery: DeliveryRow): Item },
) {
  const { limit, after } = pageRequest(query)
  const filter = {
    ...noFilter,
    before: after,
    journeyId: query.journeyID ?? null,
    endpointId: query.endpointID ?? null,
    status: of.status,
    state: query.state ?? null,
    isMissing: query.missing === 'true',
    isOfLoan: of.isOfLoan,
  }
  const rows = await listDeliveries(db, who, filter, limit + 1)
  return pageOf(rows, limit, of.toItem, ({ deliveryId }) => deliveryId)
}

const listRoute = route({
  method: 'GET',
  path,
  section,
  operationId: 'listWebhookDeliveries',
  summary: 'List deliveries of lifecycle updates, newest first',
  auth,
  query: WebhookDeliveryQuery,
  reply: { 200: WebhookDeliveryList },
  async handle({ who, query }, ctx) {
    const of = { status: query.status ?? null, isOfLoan: false, toItem: toWireDelivery }
    return { data: await pageOfDeliveries(ctx, who, query, of) }
  },
})

const listLoanRoute = route({
  method: 'GET',
  path: loanPath,
  section,
  operationId: 'listLoanEventDeliveries',
  summary: 'List deliveries of events of loans, newest first',
  auth,
  query: LoanEventDeliveryQuery,
  reply: { 200: LoanEventDeliveryList },
  async handle({ who, query }, ctx) {
    const of = { status: query.type ?? null, isOfLoan: true, toItem: toWireLoanDelivery }
    return { data: await pageOfDeliveries(ctx, who, query, of) }
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
  handle: (call, ctx) =>
    runOncePerKey(ctx, { operation: `POST ${path}/{id}/replay` }, call, async (tx) =>
      answer(202, toWireDelivery(await resend(tx, call, false))),
    ),
})

const replayLoanRoute = route({
  method: 'POST',
  path: `${loanPath}/{id}/replay`,
  section,
  operationId: 'replayLoanEventDelivery',
  summary: 'Resend an event of a loan under the same webhook-id',
  auth,
  params: ById,
  body: NoBody,
  reply: { 202: LoanEventDelivery },
  handle: (call, ctx) =>
    runOncePerKey(ctx, { operation: `POST ${loanPath}/{id}/replay` }, call, async (tx) =>
      answer(202, toWireLoanDelivery(await resend(tx, call, true))),
    ),
})

interface ResendCall {
  who: Owner
  params: { id: string }
  at: Date
}

function resend(tx: Tx, { who, params, at }: ResendCall, isOfLoan: boolean): Promise<DeliveryRow> {
  if (!isUuid(params.id)) throw new Refusal('absent', 'there is no such delivery')
  return resendDelivery(tx, who, { deliveryId: params.id, isOfLoan }, at)
}

export const webhookDeliveries = [listRoute, listLoanRoute, replayRoute, replayLoanRoute]

const wireOfBoth = (delivery: DeliveryRow) => ({
  id: delivery.deliveryId,
  endpointID: delivery.isCallback ? null : delivery.destinationId,
  webhookID: delivery.eventId,
  journeyID: delivery.journeyId,
  sequence: numberOfUpdate(delivery.sequence),
  state: delivery.state,
  attempts: delivery.attempt,
  lastAnswer: delivery.lastAnswer,
  lastAttemptAt: delivery.lastAttemptAt?.toISOString() ?? null,
  nextAttemptAt: delivery.dueAt?.toISOString() ?? null,
  deliveredAt: delivery.deliveredAt?.toISOString() ?? null,
  createdAt: delivery.createdAt.toISOString(),
})

/** Of a delivery that the list or the resend has found among lifecycle updates. */
const toWireDelivery = (delivery: DeliveryRow): WebhookDelivery => ({
  ...wireOfBoth(delivery),
  status: delivery.status as LifecycleStatus,
})

/** Of a delivery that the list or the resend has found among events of loans, whose own sequence is in the body. */
const toWireLoanDelivery = (delivery: DeliveryRow): LoanEventDelivery => ({
  ...wireOfBoth(delivery),
  type: delivery.status as LoanEventType,
})
