// Identifiers and secrets: the only source of randomness.
import { createHash, randomFillSync, randomUUID } from 'node:crypto'

/**
 * The counter of each bucket within the latest millisecond. Ids of one process increase, also for acts that began at
 * different times.
 */
const counts = new Map<number, number>()
const mostCounts = 8192

/**
 * Data is split into this many buckets. All rows of a borrower are in one bucket. The twelve bits of an id after its
 * version are its bucket, so the id alone locates its row.
 */
export const buckets = 4096

/** The bucket of an id, from 0; 0 for text that is not an id. */
export const bucketOf = (id: string): number => Number.parseInt(id.slice(15, 18), 16) || 0

/**
 * The bucket of something identified by names alone, such as a borrower by the integrator's identifier. The same names
 * always give the same bucket.
 */
export const bucketOfNames = (...names: string[]): number =>
  createHash('sha256').update(JSON.stringify(names)).digest().readUInt16BE() % buckets

/**
 * A time-ordered UUID (version 7): new rows land at the end of their index. Those of a bucket that one process makes for
 * the same millisecond are in order too, by a counter of 14 bits that begins at random in its lower half (RFC 9562 §6.2,
 * method 1), also when it makes others in between. Without a bucket its twelve bits belong to the counter, and all ids
 * without one are in order.
 */
export function uuidv7(at: number = Date.now(), bucket?: number): string {
  const bytes = randomOctets(16)
  const key = bucket === undefined ? at : at * buckets + bucket
  const before = counts.get(key)
  const count = before === undefined ? bytes.readUInt32BE(6) & (bucket === undefined ? 0x1ffffff : 0x1fff) : before + 1
  if (before === undefined && counts.size === mostCounts) {
    const [oldest] = counts.keys()
    if (oldest !== undefined) counts.delete(oldest)
  }
  counts.set(key, count)
  bytes.writeUIntBE(at, 0, 6)
  bytes.writeUInt16BE(0x7000 | (bucket ?? count >>> 14), 6)
  bytes.writeUInt16BE(0x8000 | (count & 0x3fff), 8)
  return formatUuid(bytes)
}

/** A random UUID (version 4), the network's format of transaction and message ids; in the given bucket, if any. */
export function uuidv4(bucket?: number): string {
  const id = randomUUID()
  return bucket === undefined ? id : `${id.slice(0, 15)}${bucket.toString(16).padStart(3, '0')}${id.slice(18)}`
}

/** A strictly formed UUID of any version, in either case. */
export const uuidPattern = '^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[1-8][0-9A-Fa-f]{3}-[89ABab][0-9A-Fa-f]{3}-[0-9A-Fa-f]{12}$'
const strictUuid = new RegExp(uuidPattern)
export const isUuid = (text: string): boolean => strictUuid.test(text)

export const uuidBytes = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex')

export function formatUuid(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The value of a base62 digit; -1 for any other character. */
export const base62Digit = (digit: string): number => alphabet.indexOf(digit)

/** The number of digits that a double holds exactly: converting each with big integers would be slow. */
const chunkDigits = 8
const chunk = 62n ** BigInt(chunkDigits)

/** The last `count` base62 digits of a whole number that is not negative, as `base62` writes them. */
export function base62Of(number: number, count: number): string {
  let [rest, text] = [number, '']
  for (let i = 0; i < count; i++) {
    text = alphabet[rest % 62] + text
    rest = Math.floor(rest / 62)
  }
  return text
}

/** Base62 of the bytes, padded to the length that any value of that many bytes needs. */
export function base62(bytes: Uint8Array): string {
  const length = base62Length(bytes.length)
  let rest = BigInt(`0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex') || '0'}`)
  let text = ''
  while (text.length < length) {
    text = base62Of(Number(rest % chunk), Math.min(chunkDigits, length - text.length)) + text
    rest /= chunk
  }
  return text
}

/**
 * `count` uniformly distributed base62 digits: a byte selects one of 62, and the eight values that would cause a bias
 * are drawn again. `random` returns new bytes on each call.
 */
export function randomDigits(count: number, random: (size: number) => Uint8Array): string {
  let text = ''
  while (text.length < count) {
    // About one byte in 32 is drawn again.
    for (const byte of random(count - text.length + 2)) {
      if (byte < evenBytes) text += alphabet[byte % 62]
      if (text.length === count) break
    }
  }
  return text
}
const evenBytes = 248

/** Decodes base62 of `length` bytes; null when it is invalid. */
export function fromBase62(text: string, length: number): Buffer | null {
  if (text.length !== base62Length(length)) return null
  let value = 0n
  let digits = 0
  for (let i = 0; i < text.length; i++) {
    const digit = alphabet.indexOf(text.charAt(i))
    if (digit < 0) return null
    digits = digits * 62 + digit
    // The first chunk takes what the others leave over, so that each of those has all its digits.
    if ((text.length - 1 - i) % chunkDigits > 0) continue
    value = value * chunk + BigInt(digits)
    digits = 0
  }
  const hex = length === 0 ? '' : value.toString(16).padStart(length * 2, '0')
  return hex.length === length * 2 ? Buffer.from(hex, 'hex') : null
}

const base62Length = (bytes: number): number => Math.ceil((bytes * 8) / Math.log2(62))

/** The smallest version 7 id for an instant: every id created at that time or later is greater. */
export function firstIdAt(at: Date): string {
  const bytes = Buffer.alloc(16)
  bytes.writeUIntBE(Math.max(0, at.getTime()), 0, 6)
  return formatUuid(bytes)
}

/** The creation time of a version 7 id. */
export const instantOfId = (id: string): Date => new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))

const page = Buffer.alloc(4096)
let used = page.length

/**
 * Cryptographically random octets. They are drawn from the system a page at a time, because a draw of twelve costs as
 * much as one of thousands. Used octets are wiped from the page.
 */
export function randomOctets(size: number): Buffer {
  if (size > page.length) return randomFillSync(Buffer.alloc(size))
  if (used + size > page.length) {
    randomFillSync(page)
    used = 0
  }
  const drawn = Buffer.from(page.subarray(used, used + size))
  page.fill(0, used, used + size)
  used += size
  return drawn
}
