// Who calls: a partner by its own credential, and every event signed over its exact bytes (D3 §5).
import { requireSignature } from '#contract/exchange/signature.ts'
import { bearer as bearerIn } from '#kit/crypto/token.ts'
import { Refusal } from '#kit/http/refusal.ts'
import type { Auth } from '#kit/http/server.ts'
import { limitPartner } from '#platform/access/rate-limit.ts'
import type { Context } from '#platform/context.ts'
import { holderOf, incomingAt, type Partner } from '#platform/exchange/partner.ts'
import { partnersOf } from '#platform/exchange/partners.ts'

/** The partner whose credential and signature the request carries; nothing of the body is read before both hold. */
export const signedPartner: Auth<Context, Pick<Partner, 'partnerId' | 'sender'>> = {
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
