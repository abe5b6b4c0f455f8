// Reads registry entries for the console, with the keys of a participant and their validity (FIS12 §6.1).
import { createHash } from 'node:crypto'
import { daysAfter } from '@lendloom/foundation/clock'
import { Refusal } from '@lendloom/foundation/refusal'
import type { Participant } from '@lendloom/wire/network/signing'
import { domainsOf, identityOf, type NetworkContext } from './own-identity.ts'
import { lookupRequest } from './registry.ts'
import { signingPublicKey } from './subscribe.ts'

/** Short, because a user of the console waits for the answer. */
const timeoutMs = 3000

interface KeyEntry {
  keyId: string
  type: string
  domain: string | null
  status: string
  url: string | null
  fingerprint: string
  validFrom: string
  validUntil: string
}

export interface RegistryEntry {
  subscriberId: string
  state: 'known' | 'missing' | 'unreached'
  keys: KeyEntry[]
  /** Latest expiry of the valid keys; null if no key is valid. */
  validUntil: string | null
  endsSoon: boolean
}

/** Returns the first 16 hex digits of the key's SHA-256, which a person can compare. */
const fingerprintOf = (publicKey: string): string =>
  createHash('sha256').update(Buffer.from(publicKey, 'base64')).digest('hex').slice(0, 16)

/** Queries the registry. `endsSoon`: no key is valid, or the last valid one expires within `warnDays` days. */
export async function entryOf(ctx: NetworkContext, subscriberId: string, warnDays: number): Promise<RegistryEntry> {
  return entryFrom(await lookUp(ctx, subscriberId), subscriberId, { at: ctx.clock(), warnDays })
}

function entryFrom(
  found: Participant[] | null,
  subscriberId: string,
  { at, warnDays }: { at: Date; warnDays: number },
): RegistryEntry {
  if (!found) return { subscriberId, state: 'unreached', keys: [], validUntil: null, endsSoon: false }
  const keys = found.map(toKeyEntry)
  const expiries = found.filter((key) => isValid(key, at)).map(({ valid_until }) => valid_until)
  const validUntil = expiries.sort((a, b) => Date.parse(a) - Date.parse(b)).at(-1) ?? null
  const endsSoon = validUntil === null || new Date(validUntil) <= daysAfter(at, warnDays)
  return { subscriberId, state: found.length > 0 ? 'known' : 'missing', keys, validUntil, endsSoon }
}

/** The entries in each domain in which we are. */
async function lookUp(ctx: NetworkContext, subscriberId: string): Promise<Participant[] | null> {
  const inDomain = (domain: string) => lookupRequest(ctx, { subscriber_id: subscriberId, domain }, timeoutMs)
  try {
    return (await Promise.all(domainsOf(ctx.config).map(inDomain))).flat()
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'upstream') return null
    throw error
  }
}

export const isValid = ({ status, valid_from, valid_until }: Participant, at: Date): boolean =>
  status === 'SUBSCRIBED' && new Date(valid_from) <= at && at < new Date(valid_until)

const toKeyEntry = (key: Participant): KeyEntry => ({
  keyId: key.ukId,
  type: key.type,
  domain: key.domain ?? null,
  status: key.status,
  url: key.subscriber_url ?? null,
  fingerprint: fingerprintOf(key.signing_public_key),
  validFrom: key.valid_from,
  validUntil: key.valid_until,
})

export const ownKeyIn = (
  keys: readonly KeyEntry[],
  own: Pick<KeyEntry, 'keyId' | 'fingerprint'>,
): KeyEntry | undefined => keys.find(({ keyId, fingerprint }) => keyId === own.keyId && fingerprint === own.fingerprint)

const isTime = (text: string): boolean => !Number.isNaN(Date.parse(text))

/** Reads our own entry. `isKeyKnown`: the registry has our current signing key. */
export const ownEntry = async (ctx: NetworkContext, warnDays: number) =>
  ownEntryFrom(ctx, await lookUp(ctx, identityOf(ctx.config).id), warnDays)

/** As `ownEntry`, from the answer of a look-up; null if the registry did not answer. */
export function ownEntryFrom({ config, clock }: NetworkContext, found: Participant[] | null, warnDays: number) {
  const { id, uri } = identityOf(config)
  const entry = entryFrom(found, id, { at: clock(), warnDays })
  const fingerprint = fingerprintOf(signingPublicKey(config))
  const ours = ownKeyIn(entry.keys, { keyId: config.NETWORK_KEY_ID, fingerprint })
  return {
    ...entry,
    url: uri,
    keyId: config.NETWORK_KEY_ID,
    fingerprint,
    registryUrl: config.NETWORK_REGISTRY_URL,
    isKeyKnown: ours !== undefined && ours.status === 'SUBSCRIBED',
    rotateBy: ours && isTime(ours.validUntil) ? daysAfter(new Date(ours.validUntil), -warnDays).toISOString() : null,
  }
}

export type OwnNetworkEntry = ReturnType<typeof ownEntryFrom>

/** Returns what is wrong with our entry, and what to do; null if lenders accept our signature. */
export function entryFault(entry: OwnNetworkEntry, now: Date): { found: string; action: string } | null {
  const { subscriberId, state, keys, keyId, fingerprint, registryUrl } = entry
  if (state === 'unreached')
    return {
      found: `the registry at ${registryUrl} lists nobody for us: it does not answer, or refuses our signature`,
      action:
        'register a new key with lendloom network subscribe; otherwise check NETWORK_REGISTRY_URL and NETWORK_SIGNING_KEY',
    }
  if (state === 'missing')
    return { found: `${subscriberId} is not in the registry`, action: 'lendloom network subscribe' }
  const ours = ownKeyIn(keys, { keyId, fingerprint })
  if (ours?.status !== 'SUBSCRIBED')
    return {
      found: `the registry does not list our signing key under ${keyId}`,
      action: 'set NETWORK_KEY_ID and NETWORK_SIGNING_KEY as they were registered, or register the key',
    }
  if (new Date(ours.validFrom) <= now && now < new Date(ours.validUntil)) return null
  return { found: periodWords(entry, ours), action: 'register a new key: lenders refuse this one' }
}

export const periodWords = (
  { keyId, subscriberId }: Pick<OwnNetworkEntry, 'keyId' | 'subscriberId'>,
  { validFrom, validUntil }: Pick<KeyEntry, 'validFrom' | 'validUntil'>,
): string => `our key ${keyId} of ${subscriberId} is valid from ${validFrom} until ${validUntil}`
