// Subscribes to the network, registry version 1.0 (FIS12 §6.2): verification page, challenge, and subscription request.

import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { daysAfter } from '@lendloom/foundation/clock'
import { parseJson } from '@lendloom/foundation/json'
import { Refusal } from '@lendloom/foundation/refusal'
import { doublingPauses, pauseSeconds } from '@lendloom/foundation/schedule'
import { fits } from '@lendloom/foundation/schema'
import { messageOf } from '@lendloom/foundation/thrown'
import { call, UnreachableError } from '@lendloom/http/client'
import { egressPolicyOf } from '@lendloom/http/egress-policy'
import type { Worker } from '@lendloom/queue/queue'
import { formatUuid } from '@lendloom/seal/id'
import { decryptChallenge, encryptionKeysFrom, sitePage, siteSignature } from '@lendloom/wire/network/challenge'
import { Acknowledgement } from '@lendloom/wire/network/context'
import { signingKeysFrom } from '@lendloom/wire/network/signing'
import { domainsOf, identityOf, type NetworkConfig, type NetworkContext } from './own-identity.ts'
import { lookupRequest } from './registry.ts'

export const signingPublicKey = ({ NETWORK_SIGNING_KEY: key }: NetworkConfig): string =>
  signingKeysFrom(Buffer.from(key, 'base64').subarray(0, 32)).publicKey
export const encryptionPublicKey = ({ NETWORK_ENCRYPTION_KEY: key }: NetworkConfig): string =>
  encryptionKeysFrom(Buffer.from(key, 'base64').subarray(-32)).publicKey

/** Derives the request id from our subscriber id and keys, so that all processes serve the same verification page. */
function requestId(config: NetworkConfig): string {
  const { NETWORK_SUBSCRIBER_ID: id, NETWORK_KEY_ID: key } = config
  const text = [id, key, signingPublicKey(config), encryptionPublicKey(config)].join('|')
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return formatUuid(bytes)
}

export const verificationPage = ({ config }: NetworkContext): string =>
  sitePage(siteSignature(requestId(config), config.NETWORK_SIGNING_KEY))

/** Decrypts the registry's challenge. Throws `invalid` when it was not encrypted for our key. */
export async function openChallenge(ctx: NetworkContext, challenge: string): Promise<string> {
  const registryPublicKey = await registryEncryptionKey(ctx)
  try {
    return decryptChallenge(challenge, ctx.config.NETWORK_ENCRYPTION_KEY, registryPublicKey)
  } catch {
    throw new Refusal('invalid', 'challenge cannot be decrypted with our key', { field: 'challenge' })
  }
}

/** The configured key, or that of the sandbox's registry. */
export const registryEncryptionKey = async (ctx: NetworkContext): Promise<string> =>
  ctx.config.NETWORK_REGISTRY_ENCRYPTION_KEY || registryKey(ctx)

async function registryKey({ config }: NetworkContext): Promise<string> {
  const url = `${config.NETWORK_REGISTRY_URL}/encryption-key`
  const { status, body } = await orThrowUpstream(() => call({ method: 'GET', url, egress: egressPolicyOf(config) }))
  const key = status === 200 ? parseJson(body).encr_public_key : null
  if (typeof key !== 'string') throw new Refusal('upstream', 'the registry did not return its key')
  return key
}

/**
 * Subscribes unless the registry knows these keys already. Our own server must be running, because the registry calls it.
 * Throws `upstream` when the registry is unavailable, and `forbidden` with the registry's reason when it refuses.
 */
