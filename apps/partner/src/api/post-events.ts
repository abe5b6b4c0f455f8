// POST /events: verifies the sender and the signature before parsing, then stores the event (D3 §4.2).

import { receive } from '@lendloom/event-log/inbox'
import { Refusal } from '@lendloom/foundation/refusal'
import { readJson } from '@lendloom/http/body'
import { maxEventBytes, readEnvelope, requireIdempotencyKey, requireSender } from '@lendloom/wire/exchange/envelope'
import { EventReceipt, receiptOf } from '@lendloom/wire/exchange/event-receipt'
import { requireSignature } from '@lendloom/wire/exchange/signature'
import { route } from '#partner/context.ts'
import { clientBearer, signingSecretsOf } from './platform-auth.ts'
import { requireOwner } from './require-owner.ts'

export const postEvents = route({
  method: 'POST',
  path: '/events',
  section: 'D3 §4.2',
  summary: 'Receive a lead or a journey event; 202 means that it is stored and will be processed later',
  auth: clientBearer,
  accepts: 'raw',
  maxBytes: maxEventBytes,
  reply: { 200: EventReceipt, 202: EventReceipt },
  async handle({ who: client, headers, raw, at }, ctx) {
    requireSignature(signingSecretsOf(client), headers, raw, at)
    if (!/^application\/json\s*(;|$)/i.test(String(headers['content-type'])))
      throw new Refusal('unsupported-media', 'the body must be application/json')
    const json = readJson(raw)
    requireSender(json, { sender: client.sender, side: 'platform' })
    const event = readEnvelope(json)
    // The event id is the idempotency key; a header is optional and must be equal (D3 §2.1).
    if (headers['idempotency-key'] !== undefined) requireIdempotencyKey(headers, event.event_id)
    await requireOwner(ctx, client, event.correlation.external_reference_id)
    const received = await receive(ctx, {
      sender: client.sender,
      eventId: event.event_id,
      type: event.event_type,
      partitionKey: event.correlation.external_reference_id,
      entityType: event.entity_type,
      entityId: event.entity_id,
      entityVersion: event.entity_version,
      raw,
      receivedAt: at,
    })
    return receiptOf(event.event_id, received)
  },
})
