// Who calls: a bearer credential that belongs to one platform, and the keys that this platform signs with (D3 §5).
import type { Secrets } from '#contract/exchange/signature.ts'
import { bearer, digestOf, sameDigest } from '#kit/crypto/secret.ts'
import { Refusal } from '#kit/http/refusal.ts'
import type { Auth } from '#kit/http/server.ts'
import type { Context } from '#partner/context.ts'
import type { Client } from '#partner/exchange/client.ts'
import { limitClient } from './rate-limit.ts'

/** The platform whose credential the request carries; refused as `bad-credential` (401) when it carries none of ours. */
export const clientBearer: Auth<Context, Client> = {
  scheme: 'partnerBearer',
  check(arrival, { config }) {
    const given = bearer(arrival.headers)
    const client = given === null ? undefined : holderOf(config.PARTNER_CLIENTS, given)
    if (!client) throw new Refusal('bad-credential', 'the bearer credential is missing or unknown')
    limitClient(config, arrival, client.sender)
    return client
  },
}

/** Every credential is compared, each in constant time: how long it takes says nothing about how near a guess was. */
function holderOf(clients: Client[], given: string): Client | undefined {
  const digests = known.get(clients) ?? clients.map(({ bearer }) => digestOf(bearer))
  known.set(clients, digests)
  const digest = digestOf(given)
  return clients.filter((_, i) => sameDigest(digests[i]!, digest))[0]
}

const known = new WeakMap<Client[], Buffer[]>()

/** The secrets a client may sign with now. */
export const secretsOf = ({ keys }: Client): Secrets =>
  Object.fromEntries(keys.map(({ keyId, secret }) => [keyId, secret]))
