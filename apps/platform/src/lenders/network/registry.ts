// Looks up keys in the network registry, caches them, and verifies senders' signatures (FIS12 §5, §6.1).

import { type Cache, cache, memoizePerOwner } from '@lendloom/foundation/cache'
import { jsonIn } from '@lendloom/foundation/json'
import { isOneOf } from '@lendloom/foundation/record'
import { Refusal } from '@lendloom/foundation/refusal'
import { faults } from '@lendloom/foundation/schema'
import { type WorkLimit, workLimit } from '@lendloom/foundation/work-limit'
import { call, type HttpAnswer, UnreachableError } from '@lendloom/http/client'
import { egressPolicyOf } from '@lendloom/http/egress-policy'
import { type NetworkDomain, networkDomains, usualDomain } from '@lendloom/wire/network/context'
import {
  checkClaim,
  Participant,
  rawVerificationKey,
  type SignatureFault,
  verifySignature,
} from '@lendloom/wire/network/signing'
import type { Context } from '#platform/context.ts'
import { authorizationHeader, type NetworkContext } from './own-identity.ts'

export type { Participant } from '@lendloom/wire/network/signing'

const minRefreshMs = 1000

/**
 * Returns the participants with this key, or `[]` for an unknown key. `fresh` bypasses the cache, at most once a second
 * per key. Concurrent callers share one look-up. Throws `upstream` if the registry does not answer.
 */
export async function findParticipants(
  ctx: NetworkContext,
  key: ParticipantKey,
  fresh = false,
): Promise<Participant[]> {
  const directory = directoryOf(ctx)
  const { known, unknown, found, pending } = directory
  const name = nameOf(key)
  const previous = cachedAnswer(directory, name, ctx.clock().getTime(), fresh)
  if (previous) return previous.found
  const lookup = pending.get(name) ?? lookUpKey(ctx, key)
  pending.set(name, lookup)
  try {
    const entry = await lookup
    const now = ctx.clock().getTime()
    if (entry.found.length > 0) {
      known.set(name, entry, now)
      unknown.delete(name)
      found.set(name, true, now)
    } else {
      unknown.set(name, entry, now)
      known.delete(name)
    }
    return entry.found
  } finally {
    pending.delete(name)
  }
}

function cachedAnswer(
  { known, unknown }: Directory,
  name: string,
  now: number,
  fresh: boolean,
): CachedLookup | undefined {
  const previous = known.get(name, now) ?? unknown.get(name, now)
  return previous && (!fresh || now < previous.notBefore) ? previous : undefined
}

const nameOf = ({ subscriberId, uniqueKeyId, domain = usualDomain }: ParticipantKey): string =>
  `${subscriberId}|${uniqueKeyId ?? domain}`

/**
 * As `findParticipants`, for a key that any caller can invent: look-ups of keys that the registry has not confirmed within
 * a day wait for each other, and throw `upstream` once too many wait. A look-up that already runs is shared.
 */
async function findClaimed(ctx: NetworkContext, key: ParticipantKey, fresh: boolean): Promise<Participant[]> {
  const directory = directoryOf(ctx)
  const name = nameOf(key)
  const now = ctx.clock().getTime()
  const needsNoLookup = directory.pending.has(name) || cachedAnswer(directory, name, now, fresh) !== undefined
  if (needsNoLookup || directory.found.get(name, now)) return findParticipants(ctx, key, fresh)
  if (directory.unconfirmed.pendingCount >= maxWaiting)
    throw new Refusal('upstream', 'too many look-ups of unknown keys are waiting', { retryAfterSeconds: 5 })
  return directory.unconfirmed(() => findParticipants(ctx, key, fresh))
}

async function lookUpKey(
  ctx: NetworkContext,
  { subscriberId, uniqueKeyId, domain = usualDomain }: ParticipantKey,
): Promise<CachedLookup> {
  const ofKey: Record<string, string> = uniqueKeyId === null ? { domain, type: 'BPP' } : { ukId: uniqueKeyId }
  const found = await lookupRequest(ctx, { subscriber_id: subscriberId, ...ofKey })
  const now = ctx.clock().getTime()
  return { found, notBefore: now + minRefreshMs }
}

