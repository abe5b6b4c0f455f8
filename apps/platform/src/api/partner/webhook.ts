// POST /api/partner/webhook: authenticates, validates, stores and acknowledges a partner's event (D3 §4.2). A worker
// applies the event afterwards.

import { receive } from '@lendloom/event-log/inbox'
import { Refusal } from '@lendloom/foundation/refusal'
import { jsonBody } from '@lendloom/http/body'
import { type Auth, anyone } from '@lendloom/http/server'
import { bearer as bearerIn } from '@lendloom/seal/token'
import { maxEventBytes, readEnvelope, requireIdempotencyKey, requireSender } from '@lendloom/wire/exchange/envelope'
import { EventReceipt, receiptOf } from '@lendloom/wire/exchange/event-receipt'
import { exchangeApi } from '@lendloom/wire/exchange/openapi'
import { requireKnownKey, requireSignature, type Secrets } from '@lendloom/wire/exchange/signature'
import vectors from '@lendloom/wire/exchange/vectors.json' with { type: 'json' }
import { type Context, route } from '#platform/context.ts'
import { limitPartner } from '#platform/integrators/access/rate-limit.ts'
import { examplePartnerUrl } from '#platform/lenders/partner/call-partner.ts'
import { holderOf, incomingAt, type Partner } from '#platform/lenders/partner/directory/lending-partner.ts'
import { keysOfCase, partnersOf } from '#platform/lenders/partner/partner-look-ups.ts'

type SignedPartner = Pick<Partner, 'partnerId' | 'sender'> & { secrets: Secrets }

/** Authenticates a partner by its bearer credential before the body is read, and then by its signature. */
const signedPartner: Auth<Context, SignedPartner> = {
  scheme: 'partnerBearer',
  async check(arrival, ctx) {
    const { headers, at } = arrival
    const bearer = bearerIn(headers)
    const partner = bearer === null ? undefined : holderOf(await partnersOf(ctx).all(ctx.db), bearer, at)
    if (!partner) throw new Refusal('bad-credential', 'the bearer credential is missing or unknown')
    const { partnerId, sender } = partner
    await limitPartner(ctx, arrival, sender)
    const keys = incomingAt(partner, at).map(({ keyId, secret }) => [keyId, secret])
    const secrets = Object.fromEntries(keys)
    requireKnownKey(secrets, headers)
    return { partnerId, sender, secrets }
  },
  verifyBody: ({ headers, raw, at }, { secrets }) => requireSignature(secrets, headers, raw, at),
}

export const exchangeDocument = route({
  method: 'GET',
  path: '/api/partner/openapi.json',
  section: 'operation',
  summary: 'Get the five interfaces of the exchange as OpenAPI 3.1',
  auth: anyone,
  hidden: true,
  handle: (_, { config }) => exchangeApi({ partnerUrl: examplePartnerUrl, platformUrl: config.PUBLIC_URL }),
})

/** For implementers of the exchange: valid and invalid signatures of events (D3 §5). */
export const signatureVectors = route({
  method: 'GET',
  path: '/api/partner/signature-vectors.json',
  section: 'operation',
  summary: 'Get test vectors of valid and invalid event signatures',
  auth: anyone,
  hidden: true,
  handle: () => vectors,
})

export const webhookRoute = route({
  method: 'POST',
  path: '/api/partner/webhook',
  section: 'D3 §4.2',
  // Not in the OpenAPI document for integrators; the document of the exchange describes this route.
  hidden: true,
  summary: 'Receive an event of a lending partner; a receipt only confirms that it is stored',
  auth: signedPartner,
  accepts: 'raw',
  maxBytes: maxEventBytes,
  reply: { 200: EventReceipt, 202: EventReceipt },
  async handle({ who, raw, headers, at }, ctx) {
    const contentType = headers['content-type']
    const json = jsonBody(raw, typeof contentType === 'string' ? contentType : undefined)
    requireSender(json, { sender: who.sender, side: 'partner' })
    const event = readEnvelope(json)
    // The idempotency key is optional, but must equal the id of the event (D3 §2.1).
    if (headers['idempotency-key'] !== undefined) requireIdempotencyKey(headers, event.event_id)
    const caseRef = event.correlation.external_reference_id
    const caseKeys = await keysOfCase(ctx, caseRef)
    // A case of another partner is refused like an unknown case, so that the response does not reveal the case.
    if (caseKeys?.partnerId !== who.partnerId)
      throw new Refusal('absent', 'there is no such case', { field: 'correlation.external_reference_id' })
    const receipt = await receive(ctx, {
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
    return receiptOf(event.event_id, receipt)
  },
})
