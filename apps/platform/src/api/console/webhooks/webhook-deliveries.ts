// Deliveries of webhooks in the console: the filtered list, one delivery with its attempts, and its replay.

import { Refusal } from '@lendloom/foundation/refusal'
import { OfTenant } from '@lendloom/wire/console/staff'
import { Deliveries, Delivery, DeliveryDetail, DeliveryParams, DeliveryQuery } from '@lendloom/wire/console/webhooks'
import { consolePrefix, instantIn, pageById, pageOfRows } from '#platform/api/console/console-route.ts'
import { byAnyUser, byDevelopers } from '#platform/api/console/rights.ts'
import { applicationsOf } from '#platform/api/console/tenant-store.ts'
import { type Context, route } from '#platform/context.ts'
import { bodyContext, versionOf } from '#platform/integrators/webhook/delivery.ts'
import { deliveryPolicyOf } from '#platform/integrators/webhook/delivery-policy.ts'
import { secretsOf } from '#platform/integrators/webhook/endpoint/endpoint-secret.ts'
import { secretsOfApplications, secretsOfEndpoint } from '#platform/integrators/webhook/endpoint/store.ts'
import { headersOf } from '#platform/integrators/webhook/post-signed.ts'
import { resendDelivery } from '#platform/integrators/webhook/resend-delivery.ts'
import { ownerOfDelivery } from '#platform/integrators/webhook/store.ts'
import { noteStaffAct } from '#platform/people/audit.ts'
import { tenantOrPlatform } from '#platform/people/person.ts'
import { findArchivedRow, mainText } from '#platform/records/archive/read-archive.ts'
import { bodyWire, deliveryWire, headersWire, lastTryOf, triesWire, waitReasonOf } from './webhook-view.ts'
import { findWholeDelivery, listConsoleDeliveries, listStoredTries, type WholeDelivery } from './webhooks-store.ts'

const path = `${consolePrefix}/webhooks/deliveries`

const list = route({
  ...byAnyUser,
  method: 'GET',
  path,
  summary: 'Deliveries of lifecycle updates, newest first; platform staff see all tenants unless they select one',
  query: DeliveryQuery,
  reply: { 200: Deliveries },
  async handle({ who, query }, { db }): Promise<Deliveries> {
    const tenantId = tenantOrPlatform(who, query.tenantId)
    const page = pageById(query)
    const { endpointId = null, journeyId = null, eventId = null, state = null, status = null } = query
    const times = { from: instantIn(query.from), until: instantIn(query.until) }
    const scope = tenantId === null ? null : { tenantId, applicationIds: await applicationIdsOf(db, tenantId) }
    const filter = { endpointId, journeyId, eventId: eventId?.toLowerCase() ?? null, state, status, ...times }
    const rows = await listConsoleDeliveries(db, scope, filter, { ...page, limit: page.limit + 1 })
    return pageOfRows(rows, page, { item: deliveryWire, cursor: ({ deliveryId }) => deliveryId })
  },
})

const applicationIdsOf = async (db: Context['db'], tenantId: string): Promise<string[]> =>
  (await applicationsOf(db, tenantId)).map(({ applicationId }) => applicationId)

const absent = () => new Refusal('absent', 'there is no such delivery')

/** Finds a delivery, of any tenant if platform staff select none. Throws `absent` if there is none. */
async function requireDelivery(
  db: Context['db'],
  selectedTenantId: string | null,
  deliveryId: string,
): Promise<WholeDelivery> {
  const tenantId = selectedTenantId ?? (await ownerOfDelivery(db, deliveryId))?.tenantId
  if (tenantId === undefined) throw absent()
  const delivery = await findWholeDelivery(
    db,
    { tenantId, applicationIds: await applicationIdsOf(db, tenantId) },
    deliveryId,
  )
  if (!delivery) throw absent()
  return delivery
}

const get = route({
  ...byAnyUser,
  method: 'GET',
  path: `${path}/{deliveryId}`,
  summary: 'A delivery with its request, answers and attempts',
  params: DeliveryParams,
  query: OfTenant,
  reply: { 200: DeliveryDetail },
  async handle({ who, params, query, at }, ctx): Promise<DeliveryDetail> {
    const { db, seal } = ctx
    const delivery = await requireDelivery(db, tenantOrPlatform(who, query.tenantId), params.deliveryId)
    const sent = await sentBody(ctx, delivery)
    const [tries, headers] = await Promise.all([listStoredTries(db, delivery), sentHeaders(ctx, delivery, sent, at)])
    const { applicationId, correlationId, behindDeliveryId } = delivery
    const wire = deliveryWire(delivery)
    const body = bodyWire(sent)
    return {
      ...wire,
      applicationId,
      correlationId,
      request: { method: 'POST', url: wire.url, headers: headersWire(headers), body },
      tries: triesWire(seal, delivery, tries),
      waitsFor: waitReasonOf(delivery),
      behindDeliveryId: wire.state === 'PENDING' ? behindDeliveryId : null,
      lastTryAt: lastTryOf(delivery, deliveryPolicyOf(ctx.config)),
    }
  },
})

/** The exact body, also from the archive; empty if this process cannot read the archive. */
async function sentBody(ctx: Context, delivery: WholeDelivery): Promise<Buffer> {
  const { bodySealed, deliveryId } = delivery
  if (bodySealed) return ctx.seal.open(bodySealed, bodyContext(delivery))
  const name = { table: 'webhook_delivery', column: 'delivery_id', value: deliveryId }
  const archived = await findArchivedRow(ctx, delivery, name)
  return Buffer.from((archived && mainText(archived)) ?? '')
}

/** Headers of the last attempt, signed again with the current secrets. Signatures are not stored. */
async function sentHeaders(
  { db, seal }: Context,
  delivery: WholeDelivery,
  body: Buffer,
  at: Date,
): Promise<Record<string, string>> {
  const { tenantId, applicationId, eventId, correlationId, lastAttemptAt } = delivery
  const sealed = delivery.isCallback
    ? await secretsOfApplications(db, [{ tenantId, applicationId }])
    : await secretsOfEndpoint(db, { tenantId, endpointId: delivery.destinationId })
  const secrets = sealed.flatMap((each) => secretsOf(seal, tenantId, each, at))
  return headersOf({ eventId, secrets, body, correlationId, version: versionOf(delivery.status) }, lastAttemptAt ?? at)
}

const replayDelivery = route({
  ...byDevelopers,
  method: 'POST',
  path: `${path}/{deliveryId}/replay`,
  summary: 'Send the update again with the same webhook-id',
  params: DeliveryParams,
  query: OfTenant,
  reply: { 200: Delivery },
  async handle({ who, params: { deliveryId }, query, at }, { db }): Promise<Delivery> {
    const delivery = await requireDelivery(db, tenantOrPlatform(who, query.tenantId), deliveryId)
    const { tenantId, applicationId, url, tookMs, tries, isPaused, behindSequence, journeyId } = delivery
    const replayed = await db.tx(async (tx) => {
      const resent = await resendDelivery(tx, { tenantId, applicationId }, { deliveryId }, at)
      await noteStaffAct({ tx, at }, who, {
        act: 'WEBHOOK_REPLAYED',
        subject: deliveryId,
        tenantId,
        detail: { journeyId },
      })
      return resent
    })
    return deliveryWire({ ...replayed, tenantId, url, tookMs, tries, isPaused, behindSequence })
  },
})

export const deliveryRoutes = [list, get, replayDelivery]