/** Sends a signed look-up without the cache. Throws `upstream` if the registry does not answer. */
export async function lookupRequest(
  ctx: NetworkContext,
  criteria: Record<string, string>,
  timeoutMs?: number,
): Promise<Participant[]> {
  try {
    const answer = await callLookup(ctx, criteria, timeoutMs)
    const found = participantsIn(answer)
    if (!found) throw new UnreachableError(`answered ${answer.status} without a list`)
    return found
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error
    ctx.log.warn({ why: error.message }, 'the registry did not answer a look-up')
    throw new Refusal('upstream', 'the registry did not answer', { retryAfterSeconds: 5 })
  }
}

/** Sends a signed look-up and returns the raw answer. Throws `UnreachableError` without one. */
export function callLookup(
  { config, clock }: NetworkContext,
  criteria: Record<string, string>,
  timeoutMs?: number,
): Promise<HttpAnswer> {
  const body = JSON.stringify(criteria)
  const headers = { 'content-type': 'application/json', authorization: authorizationHeader(config, body, clock()) }
  const url = `${config.NETWORK_REGISTRY_URL}/v2.0/lookup`
  return call({
    method: 'POST',
    url,
    headers,
    body,
    egress: egressPolicyOf(config),
    ...(timeoutMs !== undefined && { timeoutMs }),
  })
}

export function participantsIn({ status, body }: Pick<HttpAnswer, 'status' | 'body'>): Participant[] | null {
  const list = status === 200 ? jsonIn(body) : null
  if (!Array.isArray(list)) return null
  return list
    .filter((each): each is Participant => faults(Participant, each).length === 0)
    .map((each) => ({ ...each, signing_public_key: rawVerificationKey(each.signing_public_key) }))
}

/** Returns a lender's address in the registry; null if the registry has none in this domain or does not answer. */
export async function addressInRegistry(
  ctx: NetworkContext,
  subscriberId: string,
  domain: NetworkDomain = usualDomain,
): Promise<string | null> {
  const key = { subscriberId, uniqueKeyId: null, domain }
  const at = ctx.clock()
  const entries = await findParticipants(ctx, key).catch((error) => {
    if (error instanceof Refusal) return []
    throw error
  })
  const address = entries.find((each) => isCurrentLender(each, key, at))?.subscriber_url
  return address && /^https?:/.test(address) && URL.canParse(address) ? address : null
}

/** Identifies a participant's key in the registry; null for any key of a lender. */
export interface ParticipantKey {
  subscriberId: string
  uniqueKeyId: string | null
  /** The domain in which it must be registered; absent if any of ours will do. */
  domain?: NetworkDomain
}

interface CachedLookup {
  found: Participant[]
  /** Earliest time of the next look-up of this key, in milliseconds since 1970. */
  notBefore: number
}

interface Directory {
  known: Cache<CachedLookup>
  /** Unknown keys. Bounded, because outsiders may send any number of them. */
  unknown: Cache<CachedLookup>
  pending: Map<string, Promise<CachedLookup>>
  /** Keys that the registry had within a day: their look-ups do not wait for those of invented keys. */
  found: Cache<true>
  /** The look-ups of other keys. */
  unconfirmed: WorkLimit
}

const unknownMs = 5000
const foundMs = 24 * 3_600_000
/** Look-ups of unconfirmed keys at once: each is signed, and the registry limits our requests. */
const maxUnconfirmed = 64
/** Look-ups that may wait: after a restart hundreds of lenders answer several searches. Nothing is read meanwhile. */
const maxWaiting = 1000

const directoryOf = memoizePerOwner(
  ({ config }: { config: { NETWORK_LOOKUP_CACHE_SECONDS: number } }) => config,
  ({ config }): Directory => ({
    known: cache({ name: 'registry', maxBytes: 8 << 20, lifetimeMs: config.NETWORK_LOOKUP_CACHE_SECONDS * 1000 }),
    unknown: cache({ name: 'registry-unknown', maxBytes: 2 << 20, lifetimeMs: unknownMs }),
    pending: new Map(),
    found: cache({ name: 'registry-found', maxBytes: 1 << 20, lifetimeMs: foundMs }),
    unconfirmed: workLimit(maxUnconfirmed),
  }),
)

