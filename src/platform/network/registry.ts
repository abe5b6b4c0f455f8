// Looks up whose key is whose in the network's directory, and believes the answer for a while (FIS12 §6.1).

import { Participant } from '#contract/network/keys.ts'
import { call, Unreached } from '#kit/http/client.ts'
import { Refusal } from '#kit/http/refusal.ts'
import { faults } from '#kit/http/schema.ts'
import { type Cache, cache, remembered } from '#kit/runtime/cache.ts'
import { egressPolicyOf, type NetworkContext, signed } from './identity.ts'

export type { Participant } from '#contract/network/keys.ts'

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

/** One signed look-up, nothing remembered. `timeoutMs` is for callers who have less patience than the client. */
export async function lookupRequest(
  ctx: NetworkContext,
  facts: Record<string, string>,
  timeoutMs?: number,
): Promise<Participant[]> {
  const { config, clock, log } = ctx
  const body = JSON.stringify(facts)
  const headers = { 'content-type': 'application/json', authorization: signed(config, body, clock()) }
  const url = `${config.NETWORK_REGISTRY_URL}/v2.0/lookup`
  try {
    const answer = await call({
      ...{ method: 'POST', url, headers, body, egress: egressPolicyOf(config) },
      ...(timeoutMs !== undefined && { timeoutMs }),
    })
    const list: unknown = answer.status === 200 ? JSON.parse(answer.body.toString('utf8')) : null
    if (!Array.isArray(list)) throw new Unreached(`answered ${answer.status} without a list`)
    return list.filter((each): each is Participant => faults(Participant, each).length === 0)
  } catch (error) {
    if (!(error instanceof Unreached || error instanceof SyntaxError)) throw error
    log.warn({ why: error.message }, 'the registry did not answer a look-up')
    throw new Refusal('upstream', 'the registry did not answer', { retryAfterSeconds: 5 })
  }
}

/** What is remembered of the network's directory: keys that the registry knows, and those that it does not. */
export interface KeyName {
  subscriberId: string
  uniqueKeyId: string
}

interface Entry {
  found: Participant[]
  /** Another question about the same key is not worth asking before this. */
  notBefore: number
}

/** What one process remembers of the registry. */
interface Directory {
  /** Keys that the registry knows. */
  known: Cache<Entry>
  /** Keys that it does not know: anyone may ask for as many as they like. */
  unknown: Cache<Entry>
  asking: Map<string, Promise<Entry>>
}

const unknownMs = 5000

const directoryOf = remembered(
  ({ config }: { config: { NETWORK_LOOKUP_CACHE_SECONDS: number } }) => config,
  ({ config }): Directory => ({
    known: cache({ name: 'registry', mostBytes: 8 << 20, forMs: config.NETWORK_LOOKUP_CACHE_SECONDS * 1000 }),
    unknown: cache({ name: 'registry-unknown', mostBytes: 2 << 20, forMs: unknownMs }),
    asking: new Map(),
  }),
)
