// Limits sign-in attempts per name, per network and overall. A known device has a separate limit.
import { Refusal } from '@lendloom/foundation/refusal'
import { Buckets, type Limit } from './token-bucket.ts'

/** Limits of one process. They also limit how many passwords wait to be hashed. */
const signInLimits = {
  name: { perSecond: 1 / 30, burst: 5 },
  address: { perSecond: 1 / 3, burst: 30 },
  overall: { perSecond: 2, burst: 60 },
  device: { perSecond: 1 / 30, burst: 5 },
  /** Limits how often one command line asks whether its sign-in is allowed, and all command lines of a network. */
  poll: { perSecond: 1, burst: 5 },
  polls: { perSecond: 10, burst: 100 },
  /** Limits how many refused attempts are recorded. */
  recorded: { perSecond: 1 / 10, burst: 20 },
} satisfies Record<string, Limit>

export interface SignInAttempt {
  /** The normalized sign-in name. */
  email: string
  /** The network address; null when the attempt does not come from a browser. */
  address: string | null
  /** Identifies a known device; null for an unknown device. */
  device: Buffer | null
}

export interface SignInLimiter {
  /**
   * Throws `rate-limited` after too many attempts. An attempt that the limit of its network refuses does not count
   * towards the overall limit. An attempt of a known device counts only towards the limit of the device.
   */
  limit(attempt: SignInAttempt, at: Date): void
  /** Applies only the limit of the network, for sign-ins that another system verifies. */
  limitAddress(address: string, at: Date): void
  /** Throws `rate-limited` when a command line polls its sign-in too often, or its network polls too much. */
  limitPolling(poll: { poller: string; address: string }, at: Date): void
  /** Whether to record a refused attempt. Limited, so that an attack does not fill the table. */
  isRecorded(at: Date): boolean
}

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
    limitPolling({ poller, address }, at) {
      draw('polls', networkOf(address), at)
      draw('poll', poller, at)
    },
    isRecorded: (at) => drawFrom('recorded', '', at).allowed,
  }
}

/** Returns the network of an address: an IPv4 address, or the first half of an IPv6 address. */
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