/**
 * Returns the subscriber id that the header names, if the registry knows a current lender with this key: all that can be
 * verified before the body is read. Throws the errors of `verifySender`.
 */
export async function requireKnownSender(ctx: Context, header: string | undefined, at: Date): Promise<string> {
  const claim = checkClaim({ header, at, skewSeconds: ctx.config.NETWORK_CLOCK_SKEW_SECONDS })
  if (!claim.ok) throw refused(claim.fault)
  const isKnown = async (fresh: boolean) =>
    (await findClaimed(ctx, claim.signature, fresh)).some((each) => isCurrentLender(each, claim.signature, at))
  if (!(await isKnown(false)) && !(await isKnown(true))) throw refused('unknown-sender')
  return claim.signature.subscriberId
}

/**
 * Returns the subscriber id of the lender that signed the raw bytes. Throws `bad-credential` for an invalid signature,
 * and `upstream` if the registry does not answer, so that the sender retries.
 */
export async function verifySender(ctx: Context, raw: Buffer, header: string | undefined, at: Date): Promise<string> {
  const skewSeconds = ctx.config.NETWORK_CLOCK_SKEW_SECONDS
  const claim = checkClaim({ header, at, skewSeconds })
  if (!claim.ok) throw refused(claim.fault)
  const { subscriberId } = claim.signature
  const signedBytes = { raw, header, at, skewSeconds }
  const fault = await faultOf(ctx, signedBytes, claim.signature)
  // The cached key may be outdated, so we look up the key and verify again (FIS12 §5 step 7).
  const freshFault = fault === null ? null : await faultOf(ctx, signedBytes, claim.signature, true)
  if (freshFault !== null) throw refused(freshFault)
  return subscriberId
}

/**
 * Throws `bad-credential` unless the registry has the sender's key in the domain that the signed message names. The sender
 * is verified before, in any domain, because the message is read only then.
 */
export async function requireSenderInDomain(
  ctx: Context,
  header: string | undefined,
  { domain, at }: { domain: NetworkDomain; at: Date },
): Promise<void> {
  const claim = checkClaim({ header, at, skewSeconds: ctx.config.NETWORK_CLOCK_SKEW_SECONDS })
  if (!claim.ok) throw refused(claim.fault)
  const key = { ...claim.signature, domain }
  const isRegistered = async (fresh: boolean) =>
    (await findParticipants(ctx, claim.signature, fresh)).some((each) => isCurrentLender(each, key, at))
  if (!(await isRegistered(false)) && !(await isRegistered(true))) throw refused('unknown-sender')
}

type Fault = SignatureFault | 'unknown-sender'

interface SignedBytes {
  raw: Buffer
  header: string | undefined
  at: Date
  skewSeconds: number
}

async function faultOf(
  ctx: Context,
  signedBytes: SignedBytes,
  key: ParticipantKey,
  fresh = false,
): Promise<Fault | null> {
  const known = await findParticipants(ctx, key, fresh)
  const lenders = known.filter((each) => isCurrentLender(each, key, signedBytes.at))
  const results = lenders.map(({ signing_public_key }) => signatureFault(signedBytes, signing_public_key))
  return results.includes(null) ? null : (results[0] ?? 'unknown-sender')
}

function signatureFault({ raw, ...claim }: SignedBytes, publicKey: string): Fault | null {
  try {
    const result = verifySignature(raw, publicKey, claim)
    return result.ok ? null : result.fault
  } catch {
    // The public key in the registry's entry is unusable.
    return 'bad-signature'
  }
}

/** Whether the participant is a subscribed lender with this valid key, of this domain or any of ours (FIS12 §5 step 5). */
const isCurrentLender = (each: Participant, { subscriberId, uniqueKeyId, domain }: ParticipantKey, at: Date): boolean =>
  each.subscriber_id === subscriberId &&
  (uniqueKeyId === null || each.ukId === uniqueKeyId) &&
  each.type === 'BPP' &&
  each.status === 'SUBSCRIBED' &&
  (each.domain === undefined || isOneOf(domain ? [domain] : networkDomains, each.domain)) &&
  new Date(each.valid_from) <= at &&
  at < new Date(each.valid_until)

const refused = (fault: Fault): Refusal =>
  new Refusal('bad-credential', `the signature is not valid: ${fault}`, { fault })
