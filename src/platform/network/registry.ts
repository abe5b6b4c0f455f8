// Looks up whose key is whose in the network's directory, and believes the answer for a while (FIS12 §6.1).
import { call, Unreached } from '#kit/http-client.ts'
import { Refusal } from '#kit/refusal.ts'
import { faults, type Static, Type } from '#kit/schema.ts'
import { type NetworkConfig, reachOf, type Speaker, signed } from './us.ts'

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
  until: number
  /** Another question about the same key is not worth asking before this. */
  notBefore: number
}

/** One directory for each configuration: a process has one, a test file several. */
const directories = new WeakMap<NetworkConfig, { entries: Map<string, Entry>; asking: Map<string, Promise<Entry>> }>()

function directoryOf({ config }: Speaker) {
  const known = directories.get(config)
  if (known) return known
  const fresh = { entries: new Map<string, Entry>(), asking: new Map<string, Promise<Entry>>() }
  directories.set(config, fresh)
  return fresh
}

const mostEntries = 10_000
const unknownMs = 5000
const repeatMs = 1000

/**
 * The participants that hold this key; empty for an unknown one. `fresh` asks again although an answer is remembered, at
 * most once a second for each key. Many who ask at once share one question. Throws `upstream` when the registry is away.
 */
export async function lookUp(world: Speaker, key: KeyName, fresh = false): Promise<Participant[]> {
  const { entries, asking } = directoryOf(world)
  const name = `${key.subscriberId}|${key.uniqueKeyId}`
  const now = world.clock().getTime()
  const known = entries.get(name)
  if (known && now < (fresh ? known.notBefore : known.until)) return known.found
  const question = asking.get(name) ?? ask(world, key)
  asking.set(name, question)
  try {
    const entry = await question
    if (entries.size >= mostEntries) entries.clear()
    entries.set(name, entry)
    return entry.found
  } finally {
    asking.delete(name)
  }
}

async function ask(world: Speaker, { subscriberId, uniqueKeyId }: KeyName): Promise<Entry> {
  const found = await lookupRequest(world, { subscriber_id: subscriberId, ukId: uniqueKeyId })
  const now = world.clock().getTime()
  const believedMs = found.length > 0 ? world.config.NETWORK_LOOKUP_CACHE_SECONDS * 1000 : unknownMs
  return { found, until: now + believedMs, notBefore: now + repeatMs }
}

/** One signed look-up, nothing remembered. */
export async function lookupRequest(world: Speaker, facts: Record<string, string>): Promise<Participant[]> {
  const { config, clock, log } = world
  const body = JSON.stringify(facts)
  const headers = { 'content-type': 'application/json', authorization: signed(config, body, clock()) }
  const url = `${config.NETWORK_REGISTRY_URL}/v2.0/lookup`
  try {
    const answer = await call({ method: 'POST', url, headers, body, reach: reachOf(config) })
    const list: unknown = answer.status === 200 ? JSON.parse(answer.body.toString('utf8')) : null
    if (!Array.isArray(list)) throw new Unreached(`answered ${answer.status} without a list`)
    return list.filter((each): each is Participant => faults(Participant, each).length === 0)
  } catch (error) {
    if (!(error instanceof Unreached || error instanceof SyntaxError)) throw error
    log.warn({ why: error.message }, 'the registry did not answer a look-up')
    throw new Refusal('upstream', 'the registry did not answer', { retryAfterSeconds: 5 })
  }
}