export async function subscribe(ctx: NetworkContext): Promise<'known' | 'subscribed'> {
  if (await isSubscribed(ctx)) return 'known'
  const { config } = ctx
  const url = `${config.NETWORK_REGISTRY_URL}/subscribe`
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify(subscription(config, ctx.clock()))
  // Before it answers, the registry fetches our verification page and sends a challenge.
  const answer = await orThrowUpstream(() =>
    call({ method: 'POST', url, headers, body, timeoutMs: 20_000, egress: egressPolicyOf(config) }),
  )
  if (answer.status >= 500) throw new Refusal('upstream', `the registry answered ${answer.status}`)
  const reply: unknown = parseJson(answer.body.length > 0 ? answer.body : 'null')
  const acknowledgement = fits(Acknowledgement, reply) ? reply : null
  if (acknowledgement?.message.ack.status === 'ACK') return 'subscribed'
  throw new Refusal('forbidden', `the registry refused: ${acknowledgement?.error?.message ?? answer.status}`)
}

/** Whether the registry lists our key in each of our domains. The registry refuses look-ups of unknown callers, so a refusal means no. */
async function isSubscribed(ctx: NetworkContext): Promise<boolean> {
  const { NETWORK_SUBSCRIBER_ID: id, NETWORK_KEY_ID: key } = ctx.config
  try {
    const participants = await lookupRequest(ctx, { subscriber_id: id, ukId: key, type: 'BAP' })
    const ownKey = signingPublicKey(ctx.config)
    return domainsOf(ctx.config).every((domain) =>
      participants.some(
        (each) =>
          each.status === 'SUBSCRIBED' &&
          each.signing_public_key === ownKey &&
          (each.domain === undefined || each.domain === domain),
      ),
    )
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

function subscription(config: NetworkConfig, at: Date) {
  const { id, uri } = identityOf(config)
  return {
    context: { operation: { ops_no: 1 } },
    message: {
      request_id: requestId(config),
      timestamp: at.toISOString(),
      entity: {
        ...JSON.parse(config.NETWORK_ENTITY),
        country: 'IND',
        subscriber_id: id,
        unique_key_id: config.NETWORK_KEY_ID,
        callback_url: new URL(uri).pathname,
        key_pair: {
          signing_public_key: signingPublicKey(config),
          encryption_public_key: encryptionPublicKey(config),
          // Starts an hour ago, to tolerate clock skew.
          valid_from: new Date(at.getTime() - 3_600_000).toISOString(),
          valid_until: daysAfter(at, 365).toISOString(),
        },
      },
      network_participant: domainsOf(config).map((domain) => ({
        subscriber_url: uri,
        domain,
        type: 'buyerApp',
        msn: false,
        city_code: ['*'],
      })),
    },
  }
}

async function orThrowUpstream<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt()
  } catch (error) {
    if (error instanceof UnreachableError)
      throw new Refusal('upstream', `the registry did not answer: ${error.message}`)
    throw error
  }
}

/** Pauses between attempts, because the registry may start after this program. */
export const subscribeSchedule = doublingPauses(0.2, 10)

const subscribingConfigs = new WeakSet<NetworkContext['config']>()

/** Whether this process is not subscribed yet. The network refuses its messages until it is. */
export const isSubscribing = ({ config }: Pick<NetworkContext, 'config'>): boolean => subscribingConfigs.has(config)

/** Repeats the subscription until it succeeds or the worker stops; then `done` resolves. */
export function subscribeWorker(ctx: NetworkContext): Worker & { done: Promise<void> } {
  const stop = new AbortController()
  subscribingConfigs.add(ctx.config)
  async function retryUntilSubscribed(): Promise<void> {
    for (let attempt = 1; !stop.signal.aborted; attempt++) {
      try {
        const result = await subscribe(ctx)
        subscribingConfigs.delete(ctx.config)
        return ctx.log.info(
          { subscriberId: ctx.config.NETWORK_SUBSCRIBER_ID, how: result },
          'subscribed to the network',
        )
      } catch (error) {
        ctx.log.warn({ why: messageOf(error) }, 'the subscription to the network failed; retrying')
      }
      await sleep(pauseSeconds(subscribeSchedule, attempt) * 1000, undefined, { signal: stop.signal }).catch(() => {})
    }
  }
  const done = retryUntilSubscribed()
  return {
    done,
    async stop() {
      stop.abort()
      await done
    },
  }
}
