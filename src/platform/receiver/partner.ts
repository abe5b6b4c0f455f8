// Who calls: the partner by its own credential, and every event signed over its exact bytes (D3 §5).
import { createHash, timingSafeEqual } from 'node:crypto'
import { requireSignature } from '#contract/exchange/signature.ts'
import type { Auth } from '#kit/http-server.ts'
import { Refusal } from '#kit/refusal.ts'
import { limitPartner } from '#platform/access/rate-limit.ts'
import { credentialsOf } from '#platform/exchange/call.ts'
import type { World } from '#platform/world.ts'

/** The partner whose credential and signature the request carries; nothing of the body is read before both hold. */
export const signedPartner: Auth<World, { sender: string }> = {
  scheme: 'partnerBearer',
  check(arrival, world) {
    const { headers, raw, at } = arrival
    const { sender, bearer, keys } = credentialsOf(world).webhook
    const { authorization } = headers
    const [, given] = /^Bearer +([\x21-\x7e]+)$/i.exec(typeof authorization === 'string' ? authorization : '') ?? []
    if (given === undefined || !timingSafeEqual(digestOf(given), digestOf(bearer)))
      throw new Refusal('bad-credential', 'the bearer credential is missing or unknown')
    limitPartner(world, arrival, sender)
    requireSignature(Object.fromEntries(keys.map(({ keyId, secret }) => [keyId, secret])), headers, raw, at)
    return { sender }
  },
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest()
