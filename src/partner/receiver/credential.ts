// The caller: a bearer credential of one platform, and that platform's signing keys (D3 §5).
import type { Secrets } from '#contract/exchange/signature.ts'
import { bearer } from '#kit/crypto/token.ts'
import { Refusal } from '#kit/http/refusal.ts'
import type { Auth } from '#kit/http/server.ts'
import type { Context } from '#partner/context.ts'
import type { Client } from '#partner/exchange/client.ts'
import { platformsOf } from './platforms.ts'
import { limitClient } from './rate-limit.ts'

/** The platform with the request's credential; refused as `bad-credential` (401) for an unknown one. */
export const clientBearer: Auth<Context, Client> = {
  scheme: 'partnerBearer',
  check(arrival, ctx) {
    const given = bearer(arrival.headers)
    const client = given === null ? undefined : platformsOf(ctx).holderOf(given)
    if (!client) throw new Refusal('bad-credential', 'the bearer credential is missing or unknown')
    limitClient(ctx, arrival, client.sender)
    return client
  },
}

/** The secrets a client may sign with now. */
export const secretsOf = ({ keys }: Client): Secrets =>
  Object.fromEntries(keys.map(({ keyId, secret }) => [keyId, secret]))
