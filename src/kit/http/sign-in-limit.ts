// Limits password tries per name, per caller address and overall; a known device has a separate count.
import { Refusal } from './refusal.ts'
import { Buckets, type Limit } from './token-bucket.ts'

/** Limits per process. They also bound how many passwords wait to be hashed. */
const signInLimits = {
  name: { perSecond: 1 / 30, burst: 5 },
  address: { perSecond: 1 / 3, burst: 30 },
  overall: { perSecond: 2, burst: 60 },
  device: { perSecond: 1 / 30, burst: 5 },
  /** Limit of recorded refused tries. */
  recorded: { perSecond: 1 / 10, burst: 20 },
} satisfies Record<string, Limit>

/** One try: the stored form of the name, and from a browser the address and the device's owner, if known. */
export interface SignInAttempt {
  email: string
  address: string | null
  device: Buffer | null
}

export interface SignInLimiter {
  /**
   * Throws `rate-limited` after too many tries. An address over its limit does not use up the others' share, and
   * nothing uses up a known device's.
   */
  limit(trying: SignInAttempt, at: Date): void
  /** As `limit`, by network address only, for methods where another system checks the password. */
  limitAddress(address: string, at: Date): void
  /** Whether to record one more refused try; bounded, so that a flood does not fill the table. */
  isRecorded(at: Date): boolean
}

/** The counts of one process. */
export function signInLimiter(): SignInLimiter {
  const buckets = new Map<keyof typeof signInLimits, Buckets>()
  const drawn = (kind: keyof typeof signInLimits, of: string, at: Date) => {
    const known = buckets.get(kind) ?? new Buckets()
    buckets.set(kind, known)
    return known.draw(of, signInLimits[kind], at.getTime())
  }
  function draw(kind: keyof typeof signInLimits, of: string, at: Date): void {
    const { allowed, secondsUntilNext } = drawn(kind, of, at)
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
    isRecorded: (at) => drawn('recorded', '', at).allowed,
  }
}

/** The network of one caller: an IPv4 address, or the first half of an IPv6 address. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (!plain.includes(':')) return plain
  const [before = '', after] = plain.split('::')
  const head = before === '' ? [] : before.split(':')
  const tail = after ? after.split(':') : []
  const zeros = after === undefined ? [] : Array<string>(Math.max(0, 8 - head.length - tail.length)).fill('0')
  const groups = [...head, ...zeros, ...tail].slice(0, 4)
  return groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')
}
