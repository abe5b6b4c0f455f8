// Limits sign-in attempts per name, per network and overall; a known device has its own limit.
import { Refusal } from './refusal.ts'
import { Buckets, type Limit } from './token-bucket.ts'

/** Limits per process. They also limit the number of passwords that wait to be hashed. */
const signInLimits = {
  name: { perSecond: 1 / 30, burst: 5 },
  address: { perSecond: 1 / 3, burst: 30 },
  overall: { perSecond: 2, burst: 60 },
  device: { perSecond: 1 / 30, burst: 5 },
  /** How often a refused attempt is recorded. */
  recorded: { perSecond: 1 / 10, burst: 20 },
} satisfies Record<string, Limit>

/** A sign-in attempt. */
export interface SignInAttempt {
  /** The normalized sign-in name. */
  email: string
  /** The network address; null when the attempt does not come from a browser. */
  address: string | null
  /** Identifies a known device; null for an unknown one. */
  device: Buffer | null
}

export interface SignInLimiter {
  /**
   * Throws `rate-limited` after too many attempts. Attempts of an address over its limit do not count towards the
   * overall limit, and a known device counts only towards its own limit.
   */
  limit(attempt: SignInAttempt, at: Date): void
  /** As `limit`, by network only, for methods where another system checks the password. */
  limitAddress(address: string, at: Date): void
  /** Whether to record one more refused attempt; limited, so that a flood does not fill the table. */
  isRecorded(at: Date): boolean
}

/** Creates the limiter of one process. */
export function signInLimiter(): SignInLimiter {
  const buckets = new Map<keyof typeof signInLimits, Buckets>()
  const drawFrom = (kind: keyof typeof signInLimits, key: string, at: Date) => {
    const known = buckets.get(kind) ?? new Buckets()
    buckets.set(kind, known)
    return known.draw(key, signInLimits[kind], at.getTime())
  }
  function draw(kind: keyof typeof signInLimits, key: string, at: Date): void {
    const { allowed, secondsUntilNext } = drawFrom(kind, key, at)
    if (allowed) return
    throw new Refusal('rate-limited', 'too many tries', { retryAfterSeconds: Math.ceil(secondsUntilNext) })
  }
  return {
    limit({ email, address, device }, at) {
      if (device) {
        draw('device', device.toString('hex'), at)
        return
      }
      if (address !== null) {
        draw('address', networkOf(address), at)
        draw('overall', '', at)
      }
      draw('name', email, at)
    },
    limitAddress: (address, at) => draw('address', networkOf(address), at),
    isRecorded: (at) => drawFrom('recorded', '', at).allowed,
  }
}

/** Returns the network of a caller: an IPv4 address, or the first half of an IPv6 address. */
export function networkOf(address: string): string {
  const withoutPrefix = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (!withoutPrefix.includes(':')) return withoutPrefix
  const [before = '', after] = withoutPrefix.split('::')
  const head = before === '' ? [] : before.split(':')
  const tail = after ? after.split(':') : []
  const zeros = after === undefined ? [] : Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0')
  const groups = [...head, ...zeros, ...tail].slice(0, 4)
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')
}
