// The proof of a new participant: its page carries the request id signed, and its endpoint can open our challenge.

import { randomBytes } from 'node:crypto'
import { encryptChallenge, verifySiteSignature } from '#contract/network/challenge.ts'
import { readHtml } from '#kit/http/html.ts'
import { fieldsOf } from '#kit/runtime/narrow.ts'
import { type Context, partyOf } from '#sandbox/core/context.ts'
import { registryId } from './open-parties.ts'
import type { Role } from './participant.ts'
import { enterParticipant } from './store.ts'

export interface Application {
  requestId: string
  subscriberId: string
  uniqueKeyId: string
  callbackPath: string
  country: string
  signingPublicKey: string
  encryptionPublicKey: string
  validFrom: Date
  validUntil: Date
  roles: { type: Role; url: string; domain: string; city: string }[]
}

/**
 * Enters the applicant as SUBSCRIBED and gives null, or gives the reason why not. In the sandbox a subscriber id resolves
 * nowhere, so the page and the endpoint are asked for at the origin of its subscriber URL.
 */
export async function onboard(ctx: Context, at: Date, applicant: Application): Promise<string | null> {
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
  const signed = attempt(() => verifySiteSignature(applicant.requestId, signature, applicant.signingPublicKey))
  return signed ? null : 'the signature in ondc-site-verification.html does not fit the request id and the key'
}

async function checkChallenge(ctx: Context, origin: string, applicant: Application): Promise<string | null> {
  const plain = randomBytes(24).toString('base64url')
  const { privateKey } = partyOf(ctx.parties, registryId).encryption
  const challenge = attempt(() => encryptChallenge(plain, privateKey, applicant.encryptionPublicKey))
  if (challenge === null) return 'the encryption public key is not an X25519 key in base64 DER'
  const path = applicant.callbackPath.replace(/^\/+|(?<!\/)\/+$/g, '')
  const url = `${origin}/${path === '' ? '' : `${path}/`}on_subscribe`
  const reply = await ctx.outside.postJson(url, { subscriber_id: applicant.subscriberId, challenge })
  return fieldsOf(reply).answer === plain ? null : 'on_subscribe did not open the challenge'
}

/** Keys and signatures of unknown senders may be no keys at all. */
function attempt<T>(work: () => T): T | null {
  try {
    return work()
  } catch {
    return null
  }
}
