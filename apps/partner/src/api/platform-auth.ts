// Authenticates a platform by its bearer credential, and returns its signing keys (D3 §5).

import { Refusal } from '@lendloom/foundation/refusal'
import type { Auth } from '@lendloom/http/server'
import { bearer } from '@lendloom/seal/token'
import type { Secrets } from '@lendloom/wire/exchange/signature'
import type { Context } from '#partner/context.ts'
import type { Client } from '#partner/exchange/clients-setting.ts'
import { platformsOf } from './platforms.ts'
import { limitClient } from './rate-limit.ts'

/** Returns the platform of the credential. Throws `bad-credential` (401) for a missing or unknown credential. */
export const clientBearer: Auth<Context, Client> = {
  scheme: 'partnerBearer',
  async check(arrival, ctx) {
    const token = bearer(arrival.headers)
    const client = token === null ? undefined : platformsOf(ctx).holderOf(token)
    if (!client) throw new Refusal('bad-credential', 'the bearer credential is missing or unknown')
    await limitClient(ctx, arrival, client.sender)
    return client
  },
  // Not the whole client, which has its signing keys.
  nameOf: ({ sender }) => sender,
}

/** Returns a client's active signing secrets by key id. */
export const signingSecretsOf = ({ keys }: Client): Secrets =>
  Object.fromEntries(keys.map(({ keyId, secret }) => [keyId, secret]))
