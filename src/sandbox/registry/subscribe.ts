// POST /registry/subscribe: a new subscriber becomes a participant after proving its host and its keys (FIS12 §6.2, v1.0).
import { ack, nack } from '#contract/network/context.ts'
import { readJson } from '#kit/http/body.ts'
import { OneOf, parse, Type } from '#kit/http/schema.ts'
import { answer } from '#kit/http/server.ts'
import { route } from '#sandbox/core/context.ts'
import { onboard } from './onboard.ts'

const Key = Type.String({ minLength: 1, maxLength: 400 })
const Instant = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T', 'x-says': 'must be an RFC 3339 timestamp' })

const Subscription = Type.Object({
  context: Type.Object({ operation: Type.Object({ ops_no: Type.Integer({ minimum: 1, maximum: 4 }) }) }),
  message: Type.Object({
    request_id: Type.String({ minLength: 1, maxLength: 128 }),
    entity: Type.Object({
      subscriber_id: Type.String({ minLength: 3, maxLength: 253 }),
      unique_key_id: Type.String({ minLength: 1, maxLength: 128 }),
      callback_url: Type.String({ maxLength: 500 }),
      country: Type.Optional(Type.String()),
      key_pair: Type.Object({
        signing_public_key: Key,
        encryption_public_key: Key,
        valid_from: Instant,
        valid_until: Instant,
      }),
    }),
    network_participant: Type.Array(
      Type.Object({
        subscriber_url: Type.String({ pattern: '^https?://[^\\s/]+', 'x-says': 'must be an http(s) URL' }),
        domain: Type.String(),
        type: OneOf(['buyerApp', 'sellerApp']),
        city_code: Type.Optional(Type.Array(Type.String())),
      }),
      { minItems: 1, maxItems: 2 },
    ),
  }),
})

export const subscribe = route({
  method: 'POST',
  path: '/registry/subscribe',
  section: 'FIS12 §6.2',
  summary: 'Proves a host and its keys, then enters it in the directory',
  accepts: 'raw',
  async handle({ raw, at }, ctx) {
    const { message } = parse(Subscription, readJson(raw))
    const { request_id, entity, network_participant } = message
    const refusal = await onboard(ctx, at, {
      requestId: request_id,
      subscriberId: entity.subscriber_id,
      uniqueKeyId: entity.unique_key_id,
      callbackPath: entity.callback_url,
      country: entity.country ?? 'IND',
      signingPublicKey: entity.key_pair.signing_public_key,
      encryptionPublicKey: entity.key_pair.encryption_public_key,
      validFrom: new Date(entity.key_pair.valid_from),
      validUntil: new Date(entity.key_pair.valid_until),
      roles: network_participant.map((each) => ({
        type: each.type === 'buyerApp' ? ('BAP' as const) : ('BPP' as const),
        url: each.subscriber_url,
        domain: each.domain,
        city: each.city_code?.[0] ?? '*',
      })),
    })
    return refusal === null ? ack : answer(400, nack({ code: '400', message: refusal }))
  },
})
