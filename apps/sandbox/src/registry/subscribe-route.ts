// POST /registry/subscribe: verifies the host and the keys of a subscriber and enters it as a participant (FIS12 §6.2, v1.0).

import { randomBytes } from 'node:crypto'
import { fieldsOf } from '@lendloom/foundation/record'
import { OneOf, parse, Type } from '@lendloom/foundation/schema'
import { readJson } from '@lendloom/http/body'
import { readHtml } from '@lendloom/http/html'
import { answer } from '@lendloom/http/server'
import { encryptChallenge, verifySiteSignature } from '@lendloom/wire/network/challenge'
import { ack, nack } from '@lendloom/wire/network/context'
import { type Context, partyOf, route } from '#sandbox/core/context.ts'
import { registryId } from './open-parties.ts'
import { enterParticipant, type ParticipantRole } from './store.ts'

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
  summary: 'Verifies a host and its keys, then enters it in the directory',
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

interface Application {
  requestId: string
  subscriberId: string
  uniqueKeyId: string
  callbackPath: string
  country: string
  signingPublicKey: string
  encryptionPublicKey: string
  validFrom: Date
  validUntil: Date
  roles: { type: ParticipantRole; url: string; domain: string; city: string }[]
}

/**
 * Verifies the signature on the applicant's page and that the endpoint can decrypt the challenge, then enters the
 * applicant as SUBSCRIBED. Returns null, or the reason for a refusal. Subscriber ids do not resolve in the sandbox, so
 * page and endpoint are fetched from the origin of the subscriber URL.
 */
async function onboard(ctx: Context, at: Date, applicant: Application): Promise<string | null> {
  const { subscriberId, roles, validFrom, validUntil } = applicant
  if (ctx.parties.has(subscriberId)) return 'this subscriber id belongs to a party of the sandbox'
  if (!(validFrom <= at && at < validUntil)) return 'the key pair is not valid now'
  const origins = new Set(roles.map(({ url }) => new URL(url).origin))
  for (const origin of origins) {
    const refusal = (await checkPage(ctx, origin, applicant)) ?? (await checkChallenge(ctx, origin, applicant))
    if (refusal !== null) return refusal
  }
  await ctx.db.tx(async (tx) => {
    for (const { type, url, domain, city } of roles)
      await enterParticipant(tx, {
        subscriberId,
        uniqueKeyId: applicant.uniqueKeyId,
        type,
        domain,
        subscriberUrl: url,
        country: applicant.country,
        city,
        signingPublicKey: applicant.signingPublicKey,
        encryptionPublicKey: applicant.encryptionPublicKey,
        validFrom,
        validUntil,
        status: 'SUBSCRIBED',
        createdAt: at,
        updatedAt: at,
      })
  })
  return null
}

async function checkPage({ outside }: Context, origin: string, applicant: Application): Promise<string | null> {
  const page = await outside.get(`${origin}/ondc-site-verification.html`)
  if (page === null) return 'ondc-site-verification.html could not be fetched'
  const metas = readHtml(page).all('meta')
  const signature = metas.find(({ attributes }) => attributes.name === 'ondc-site-verification')?.attributes.content
  if (!signature) return 'ondc-site-verification.html carries no signature'
  const isSigned = orNull(() => verifySiteSignature(applicant.requestId, signature, applicant.signingPublicKey))
  return isSigned ? null : 'the signature in ondc-site-verification.html does not fit the request id and the key'
}

async function checkChallenge(ctx: Context, origin: string, applicant: Application): Promise<string | null> {
  const secretText = randomBytes(24).toString('base64url')
  const { privateKey } = partyOf(ctx.parties, registryId).encryption
  const challenge = orNull(() => encryptChallenge(secretText, privateKey, applicant.encryptionPublicKey))
  if (challenge === null) return 'the encryption public key is not an X25519 key in base64 DER'
  const path = applicant.callbackPath.replace(/^\/+|(?<!\/)\/+$/g, '')
  const url = `${origin}/${path === '' ? '' : `${path}/`}on_subscribe`
  const reply = await ctx.outside.postJson(url, { subscriber_id: applicant.subscriberId, challenge })
  return fieldsOf(reply).answer === secretText ? null : 'on_subscribe did not decrypt the challenge'
}

/** Null when `work` throws: keys and signatures of unknown senders may be malformed. */
function orNull<T>(work: () => T): T | null {
  try {
    return work()
  } catch {
    return null
  }
}
