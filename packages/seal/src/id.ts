// Identifiers and secrets: the only source of randomness.
import { createHash, randomFillSync, randomUUID } from 'node:crypto'

/** The last count of each millisecond and bucket, so that ids of one process for the same instant increase. */
const counts = new Map<number, number>()
const maxCounts = 8192

/**
 * Data is split into this many buckets. All rows of a borrower are in one bucket. The twelve bits of an id after its
 * version are its bucket, so the id alone locates its row.
 */
export const buckets = 4096

/** Returns the bucket of an id, from 0; 0 for text that is not an id. */
export const bucketOf = (id: string): number => Number.parseInt(id.slice(15, 18), 16) || 0

/** Returns the bucket of a row without an id of ours, always the same for the same names. */
export const bucketOfNames = (...names: string[]): number =>
  createHash('sha256').update(JSON.stringify(names)).digest().readUInt16BE() % buckets

/**
 * Returns a time-ordered UUID (version 7), so that new rows are at the end of their index. Ids that one process makes
 * for the same millisecond and bucket are in order: a counter of 14 bits starts at random in its lower half (RFC 9562
 * §6.2, method 1). Without a bucket, the counter also has the twelve bits of the bucket.
 */
export function uuidv7(at: number = Date.now(), bucket?: number): string {
  const bytes = randomOctets(16)
  const key = bucket === undefined ? at : at * buckets + bucket
  const previous = counts.get(key)
  // The upper half stays free, so that the counter does not overflow within the millisecond.
  const lowerHalf = bucket === undefined ? 0x1ffffff : 0x1fff
  const count = previous === undefined ? bytes.readUInt32BE(6) & lowerHalf : previous + 1
  if (previous === undefined && counts.size === maxCounts) {
    const [oldest] = counts.keys()
    if (oldest !== undefined) counts.delete(oldest)
  }
  counts.set(key, count)
  bytes.writeUIntBE(at, 0, 6)
  bytes.writeUInt16BE(0x7000 | (bucket ?? count >>> 14), 6)
  bytes.writeUInt16BE(0x8000 | (count & 0x3fff), 8)
  return formatUuid(bytes)
}

/** Returns a random UUID (version 4), as the network requires for its ids; with the given bucket, if any. */
export function uuidv4(bucket?: number): string {
  const id = randomUUID()
  return bucket === undefined ? id : `${id.slice(0, 15)}${bucket.toString(16).padStart(3, '0')}${id.slice(18)}`
}

/** Returns a UUID (version 8) that depends only on the names. */
export function uuidOfNames(...names: string[]): string {
  const bytes = createHash('sha256').update(JSON.stringify(names)).digest().subarray(0, 16)
  bytes.writeUInt8(0x80 | (bytes.readUInt8(6) & 0x0f), 6)
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8)
  return formatUuid(bytes)
}

export const uuidBytes = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex')

export function formatUuid(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The value of a base62 digit; -1 for any other character. */
export const base62Digit = (digit: string): number => alphabet.indexOf(digit)

/** Digits per conversion: a double holds eight digits exactly, and a big integer for each digit would be slow. */
const chunkDigits = 8
const chunk = 62n ** BigInt(chunkDigits)

/** Returns the last `count` base62 digits of a whole number that is not negative. */
export function base62Of(number: number, count: number): string {
  let remaining = number
  let text = ''
  for (let i = 0; i < count; i++) {
    text = alphabet[remaining % 62] + text
    remaining = Math.floor(remaining / 62)
  }
  return text
}

/** Encodes bytes in base62, padded to a fixed length per number of bytes. */
export function base62(bytes: Uint8Array): string {
  const length = base62Length(bytes.length)
  let remaining = BigInt(`0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex') || '0'}`)
  let text = ''
  while (text.length < length) {
    text = base62Of(Number(remaining % chunk), Math.min(chunkDigits, length - text.length)) + text
    remaining /= chunk
  }
  return text
}

/**
 * Returns `count` uniformly distributed base62 digits. Each byte selects a digit; bytes from `unbiasedBytes` on would
 * cause a bias and are discarded. `random` returns new bytes on each call.
 */
export function randomDigits(count: number, random: (size: number) => Uint8Array): string {
  let text = ''
  while (text.length < count) {
    // About one byte in 32 is discarded.
    for (const byte of random(count - text.length + 2)) {
      if (byte < unbiasedBytes) text += alphabet[byte % 62]
      if (text.length === count) break
    }
  }
  return text
}
const unbiasedBytes = 248

/** Decodes base62 of `length` bytes; null when it is invalid. */
export function fromBase62(text: string, length: number): Buffer | null {
  if (text.length !== base62Length(length)) return null
  let value = 0n
  let digits = 0
  for (let i = 0; i < text.length; i++) {
    const digit = alphabet.indexOf(text.charAt(i))
    if (digit < 0) return null
    digits = digits * 62 + digit
    // Only the first chunk may have fewer digits.
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

/** Returns the creation time of a version 7 id. */
export const instantOfId = (id: string): Date => new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))

const page = Buffer.alloc(4096)
let usedOctets = page.length

/**
 * Returns cryptographically random octets. Reads a whole page at a time, because reading twelve octets from the
 * system costs as much as reading thousands. Wipes the returned octets from the page.
 */
export function randomOctets(size: number): Buffer {
  if (size > page.length) return randomFillSync(Buffer.alloc(size))
  if (usedOctets + size > page.length) {
    randomFillSync(page)
    usedOctets = 0
  }
  const octets = Buffer.from(page.subarray(usedOctets, usedOctets + size))
  page.fill(0, usedOctets, usedOctets + size)
  usedOctets += size
  return octets
}
