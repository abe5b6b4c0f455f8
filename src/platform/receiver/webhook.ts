// POST /api/partner/webhook: proves, reads, stores and acknowledges an event of a partner; it is applied later (D3 §4.2).
import {
  EventReceipt,
  maxEventBytes,
  readEnvelope,
  receiptOf,
  requireIdempotencyKey,
  requireSender,
} from '#contract/exchange/envelope.ts'
import { exchangeApi } from '#contract/exchange/openapi.ts'
import { requireSignature } from '#contract/exchange/signature.ts'
import { bearer as bearerIn } from '#kit/crypto/token.ts'
import { jsonBody } from '#kit/http/body.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { type Auth, anyone } from '#kit/http/server.ts'
import { receive } from '#kit/messaging/inbox.ts'
import { limitPartner } from '#platform/access/rate-limit.ts'
import { type Context, route } from '#platform/context.ts'
import { examplePartnerUrl } from '#platform/exchange/call.ts'
import { holderOf, incomingAt, type Partner } from '#platform/exchange/partner/store.ts'
import { keysOfCase, partnersOf } from '#platform/exchange/partners.ts'

/** The partner with the request's credential and signature; the body is parsed only after both are verified. */
const signedPartner: Auth<Context, Pick<Partner, 'partnerId' | 'sender'>> = {
  scheme: 'partnerBearer',
  async check(arrival, ctx) {
    const { headers, raw, at } = arrival
    const given = bearerIn(headers)
    const partner = given === null ? undefined : holderOf(await partnersOf(ctx).all(ctx.db), given, at)
    if (!partner) throw new Refusal('bad-credential', 'the bearer credential is missing or unknown')
    const { partnerId, sender } = partner
    limitPartner(ctx, arrival, sender)
    const keys = incomingAt(partner, at).map(({ keyId, secret }) => [keyId, secret])
    requireSignature(Object.fromEntries(keys), headers, raw, at)
    return { partnerId, sender }
  },
}

export const exchangeDocument = route({
  method: 'GET',
  path: '/api/partner/openapi.json',
  section: 'operation',
  summary: 'The five interfaces of the exchange as OpenAPI 3.1',
  auth: anyone,
  hidden: true,
  handle: (_, { config }) => exchangeApi({ partnerUrl: examplePartnerUrl, platformUrl: config.PUBLIC_URL }),
})

export const webhook = route({
  method: 'POST',
  path: '/api/partner/webhook',
  section: 'D3 §4.2',
  // Its document is the one of the exchange, not the one for integrators.
  hidden: true,
  summary: 'Take an event of a lending partner: a receipt says that it is stored, and nothing more',
  auth: signedPartner,
  accepts: 'raw',
  maxBytes: maxEventBytes,
  reply: { 200: EventReceipt, 202: EventReceipt },
  async handle({ who, raw, headers, at }, ctx) {
    const contentType = headers['content-type']
    const json = jsonBody(raw, typeof contentType === 'string' ? contentType : undefined)
    requireSender(json, { sender: who.sender, side: 'partner' })
    const event = readEnvelope(json)
    // The event identifies itself: a separate key is optional and must not differ (D3 §2.1).
    if (headers['idempotency-key'] !== undefined) requireIdempotencyKey(headers, event.event_id)
    const caseRef = event.correlation.external_reference_id
    const place = await keysOfCase(ctx, caseRef)
    // Another partner's case is answered as an unknown one, so that its owner is not revealed.
    if (place?.partnerId !== who.partnerId)
      throw new Refusal('absent', 'there is no such case', { field: 'correlation.external_reference_id' })
    const received = await receive(ctx, {
      sender: who.sender,
      eventId: event.event_id,
      type: event.event_type,
      partitionKey: caseRef,
      entityType: event.entity_type,
      entityId: event.entity_id,
      entityVersion: event.entity_version,
      raw,
      receivedAt: at,
    })
    return receiptOf(event.event_id, received)
  },
})
