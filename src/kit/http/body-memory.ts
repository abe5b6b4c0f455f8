// Limits the memory of request bodies: all bodies of a process together, and each caller's share of them.
import { counter } from '#kit/runtime/metrics.ts'
import { Refusal } from './refusal.ts'

const refusals = counter('http_body_memory_refused_total', 'Requests refused because of the memory of bodies', ['of'])

/** The memory of one body. */
export interface BodyReservation {
  /** Adds bytes that have arrived. Throws `upstream` (503) when they would exceed the memory, or the caller's share. */
  add(bytes: number): void
  /** Returns the memory. May be called more than once. */
  release(): void
}

export interface BodyMemory {
  /** `caller` names who sends the body, such as by a credential. It gets `share` bytes, or what every caller may have. */
  reserve(caller: string, share?: number): BodyReservation
  readonly bytes: number
  readonly maxBytesPerCaller: number
}

/**
 * Bytes are reserved as they arrive, so that a slow client holds no more than it has sent. A caller gets at most
 * `maxBytesPerCaller`, so that none can take what the others need.
 */
export function bodyMemory(maxBytes: number, maxBytesPerCaller: number): BodyMemory {
  const byCaller = new Map<string, number>()
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
      let reserved = 0
      return {
        add(bytes) {
          const ofCaller = byCaller.get(caller) ?? 0
          if (total + bytes > maxBytes) refuse('process')
          if (ofCaller + bytes > share) refuse('caller')
          total += bytes
          reserved += bytes
          byCaller.set(caller, ofCaller + bytes)
        },
        release() {
          total -= reserved
          const ofCaller = (byCaller.get(caller) ?? 0) - reserved
          reserved = 0
          if (ofCaller > 0) byCaller.set(caller, ofCaller)
          else byCaller.delete(caller)
        },
      }
    },
  }
}
