// Looks up whose key is whose in the network's directory, and believes the answer for a while (FIS12 §6.1).

import { call, Unreached } from '#kit/http/client.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { faults, type Static, Type } from '#kit/http/schema.ts'
import { type Cache, cache } from '#kit/runtime/cache.ts'
import { egressPolicyOf, type NetworkConfig, type NetworkContext, signed } from './identity.ts'

const Participant = Type.Object({
  subscriber_id: Type.String(),
  ukId: Type.String(),
  type: Type.String(),
  domain: Type.Optional(Type.String()),
  signing_public_key: Type.String(),
  valid_from: Type.String(),
  valid_until: Type.String(),
  status: Type.String(),
})

/** A key of a participant, as the registry states it. */
export type Participant = Static<typeof Participant>

export interface KeyName {
  subscriberId: string
  uniqueKeyId: string
}

interface Entry {
  found: Participant[]
  /** Another question about the same key is not worth asking before this. */
  notBefore: number
}

/** One directory for each configuration: a process has one, a test file several. */
interface Directory {
  /** Keys that the registry knows. */
  known: Cache<Entry>
  /** Keys that it does not know: anyone may ask for as many as they like. */
  unknown: Cache<Entry>
  asking: Map<string, Promise<Entry>>
}
const directories = new WeakMap<NetworkConfig, Directory>()

function directoryOf({ config }: NetworkContext) {
  const known = directories.get(config)
  if (known) return known
  const knownMs = config.NETWORK_LOOKUP_CACHE_SECONDS * 1000
  const fresh: Directory = {
    known: cache({ name: 'registry', mostBytes: 8 << 20, forMs: knownMs }),
    unknown: cache({ name: 'registry-unknown', mostBytes: 2 << 20, forMs: unknownMs }),
    asking: new Map(),
  }
  directories.set(config, fresh)
  return fresh
}

const unknownMs = 5000
const repeatMs = 1000

/**
 * The participants that hold this key; empty for an unknown one. `fresh` asks again although an answer is remembered, at
 * most once a second for each key. Many who ask at once share one question. Throws `upstream` when the registry is away.
 */
export async function findParticipants(ctx: NetworkContext, key: KeyName, fresh = false): Promise<Participant[]> {
  const { known, unknown, asking } = directoryOf(ctx)
  const name = `${key.subscriberId}|${key.uniqueKeyId}`
  const now = ctx.clock().getTime()
  const before = known.get(name, now) ?? unknown.get(name, now)
  if (before && (!fresh || now < before.notBefore)) return before.found
  const question = asking.get(name) ?? ask(ctx, key)
  asking.set(name, question)
  try {
    const entry = await question
    const [kept, other] = entry.found.length > 0 ? [known, unknown] : [unknown, known]
    kept.set(name, entry, ctx.clock().getTime())
    other.delete(name)
    return entry.found
  } finally {
    asking.delete(name)
  }
}

async function ask(ctx: NetworkContext, { subscriberId, uniqueKeyId }: KeyName): Promise<Entry> {
  const found = await lookupRequest(ctx, { subscriber_id: subscriberId, ukId: uniqueKeyId })
  const now = ctx.clock().getTime()
  return { found, notBefore: now + repeatMs }
}

/** One signed look-up, nothing remembered. */
export async function lookupRequest(ctx: NetworkContext, facts: Record<string, string>): Promise<Participant[]> {
  const { config, clock, log } = ctx
  const body = JSON.stringify(facts)
  const headers = { 'content-type': 'application/json', authorization: signed(config, body, clock()) }
  const url = `${config.NETWORK_REGISTRY_URL}/v2.0/lookup`
  try {
    const answer = await call({ method: 'POST', url, headers, body, egress: egressPolicyOf(config) })
    const list: unknown = answer.status === 200 ? JSON.parse(answer.body.toString('utf8')) : null
    if (!Array.isArray(list)) throw new Unreached(`answered ${answer.status} without a list`)
    return list.filter((each): each is Participant => faults(Participant, each).length === 0)
  } catch (error) {
    if (!(error instanceof Unreached || error instanceof SyntaxError)) throw error
    log.warn({ why: error.message }, 'the registry did not answer a look-up')
    throw new Refusal('upstream', 'the registry did not answer', { retryAfterSeconds: 5 })
  }
}
