// Limits the memory of request bodies: all bodies of a process together, and each caller's share of them.
import { counter } from '@lendloom/foundation/metrics'
import { Refusal } from '@lendloom/foundation/refusal'

const refusals = counter('http_body_memory_refused_total', 'Requests refused because of the memory of bodies', ['of'])

/** The memory of one body. */
export interface BodyReservation {
  /** Adds bytes that have arrived. Throws `upstream` (503) when they would exceed the memory, or the caller's share. */
  add(bytes: number): void
  /** Returns the memory. May be called more than once. */
  release(): void
}

export interface BodyMemory {
  /** `caller` names who sends the body, such as by a credential. It gets `share` bytes for bodies of this size. */
  reserve(caller: string, share?: number): BodyReservation
  readonly bytes: number
  readonly maxBytesPerCaller: number
}

/**
 * Bytes are reserved as they arrive, so that a slow client holds no more than it has sent. A caller gets at most
 * `maxBytesPerCaller`, so that none can take what the others need.
 */
export function bodyMemory(maxBytes: number, maxBytesPerCaller: number): BodyMemory {
  const ofCallers = bytesByName()
  const ofShares = bytesByName()
  let total = 0
  const refuse = (of: 'process' | 'caller'): never => {
    refusals.inc({ of })
    const whose = of === 'process' ? '' : ' from this caller'
    throw new Refusal('upstream', `too many bytes${whose} are arriving at once; send the request again`, {
      retryAfterSeconds: 1,
    })
  }
  return {
    get bytes() {
      return total
    },
    maxBytesPerCaller,
    reserve(caller, share = maxBytesPerCaller) {
      // Counted apart, so that a caller's large bodies do not use up the share of its small ones.
      const shareName = `${share} ${caller}`
      let reserved = 0
      const addAll = (bytes: number): void => {
        total += bytes
        reserved += bytes
        ofCallers.add(caller, bytes)
        ofShares.add(shareName, bytes)
      }
      return {
        add(bytes) {
          if (total + bytes > maxBytes) refuse('process')
          if (ofCallers.of(caller) + bytes > maxBytesPerCaller) refuse('caller')
          if (ofShares.of(shareName) + bytes > share) refuse('caller')
          addAll(bytes)
        },
        release: () => addAll(-reserved),
      }
    },
  }
}

function bytesByName() {
  const byName = new Map<string, number>()
  const of = (name: string): number => byName.get(name) ?? 0
  return {
    of,
    add(name: string, bytes: number): void {
      const sum = of(name) + bytes
      if (sum > 0) byName.set(name, sum)
      else byName.delete(name)
    },
  }
}
