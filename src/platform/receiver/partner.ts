// Who calls: the partner by its own credential, and every event signed over its exact bytes (D3 §5).
import { requireSignature } from '#contract/exchange/signature.ts'
import { bearer as bearerIn, digestOf, sameDigest } from '#kit/crypto/secret.ts'
import { Refusal } from '#kit/http/refusal.ts'
import type { Auth } from '#kit/http/server.ts'
import { limitPartner } from '#platform/access/rate-limit.ts'
import type { Context } from '#platform/context.ts'
import { credentialsOf } from '#platform/exchange/call.ts'

/** The partner whose credential and signature the request carries; nothing of the body is read before both hold. */
export const signedPartner: Auth<Context, { sender: string }> = {
  scheme: 'partnerBearer',
  check(arrival, ctx) {
    const { headers, raw, at } = arrival
    const { sender, bearer, keys } = credentialsOf(ctx).webhook
    const given = bearerIn(headers)
    if (given === null || !sameDigest(digestOf(given), digestOf(bearer)))
      throw new Refusal('bad-credential', 'the bearer credential is missing or unknown')
    limitPartner(ctx, arrival, sender)
    requireSignature(Object.fromEntries(keys.map(({ keyId, secret }) => [keyId, secret])), headers, raw, at)
    return { sender }
  },
}
