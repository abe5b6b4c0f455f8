// What is remembered of the network's directory: keys that the registry knows, and those that it does not.
import type { Participant } from '#contract/network/participant.ts'
import { type Cache, cache, remembered } from '#kit/runtime/cache.ts'

export interface KeyName {
  subscriberId: string
  uniqueKeyId: string
}

export interface Entry {
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

export const directoryOf = remembered(
  ({ config }: { config: { NETWORK_LOOKUP_CACHE_SECONDS: number } }) => config,
  ({ config }): Directory => ({
    known: cache({ name: 'registry', mostBytes: 8 << 20, forMs: config.NETWORK_LOOKUP_CACHE_SECONDS * 1000 }),
    unknown: cache({ name: 'registry-unknown', mostBytes: 2 << 20, forMs: unknownMs }),
    asking: new Map(),
  }),
)
